// Isolated work of one Runtime: makes the workers' worktrees, and brings what they left together on one branch. The
// person's branch and checkout are only ever read.

import { join } from "node:path";
import { reasonOf, wordsOf } from "../../config/locale/words.ts";
import { oneLine } from "../../core/text.ts";
import type { Words } from "../../core/words.ts";
import { bringTogether, type Part, type Together, type Touched } from "./bring-together.ts";
import { Checkout, type Head } from "./checkout.ts";
import { createGitWork, type GitWork } from "./git-work.ts";
import { type OpenedTree, openIntegrationTree } from "./integration-tree.ts";
import {
  integrationBranch,
  integrationName,
  readBranchName,
  workerBranch,
  worktreesFolder,
} from "./names.ts";
import { type IntegrationReport, reportOn } from "./report.ts";
import { type ReadySource, readSources, type SettledSource, type Source, settleSource } from "./sources.ts";
import { Stillness } from "./stillness.ts";
import { readWorkLine, type WorkLine, writeWorkLine } from "./work-line.ts";
import { type MadeTree, makeWorkerTree, removeIfUnused } from "./worker-tree.ts";

/** What an Integration works with. */
export interface IntegrationOptions {
  /** Real path of the folder the agents work in. */
  readonly workspace: string;
  readonly runDir: string;
  readonly runId: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told what went wrong without ending anything; must not throw. */
  readonly onFault: (words: Words) => void;
}

/** One worker's part of it, after its dispatch. */
export interface WorkerPart {
  /** Name of its worktree. */
  readonly name: string;
  /** What the work was about; the subject of the commit flower makes. */
  readonly subject: string;
}

/** A worker of this process. */
interface Worker {
  /** Session that dispatched it. */
  readonly owner: symbol;
  readonly tree: MadeTree;
  /** Whether its dispatch has ended. */
  isOver: boolean;
}

/** Whose work is brought in: one worker's, or all that a session may take. */
type Which = { readonly part: WorkerPart } | { readonly owner: symbol };

const NOTHING: Together = { merged: [], conflicts: [], stuck: [] };
const SUBJECT_CHARS = 72;

/** Brings isolated work together. Its own calls wait for each other: git takes locks. */
export class Integration {
  /** Branch this run's work is brought together on. */
  readonly branch: string;
  readonly #options: IntegrationOptions;
  readonly #checkout: Checkout;
  readonly #workers = new Map<string, Worker>();
  readonly #touched: Touched = new Map();
  readonly #stillness = new Stillness();
  #line: WorkLine;
  #isRecorded = false;
  #report: IntegrationReport | undefined;

  constructor(options: IntegrationOptions) {
    this.#options = options;
    this.branch = integrationBranch(options.runId);
    this.#checkout = new Checkout(createGitWork(options.workspace, { env: options.env }));
    this.#line = { runs: [options.runId], branch: undefined };
  }

  /** How things stood when all was brought together last; undefined before that. */
  get report(): IntegrationReport | undefined {
    return this.#report;
  }

  /** Folder of the person's checkout; undefined before it was looked for. */
  get top(): string | undefined {
    return this.#checkout.known;
  }

  /** Ids of the runs whose work this is; the own one last. */
  get runs(): readonly string[] {
    return this.#line.runs;
  }

  /** Whether a branch is one of this work's. */
  owns(branch: string): boolean {
    const run = readBranchName(branch)?.run;
    return run !== undefined && this.runs.includes(run);
  }

  /** Go on with the isolated work of the runs before this one in the folder, and keep a record for those after it. */
  takeUp(): void {
    const { runDir, workspace, runId } = this.#options;
    const earlier = readWorkLine(runDir, workspace);
    this.#line = { runs: [...earlier.runs.filter((run) => run !== runId), runId], branch: earlier.branch };
    this.#isRecorded = true;
  }

