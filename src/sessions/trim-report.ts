// What the last load came to, in one line for a person or a log.

import { PruningSessionStore } from "./pruning-session-store.ts";
import type { RewritingSessionStore } from "./rewriting-session-store.ts";

function counted(n: number, one: string, many: string): string {
  return `${n.toLocaleString("en-US")} ${n === 1 ? one : many}`;
}

function repairs(store: PruningSessionStore): number {
  const { orphanCalls, orphanResults, parents, blocks } = store.repaired;
  return orphanCalls + orphanResults + parents + blocks;
}

/**
 * One line on the last load of a rewriting store.
 * @param store - a store that rewrites on load
 * @example
 * ```ts
 * import { PruningSessionStore, trimReport } from "flower-agent";
 *
 * const store = new PruningSessionStore({ path: "runs/sessions.db", workspace: "." });
 * console.log(trimReport(store));
 * ```
 */
export function trimReport(store: RewritingSessionStore): string {
  const { expired, cleared, kept, charsSaved } = store.lastReport;
  const parts = [
    `${counted(cleared, "result", "results")} trimmed, ${kept.toLocaleString("en-US")} kept`,
    `${counted(expired, "stale look", "stale looks")} expired`,
  ];
  if (store instanceof PruningSessionStore) {
    parts.push(`${counted(store.pruned, "entry", "entries")} pruned`);
    parts.push(`${counted(store.denialsDropped, "old denial", "old denials")} dropped`);
    const mended = repairs(store);
    if (mended > 0) parts.push(`${counted(mended, "fault", "faults")} mended`);
  }
  parts.push(`${counted(charsSaved, "character", "characters")} saved`);
  if (store.lastFault !== undefined) parts.push(`nothing trimmed: ${store.lastFault}`);
  return parts.join("; ");
}
