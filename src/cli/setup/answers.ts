// What setting up asks for, and what becomes of it: the lines of the person's `.env`, and a credential to test. Pure.

import { OFFICIAL_BASE_URL } from "../../config/base-url.ts";
import type { DirectCredentials } from "../../config/credentials.ts";
import type { EnvChanges } from "../../config/user-env.ts";
import {
  BASE_URL_VARIABLE,
  CLOUD_FLAGS,
  CREDENTIAL_VARIABLES,
  type DirectKind,
} from "../../config/variables.ts";
import type { CREDENTIAL_KINDS } from "../args/flags.ts";
import { kindOfSecret } from "./shapes.ts";

/** What a person has; `local` is a server on their own machine that asks for no token. */
export type Choice = DirectKind | "local";

/** All choices, in the order they are offered. */
export const CHOICES: readonly Choice[] = ["api_key", "auth_token", "oauth_token", "local"];

/** How a choice is named on the command line. */
export const CHOICE_NAMES: Readonly<Record<(typeof CREDENTIAL_KINDS)[number], Choice>> = {
  key: "api_key",
  token: "auth_token",
  oauth: "oauth_token",
  local: "local",
};

/** Where a local server is looked for unless told otherwise: Ollama's own place. */
const LOCAL_BASE_URL = "http://127.0.0.1:11434";

/**
 * Sent to a server that asks for no token: the harness does not start without one. Not a word that occurs in texts,
 * because a credential's value is masked wherever a tool prints it.
 */
const LOCAL_TOKEN = "flower-needs-no-token-here";

/** Complete answers. */
export interface SetupAnswers {
  readonly choice: Choice;
  readonly secret: string;
  readonly baseUrl: string;
  /** Empty for the harness's own choice. */
  readonly model: string;
}

/** Anthropic's own keys and tokens say what they are: a slip between the two is put right. */
export function correctedChoice(choice: Choice, secret: string): Choice {
  const isOfficial = choice === "api_key" || choice === "oauth_token";
  return (isOfficial ? kindOfSecret(secret) : undefined) ?? choice;
}

/** Values of the person's own `.env`. */
export type Stored = Readonly<Record<string, string>>;

/** The variable a choice is stored under. */
export function variableOf(choice: Choice): string {
  return CREDENTIAL_VARIABLES[choice === "local" ? "auth_token" : choice];
}

/** What the person's own file has now; undefined when it has no credential. */
export function storedChoice(stored: Stored): Choice | undefined {
  if (stored[variableOf("local")] === LOCAL_TOKEN) return "local";
  return CHOICES.find((choice) => choice !== "local" && (stored[variableOf(choice)] ?? "") !== "");
}

/** The secret of a choice that needs none to be typed. */
export function ownSecret(choice: Choice): string | undefined {
  return choice === "local" ? LOCAL_TOKEN : undefined;
}

/** The address offered for a choice: the stored one where it was stored for the same, else the usual one, if any. */
export function offeredAddress(choice: Choice, stored: Stored): string | undefined {
  const known = stored[BASE_URL_VARIABLE];
  if (known !== undefined && known !== "" && storedChoice(stored) === choice) return known;
  if (choice === "local") return LOCAL_BASE_URL;
  return choice === "auth_token" ? undefined : OFFICIAL_BASE_URL;
}

/** The model offered for a choice: the stored one where it was stored for the same, else none. */
export function offeredModel(choice: Choice, stored: Stored): string {
  return storedChoice(stored) === choice ? (stored.ANTHROPIC_MODEL ?? "") : "";
}

/** Roles of models that a server with one model has to fill with it: the harness asks for them by itself. */
const FAMILIES = [
  "ANTHROPIC_DEFAULT_OPUS_MODEL",
  "ANTHROPIC_DEFAULT_SONNET_MODEL",
  "ANTHROPIC_DEFAULT_HAIKU_MODEL",
] as const;

function familyChanges({ choice, model }: SetupAnswers, stored: Stored): EnvChanges {
  if (choice === "local") return Object.fromEntries(FAMILIES.map((name) => [name, model]));
  // What an earlier set-up of a local server wrote; a person's own lines stay.
  const own = FAMILIES.filter(
    (name) => stored[name] !== undefined && stored[name] === stored.ANTHROPIC_MODEL,
  );
  return Object.fromEntries(own.map((name) => [name, undefined]));
}

/** The answers as changes of the file. Every other credential goes, or a stale one could win over the new one. */
export function changesOf(answers: SetupAnswers, stored: Stored): EnvChanges {
  const { choice, secret, baseUrl, model } = answers;
  const others = [...Object.values(CREDENTIAL_VARIABLES), ...Object.values(CLOUD_FLAGS)];
  return {
    ...Object.fromEntries(others.map((name) => [name, undefined])),
    ...familyChanges(answers, stored),
    [variableOf(choice)]: secret,
    [BASE_URL_VARIABLE]: baseUrl === OFFICIAL_BASE_URL ? undefined : baseUrl,
    ANTHROPIC_MODEL: model === "" ? undefined : model,
  };
}

/** The answers as a credential to test. */
export function credentialsOf({ choice, secret, baseUrl, model }: SetupAnswers): DirectCredentials {
  return {
    kind: choice === "local" ? "auth_token" : choice,
    value: secret,
    baseUrl,
    baseUrlSource: "",
    source: "",
    trust: 2,
    models: model === "" ? {} : { ANTHROPIC_MODEL: model },
    modelSources: {},
    ignored: [],
  };
}
