// One attempt: one process of the harness from its first words to the end of the step, interruptions included.

import { sleep } from "../core/clock.ts";
import { HarnessError } from "../core/errors.ts";
import type { HarnessOptions } from "../harness/build-options.ts";
import { type LiveSession, startSession } from "../harness/live-session.ts";
import type { HarnessMessage } from "../harness/message.ts";
import type { TurnResult } from "../harness/turn-result.ts";
import type { FailureWords } from "./failure.ts";
import type { Interrupter } from "./interrupter.ts";
import type { RunBrake } from "./run-brake.ts";
import { startStallWatch } from "./stall-watch.ts";
import type { StepDraft } from "./step-result.ts";
import { TokenMeter } from "./token-meter.ts";
import { type RunningWorker, TurnReader } from "./turn-reader.ts";
import type { WorkerOutage } from "./worker-outage.ts";

/** How an attempt ended. */
export type AttemptEnd =
  | { readonly kind: "done"; readonly result: TurnResult }
  /** The context reached its limit, and the turn was broken at a message. */
  | { readonly kind: "full" }
  /** A limit of the whole run was reached, and the turn was ended. */
  | { readonly kind: "braked" }
  /** Someone inside would not stop: the step is over, and trying again is no use. */
  | { readonly kind: "halted"; readonly words: FailureWords }
  /** A person interrupted while workers ran: their sessions can only be continued from a fresh process. */
  | { readonly kind: "interrupted"; readonly words: string }
  | {
      readonly kind: "failed";
      /** The result that reported the failure; undefined when the process died without one. */
      readonly result: TurnResult | undefined;
      readonly fault: unknown;
      readonly stderr: string;
      /** True when an outage killed a worker and the turn was stopped for it; `fault` is then the worker's. */
      readonly ofWorker?: boolean;
      /** True when the process had fallen silent and was stopped for it. */
      readonly stalled?: boolean;
    }
  | { readonly kind: "aborted" };

/** What an attempt needs. */
export interface AttemptInput {
  readonly options: HarnessOptions;
  readonly prompt: string;
  readonly draft: StepDraft;
  readonly interrupter: Interrupter;
  readonly signal: AbortSignal;
  /** Tokens of the main thread's context at which the turn is broken off; Infinity never does. */
  readonly contextLimit: () => number;
  readonly brake: RunBrake;
  /** Aborts when the step must end; its reason is the words for it. */
  readonly halt: AbortSignal;
  /** Tells of workers that an outage killed; undefined when the turn is not to be stopped for one. */
  readonly outage: WorkerOutage | undefined;
  /** Whether the API refused the session's last request for good: the worker that died of it met no outage. */
  readonly isRefused: () => boolean;
  /** Seconds of silence, with no tool running, after which the turn is stopped; 0 never does. */
  readonly stallS: number;
  /** Told of every message, in order, before anything is decided. Must not throw. */
  readonly onMessage: (message: HarnessMessage) => void;
  /** Told of every result: what it cost is charged here. Must not throw. */
  readonly onResult: (result: TurnResult) => void;
  /** Told that the model said or did something: a failure before that is over. Must not throw. */
  readonly onProgress: () => void;
  /** Told which workers lose their unfinished turn because the turn is being stopped. Must not throw. */
  readonly onCutOff: (workers: readonly RunningWorker[]) => void;
}

/** How long the end of a worker may be told after its error, milliseconds. */
const NEWS_MS = 100;
/** Longest time a stop takes to come through, milliseconds; measured 30. */
const STOP_MS = 10_000;

/** Prompts sent and not answered yet; older harness versions do not say what a result answers. */
class Unanswered {
  readonly #ids = new Set<string>();

  add(id: string): void {
    this.#ids.add(id);
  }

  settle(result: TurnResult): void {
    if (result.answered.length === 0 && !result.ofTask) this.#ids.clear();
    for (const id of result.answered) this.#ids.delete(id);
  }

  clear(): void {
    this.#ids.clear();
  }

  isEmpty(): boolean {
    return this.#ids.size === 0;
  }
}

function haltWords(halt: AbortSignal): FailureWords {
  return halt.reason as FailureWords;
}

/** The state of one process. */
class Attempt {
  readonly #input: AttemptInput;
  readonly #session: LiveSession;
  readonly #reader: TurnReader;
  readonly #unanswered = new Unanswered();
  /** Why the running turn is being stopped, when flower stops it for a reason of its own. */
  #stopping: "full" | "stalled" | "braked" | "halted" | "outage" | undefined;
  #workerError = "";
  readonly #meter = new TokenMeter();
  #end: AttemptEnd | undefined;
  #cutOff = false;

  constructor(input: AttemptInput, session: LiveSession & { readonly firstId: string }) {
    this.#input = input;
    this.#session = session;
    this.#reader = new TurnReader(input.draft);
    this.#unanswered.add(session.firstId);
  }

