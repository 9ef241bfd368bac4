// All isolated work there is in a repository, whoever made it and whatever is left of it. Reads only.

import { dirname, join, relative, sep } from "node:path";
import { inEnglish, wordsOf } from "../../config/locale/words.ts";
import { IsolationError } from "../../core/errors.ts";
import type { Words } from "../../core/words.ts";
import { liveRuns } from "../run-presence.ts";
import { createGitWork, type GitAt, type GitWork } from "./git-work.ts";
import { changedBetween, type Preview, previewMerge } from "./merge.ts";
import { integrationName, readBranchName, worktreesFolder } from "./names.ts";
import { readState, type TreeState } from "./tree-state.ts";
import { readTrees, type Tree } from "./trees.ts";
import { readWorkLine } from "./work-line.ts";

/** Whose work it is; `other` was made by the harness without flower. */
type WorktreeKind = "integration" | "worker" | "other";

/** One isolated worktree, or the branch that is left of it. */
export interface WorktreeEntry {
  /** As the command takes it. */
  readonly name: string;
  readonly kind: WorktreeKind;
  /** Run it belongs to; undefined for `other`. */
  readonly run: string | undefined;
  readonly branch: string;
  /** Undefined when no worktree is registered for it. */
  readonly path: string | undefined;
  /** Registered, but its folder is gone. */
  readonly isMissing: boolean;
  /** Why it is locked, possibly empty; undefined when it is not. */
  readonly lock: string | undefined;
  /** Whether a live run works with it. */
  readonly isLive: boolean;
  /** Commit of the branch. */
  readonly tip: string;
  /** Commit where it left the person's branch. */
  readonly base: string | undefined;
  /** Commits beyond that, merges not counted. */
  readonly ahead: number;
  /** Files its commits changed. */
  readonly files: readonly string[];
  /** Not committed. */
  readonly state: TreeState;
  /** Whether all its commits are in the person's branch. */
  readonly isMerged: boolean;
  /** Branches on which runs brought their work together, and which hold all its commits. */
  readonly within: readonly string[];
  /** Commits no other branch, tag or remote holds. */
  readonly lost: number;
  /** Whether it merges into the person's branch. */
  readonly merge: Preview | { readonly kind: "merged" };
}

/** Everything there is. */
export interface Survey {
  /** Folder of the person's checkout. */
  readonly top: string;
  /** The person's branch; undefined when HEAD is detached. */
  readonly branch: string | undefined;
  readonly head: string;
  /** Runs at work here now. */
  readonly live: readonly string[];
  /** Integrations first, each sort by name: ids begin with the time. */
  readonly entries: readonly WorktreeEntry[];
  /** Bound to the checkout. */
  readonly git: GitWork;
  readonly gitAt: GitAt;
}

/** What the person's checkout stands on, for a person: its branch, or the commit where it has none. */
export function checkedOut({ branch, head }: Survey): string {
  return branch ?? head.slice(0, 12);
}

/** Where to look. */
export interface SurveyInput {
  readonly workspace: string;
  readonly runDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What is known of an entry before its commits are looked at. */
interface Found {
  readonly name: string;
  readonly kind: WorktreeKind;
  readonly run: string | undefined;
  readonly branch: string;
  readonly tip: string;
  readonly tree: Tree | undefined;
}

const CLEAN: TreeState = {
  ...{ head: undefined, branch: undefined },
  ...{ changed: [], untracked: [], nested: [], unmerged: [] },
};
const KIND_ORDER: readonly WorktreeKind[] = ["integration", "worker", "other"];

/** A worktree the harness made by itself: its branch has its name. */
const HARNESS_BRANCH = /^worktree-(agent-\w+)$/;

function byBranch(line: string, treeAt: (name: string) => Tree | undefined): Found[] {
  const [tip = "", branch = ""] = line.split(" ");
  const named = readBranchName(branch);
  const foreign = HARNESS_BRANCH.exec(branch)?.[1];
  if (named === undefined && foreign === undefined) return [];
  const name =
    named?.kind === "integration" ? integrationName(named.run) : (named?.name ?? foreign ?? branch);
  const tree = treeAt(name);
  // What the harness made is only told from the person's own by both names together.
  if (named === undefined && tree === undefined) return [];
  return [{ name, kind: named?.kind ?? "other", run: named?.run, branch, tip, tree }];
}

async function findAll(git: GitWork, top: string, trees: readonly Tree[]): Promise<readonly Found[]> {
  const folder = worktreesFolder(top);
  const treeAt = (name: string) => trees.find(({ path }) => path === join(folder, name));
  const format = "--format=%(objectname) %(refname:short)";
  const refs = await git.run(["for-each-ref", format, "refs/heads/flower/", "refs/heads/worktree-agent-*"]);
  const found = refs.out.split("\n").flatMap((line) => byBranch(line, treeAt));
  return found.sort(
    (a, b) => KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind) || (a.branch < b.branch ? -1 : 1),
  );
}

