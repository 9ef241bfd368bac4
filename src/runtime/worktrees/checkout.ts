// The person's checkout as isolation sees it: where it stands, and what is an ancestor of what. Reads only.

import { inEnglish, wordsOf } from "../../config/locale/words.ts";
import { IsolationError } from "../../core/errors.ts";
import type { Words } from "../../core/words.ts";
import type { GitWork } from "./git-work.ts";

/** Where the person's checkout stands. */
export interface Head {
  readonly commit: string;
  /** Its branch, or the beginning of the commit. */
  readonly name: string;
}

function failed(what: Words, next: Words): IsolationError {
  const init = { code: "worktree_failed", hint: inEnglish(next), values: { what, next } };
  return new IsolationError(inEnglish(what), init);
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
      wordsOf("said.tree.repository_gone", { path: this.git.folder }),
      wordsOf("said.tree.repository_gone_next"),
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
    throw failed(wordsOf("said.tree.no_commit"), wordsOf("said.tree.no_commit_next"));
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
