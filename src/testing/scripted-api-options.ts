// How a scripted API is started: options, their defaults, checked once.

import { givenOptions, rejectUnknownKeys, requireObject } from "../core/options.ts";
import type { Script } from "./script.ts";
import { type CompleteUsage, checkUsage, type TurnUsage } from "./turn.ts";

/** How a scripted API is started. */
export interface ScriptedApiOptions {
  /** Who says what. */
  readonly script: Script;
  /** Port to listen on. @defaultValue 0: any free one */
  readonly port?: number | undefined;
  /** The only credential let in, as `x-api-key` or bearer token; others get 401. @defaultValue every one is */
  readonly expectKey?: string | undefined;
  /** Tokens of a turn that names none. @defaultValue 100 in, 20 out, no cache */
  readonly usage?: TurnUsage | undefined;
  /** Keep the bodies of requests; false saves memory in long runs. @defaultValue true */
  readonly keepBodies?: boolean | undefined;
  /** Let `verify()` pass although invalid histories came and were refused. @defaultValue false */
  readonly allowRefusals?: boolean | undefined;
}

/** The options, complete. */
export interface ResolvedApiOptions {
  readonly script: Script;
  readonly port: number;
  readonly expectKey: string | undefined;
  readonly usage: CompleteUsage;
  readonly keepBodies: boolean;
  readonly allowRefusals: boolean;
}

const USAGE: CompleteUsage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0 };
const KEYS = ["script", "port", "expectKey", "usage", "keepBodies", "allowRefusals"];

/**
 * Check the options and fill in what was left out.
 * @throws OptionError `unknown_option`, `bad_options`.
 */
export function resolveApiOptions(options: ScriptedApiOptions): ResolvedApiOptions {
  requireObject(options, "ScriptedApi.start");
  rejectUnknownKeys(options, KEYS, "ScriptedApi.start");
  requireObject(options.script, "script");
  const { usage = {} } = options;
  checkUsage(usage, "ScriptedApi.start usage");
  return {
    script: options.script,
    port: options.port ?? 0,
    expectKey: options.expectKey,
    usage: { ...USAGE, ...givenOptions(usage) },
    keepBodies: options.keepBodies ?? true,
    allowRefusals: options.allowRefusals ?? false,
  };
}