function toNumber(text: string | undefined): number {
  return Number.parseInt(text ?? "0", 10);
}

/** Commits that only this branch and this tree lead to. */
async function countLost(git: GitWork, { branch, tree }: Found, isMerged: boolean): Promise<number> {
  const astray = tree?.branch === undefined && tree?.head ? [tree.head] : [];
  if (isMerged && astray.length === 0) return 0;
  const others = [`--exclude=${branch}`, "--branches", "--remotes", "--tags", "HEAD"];
  const heads = [`refs/heads/${branch}`, ...astray];
  return toNumber(await git.line("rev-list", "--count", ...heads, "--not", ...others));
}

async function holdersOf(git: GitWork, { branch, kind, tip }: Found): Promise<readonly string[]> {
  const format = "--format=%(objectname) %(refname:short)";
  const listed = await git.run(["for-each-ref", format, `--contains=${tip}`, "refs/heads/flower/"]);
  return listed.out.split("\n").flatMap((line) => {
    const [commit, other] = line.split(" ");
    if (other === undefined || other === branch || readBranchName(other)?.kind !== "integration") return [];
    // A later run that added nothing stands where the one before does: only one of them is in the other.
    return kind === "integration" && commit === tip && other < branch ? [] : [other];
  });
}

async function describe(
  found: Found,
  survey: Omit<Survey, "entries">,
  own: readonly string[],
): Promise<WorktreeEntry> {
  const { git, gitAt, head, live } = survey;
  const { name, kind, run, branch, tip, tree } = found;
  const base = await git.line("merge-base", head, tip);
  const isMerged = base === tip;
  const ahead = isMerged ? "0" : await git.line("rev-list", "--count", "--no-merges", `${head}..${tip}`);
  const isThere = tree !== undefined && !tree.isMissing;
  return {
    ...{ name, kind, run, branch, tip, base, isMerged },
    path: tree?.path,
    isMissing: tree?.isMissing === true,
    lock: tree?.lock,
    isLive: run !== undefined && (live.includes(run) || own.includes(run)),
    ahead: toNumber(ahead),
    files: isMerged || base === undefined ? [] : await changedBetween(git, base, tip),
    state: (isThere ? await readState(gitAt(tree.path)) : undefined) ?? CLEAN,
    within: await holdersOf(git, found),
    lost: await countLost(git, found, isMerged),
    merge: isMerged ? { kind: "merged" } : await previewMerge(git, head, tip),
  };
}

/** Runs whose work a live run has taken up. */
function takenUp({ workspace, runDir }: SurveyInput, live: readonly string[]): readonly string[] {
  const { runs } = readWorkLine(runDir, workspace);
  return live.includes(runs.at(-1) ?? "") ? runs : [];
}

function refuse(code: string, what: Words, next: Words): IsolationError {
  return new IsolationError(inEnglish(what), { code, hint: inEnglish(next), values: { what, next } });
}

/**
 * Look at all isolated work of a repository.
 * @throws IsolationError `git_missing`, `no_repository`, `no_commit`, `inside_worktree`.
 */
export async function surveyWorktrees(input: SurveyInput): Promise<Survey> {
  const git = createGitWork(input.workspace, { env: input.env });
  const asked = await git.run(["rev-parse", "--show-toplevel"]);
  if (asked.missing) {
    throw refuse("git_missing", wordsOf("said.tree.git"), wordsOf("said.tree.git_next"));
  }
  const top = asked.out.split("\n", 1)[0] ?? "";
  if (!asked.ok || top === "") {
    throw refuse(
      "no_repository",
      wordsOf("said.tree.repository", { path: input.workspace }),
      wordsOf("said.tree.repository_next"),
    );
  }
  const trees = await readTrees(git);
  const main = trees[0]?.path ?? top;
  if (top.startsWith(worktreesFolder(main) + sep)) {
    const next = wordsOf("said.tree.inside_next", { path: main });
    throw refuse("inside_worktree", wordsOf("said.tree.inside", { path: top }), next);
  }
  const head = await git.line("rev-parse", "--verify", "--quiet", "HEAD");
  if (head === undefined) {
    throw refuse("no_commit", wordsOf("said.tree.commit", { path: top }), wordsOf("said.tree.commit_next"));
  }
  const branch = await git.line("symbolic-ref", "--quiet", "--short", "HEAD");
  const live = liveRuns(input.runDir);
  const gitAt: GitAt = (folder) => createGitWork(folder, { env: input.env, ceiling: dirname(folder) });
  const survey = { top, branch, head, live, git, gitAt };
  const own = takenUp(input, live);
  const entries: WorktreeEntry[] = [];
  for (const found of await findAll(git, top, trees)) entries.push(await describe(found, survey, own));
  return { ...survey, entries };
}

/** Path as a person reads it: below the checkout without it. */
export function shownPath(survey: Pick<Survey, "top">, path: string): string {
  const inside = relative(survey.top, path);
  return inside.startsWith("..") ? path : inside;
}
