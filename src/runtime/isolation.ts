// Isolation: what must hold before a worker may get a worktree of its own, and what is said about each one after.

import { lstatSync } from "node:fs";
import { join, sep } from "node:path";
import { inEnglish, wordsOf } from "../config/locale/words.ts";
import { IsolationError } from "../core/errors.ts";
import { isInside } from "../core/paths.ts";
import type { Words } from "../core/words.ts";
import type { Git } from "./git.ts";

/** Folder, below the checkout, where the harness puts worktrees. */
const WORKTREES = join(".claude", "worktrees");

/** An isolated worker's worktree. */
export interface Worktree {
  readonly path: string;
  readonly branch: string;
  /** Commits beyond the checkout's HEAD. */
  readonly commits: number;
  /** Files that differ from the checkout's HEAD, uncommitted and untracked ones included. */
  readonly files: readonly string[];
}

function refuse(code: string, what: Words, next: Words): IsolationError {
  return new IsolationError(inEnglish(what), { code, hint: inEnglish(next), values: { what, next } });
}

/**
 * Check, before any process starts, that isolation can be given.
 * @throws IsolationError `git_missing`, `no_repository`, `no_commit`, `workbench_inside_repo`, `worktrees_are_a_link`.
 */
export function requireIsolation(input: {
  readonly git: Git;
  readonly workspace: string;
  readonly workbenchRoot: string | undefined;
}): void {
  const top = input.git.sync("rev-parse", "--show-toplevel");
  if (top.missing) {
    throw refuse("git_missing", wordsOf("said.isolation.git"), wordsOf("said.isolation.git_next"));
  }
  if (!top.ok) {
    throw refuse(
      "no_repository",
      wordsOf("said.isolation.repository", { path: input.workspace }),
      wordsOf("said.isolation.repository_next"),
    );
  }
  if (!input.git.sync("rev-parse", "--verify", "--quiet", "HEAD").ok) {
    throw refuse("no_commit", wordsOf("said.isolation.commit"), wordsOf("said.isolation.commit_next"));
  }
  const root = top.out.trimEnd();
  if (input.workbenchRoot !== undefined && isInside(input.workbenchRoot, root)) {
    throw refuse(
      "workbench_inside_repo",
      wordsOf("said.isolation.workbench", { path: input.workbenchRoot }),
      wordsOf("said.isolation.workbench_next"),
    );
  }
  const link = lstatSync(join(root, WORKTREES), { throwIfNoEntry: false });
  if (
    link?.isSymbolicLink() === true ||
    lstatSync(join(root, ".claude"), { throwIfNoEntry: false })?.isSymbolicLink()
  ) {
    throw refuse(
      "worktrees_are_a_link",
      wordsOf("said.isolation.link", { path: join(root, WORKTREES) }),
      wordsOf("said.isolation.link_next"),
    );
  }
}

/** An isolated worktree, not looked into. */
export interface FoundWorktree {
  readonly path: string;
  readonly branch: string;
}

function parseList(text: string): FoundWorktree[] {
  return text
    .split("\n\n")
    .map((part) => ({
      path: /^worktree (.*)$/m.exec(part)?.[1] ?? "",
      branch: /^branch refs\/heads\/(.*)$/m.exec(part)?.[1] ?? "",
    }))
    .filter((worktree) => worktree.path.split(sep).join("/").includes("/.claude/worktrees/"));
}

async function describe(head: string, at: FoundWorktree, inside: Git): Promise<Worktree> {
  const base = await inside.ask("merge-base", "HEAD", head);
  const from = base.ok ? base.out.trim() : head;
  const commits = await inside.ask("rev-list", "--count", `${from}..HEAD`);
  const tracked = await inside.ask("diff", "--name-only", "-z", from);
  const untracked = await inside.ask("ls-files", "--others", "--exclude-standard", "-z");
  const files = `${tracked.out}${untracked.out}`.split("\0").filter((name) => name !== "");
  return { ...at, commits: Number.parseInt(commits.out, 10) || 0, files: [...new Set(files)].sort() };
}

/** The isolated worktrees of a repository; none without git. */
export async function findWorktrees(git: Git): Promise<readonly FoundWorktree[]> {
  const list = await git.ask("worktree", "list", "--porcelain");
  return list.ok ? parseList(list.out) : [];
}

/** The isolated worktrees of a repository with what each changed, those on a branch that is asked for. */
export async function listWorktrees(
  git: Git,
  gitAt: (path: string) => Git,
  isWanted: (branch: string) => boolean = () => true,
): Promise<readonly Worktree[]> {
  const found = (await findWorktrees(git)).filter(({ branch }) => isWanted(branch));
  if (found.length === 0) return [];
  const head = (await git.ask("rev-parse", "HEAD")).out.trim();
  return Promise.all(found.map((at) => describe(head, at, gitAt(at.path))));
}

/** One line a worktree, for a person and for a judge. */
export function describeWorktrees(worktrees: readonly Worktree[]): string {
  return worktrees
    .map((w) => {
      const shown = w.files.slice(0, 20).join(", ");
      const more = w.files.length > 20 ? ` and ${w.files.length - 20} more` : "";
      return `- ${w.path} (branch ${w.branch}, ${w.commits} commits, ${w.files.length} files changed): ${shown}${more}`;
    })
    .join("\n");
}
