// Choosing the one credential, the address it may go to, and the models. Pure: sources in, decision out.

import { CredentialsError } from "../core/errors.ts";
import { checkBaseUrl, OFFICIAL_BASE_URL } from "./base-url.ts";
import { toReason } from "./locale/words.ts";
import { listValue, placeValue, sourceValue } from "./source-words.ts";
import type { Source } from "./sources.ts";
import {
  BASE_URL_VARIABLE,
  CLOUD_FLAGS,
  type CloudProvider,
  CREDENTIAL_VARIABLES,
  type DirectKind,
  givenValue,
  isCloudVariable,
  MODEL_VARIABLES,
  type ModelVariable,
  type Trust,
} from "./variables.ts";

/** A variable and the source that has it. */
interface Origin {
  readonly name: string;
  readonly source: string;
}

interface Chosen {
  /** Name of the source the credential came from. */
  readonly source: string;
  readonly trust: Trust;
  /** Model variables that are set, each from the highest source that has it. */
  readonly models: Readonly<Partial<Record<ModelVariable, string>>>;
  /** The source of each of `models`. */
  readonly modelSources: Readonly<Partial<Record<ModelVariable, string>>>;
  /** Credentials that were found and are not used. */
  readonly ignored: readonly Origin[];
}

/** A credential that travels in a request header. */
export interface DirectCredentials extends Chosen {
  readonly kind: DirectKind;
  /** The secret itself: for request headers only, never for a message, an event or a log. */
  readonly value: string;
  readonly baseUrl: string;
  /** The source of `baseUrl`; `"default"` when nobody set one. */
  readonly baseUrlSource: string;
}

/** A cloud that the harness talks to under the cloud's own credentials. */
export interface CloudCredentials extends Chosen {
  readonly kind: "cloud";
  readonly provider: CloudProvider;
  /** The cloud's own variables, secrets among them. */
  readonly variables: Readonly<Record<string, string>>;
}

/** What a run spends and where it spends it. */
export type Credentials = DirectCredentials | CloudCredentials;

/** The harness's own order where one source has several: a gateway's token is set on purpose, a key lies about. */
const KINDS: readonly DirectKind[] = ["auth_token", "api_key", "oauth_token"];
const CLOUDS: readonly CloudProvider[] = ["bedrock", "vertex", "foundry"];

interface Candidate extends Origin {
  readonly from: Source;
  readonly what:
    | { readonly kind: DirectKind; readonly value: string }
    | { readonly kind: "cloud"; readonly provider: CloudProvider };
}

function candidates(from: Source): readonly Candidate[] {
  const found: Candidate[] = [];
  // A project may not move a run to another account's cloud, whoever built this source.
  for (const provider of from.trust >= 2 ? CLOUDS : []) {
    const name = CLOUD_FLAGS[provider];
    if (/^(?:1|true|yes|on)$/i.test(givenValue(from.values, name) ?? "")) {
      found.push({ name, source: from.name, from, what: { kind: "cloud", provider } });
    }
  }
  for (const kind of KINDS) {
    const name = CREDENTIAL_VARIABLES[kind];
    const value = givenValue(from.values, name);
    if (value !== undefined) found.push({ name, source: from.name, from, what: { kind, value } });
  }
  return found;
}

function nothingFound(sources: readonly Source[]): CredentialsError {
  const tried = sources.map(({ name, status, notes }) => {
    return placeValue(name, status === "absent" ? ["does not exist"] : notes);
  });
  const { why: english, words: looked } = toReason(listValue(tried));
  return new CredentialsError(`no credentials found; looked in: ${english}`, {
    code: "no_credentials",
    values: { looked },
    hint: "run `flower setup` to store a key or token, or `flower demo` to see everything work without one",
  });
}

function checkSecret({ name, source }: Origin, value: string): void {
  if (!/[^\x20-\x7e]/.test(value)) return;
  throw new CredentialsError(
    `${name} from ${source} holds a line break or another character that no key or token has`,
    {
      code: "bad_credential_value",
      values: { name, source: sourceValue(source) },
      hint: "copy it again, in one line and without typographic characters",
    },
  );
}

