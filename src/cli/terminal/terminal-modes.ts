// The modes of a terminal flower edits a line on, and the promise to put them back: at the end, in a crash, on a signal
// nobody else takes, and while it is suspended.

import { readFileSync } from "node:fs";

/** A terminal as flower needs it. */
export interface TerminalStreams {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

/** What is done round a change of modes. */
export interface ModeListeners {
  /** The terminal is about to be handed back: take off it what is yours. */
  readonly onLeave: () => void;
  /** The terminal is flower's again, whatever stands on it. */
  readonly onEnter: () => void;
}

/** Ends a process that nobody watches over. */
const ENDING = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/** The signal that ends a suspension is told this soon after it has ended. */
const RETURNED_MS = 200;

/** How often a job in the background looks whether it is in front again. */
const LOOK_MS = 500;

/** A paste is then marked as one. */
const PASTE_ON = "\u001b[?2004h";
/** Pastes as they come, lines folded at the edge, the cursor seen. */
const AS_BEFORE = "\u001b[?2004l\u001b[?7h\u001b[?25h";

/** Whether another job has the terminal. Only where the system tells without a process of its own. */
function isInBackground(): boolean {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    const [, , group, , , owner] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(owner) > 0 && owner !== group;
  } catch {
    return false;
  }
}

/** Puts a terminal into the modes a line editor needs, and back. */
export class TerminalModes {
  readonly #streams: TerminalStreams;
  readonly #listeners: ModeListeners;
  #raw = false;
  #wasRaw = false;
  #closed = false;
  #look: NodeJS.Timeout | undefined;
  #returned = Number.NEGATIVE_INFINITY;

  constructor(streams: TerminalStreams, listeners: ModeListeners) {
    this.#streams = streams;
    this.#listeners = listeners;
  }

  /** Take the terminal. */
  open(): void {
    process.on("exit", this.#onExit);
    process.on("uncaughtExceptionMonitor", this.#onExit);
    process.on("SIGCONT", this.#onContinue);
    process.on("SIGTSTP", this.suspend);
    for (const signal of ENDING) process.on(signal, this.#onEnding);
    this.#wasRaw = this.#streams.input.isRaw === true;
    this.#enter();
  }

  /** Give it back for good. */
  close(): void {
    process.off("exit", this.#onExit);
    process.off("uncaughtExceptionMonitor", this.#onExit);
    process.off("SIGCONT", this.#onContinue);
    process.off("SIGTSTP", this.suspend);
    for (const signal of ENDING) process.off(signal, this.#onEnding);
    clearTimeout(this.#look);
    this.#closed = true;
    this.#leave();
  }

  /** Give the terminal to the shell until the job is continued. Where no shell watches, it goes on at once. */
  readonly suspend = (): void => {
    // A Windows console stops no jobs.
    if (process.platform === "win32") return;
    this.#leave();
    process.off("SIGTSTP", this.suspend);
    // The whole group, as the terminal itself would: the shell waits for all of the job to stop.
    process.kill(0, "SIGTSTP");
    // A signal to oneself is taken before the next timer: what follows happens after the job was continued.
    setImmediate(() => {
      process.on("SIGTSTP", this.suspend);
      this.#returned = performance.now();
      this.#enter();
    });
  };

  readonly #onContinue = (): void => {
    // The end of one's own suspension was seen already.
    if (performance.now() - this.#returned < RETURNED_MS) return;
    // The shell has put its own modes in place, whatever is believed here: from cooked to raw is a change again.
    if (this.#raw) this.#streams.input.setRawMode?.(false);
    this.#raw = false;
    this.#enter();
  };

  readonly #onExit = (): void => this.#leave();

  readonly #onEnding = (signal: NodeJS.Signals): void => {
    if (process.listenerCount(signal) > 1) return;
    this.close();
    process.kill(process.pid, signal);
  };

  #enter(): void {
    clearTimeout(this.#look);
    if (this.#raw || this.#closed) return;
    if (isInBackground()) {
      // Touching the terminal now would stop the job, and no signal tells when a shell brings it to the front. Until then
      // this may be all that keeps the process alive.
      this.#look = setTimeout(() => this.#enter(), LOOK_MS);
      return;
    }
    this.#raw = true;
    this.#streams.input.setRawMode?.(true);
    this.#streams.input.resume();
    this.#streams.output.write(PASTE_ON);
    this.#listeners.onEnter();
  }

  #leave(): void {
    if (!this.#raw) return;
    this.#raw = false;
    this.#listeners.onLeave();
    this.#streams.output.write(AS_BEFORE);
    this.#streams.input.setRawMode?.(this.#wasRaw);
    // What is typed from now on is for the shell.
    this.#streams.input.pause();
  }
}
