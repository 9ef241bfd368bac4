// The context window to assume before the harness has reported the real one.

import { readProcessEnv } from "../config/process-env.ts";

/** Window of today's large models, in tokens. */
const LARGE_WINDOW = 1_000_000;
/** Window of the small family, in tokens. */
const SMALL_WINDOW = 200_000;

/**
 * Tokens to assume for the configured model: 1,000,000, or 200,000 for a haiku whose name carries no `1m`.
 * Reads `ANTHROPIC_MODEL`, else `ANTHROPIC_DEFAULT_OPUS_MODEL`; an empty value counts as not set.
 */
export function defaultWindow(env: Readonly<Record<string, string | undefined>> = readProcessEnv()): number {
  const model = (env.ANTHROPIC_MODEL?.trim() || env.ANTHROPIC_DEFAULT_OPUS_MODEL?.trim() || "").toLowerCase();
  if (/(?<![a-z0-9])1m(?![a-z0-9])/.test(model)) return LARGE_WINDOW;
  return model.includes("haiku") ? SMALL_WINDOW : LARGE_WINDOW;
}