function checkTrust(credential: Candidate, baseUrl: string, from: Source): void {
  const { trust } = credential.from;
  // Two files of different projects do not vouch for each other: neither is the person's own.
  if (from.trust > trust || from === credential.from || (from.trust === trust && trust > 1)) return;
  const host = new URL(baseUrl).host;
  throw new CredentialsError(
    `${BASE_URL_VARIABLE} from ${from.name} points to ${host}, but the credential (${credential.name}) comes ` +
      `from ${credential.source}, and that file may not decide where it is sent`,
    {
      code: "untrusted_base_url",
      values: {
        host,
        from: sourceValue(from.name),
        name: credential.name,
        source: sourceValue(credential.source),
      },
      hint:
        `if you trust ${host}, run: export ${BASE_URL_VARIABLE}=… in your shell; ` +
        `if not, remove the line from ${from.name} or export ${BASE_URL_VARIABLE}=${OFFICIAL_BASE_URL}`,
    },
  );
}

function highest(
  sources: readonly Source[],
  name: string,
): { readonly from: Source; readonly value: string } | undefined {
  for (const from of sources) {
    const value = givenValue(from.values, name);
    if (value !== undefined) return { from, value };
  }
  return undefined;
}

function resolveBaseUrl(
  credential: Candidate,
  sources: readonly Source[],
): Pick<DirectCredentials, "baseUrl" | "baseUrlSource"> {
  const found = highest(sources, BASE_URL_VARIABLE);
  if (found === undefined) return { baseUrl: OFFICIAL_BASE_URL, baseUrlSource: "default" };
  checkBaseUrl(found.value, found.from.name);
  checkTrust(credential, found.value, found.from);
  return { baseUrl: found.value, baseUrlSource: found.from.name };
}

function resolveModels(sources: readonly Source[]): Pick<Chosen, "models" | "modelSources"> {
  const models: Partial<Record<ModelVariable, string>> = {};
  const modelSources: Partial<Record<ModelVariable, string>> = {};
  for (const name of MODEL_VARIABLES) {
    const found = highest(sources, name);
    if (found === undefined) continue;
    if (/\p{Cc}/u.test(found.value)) {
      throw new CredentialsError(`${name} from ${found.from.name} holds a control character`, {
        code: "bad_model_value",
        values: { name, source: found.from.name },
        hint: "write it in one line",
      });
    }
    models[name] = found.value;
    modelSources[name] = found.from.name;
  }
  return { models, modelSources };
}

function cloudVariables(provider: CloudProvider, sources: readonly Source[]): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const from of [...sources].reverse()) {
    if (from.trust === 1) continue;
    for (const name of Object.keys(from.values)) {
      const value = isCloudVariable(provider, name) ? givenValue(from.values, name) : undefined;
      if (value !== undefined) variables[name] = value;
    }
  }
  return variables;
}

/**
 * One credential: that of the highest source that has one; within a source a cloud, then the auth token, the key,
 * the OAuth token. A blank value claims nothing. A base URL that is trusted less than the credential, or stands in
 * another project's file, is refused.
 * @throws CredentialsError `no_credentials`, `untrusted_base_url`, `bad_base_url`, `bad_credential_value`,
 * `bad_model_value`; none of them repeats a secret.
 */
export function resolveCredentials(sources: readonly Source[]): Credentials {
  const [credential, ...others] = sources.flatMap(candidates);
  if (credential === undefined) throw nothingFound(sources);
  const chosen: Chosen = {
    source: credential.source,
    trust: credential.from.trust,
    ...resolveModels(sources),
    ignored: others.map(({ name, source }) => ({ name, source })),
  };
  const { what } = credential;
  if (what.kind === "cloud") {
    return { ...chosen, ...what, variables: cloudVariables(what.provider, sources) };
  }
  checkSecret(credential, what.value);
  return { ...chosen, ...what, ...resolveBaseUrl(credential, sources) };
}
