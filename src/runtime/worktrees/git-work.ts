// Git where flower changes something of its own: no hooks, no signatures, no clean-up in the background, and an
// identity only where the person has none.

import { sleep } from "../../core/clock.ts";
import { type Git, type GitDone, runGit } from "../git.ts";

/** A checkout of a large repository takes minutes. */
const WORK_TIMEOUT_MS = 10 * 60_000;
/** How long another git that holds a lock is waited for, in all under two seconds. */
const LOCK_WAITS_MS = [50, 150, 400, 1_000];

/** What could run something of the person's, ask, or do more than was asked. */
const OWN_CONFIG = [
  ["core.hooksPath", "/dev/null"],
  ["commit.gpgSign", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["rerere.enabled", "false"],
  ["merge.autoStash", "false"],
  ["merge.verifySignatures", "false"],
  ["submodule.recurse", "false"],
  ["advice.detachedHead", "false"],
].flatMap(([key, value]) => ["-c", `${key}=${value}`]);

const NAME = "flower";
const EMAIL = "flower@localhost";
const NOBODY = ["-c", `user.name=${NAME}`, "-c", `user.email=${EMAIL}`];

/** Variables under which commits can be made where git knows nobody: workers must be able to resolve a merge. */
export function identityVariables(git: Git): Readonly<Record<string, string>> {
  const has = (key: string) => git.sync("config", key).out.trim() !== "";
  if (has("user.name") && has("user.email")) return {};
  return {
    GIT_AUTHOR_NAME: NAME,
    GIT_AUTHOR_EMAIL: EMAIL,
    GIT_COMMITTER_NAME: NAME,
    GIT_COMMITTER_EMAIL: EMAIL,
  };
}

/** Git bound to one folder. */
export interface GitWork {
  readonly folder: string;
  /** Run a command; one that meets another git's lock is tried again for a moment. */
  readonly run: (args: readonly string[], input?: string) => Promise<GitDone>;
  /** The same for a command that makes a commit. */
  readonly commit: (args: readonly string[]) => Promise<GitDone>;
  /** First line of the output, or undefined when the command failed or said nothing. */
  readonly line: (...args: string[]) => Promise<string | undefined>;
  /** Paths of an output with `-z`; none when the command failed. */
  readonly paths: (...args: string[]) => Promise<readonly string[]>;
  /** Whether the command succeeds. */
  readonly holds: (...args: string[]) => Promise<boolean>;
}

/** Gives git for a folder. */
export type GitAt = (folder: string) => GitWork;

/** Whether a message of git's tells of another git's lock. */
export function isLocked(err: string): boolean {
  return /\.lock'?: File exists|could not lock|cannot lock ref|unable to lock/i.test(err);
}

/** The line of a message that says what is wrong. */
export function faultOf(done: GitDone): string {
  const lines = done.err.split("\n").filter((line) => line.trim() !== "");
  const telling = lines.find((line) => /^(?:fatal|error):/.test(line)) ?? lines[0];
  return telling?.replace(/^(?:fatal|error): /, "").trim() ?? `git ended with ${done.code ?? "a signal"}`;
}

async function untilUnlocked(attempt: () => Promise<GitDone>): Promise<GitDone> {
  let done = await attempt();
  for (const wait of LOCK_WAITS_MS) {
    if (done.ok || !isLocked(done.err)) return done;
    await sleep(wait);
    done = await attempt();
  }
  return done;
}

/** Paths in an output of git's that ends each with a zero byte. */
export function zeroEnded(out: string): readonly string[] {
  return out.split("\0").filter((path) => path !== "");
}

/** What git is started with. */
export interface GitWorkOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder above which no repository is looked for: a worktree whose `.git` is gone must not be taken for the checkout. */
  readonly ceiling?: string;
}

/** Bind git to a folder. */
export function createGitWork(folder: string, options: GitWorkOptions): GitWork {
  const more = options.ceiling === undefined ? {} : { GIT_CEILING_DIRECTORIES: options.ceiling };
  const once = (args: readonly string[], input?: string) =>
    runGit({
      folder,
      env: options.env,
      args: [...OWN_CONFIG, ...args],
      more: { ...more, GIT_EDITOR: "true" },
      input,
      timeoutMs: WORK_TIMEOUT_MS,
    });
  const run: GitWork["run"] = (args, input) => untilUnlocked(() => once(args, input));
  const hasIdentity = async () => {
    const known = await once(["config", "--get-regexp", "^user\\.(name|email)$"]);
    return /^user\.name \S/m.test(known.out) && /^user\.email \S/m.test(known.out);
  };
  return {
    folder,
    run,
    commit: async (args) => run((await hasIdentity()) ? args : [...NOBODY, ...args]),
    line: async (...args) => {
      const done = await once(args);
      const [first = ""] = done.out.split("\n");
      return done.ok && first !== "" ? first : undefined;
    },
    paths: async (...args) => {
      const done = await once(args);
      return done.ok ? zeroEnded(done.out) : [];
    },
    holds: async (...args) => (await once(args)).ok,
  };
}
