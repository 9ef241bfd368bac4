// Runtime: runs one step and keeps the books. It owns the folders, the store, the door to the API and the events;
// the loop of a step is run-step.ts.

import { join } from "node:path";
import type { AgentSpec } from "../agents/agent-spec.ts";
import type { HandoffPolicy } from "../agents/handoff-policy.ts";
import { type Credentials, resolveCredentials } from "../config/credentials.ts";
import { reasonOf, wordsOf } from "../config/locale/words.ts";
import { homeFolder, readProcessEnv } from "../config/process-env.ts";
import { gatherSources } from "../config/sources.ts";
import { createRunId } from "../core/ids.ts";
import type { Json } from "../core/json.ts";
import { tellQuietly } from "../core/tell-quietly.ts";
import type { Words } from "../core/words.ts";
import { createEvent, type Event, type EventListener, labelStep } from "../events/event.ts";
import type { HarnessMessage } from "../harness/message.ts";
import { normalize } from "../harness/normalize.ts";
import { toProjectKey } from "../harness/project-key.ts";
import { bridgeStore } from "../harness/store-bridge.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import { ignoreRunDir } from "../workbench/git-ignore.ts";
import type { Workbench } from "../workbench/workbench.ts";
import { Audience } from "./audience.ts";
import { Books } from "./books.ts";
import { conductStep } from "./conduct-step.ts";
import { type Door, openDoor } from "./door.ts";
import { EventLog } from "./event-log.ts";
import { HandoffWindows } from "./handoff-windows.ts";
import { INTERRUPT_NOTE, Interrupter } from "./interrupter.ts";
import { Layered } from "./layered.ts";
import { LimitMemory } from "./limit-memory.ts";
import { INTERRUPTED } from "./next-move.ts";
import { createNotice } from "./notice.ts";
import type { Resilience } from "./resilience.ts";
import { NO_BRAKE, type RunBrake } from "./run-brake.ts";
import { checkRun, type EndableOptions, type RunOptions, type StepCall } from "./run-options.ts";
import type { StartPoint } from "./run-step.ts";
import { type RuntimeOptions, resolveRuntimeOptions } from "./runtime-options.ts";
import { secretFiles } from "./secret-files.ts";
import { SessionAssembly } from "./session-assembly.ts";
import { type StepResult, startDraft } from "./step-result.ts";
import { NO_WATCH, type StepWatch } from "./step-watch.ts";
import { StepsUnderWay } from "./steps-under-way.ts";
import { createStore, describeRewrites, StoreView, storedAsItIs } from "./store-view.ts";
import { openRunDir, openWorkbench, openWorkspace } from "./workspace.ts";
import { Integration } from "./worktrees/integration.ts";

/**
 * Runs steps in one workspace and keeps the books.
 * @throws CredentialsError at construction when there is no usable credential; OptionError, DiskError and StoreError
 * for options, folders and a store that cannot be used.
 */
export class Runtime {
  /** Error of a step that a person interrupted and that could not go on. */
  static readonly INTERRUPTED = INTERRUPTED;
  /** How the books call it that a context was full and a fresh session took over. */
  static readonly HANDOFF_DUE = "context-full-handoff";
  /** Said to the model after a person's words when a turn was stopped for them. */
  static readonly INTERRUPT_NOTE = INTERRUPT_NOTE;

  /** Real path of the folder the agents work in. */
  readonly workspace: string;
  /** Absolute path of the folder with the books. */
  readonly runDir: string;
  readonly portable: boolean;
  readonly store: SessionStore;
  /** How outages and usage limits are waited out. */
  readonly resilience: Resilience;
  readonly workbench: Workbench | undefined;
  /** Characters above which a tool's answer goes to a file; 0 for no limit. */
  readonly spillThreshold: number;
  /** `YYYYMMDD-HHMMSS-<6 hex>`, unique per instance. */
  readonly runId: string;
  /** How the store names this workspace. */
  readonly projectKey: string;
  /** What is in effect and where it came from; for display only through `describeCredentials`. */
  readonly credentials: Credentials;
  /** Where the work of isolated workers is brought together. */
  readonly integration: Integration;
  /** Errors thrown by listeners; they never end a step. */
  readonly listenerErrors: unknown[] = [];
  /** Fires the moment a step's session id is known. */
  onSession: ((sessionId: string) => void) | undefined;

  readonly #env: Readonly<Record<string, string>>;
  readonly #books: Books;
  readonly #log: EventLog;
  readonly #view: StoreView;
  readonly #assembly: SessionAssembly;
  readonly #interrupters = new Set<Interrupter>();
  readonly #audience = new Audience(this.listenerErrors);
  readonly #brake = new Layered<RunBrake>(NO_BRAKE);
  readonly #watch = new Layered<StepWatch>(NO_WATCH);
  readonly #underWay = new StepsUnderWay();
  #door: Promise<Door> | undefined;
  readonly #handoffs: HandoffWindows;

