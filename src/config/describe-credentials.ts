// The chosen configuration as rows a person may see.

import type { Credentials } from "./credentials.ts";
import { maskSecret } from "./mask-secret.ts";
import { BASE_URL_VARIABLE, CLOUD_FLAGS, CREDENTIAL_VARIABLES, MODEL_VARIABLES } from "./variables.ts";

/** One variable in effect, or a credential that was found and is not used. */
export interface ConfigRow {
  readonly kind: "used" | "ignored";
  readonly name: string;
  /** Secrets masked; empty for an ignored one. */
  readonly value: string;
  readonly source: string;
}

function mainRows(credentials: Credentials): readonly ConfigRow[] {
  const { source } = credentials;
  if (credentials.kind === "cloud") {
    const flag = { kind: "used", name: CLOUD_FLAGS[credentials.provider], value: "1", source } as const;
    // Which of a cloud's variables are secrets only that cloud knows.
    const own = Object.entries(credentials.variables).map(
      ([name, value]) => ({ kind: "used", name, value: maskSecret(value), source: "cloud" }) as const,
    );
    return [flag, ...own];
  }
  const { kind, value, baseUrl, baseUrlSource } = credentials;
  return [
    { kind: "used", name: CREDENTIAL_VARIABLES[kind], value: maskSecret(value), source },
    { kind: "used", name: BASE_URL_VARIABLE, value: baseUrl, source: baseUrlSource },
  ];
}

/** The credential (masked), its address, the models and what was ignored, each with its source. */
export function describeCredentials(credentials: Credentials): readonly ConfigRow[] {
  const models = MODEL_VARIABLES.flatMap((name): ConfigRow[] => {
    const value = credentials.models[name];
    return value === undefined
      ? []
      : [{ kind: "used", name, value, source: credentials.modelSources[name] ?? "" }];
  });
  const ignored = credentials.ignored.map(
    ({ name, source }): ConfigRow => ({ kind: "ignored", name, value: "", source }),
  );
  return [...mainRows(credentials), ...models, ...ignored];
}