  async run(): Promise<AttemptEnd> {
    const { signal, interrupter, stallS } = this.#input;
    const watch = startStallWatch(stallS, () => this.#stopIfSilent());
    const disconnect = interrupter.connect(() => this.#stopTurn());
    const unhook = this.#input.outage?.connect((error) => this.#stopForOutage(error));
    const abort = () => this.#session.kill();
    const { brake, halt } = this.#input;
    const deadline = brake.deadline();
    const onDeadline = () => this.#stopFor("braked");
    const onHalt = () => this.#stopFor("halted");
    signal.addEventListener("abort", abort, { once: true });
    deadline.addEventListener("abort", onDeadline, { once: true });
    halt.addEventListener("abort", onHalt, { once: true });
    try {
      for await (const message of this.#session.messages()) {
        watch.touch();
        this.#take(message);
      }
    } finally {
      watch.stop();
      disconnect();
      unhook?.();
      signal.removeEventListener("abort", abort);
      deadline.removeEventListener("abort", onDeadline);
      halt.removeEventListener("abort", onHalt);
    }
    return this.#finalEnd();
  }

  #take(message: HarnessMessage): void {
    this.#input.onMessage(message);
    this.#input.brake.countTokens(this.#meter.read(message));
    const result = this.#reader.read(message);
    if (message.type === "assistant" && this.#reader.hasProgressed()) this.#input.onProgress();
    if (result === undefined) {
      this.#breakIfFull();
      this.#breakIfSpent();
      return;
    }
    this.#input.onResult(result);
    // Once the end is known only the last entries and the cost of stragglers are still of interest.
    if (this.#end !== undefined) return;
    this.#end = this.#afterResult(result);
    if (this.#end !== undefined) this.#session.finish();
  }

  /** Broken only where the turn would go on: a turn that ends by itself needs no successor. */
  #breakIfFull(): void {
    if (this.#stopping !== undefined || this.#end !== undefined) return;
    if (!this.#reader.callsTools() || this.#input.draft.context < this.#input.contextLimit()) return;
    this.#stopFor("full");
  }

  /** As above: an answer that is complete is taken, whatever it cost. */
  #breakIfSpent(): void {
    if (this.#reader.callsTools() && this.#input.brake.reached() !== undefined) this.#stopFor("braked");
  }

  /**
   * A worker died of an outage. Its call's result is held back meanwhile, so that the main thread takes no turn on an
   * error. Others that still work are not cut off for it: then the main thread is told instead.
   */
  async #stopForOutage(error: string): Promise<void> {
    await sleep(NEWS_MS, this.#input.signal);
    if (this.#reader.running().length > 0 || this.#input.isRefused()) return;
    this.#workerError = error;
    this.#stopFor("outage");
    await sleep(STOP_MS, this.#input.signal);
  }

  #stopFor(reason: "full" | "braked" | "halted" | "outage"): void {
    if (this.#stopping !== undefined || this.#end !== undefined) return;
    this.#stopping = reason;
    this.#stopTurn();
  }

  #stopIfSilent(): void {
    if (this.#stopping !== undefined || this.#end !== undefined || this.#reader.isWaitingForTool()) return;
    this.#stopping = "stalled";
    this.#stopTurn();
  }

  #stopTurn(): void {
    const workers = this.#reader.running();
    if (workers.length > 0) {
      this.#cutOff = true;
      this.#input.onCutOff(workers);
    }
    this.#session.interrupt().catch(() => this.#session.kill());
    // A process that does not even answer the stop is ended: its session is in the store.
    if (this.#stopping === "stalled") this.#session.finish();
  }

  /** What a result means: the attempt is over, or the same process takes another turn. */
  #afterResult(result: TurnResult): AttemptEnd | undefined {
    if (this.#stopping === "halted") return this.#stoppedEnd(result);
    if (this.#stopping !== undefined && result.isError) return this.#stoppedEnd(result);
    const words = this.#input.interrupter.takePrompt();
    if (words !== undefined) {
      if (this.#cutOff) return { kind: "interrupted", words };
      this.#reader.startTurn();
      this.#unanswered.clear();
      this.#unanswered.add(this.#session.send(words));
      return undefined;
    }
    this.#unanswered.settle(result);
    if (result.isError) return this.#failed(result);
    // A resumed session may first report on a task of the last process, and a background task wakes the main thread
    // once more: neither result is the answer to what was asked.
    if (!this.#unanswered.isEmpty() || this.#reader.hasBackground()) {
      this.#reader.startTurn();
      return undefined;
    }
    return { kind: "done", result };
  }

  #stoppedEnd(result: TurnResult): AttemptEnd {
    if (this.#stopping === "full" || this.#stopping === "braked") return { kind: this.#stopping };
    if (this.#stopping === "halted") return { kind: "halted", words: haltWords(this.#input.halt) };
    if (this.#stopping === "outage") return this.#outageEnd();
    return { kind: "failed", result, fault: undefined, stderr: this.#session.stderr(), stalled: true };
  }

  #outageEnd(): AttemptEnd {
    const fault = new HarnessError(this.#workerError, { code: "worker_outage", hint: "" });
    return { kind: "failed", result: undefined, fault, stderr: "", ofWorker: true };
  }

  #failed(result: TurnResult | undefined): AttemptEnd {
    return { kind: "failed", result, fault: this.#session.fault(), stderr: this.#session.stderr() };
  }

  #finalEnd(): AttemptEnd {
    if (this.#input.signal.aborted && this.#end?.kind !== "done") return { kind: "aborted" };
    if (this.#end !== undefined) {
      // After a failing result the process throws as well: that is the same failure, told by its exit.
      return this.#end.kind === "failed" && this.#end.ofWorker !== true
        ? { ...this.#end, fault: this.#session.fault() }
        : this.#end;
    }
    if (this.#stopping === "halted") return { kind: "halted", words: haltWords(this.#input.halt) };
    if (this.#stopping === "braked") return { kind: "braked" };
    if (this.#stopping === "outage") return this.#outageEnd();
    const end = this.#failed(undefined);
    return this.#stopping === "stalled" && end.kind === "failed" ? { ...end, stalled: true } : end;
  }
}

/** Run one process until the step is over. Never throws for what the agent, the harness or the network did. */
export async function runAttempt(input: AttemptInput): Promise<AttemptEnd> {
  if (input.signal.aborted) return { kind: "aborted" };
  try {
    return await new Attempt(input, startSession(input.options, input.prompt)).run();
  } catch (fault) {
    return { kind: "failed", result: undefined, fault, stderr: "" };
  }
}
