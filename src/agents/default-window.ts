// The context window to assume before the harness has reported the real one.

import { readProcessEnv } from "../config/process-env.ts";

/** Window of today's large models, in tokens. */
const LARGE_WINDOW = 1_000_000;
/** Window of the small family, in tokens. */
const SMALL_WINDOW = 200_000;

/** Tokens to assume for a model by its name alone: 1,000,000, or 200,000 for a haiku whose name carries no `1m`. */
function windowOfName(name: string): number {
  const model = name.toLowerCase();
  if (/(?<![a-z0-9])1m(?![a-z0-9])/.test(model)) return LARGE_WINDOW;
  return model.includes("haiku") ? SMALL_WINDOW : LARGE_WINDOW;
}

/**
 * Tokens to assume for the configured model: 1,000,000, or 200,000 for a haiku whose name carries no `1m`.
 * Reads `ANTHROPIC_MODEL`, else `ANTHROPIC_DEFAULT_OPUS_MODEL`; an empty value counts as not set.
 * @param env - where those names are looked up; the environment of the process when left out
 * @example
 * ```ts
 * import { defaultWindow } from "flower-agent";
 *
 * console.log(defaultWindow({ ANTHROPIC_MODEL: "claude-haiku-4-5" })); // 200000
 * ```
 */
export function defaultWindow(env: Readonly<Record<string, string | undefined>> = readProcessEnv()): number {
  return windowOfName(env.ANTHROPIC_MODEL?.trim() || env.ANTHROPIC_DEFAULT_OPUS_MODEL?.trim() || "");
}

/** Tokens to assume for an agent: by its own model where it names one (an alias by what it stands for), else as configured. */
export function windowOfAgent(
  model: string | undefined,
  configured: Readonly<Record<string, string | undefined>>,
): number {
  if (model === undefined) return defaultWindow(configured);
  const [, alias = "", mark = ""] = /^(opus|sonnet|haiku)(\[\w+\])?$/i.exec(model) ?? [];
  const meant = configured[`ANTHROPIC_DEFAULT_${alias.toUpperCase()}_MODEL`]?.trim();
  return windowOfName(meant ? meant + mark : model);
}
