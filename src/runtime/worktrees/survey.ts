// All isolated work there is in a repository, whoever made it and whatever is left of it. Reads only.

import { dirname, join, relative } from "node:path";
import { IsolationError } from "../../core/errors.ts";
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
  /** Commit of the branch; undefined when the branch is gone. */
  readonly tip: string | undefined;
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
  readonly tree: Tree | undefined;
}

const CLEAN: TreeState = { changed: [], untracked: [], nested: [], unmerged: [] };
const KIND_ORDER: readonly WorktreeKind[] = ["integration", "worker", "other"];

/** A worktree the harness made by itself: its branch has its name. */
const HARNESS_BRANCH = /^worktree-(agent-\w+)$/;

function byBranch(branch: string, treeAt: (name: string) => Tree | undefined): Found[] {
  const named = readBranchName(branch);
  const foreign = HARNESS_BRANCH.exec(branch)?.[1];
  if (named === undefined && foreign === undefined) return [];
  const name =
    named?.kind === "integration" ? integrationName(named.run) : (named?.name ?? foreign ?? branch);
  const tree = treeAt(name);
  // What the harness made is only told from the person's own by both names together.
  if (named === undefined && tree === undefined) return [];
  return [{ name, kind: named?.kind ?? "other", run: named?.run, branch, tree }];
}

async function findAll(git: GitWork, top: string): Promise<readonly Found[]> {
  const trees = await readTrees(git);
  const folder = worktreesFolder(top);
  const treeAt = (name: string) => trees.find(({ path }) => path === join(folder, name));
  const format = "--format=%(refname:short)";
  const refs = await git.run(["for-each-ref", format, "refs/heads/flower/", "refs/heads/worktree-agent-*"]);
  const found = refs.out.split("\n").flatMap((branch) => byBranch(branch, treeAt));
  return found.sort(
    (a, b) => KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind) || (a.branch < b.branch ? -1 : 1),
  );
}

/** Commits that only this branch and this tree lead to. */
async function countLost(git: GitWork, { branch, tree }: Found): Promise<number> {
  const heads = [`refs/heads/${branch}`, ...(tree?.branch === undefined && tree?.head ? [tree.head] : [])];
  const others = [`--exclude=${branch}`, "--branches", "--remotes", "--tags", "HEAD"];
  const count = await git.line("rev-list", "--count", ...heads, "--not", ...others);
  return Number.parseInt(count ?? "0", 10);
}

async function describe(
  found: Found,
  survey: Omit<Survey, "entries">,
  own: readonly string[],
): Promise<WorktreeEntry> {
  const { git, gitAt, head, live } = survey;
  const { name, kind, run, branch, tree } = found;
  const tip = await git.line("rev-parse", "--verify", "--quiet", `refs/heads/${branch}`);
  const base = tip === undefined ? undefined : await git.line("merge-base", head, tip);
  const isMerged = tip !== undefined && base === tip;
  const ahead = await git.line("rev-list", "--count", "--no-merges", `${head}..${tip ?? head}`);
  const holders = await git.run([
    ...["for-each-ref", "--format=%(refname:short)", `--contains=${tip ?? head}`],
    "refs/heads/flower/",
  ]);
  const isThere = tree !== undefined && !tree.isMissing;
  const merges = tip === undefined ? { kind: "unknown" as const, why: "its branch is gone" } : undefined;
  return {
    ...{ name, kind, run, branch, tip, base, isMerged },
    path: tree?.path,
    isMissing: tree?.isMissing === true,
    lock: tree?.lock,
    isLive: run !== undefined && (live.includes(run) || own.includes(run)),
    ahead: Number.parseInt(ahead ?? "0", 10),
    files: tip === undefined || base === undefined ? [] : await changedBetween(git, base, tip),
    state: (isThere ? await readState(gitAt(tree.path)) : undefined) ?? CLEAN,
    within: holders.out
      .split("\n")
      .filter((each) => each !== branch && readBranchName(each)?.kind === "integration"),
    lost: await countLost(git, found),
    merge: merges ?? (isMerged ? { kind: "merged" } : await previewMerge(git, head, tip ?? head)),
  };
}

/** Runs whose work a live run has taken up. */
function takenUp({ workspace, runDir }: SurveyInput, live: readonly string[]): readonly string[] {
  const { runs } = readWorkLine(runDir, workspace);
  return live.includes(runs.at(-1) ?? "") ? runs : [];
}

/**
 * Look at all isolated work of a repository.
 * @throws IsolationError `git_missing`, `no_repository`, `no_commit`.
 */
export async function surveyWorktrees(input: SurveyInput): Promise<Survey> {
  const git = createGitWork(input.workspace, { env: input.env });
  const asked = await git.run(["rev-parse", "--show-toplevel"]);
  if (asked.missing) {
    throw new IsolationError("there is no git on PATH", { code: "git_missing", hint: "install git" });
  }
  const top = asked.out.split("\n", 1)[0] ?? "";
  if (!asked.ok || top === "") {
    throw new IsolationError(`${input.workspace} is in no git repository`, {
      code: "no_repository",
      hint: "go to the project, or name it with -w",
    });
  }
  const head = await git.line("rev-parse", "--verify", "--quiet", "HEAD");
  if (head === undefined) {
    throw new IsolationError(`the checkout ${top} has no commit`, {
      code: "no_commit",
      hint: "commit once; there is no isolated work before that",
    });
  }
  const branch = await git.line("symbolic-ref", "--quiet", "--short", "HEAD");
  const live = liveRuns(input.runDir);
  const gitAt: GitAt = (folder) => createGitWork(folder, { env: input.env, ceiling: dirname(folder) });
  const survey = { top, branch, head, live, git, gitAt };
  const own = takenUp(input, live);
  const entries: WorktreeEntry[] = [];
  for (const found of await findAll(git, top)) entries.push(await describe(found, survey, own));
  return { ...survey, entries };
}

/** Path as a person reads it: below the checkout without it. */
export function shownPath(survey: Pick<Survey, "top">, path: string): string {
  const inside = relative(survey.top, path);
  return inside.startsWith("..") ? path : inside;
}
