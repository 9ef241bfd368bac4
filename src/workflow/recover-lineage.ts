// Which session each step had last, read from the books: for a lineage that was damaged. The store decides later
// whether such a session is still there.

import { manifestPath, readManifest } from "../runtime/manifest.ts";
import { readAttempt } from "./attempt-name.ts";
import { stepAlias } from "./original-folder.ts";

/** Step name without the mark of its round; undefined for the rows of a step's judges. */
function stepOf(row: string): string | undefined {
  const { kind, step } = readAttempt(row);
  // What still bears a mark then is the original's, or a judge's under a name of its own.
  return kind === "verdict" || kind === "other" || /[#·]/.test(step) ? undefined : stepAlias(step);
}

/**
 * Step -> last session. A step that began again in another session began another piece of work: what stood before it
 * belongs to the one before and is left out.
 */
export function sessionsInBooks(runDir: string): ReadonlyMap<string, string> {
  const steps = new Map<string, string>();
  for (const row of readManifest(manifestPath(runDir)).rows) {
    const step = stepOf(row.step);
    if (step === undefined || row.session_id === null) continue;
    const before = steps.get(step);
    const retired: readonly unknown[] = Array.isArray(row.retired) ? row.retired : [];
    if (before !== undefined && before !== row.session_id && !retired.includes(before)) steps.clear();
    steps.set(step, row.session_id);
  }
  return steps;
}
