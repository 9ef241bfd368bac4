// The person's checkout as isolation sees it: where it stands, and what is an ancestor of what. Reads only.

import { IsolationError } from "../../core/errors.ts";
import type { GitWork } from "./git-work.ts";

/** Where the person's checkout stands. */
export interface Head {
  readonly commit: string;
  /** Its branch, or the beginning of the commit. */
  readonly name: string;
}

function failed(message: string, hint: string): IsolationError {
  return new IsolationError(message, { code: "worktree_failed", hint });
}

/** The checkout that a run's isolated work starts from. */
export class Checkout {
  readonly git: GitWork;
  #top: string | undefined;
  #head: Head | undefined;

  constructor(git: GitWork) {
    this.git = git;
  }

  /** Folder of the checkout, once it was asked for. */
  get known(): string | undefined {
    return this.#top;
  }

  /**
   * Folder of the checkout.
   * @throws IsolationError `worktree_failed`.
   */
  async top(): Promise<string> {
    this.#top ??= await this.git.line("rev-parse", "--show-toplevel");
    if (this.#top !== undefined) return this.#top;
    throw failed(
      `${this.git.folder} is in no git repository any more`,
      "put its .git back, and run it again",
    );
  }

  /**
   * Where it stands. A commit that goes on from the last one is followed; a branch that was switched to is not: the work
   * belongs to the one it was begun on.
   * @throws IsolationError `worktree_failed`.
   */
  async follow(): Promise<Head> {
    const commit = await this.git.line("rev-parse", "--verify", "--quiet", "HEAD");
    const before = this.#head;
    if (commit !== undefined && commit !== before?.commit) {
      const goesOn = before === undefined || (await this.isIn(before.commit, commit));
      const name = await this.git.line("symbolic-ref", "--quiet", "--short", "HEAD");
      if (goesOn) this.#head = { commit, name: name ?? commit.slice(0, 12) };
    }
    if (this.#head !== undefined) return this.#head;
    throw failed("the checkout has no commit", "commit once, and run it again");
  }

  /** Whether `commit` is part of `later`. */
  async isIn(commit: string, later: string): Promise<boolean> {
    return commit === later || (await this.git.holds("merge-base", "--is-ancestor", commit, later));
  }

  /** Commit of a branch; undefined when there is none. */
  tipOf(branch: string): Promise<string | undefined> {
    return this.git.line("rev-parse", "--verify", "--quiet", `refs/heads/${branch}`);
  }
}
