// What the work is told of commands that did not hold: what was seen, never how to mend it. Pure.

import type { Evidence } from "../../evidence/evidence.ts";
import { evidenceTable } from "../../evidence/evidence-table.ts";
import { isBroken } from "./bind-verdict.ts";

/** It joins a session that goes on: what failed, and no more of each output than shows how. */
const MAX_BYTES = 8 * 1024;

/** Every command that did not hold, with what was expected, its last lines and where the rest is; empty when all held. */
export function brokenEvidence(evidence: Evidence): string {
  const items = evidence.items.filter(isBroken);
  if (items.length === 0) return "";
  const table = evidenceTable({ ...evidence, items }, MAX_BYTES);
  return `What flower saw when it ran these commands of the goal itself, in ${evidence.where}:\n${table}`;
}
