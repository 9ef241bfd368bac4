// The environment variables flower knows by name, and which source may set which of them.

/** An environment as given: names to values, where an absent and an undefined value are the same. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** How far a source is trusted: 3 asked for in this very run, 2 the user's own files, 1 a project's file. */
export type Trust = 1 | 2 | 3;

/** The variables that choose models and effort. */
export const MODEL_VARIABLES = [
  "ANTHROPIC_MODEL",
  "ANTHROPIC_DEFAULT_OPUS_MODEL",
  "ANTHROPIC_DEFAULT_SONNET_MODEL",
  "ANTHROPIC_DEFAULT_HAIKU_MODEL",
  "CLAUDE_CODE_SUBAGENT_MODEL",
  "CLAUDE_CODE_EFFORT_LEVEL",
] as const;

/** One of the variables that choose models and effort. */
export type ModelVariable = (typeof MODEL_VARIABLES)[number];

/** Where requests go. */
export const BASE_URL_VARIABLE = "ANTHROPIC_BASE_URL";

/** Names another Claude Code binary than the one that comes with the SDK. */
export const HARNESS_VARIABLE = "FLOWER_HARNESS";

/** What a credential that goes through a request header is. */
export type DirectKind = "api_key" | "auth_token" | "oauth_token";

/** The variable of each kind of credential. */
export const CREDENTIAL_VARIABLES: Readonly<Record<DirectKind, string>> = {
  auth_token: "ANTHROPIC_AUTH_TOKEN",
  api_key: "ANTHROPIC_API_KEY",
  oauth_token: "CLAUDE_CODE_OAUTH_TOKEN",
};

/** A cloud that serves the models under its own credentials. */
export type CloudProvider = "bedrock" | "vertex" | "foundry";

/** The variable that turns each cloud on. */
export const CLOUD_FLAGS: Readonly<Record<CloudProvider, string>> = {
  bedrock: "CLAUDE_CODE_USE_BEDROCK",
  vertex: "CLAUDE_CODE_USE_VERTEX",
  foundry: "CLAUDE_CODE_USE_FOUNDRY",
};

const CLOUD_VARIABLES: Readonly<Record<CloudProvider, RegExp>> = {
  bedrock:
    /^(?:AWS_\w+|ANTHROPIC_BEDROCK_\w+|ANTHROPIC_SMALL_FAST_MODEL_AWS_REGION|CLAUDE_CODE_SKIP_BEDROCK_AUTH)$/,
  vertex:
    /^(?:ANTHROPIC_VERTEX_\w+|CLOUD_ML_REGION|VERTEX_REGION_\w+|GOOGLE_\w+|GCLOUD_\w+|CLOUDSDK_\w+|CLAUDE_CODE_SKIP_VERTEX_AUTH)$/,
  foundry: /^(?:ANTHROPIC_FOUNDRY_\w+|AZURE_\w+|CLAUDE_CODE_SKIP_FOUNDRY_AUTH)$/,
};

/** True for a variable that belongs to this cloud: its credentials, region, project, gateway. */
export function isCloudVariable(provider: CloudProvider, name: string): boolean {
  return CLOUD_VARIABLES[provider].test(name);
}

/** The nine keys read from the harness's own settings files. */
export const SETTINGS_VARIABLES: readonly string[] = [
  CREDENTIAL_VARIABLES.api_key,
  CREDENTIAL_VARIABLES.auth_token,
  BASE_URL_VARIABLE,
  ...MODEL_VARIABLES,
];

/** What a project's `.env` may set: a credential, its address and models, and nothing that runs or reroutes. */
export const PROJECT_VARIABLES: readonly string[] = [...SETTINGS_VARIABLES, CREDENTIAL_VARIABLES.oauth_token];

/** True for every variable flower reads from a source that the person wrote. */
export function isOwnVariable(name: string): boolean {
  return (
    PROJECT_VARIABLES.includes(name) ||
    Object.values(CLOUD_FLAGS).includes(name) ||
    Object.values(CLOUD_VARIABLES).some((pattern) => pattern.test(name))
  );
}

/**
 * The variables no child may inherit or be handed under any name: they are credentials, choose where
 * credentials go, or take the harness round the place where credentials are kept.
 */
const GUARDED: ReadonlySet<string> = new Set([
  ...Object.values(CREDENTIAL_VARIABLES),
  ...Object.values(CLOUD_FLAGS),
  BASE_URL_VARIABLE,
  "ANTHROPIC_UNIX_SOCKET",
  "CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR",
  "CLAUDE_CODE_OAUTH_REFRESH_TOKEN",
  "CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR",
]);

/** True for a variable that is a credential, an address for one, or a way round the one chosen. */
export function isGuardedVariable(name: string): boolean {
  return GUARDED.has(name);
}

/** The trimmed value of a variable, or undefined when it is absent or blank: a blank value claims nothing. */
export function givenValue(values: Environment, name: string): string | undefined {
  const value = Object.hasOwn(values, name) ? values[name]?.trim() : undefined;
  return value === "" ? undefined : value;
}