  /**
   * Make the worktree of a worker that is about to start, from what has been brought together so far.
   * @param owner - the session that dispatches it; another one's end then leaves it alone.
   * @returns its path.
   * @throws IsolationError `worktree_failed`.
   */
  createTree(name: string, owner: symbol): Promise<string> {
    return this.#stillness.alone(async () => {
      const top = await this.#checkout.top();
      const start = await this.#start(top);
      const branch = workerBranch(this.#options.runId, name);
      const { git } = this.#checkout;
      const tree = await makeWorkerTree({ git, top, name, branch, start });
      this.#workers.set(name, { owner, tree, isOver: false });
      this.#record();
      return tree.path;
    });
  }

  /** Commit a worktree made here was started from. */
  startOf(path: string): string | undefined {
    return [...this.#workers.values()].find(({ tree }) => tree.path === path)?.tree.start;
  }

  /**
   * Bring in what one worker left, once its dispatch is over. Never throws.
   * @returns undefined when it was not made here, and while a judge looks: then it is brought in later.
   */
  takeIn(part: WorkerPart): Promise<IntegrationReport | undefined> {
    const worker = this.#workers.get(part.name);
    if (worker !== undefined) worker.isOver = true;
    const turn = async () => (this.#stillness.isHeld ? undefined : this.#bring({ part }));
    return this.#quietly(() => this.#stillness.alone(turn));
  }

  /**
   * Bring in what every worker left, but for those of other sessions that still work; this session's own must have
   * ended. Waits while a judge looks. Never throws.
   */
  async bringAll(owner: symbol): Promise<IntegrationReport | undefined> {
    this.#report = await this.#quietly(() => this.#stillness.undisturbed(() => this.#bring({ owner })));
    return this.#report;
  }

  /** Leave the integration worktree as it is until the returned function is called: somebody looks at it. */
  holdStill(): Promise<() => void> {
    return this.#stillness.hold();
  }

  #gitIn(top: string): (folder: string) => GitWork {
    return (folder) => createGitWork(folder, { env: this.#options.env, ceiling: worktreesFolder(top) });
  }

  async #quietly<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#options.onFault(wordsOf("notice.not_together", { reason: reasonOf(error) }));
      return undefined;
    }
  }

  /** What has been brought together by this run, or by the one before where the person has not merged that. */
  async #base(head: Head): Promise<string | undefined> {
    const own = await this.#checkout.tipOf(this.branch);
    if (own !== undefined) return own;
    const earlier =
      this.#line.branch === undefined ? undefined : await this.#checkout.tipOf(this.#line.branch);
    return earlier === undefined || (await this.#checkout.isIn(earlier, head.commit)) ? undefined : earlier;
  }

  async #open(top: string, start: string): Promise<OpenedTree> {
    const path = join(worktreesFolder(top), integrationName(this.#options.runId));
    const { branch } = this;
    const { git } = this.#checkout;
    const opened = await openIntegrationTree({ git, gitAt: this.#gitIn(top), top, branch, path, start });
    if (opened.kind === "open" && this.#line.branch !== branch) {
      this.#line = { ...this.#line, branch };
      this.#record();
    }
    return opened;
  }

  /** Commit a fresh worktree starts from. */
  async #start(top: string): Promise<string> {
    const head = await this.#checkout.follow();
    const base = await this.#base(head);
    if (base === undefined) return head.commit;
    if (this.#stillness.isHeld || (await this.#checkout.isIn(head.commit, base))) return base;
    const opened = await this.#open(top, base);
    if (opened.kind === "blocked") return base;
    await bringTogether(opened.git, [checkoutPart(head)], this.#touched);
    return (await opened.git.line("rev-parse", "HEAD")) ?? base;
  }

  async #bring(which: Which): Promise<IntegrationReport | undefined> {
    const top = await this.#checkout.top();
    const head = await this.#checkout.follow();
    const sources = await this.#sources(top, which);
    if ("part" in which && sources.length === 0) return undefined;
    const settled: SettledSource[] = [];
    const subject = "part" in which ? which.part.subject : "";
    for (const source of sources) settled.push(await this.#settle(top, source, subject));
    const ready = settled.flatMap((each) => (each.kind === "ready" ? [each.source] : []));
    const base = await this.#base(head);
    const news = await this.#newsIn(ready, base ?? head.commit);
    const needed = base !== undefined || news.length > 0;
    const opened = needed ? await this.#open(top, base ?? head.commit) : undefined;
    const parts: Part[] = [checkoutPart(head), ...news];
    const together =
      opened?.kind === "open" ? await bringTogether(opened.git, parts, this.#touched) : NOTHING;
    if ("owner" in which) await this.#tidy(top, ready);
    return reportOn({ branch: this.branch, head, opened, together, settled });
  }

  async #newsIn(ready: readonly ReadySource[], base: string): Promise<readonly ReadySource[]> {
    const news: ReadySource[] = [];
    for (const source of ready) if (!(await this.#checkout.isIn(source.tip, base))) news.push(source);
    return news;
  }

  async #sources(top: string, which: Which): Promise<readonly Source[]> {
    const listed = await readSources(this.#checkout.git, top, this.#line.runs);
    const known = new Set(listed.map(({ name }) => name));
    // A worker may have removed its own branch; its worktree says what it did.
    const lost = [...this.#workers.values()]
      .map(({ tree }) => tree)
      .filter(({ name, isThere }) => !known.has(name) && isThere());
    const all = [...listed, ...lost.map(({ branch, name, path }) => ({ branch, name, path }))];
    if ("part" in which) return all.filter(({ name }) => name === which.part.name);
    return all.filter(({ name }) => {
      const worker = this.#workers.get(name);
      return worker === undefined || worker.isOver || worker.owner === which.owner;
    });
  }

  #settle(top: string, source: Source, subject: string): Promise<SettledSource> {
    const first = oneLine(subject, SUBJECT_CHARS) || "Work of an isolated worker";
    const message = `${first}\n\nLeft uncommitted in ${source.name}; committed by flower, run ${this.#options.runId}.`;
    return settleSource(source, { git: this.#checkout.git, gitAt: this.#gitIn(top), message });
  }

  /** Workers that only looked leave nothing: their worktrees go. */
  async #tidy(top: string, ready: readonly ReadySource[]): Promise<void> {
    for (const { name, tip } of ready) {
      const worker = this.#workers.get(name);
      if (worker === undefined || !worker.isOver || worker.tree.start !== tip) continue;
      const { git } = this.#checkout;
      const removed = await removeIfUnused({ git, gitAt: this.#gitIn(top), made: worker.tree });
      if (removed) this.#workers.delete(name);
    }
  }

  #record(): void {
    if (!this.#isRecorded) return;
    const { runDir, workspace, onFault } = this.#options;
    try {
      writeWorkLine(runDir, workspace, this.#line);
    } catch (error) {
      onFault(wordsOf("notice.books", { reason: reasonOf(error) }));
    }
  }
}

function checkoutPart(head: Head): Part {
  return { branch: head.name, tip: head.commit, path: undefined };
}
