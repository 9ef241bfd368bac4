// The wall of a role that neither directs nor works: what it was not given, its main thread does not have.

import { HANDS_ON_TOOLS } from "../agents/tool-groups.ts";
import { rejectUnknownKeys } from "../core/options.ts";
import { deny, isMainThread, PASS } from "./call.ts";
import type { PreGuard } from "./decision.ts";

/** Options of the whitelist guard. */
export interface WhitelistOptions {
  /** How the refusal calls the role. @defaultValue "this role" */
  readonly role?: string | undefined;
}

/**
 * Refuses, on the main thread, those of Bash, Write, Edit and NotebookEdit that `allowed` does not name. The harness
 * takes an allow list as a pre-approval, not as a limit; this makes it one. Null when there is nothing to refuse.
 */
export function whitelistPreGuard(
  allowed: readonly string[] | undefined,
  options: WhitelistOptions = {},
): PreGuard | null {
  rejectUnknownKeys(options, ["role"], "whitelistGuard");
  const role = options.role ?? "this role";
  // `Bash(git *)` still means that the role has Bash; how much of it is for the harness to say.
  const given = new Set((allowed ?? []).map((rule) => rule.split("(")[0]?.trim()));
  const banned = HANDS_ON_TOOLS.filter((tool) => !given.has(tool));
  if (banned.length === 0) return null;
  return {
    name: "whitelist",
    tools: banned,
    decide: (call) =>
      isMainThread(call) && banned.includes(call.tool)
        ? deny(
            `${role} does not have ${call.tool}. This is intended, not a missing setting: write the conclusion in your reply, it is read from there. Do not look for a way round.`,
          )
        : PASS,
  };
}
