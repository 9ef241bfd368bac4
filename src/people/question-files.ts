// QuestionFiles: the running side of `asks/`. It shows a channel's waiting questions as files and carries answers
// and words from other processes to the channel. It decides nothing.

import { type FSWatcher, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, watch } from "node:fs";
import { basename, join } from "node:path";
import { DiskError, errorText } from "../core/errors.ts";
import { isRecord, writeAtomic } from "../core/json.ts";
import { rejectUnknownKeys, requireObject } from "../core/options.ts";
import type { Event } from "../events/event.ts";
import type { Ask } from "./ask.ts";
import {
  liveTags,
  namesIn,
  OWNER_FILE,
  type Owner,
  questionPath,
  removeDeadRuns,
  removeRun,
  runPath,
  selfOwner,
} from "./asks-folder.ts";
import type { AnswerReceipt, HumanChannel } from "./human-channel.ts";

/** Where a channel's questions are shown as files. */
export interface QuestionFilesOptions {
  /** The folder, `<runDir>/asks`; made when absent. */
  readonly dir: string;
  readonly channel: HumanChannel;
  /** Run id that lists show. @defaultValue empty */
  readonly run?: string;
}

/** Safety net under file notices, which some file systems do not give. */
const POLL_MS = 2_000;
/** A larger file is no message of a person. */
const MAX_MESSAGE_BYTES = 1_000_000;

/** A channel's questions as files, from {@link start} to {@link close}. */
export class QuestionFiles {
  readonly #dir: string;
  readonly #home: string;
  readonly #channel: HumanChannel;
  readonly #owner: Owner;
  readonly #errors: unknown[] = [];
  #stopListening: (() => void) | undefined;
  #watcher: FSWatcher | undefined;
  #poll: NodeJS.Timeout | undefined;

  /** @throws OptionError `unknown_option` or `bad_options`. */
  constructor(options: QuestionFilesOptions) {
    requireObject(options, "QuestionFiles");
    rejectUnknownKeys(options, ["dir", "channel", "run"], "QuestionFiles");
    this.#dir = options.dir;
    this.#channel = options.channel;
    this.#home = runPath(options.dir, options.channel.tag);
    this.#owner = selfOwner(options.run ?? "");
  }

  /** What went wrong with the files; questions and answers on the channel itself go on. At most the last 20. */
  get errors(): readonly unknown[] {
    return this.#errors;
  }

  /**
   * Clear what dead runs left, show what waits, and listen.
   * @throws DiskError `write_failed`, or `asks_taken` when another live run has the same tag (one in a million).
   */
  start(): void {
    if (this.#stopListening !== undefined) return;
    removeDeadRuns(this.#dir);
    if (liveTags(this.#dir).includes(this.#channel.tag)) {
      throw new DiskError(`${this.#home} belongs to another run`, {
        code: "asks_taken",
        values: { path: this.#home },
        hint: "start again: a new run takes another name",
      });
    }
    this.#show();
    this.#stopListening = this.#channel.listen((event) => this.#hear(event));
    this.#watch();
    this.#poll = setInterval(() => this.#look(), POLL_MS);
    this.#poll.unref();
  }

  /** Deliver what has arrived, then stop listening and remove this run's files. Safe to call twice. */
  close(): void {
    if (this.#stopListening === undefined) return;
    this.#take();
    this.#stopListening();
    this.#stopListening = undefined;
    this.#watcher?.close();
    clearInterval(this.#poll);
    // A writer may be waiting for its receipt: leave the folder to it, without the mark that says somebody hears.
    this.#guard(() => {
      for (const ask of this.#channel.asks) rmSync(questionPath(this.#dir, ask.id), { force: true });
      if (namesIn(this.#home).some((name) => name.endsWith(".receipt"))) {
        rmSync(join(this.#home, OWNER_FILE), { force: true });
      } else removeRun(this.#dir, this.#channel.tag);
    });
  }

  #watch(): void {
    try {
      this.#watcher = watch(this.#home, { persistent: false }, () => this.#take());
      // Without notices the poll carries on alone.
      this.#watcher.on("error", () => this.#watcher?.close());
    } catch (error) {
      this.#keep(error);
    }
  }

  #look(): void {
    if (!namesIn(this.#home).includes(OWNER_FILE)) {
      // Somebody removed the folder under the run: a watcher of the old one hears nothing any more.
      this.#watcher?.close();
      this.#guard(() => this.#show());
      this.#watch();
    }
    this.#take();
  }

  #show(): void {
    try {
      mkdirSync(this.#home, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new DiskError(`cannot make ${this.#home}: ${errorText(error)}`, {
        code: "write_failed",
        values: { path: this.#home, reason: errorText(error) },
        hint: "check that the run folder is writable and the disk has free space",
        cause: error,
      });
    }
    writeAtomic(join(this.#home, OWNER_FILE), `${JSON.stringify(this.#owner)}\n`);
    for (const ask of this.#channel.pending()) this.#showQuestion(ask);
  }

  #showQuestion(ask: Ask): void {
    const { id, question, options, askedAt } = ask;
    const record = { id, question, options, askedAt, ...this.#owner };
    writeAtomic(questionPath(this.#dir, id), `${JSON.stringify(record, undefined, 2)}\n`, 0o600);
  }

  #hear(event: Event): void {
    if (event.kind !== "ask" || event.payload.kind === "mail") return;
    const id = String(event.payload.id);
    this.#guard(() => {
      const ask = this.#channel.pending().find((pending) => pending.id === id);
      if (ask === undefined) rmSync(questionPath(this.#dir, id), { force: true });
      else this.#showQuestion(ask);
    });
  }

  #take(): void {
    for (const name of namesIn(this.#home)) {
      if (name.endsWith(".json") && name !== OWNER_FILE) this.#guard(() => this.#takeMessage(name));
    }
  }

  #takeMessage(name: string): void {
    const taken = join(this.#home, `${basename(name, ".json")}.taken`);
    try {
      renameSync(join(this.#home, name), taken);
    } catch {
      // Its writer took it back.
      return;
    }
    const receipt = this.#deliver(taken);
    rmSync(taken, { recursive: true, force: true });
    writeAtomic(join(this.#home, `${basename(name, ".json")}.receipt`), `${receipt}\n`);
  }

  #deliver(path: string): AnswerReceipt {
    const message = this.#read(path);
    if (!isRecord(message) || typeof message.text !== "string") return "unknown";
    if (message.kind === "mail")
      return this.#channel.send(message.text) === undefined ? "unknown" : "delivered";
    if (message.kind !== "answer" || typeof message.id !== "string") return "unknown";
    return this.#channel.reply(message.id, message.text);
  }

  #read(path: string): unknown {
    const stat = lstatSync(path);
    if (!stat.isFile() || stat.size > MAX_MESSAGE_BYTES) return undefined;
    try {
      return JSON.parse(readFileSync(path, "utf8"));
    } catch {
      return undefined;
    }
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#keep(error);
    }
  }

  #keep(error: unknown): void {
    this.#errors.push(error);
    if (this.#errors.length > 20) this.#errors.shift();
  }
}
