// The environment a harness child starts from, and the variables of one credential. Pure.
// The broker's address and token are added by whoever starts the child.

import { apiRoot } from "./base-url.ts";
import type { Credentials } from "./credentials.ts";
import {
  BASE_URL_VARIABLE,
  CLOUD_FLAGS,
  CREDENTIAL_VARIABLES,
  type DirectKind,
  type Environment,
  givenValue,
  isGuardedVariable,
} from "./variables.ts";

/** What a child's environment is made from. */
export interface ChildEnvironmentInput {
  readonly processEnv: Environment;
  readonly credentials: Credentials;
  /**
   * Further variables of the parent to hand on by name; credentials, addresses and cloud switches never are.
   * @defaultValue the names in the parent's `FLOWER_PASS_ENV`, separated by commas or white space
   */
  readonly passEnv?: readonly string[];
}

const OWN_PREFIX = /^(?:CLAUDE|ANTHROPIC|FLOWER_)/;
const LOOPBACK = ["127.0.0.1", "localhost", "::1"];

function passedNames(processEnv: Environment): readonly string[] {
  return (givenValue(processEnv, "FLOWER_PASS_ENV") ?? "").split(/[\s,]+/).filter((name) => name !== "");
}

/** Behind a proxy the child would send the requests meant for this machine to the proxy. */
function loopbackWithoutProxy(env: Environment): Record<string, string> {
  if (!Object.keys(env).some((name) => /^(?:https?|all)_proxy$/i.test(name))) return {};
  const extended: Record<string, string> = {};
  for (const [name, twin] of [
    ["NO_PROXY", "no_proxy"],
    ["no_proxy", "NO_PROXY"],
  ] as const) {
    const given = givenValue(env, name) ?? givenValue(env, twin) ?? "";
    const hosts = given.split(/[\s,]+/).filter((host) => host !== "");
    extended[name] = [...new Set([...hosts, ...LOOPBACK])].join(",");
  }
  return extended;
}

/** An environment without credentials, addresses for them and cloud switches: for a layer a caller adds. */
export function withoutCredentials(env: Environment): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !isGuardedVariable(name)) kept[name] = value;
  }
  return kept;
}

/** The variables that give the harness this credential; a base without its `/v1`, which the harness adds itself. */
export function credentialVariables(
  kind: DirectKind,
  value: string,
  baseUrl: string,
): Record<string, string> {
  return { [CREDENTIAL_VARIABLES[kind]]: value, [BASE_URL_VARIABLE]: apiRoot(baseUrl) };
}

/**
 * The parent's environment without its harness and flower variables, plus the chosen models; for a cloud also
 * that cloud's variables and its switch. Holds no credential of the direct kinds.
 */
export function childEnvironment(input: ChildEnvironmentInput): Record<string, string> {
  const { processEnv, credentials, passEnv = passedNames(processEnv) } = input;
  const inherited: Record<string, string> = {};
  for (const [name, value] of Object.entries(withoutCredentials(processEnv))) {
    if (!OWN_PREFIX.test(name) || passEnv.includes(name)) inherited[name] = value;
  }
  const cloud =
    credentials.kind === "cloud"
      ? { ...credentials.variables, [CLOUD_FLAGS[credentials.provider]]: "1" }
      : loopbackWithoutProxy(processEnv);
  return { ...inherited, ...cloud, ...credentials.models };
}