  constructor(options: RuntimeOptions) {
    const resolved = resolveRuntimeOptions(options);
    const processEnv = readProcessEnv();
    this.workspace = openWorkspace(resolved.workspace);
    this.runDir = openRunDir(this.workspace, resolved.runDir);
    this.runId = createRunId();
    this.projectKey = toProjectKey(this.workspace);
    this.portable = resolved.portable;
    this.spillThreshold = resolved.spillThreshold;
    this.resilience = resolved.resilience;
    this.workbench = openWorkbench(resolved.workbench, this);
    this.#env = resolved.env;
    this.credentials = resolveCredentials(
      gatherSources({
        runtimeEnv: resolved.env,
        processEnv,
        workspace: this.workspace,
        cwd: process.cwd(),
        home: homeFolder(processEnv),
      }),
    );
    this.#handoffs = new HandoffWindows(resolved.handoff, this.credentials.models);
    this.#log = new EventLog(this.runDir, this.runId, (error) =>
      this.#warn("store", wordsOf("notice.books", { reason: reasonOf(error) })),
    );
    this.#books = new Books(this.runDir, this.runId, (words) => this.#warn("store", words));
    ignoreRunDir(this.runDir);
    this.store = createStore(this.runDir, resolved.store, {
      workspace: this.workspace,
      trim: resolved.trim,
      ephemeral: resolved.ephemeral,
      keepDenials: resolved.keepDenials,
    });
    this.#view = new StoreView(this.store, this.projectKey);
    this.#view.claim(this.workspace);
    this.integration = new Integration({
      workspace: this.workspace,
      runDir: this.runDir,
      runId: this.runId,
      env: processEnv,
      onFault: (words) => this.#warn("worktree", words),
    });
    this.#assembly = new SessionAssembly({
      workspace: this.workspace,
      portable: this.portable,
      workbench: this.workbench,
      spillThreshold: this.spillThreshold,
      secretFiles: secretFiles(this.credentials, processEnv, this.workspace),
      processEnv,
      integration: this.integration,
    });
  }

  /**
   * When a full context of an agent that names no model is handed over; the window is the true one once the harness
   * has reported it. Agents on other models have windows of their own.
   */
  get handoff(): HandoffPolicy {
    return this.#handoffs.of(undefined);
  }

  /** Path of the books. */
  get manifestPath(): string {
    return this.#books.manifestPath;
  }

  /** Results of this process, in the order they ended. */
  get results(): readonly StepResult[] {
    return this.#books.results;
  }

  /** Path of this run's event log. */
  get eventLogPath(): string {
    return this.#log.path;
  }

  /**
   * Run one step with that `prompt`. Never throws for what the agent, the harness or the network did: that is in the result.
   * @throws OptionError for an agent, a prompt or options that cannot be; IsolationError before any process starts;
   * FlowerError `runtime_closed` after `close`.
   */
  async run(spec: AgentSpec, prompt: string, options: RunOptions = {}): Promise<StepResult> {
    checkRun(spec, prompt, options);
    const run = (signal: AbortSignal) => this.#runWatched(spec, prompt, { ...options, signal });
    return await this.#underWay.run(run, options.signal);
  }

  async #runWatched(spec: AgentSpec, prompt: string, options: EndableOptions): Promise<StepResult> {
    this.#assembly.check(spec);
    // From here on a person may interrupt: before the door is open the words wait for the first prompt.
    const interrupter = new Interrupter();
    this.#interrupters.add(interrupter);
    const watch = this.#watch.now;
    const name = options.stepName ?? spec.name;
    watch.begins(name);
    try {
      return await this.#run(spec, prompt, { options, interrupter, watch });
    } finally {
      this.#interrupters.delete(interrupter);
      await watch.ended(name, options.signal);
    }
  }

  /**
   * Stop the current turn and say `message`, which may be empty; the same session goes on with it. Safe at any time.
   * @returns whether a step was running that hears it.
   */
  interrupt(message = ""): boolean {
    for (const interrupter of this.#interrupters) interrupter.request(message);
    return this.#interrupters.size > 0;
  }

  /** Write the books now, the steps in flight as killed. Synchronous, for signal handlers. */
  rescue(): void {
    this.#books.rescue();
  }

  /** Whether the store has the session `sessionId` under this workspace. */
  hasSession(sessionId: string): Promise<boolean> {
    return this.#view.has(sessionId);
  }

  /** Context of the last turn of the session `sessionId` in tokens, 0 if unknown. */
  contextOf(sessionId: string): Promise<number> {
    return this.#view.contextOf(sessionId);
  }

  /** Cost of this process's steps in US dollars, 4 decimals. */
  totalCost(): number {
    return this.#books.totalCost();
  }

  /** Hear every event of this Runtime until the returned function is called. */
  listen(listener: EventListener): () => void {
    return this.#audience.add(listener);
  }

  /** The brake that steps started now run under; flower's own work between them goes by it too. */
  get brake(): RunBrake {
    return this.#brake.now;
  }

  /** Put every step that starts from now on under a brake, until the returned function is called. */
  brakeWith(brake: RunBrake): () => void {
    return this.#brake.put(brake);
  }

  /** Have somebody stand around every step that starts from now on, until the returned function is called. */
  watchSteps(watch: StepWatch): () => void {
    return this.#watch.put(watch);
  }

  /** Tell the listeners something that did not come from a step's own messages. */
  emit(event: Event): void {
    this.#emit(event);
  }

  /**
   * Add `facts` to the row of a step that has ended; the last one named `stepName`.
   * @returns whether there is such a row.
   */
  note(stepName: string, facts: Readonly<Record<string, Json>>): boolean {
    return this.#books.note(stepName, facts);
  }

  /** Stop steps that still run, resumable as by their signal; close the door, the store and the log. Then `run` throws. */
  async close(): Promise<void> {
    await this.#underWay.end();
    const door = this.#door;
    this.#door = undefined;
    if (door !== undefined) await (await door).close();
    this.#view.close();
    this.#log.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #run(
    spec: AgentSpec,
    prompt: string,
    { options, interrupter, watch }: StepCall,
  ): Promise<StepResult> {
    const draft = startDraft(options.stepName ?? spec.name);
    const { resume, fork = false, resumeAt } = options;
    const start: StartPoint = { resume, fork, resumeAt };
    draft.context = resume === undefined ? 0 : await this.contextOf(resume);
    const brake = this.#brake.now;
    const emit = (event: Event) => this.#emit(labelStep(event, draft.step), options.onEvent);
    const store = bridgeStore(this.store, {
      onStored: (id) => this.#quietly(() => options.onStored?.(id)),
      onLoaded: () => this.#tellRewrites(emit),
    });
    const door = await this.#openDoor();
    const session = this.#assembly.start({
      spec,
      door,
      store,
      emit,
      onDegraded: (why) => draft.errors.push(why),
      protects: watch.protects,
      handsOver: this.handoff.enabled,
    });
    // Options that cannot be must throw before there is a row in the books.
    session.optionsFor(start);
    const leave = this.#audience.invite(options.onEvent);
    this.#books.open(draft);
    try {
      await conductStep({
        draft,
        prompt,
        start,
        session,
        interrupter,
        signal: options.signal,
        door,
        store: storedAsItIs(this.store),
        projectKey: this.projectKey,
        workbench: this.workbench,
        resilience: this.resilience,
        brake,
        limits: new LimitMemory(this.runDir),
        handoff: () => this.#handoffs.of(spec.model),
        learnWindow: (window) => this.#learnWindow(spec.model, window),
        hasSession: (id) => this.hasSession(id),
        onMessage: (message) => this.#onMessage(message, emit),
        onSession: (id) => {
          // From here on money is spent: a process killed without warning must leave a row that names the session.
          this.#books.write();
          this.#quietly(() => this.onSession?.(id));
        },
        charge: (result, from) => brake.spend(this.#books.charge(draft, result, from)),
        emit,
      });
      await session.finish(draft.ok);
    } finally {
      leave();
      this.#books.close(draft);
      const removed = this.#view.removedWords();
      if (removed !== undefined) this.#warn("store", removed);
    }
    return draft;
  }

  #openDoor(): Promise<Door> {
    this.#door ??= openDoor({
      credentials: this.credentials,
      processEnv: readProcessEnv(),
      extraEnv: this.#env,
      runDir: this.runDir,
      // With the work, where there is a place for it: a full disk under the books must not stop a worker's commands.
      temporary: join(this.workbench?.root ?? join(this.runDir, "harness"), "tmp"),
    }).then(
      (door) => {
        for (const warning of door.warnings) this.#warn("credentials", warning);
        return door;
      },
      (error) => {
        // The next step tries again, and closing has nothing to close.
        this.#door = undefined;
        throw error;
      },
    );
    return this.#door;
  }

  #tellRewrites(emit: (event: Event) => void): void {
    const said = describeRewrites(this.store);
    if (said === undefined) return;
    const { text, words } = said;
    emit(createEvent("task", { text, payload: { notice: "store", words, rewritten: true } }));
  }

  #learnWindow(model: string | undefined, window: number): void {
    const known = this.#handoffs.of(model);
    const learned = this.#handoffs.learn(model, window);
    if (learned === undefined) return;
    const words = wordsOf("notice.window", { window: learned.window, known: known.window });
    this.#emit(createNotice("window", words, { window: learned.window, at: learned.at }));
  }

  #onMessage(message: HarnessMessage, emit: (event: Event) => void): void {
    if (message.type === "system" && message.subtype === "mirror_error") this.#view.markIncomplete(message);
    for (const event of normalize(message)) emit(event);
  }

  #warn(notice: string, words: Words): void {
    this.#emit(createNotice(notice, words));
  }

  #emit(event: Event, guest?: EventListener): void {
    this.#log.write(event);
    this.#audience.tell(event, guest);
  }

  #quietly(work: () => unknown): void {
    tellQuietly(work, this.listenerErrors);
  }
}
