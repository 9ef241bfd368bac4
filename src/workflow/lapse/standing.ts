// Whether a verdict still holds: it lapses when the work, or what it was ruled by, is not what it was.

import { existsSync } from "node:fs";
import type { WordValue } from "../../core/words.ts";
import type { Fingerprint } from "../../evidence/fingerprint.ts";
import { fingerprintWork } from "../../evidence/work-tree.ts";
import type { LastVerdict } from "./verdict-files.ts";
import { isDone } from "./verdict-record.ts";

/** What became of a verdict since. */
export type Standing =
  | { readonly kind: "holds" | "tree_changed" | "documents_changed" | "worked_on" }
  /** The work could not be looked at, then or now. */
  | { readonly kind: "unknown"; readonly why: WordValue };

/** Whether a verdict still holds, given what the work is now. Pure. */
export function standingOf(last: LastVerdict, tree: Fingerprint): Standing {
  if (last.workedOn) return { kind: "worked_on" };
  if (last.changedDocuments.length > 0) return { kind: "documents_changed" };
  if (last.tree.kind === "blind") return { kind: "unknown", why: last.tree.words ?? last.tree.why };
  if (tree.kind === "blind") return { kind: "unknown", why: tree.words ?? tree.why };
  return { kind: last.tree.hash === tree.hash ? "holds" : "tree_changed" };
}

/**
 * Look whether a verdict still holds; at the work only where that decides. Writes nothing.
 * @param env - gives git its PATH and HOME.
 */
export async function lookAtVerdict(
  last: LastVerdict,
  env: Readonly<Record<string, string | undefined>>,
  signal?: AbortSignal,
): Promise<Standing> {
  const unseen: Fingerprint = { kind: "blind", why: "" };
  const early = standingOf(last, unseen);
  if (early.kind !== "unknown" || last.tree.kind === "blind") return early;
  const { folder, workspace } = last.work;
  // Work that was brought together elsewhere is in the workspace once it was merged and that place is gone.
  const work = existsSync(folder) ? last.work : { ...last.work, folder: workspace };
  return standingOf(last, await fingerprintWork(work, env, signal));
}

/** Whether there is nothing to do: the work is done, and neither it nor what it was ruled by has changed. */
export function isSettled(last: LastVerdict, standing: Standing): boolean {
  return isDone(last.state) && standing.kind === "holds";
}
