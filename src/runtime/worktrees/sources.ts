// The branches of a piece of work: who isolated workers were, what each left, and where it is.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Reason, toReason, wordsOf } from "../../config/locale/words.ts";
import type { GitAt, GitWork } from "./git-work.ts";
import { readBranchName, worktreesFolder } from "./names.ts";
import { settleTree } from "./settle-tree.ts";

/** A worker's branch. */
export interface Source {
  readonly branch: string;
  /** Name of its worktree. */
  readonly name: string;
  /** The worktree; undefined when it is gone. */
  readonly path: string | undefined;
}

/** A source whose work is on its branch. */
export interface ReadySource extends Source {
  readonly tip: string;
  readonly leftOut: readonly string[];
}

/** A source, or why it is not ready. */
export type SettledSource =
  | { readonly kind: "ready"; readonly source: ReadySource }
  | ({ readonly kind: "stuck"; readonly source: Source } & Reason);

/** The workers' branches of these runs, in the order of their last commits. */
export async function readSources(
  git: GitWork,
  top: string,
  runs: readonly string[],
): Promise<readonly Source[]> {
  const order = ["--sort=refname", "--sort=committerdate"];
  const listed = await git.run(["for-each-ref", ...order, "--format=%(refname:short)", "refs/heads/flower/"]);
  return listed.out.split("\n").flatMap((branch) => {
    const named = readBranchName(branch);
    if (named?.kind !== "worker" || !runs.includes(named.run)) return [];
    const path = join(worktreesFolder(top), named.name);
    return [{ branch, name: named.name, path: existsSync(path) ? path : undefined }];
  });
}

/** Put what a source left uncommitted on its branch. */
export async function settleSource(
  source: Source,
  tools: { readonly git: GitWork; readonly gitAt: GitAt; readonly message: string },
): Promise<SettledSource> {
  const { git, gitAt, message } = tools;
  if (source.path === undefined) {
    const tip = await git.line("rev-parse", "--verify", "--quiet", `refs/heads/${source.branch}`);
    if (tip !== undefined) return { kind: "ready", source: { ...source, tip, leftOut: [] } };
    return { kind: "stuck", source, ...toReason(wordsOf("tree.lost")) };
  }
  const settled = await settleTree({ git: gitAt(source.path), branch: source.branch, message });
  if (settled.kind === "stuck") {
    const { why, words } = settled;
    return { kind: "stuck", source, why, words };
  }
  return { kind: "ready", source: { ...source, tip: settled.tip, leftOut: settled.leftOut } };
}
