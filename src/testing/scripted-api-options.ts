// How a scripted API is started: options, their defaults, checked once.

import { rejectUnknownKeys, requireObject } from "../core/options.ts";
import type { Script } from "./script.ts";
import type { TurnUsage } from "./turn.ts";

/** How a scripted API is started. */
export interface ScriptedApiOptions {
  /** Who says what. */
  readonly script: Script;
  /** Port to listen on. @defaultValue 0: any free one */
  readonly port?: number;
  /** The only credential let in, as `x-api-key` or bearer token; others get 401. @defaultValue every one is */
  readonly expectKey?: string;
  /** Tokens of a turn that names none. @defaultValue 100 in, 20 out, no cache */
  readonly usage?: TurnUsage;
  /** Keep the bodies of requests; false saves memory in long runs. @defaultValue true */
  readonly keepBodies?: boolean;
  /** Let `verify()` pass although invalid histories came and were refused. @defaultValue false */
  readonly allowRefusals?: boolean;
}

/** The options, complete. */
export interface ResolvedApiOptions {
  readonly script: Script;
  readonly port: number;
  readonly expectKey: string | undefined;
  readonly usage: Required<TurnUsage>;
  readonly keepBodies: boolean;
  readonly allowRefusals: boolean;
}

const KEYS = ["script", "port", "expectKey", "usage", "keepBodies", "allowRefusals"];

/**
 * Check the options and fill in what was left out.
 * @throws OptionError `unknown_option`, `bad_options`.
 */
export function resolveApiOptions(options: ScriptedApiOptions): ResolvedApiOptions {
  requireObject(options, "ScriptedApi.start");
  rejectUnknownKeys(options, KEYS, "ScriptedApi.start");
  requireObject(options.script, "script");
  return {
    script: options.script,
    port: options.port ?? 0,
    expectKey: options.expectKey,
    usage: { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0, ...options.usage },
    keepBodies: options.keepBodies ?? true,
    allowRefusals: options.allowRefusals ?? false,
  };
}
