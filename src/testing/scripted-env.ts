// The environment a child gets when it is to talk to a scripted API and to nobody else.

import { rejectUnknownKeys, requireObject } from "../core/options.ts";

/** The key that scripted children carry. It opens nothing. */
export const DUMMY_KEY = "sk-ant-test-dummy";

/** What a scripted child's environment is made from. */
export interface ScriptedEnvOptions {
  /** A throw-away folder that becomes the child's HOME. */
  readonly home: string;
  /** Address of the scripted API. */
  readonly apiUrl: string;
  /** Where programs are found: usually the test's own PATH. */
  readonly path: string;
  /** Key the harness is given. @defaultValue {@link DUMMY_KEY} */
  readonly apiKey?: string | undefined;
  /** Variables to add; they win. */
  readonly extra?: Readonly<Record<string, string>> | undefined;
}

/**
 * A complete environment: nothing of the person's is in it, no address but the API's is reached, and the harness
 * stops retrying by itself after two attempts so that failures come soon.
 * @throws OptionError `bad_options`, `unknown_option`.
 */
export function scriptedEnv(options: ScriptedEnvOptions): Record<string, string> {
  requireObject(options, "scriptedEnv");
  rejectUnknownKeys(options, ["home", "apiUrl", "path", "apiKey", "extra"], "scriptedEnv");
  return {
    PATH: options.path,
    HOME: options.home,
    LANG: "C.UTF-8",
    TZ: "UTC",
    ANTHROPIC_BASE_URL: options.apiUrl,
    ANTHROPIC_API_KEY: options.apiKey ?? DUMMY_KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_ENABLE_TASKS: "0",
    CLAUDE_CODE_MAX_RETRIES: "2",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_TELEMETRY: "1",
    ...options.extra,
  };
}
