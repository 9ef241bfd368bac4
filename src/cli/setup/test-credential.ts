// The live test of a credential: one small request, the way a run would go, and its answer in words with a next step.

import { MODEL_ROLES, type RoleModels } from "../../agents/role-models.ts";
import type { DirectCredentials } from "../../config/credentials.ts";
import type { Translator } from "../../config/locale/translator.ts";
import { probe } from "../../config/probe.ts";
import { isKnownBad, type ProbeResult, probeModel } from "../../config/probe-request.ts";
import type { Io } from "../io.ts";
import { probeFetch } from "../run/probe-fetch.ts";

/** What the test showed. */
export interface CredentialTest extends ProbeResult {
  readonly model: string;
  readonly baseUrl: string;
}

/** Test it with one model. Never throws for what the network or the server did. */
export async function testCredential(
  credentials: DirectCredentials,
  { io, model }: { readonly io: Pick<Io, "env">; readonly model?: string | undefined },
): Promise<CredentialTest> {
  const result = await probe(credentials, { model, ...(await probeFetch(io.env)) });
  return { ...result, model: probeModel(credentials, model), baseUrl: credentials.baseUrl };
}

/** The models that the roles of the three steps ask for; undefined stands for the configured one. */
export function modelsOfRoles(
  model: string | undefined,
  models: RoleModels = {},
): readonly (string | undefined)[] {
  const lead = models.coordinator ?? model;
  return MODEL_ROLES.map((role) => models[role] ?? model ?? (role === "worker" ? lead : undefined));
}

/** Test it with each of these models, each once; after a first one that does not work the others say nothing new. */
export async function testModels(
  credentials: DirectCredentials,
  { io, models }: { readonly io: Pick<Io, "env">; readonly models: readonly (string | undefined)[] },
): Promise<readonly [CredentialTest, ...CredentialTest[]]> {
  const [first, ...others] = new Map(models.map((model) => [probeModel(credentials, model), model])).values();
  const result = await testCredential(credentials, { io, model: first });
  if (result.kind !== "ok") return [result];
  return [result, ...(await Promise.all(others.map((model) => testCredential(credentials, { io, model }))))];
}

/** The result as one sentence. */
export function testWords(t: Translator, { kind, detail, model, baseUrl }: CredentialTest): string {
  switch (kind) {
    case "ok":
      return t("probe.ok", { model });
    case "model_unknown":
      return t("probe.model_unknown", { model, baseUrl, detail });
    case "credentials_rejected":
    case "not_the_api":
    case "unreachable":
    case "unsure":
      return t(`probe.${kind}`, { baseUrl, detail });
  }
}

/** The mark before it: works, does not, cannot be told. */
export function testMark(test: ProbeResult): "+" | "x" | "!" {
  if (test.kind === "ok") return "+";
  return isKnownBad(test) ? "x" : "!";
}

/** What to do next; undefined when there is nothing to do. */
export function testHint(t: Translator, { kind, model }: CredentialTest): string | undefined {
  if (kind === "ok") return undefined;
  return kind === "model_unknown" ? t("probe.next.model_unknown", { model }) : t(`probe.next.${kind}`);
}
