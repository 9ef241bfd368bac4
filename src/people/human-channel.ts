// HumanChannel: the one place where agents meet a person. It holds the questions and the mail, and tells listeners;
// how a question is shown is theirs, how its tools reach a model is the harness room's.

import { randomInt } from "node:crypto";
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { epochS } from "../core/clock.ts";
import { rejectUnknownKeys } from "../core/options.ts";
import { oneLine } from "../core/text.ts";
import type { InProcessServer } from "../core/tool-server.ts";
import { createEvent, type EventListener } from "../events/event.ts";
import { type AmendmentListener, Amendments, type AmendState } from "./amendments.ts";
import { Ask, type AskState, chosenAnswer, type Mail } from "./ask.ts";
import { AskQueue, type NextAskOptions } from "./ask-queue.ts";
import {
  type HumanChannelOptions,
  type ResolvedChannelOptions,
  resolveChannelOptions,
} from "./channel-options.ts";
import { humanServer, SERVER_NAME } from "./human-server.ts";
import { Listeners } from "./listeners.ts";
import { startTimer } from "./long-timer.ts";
import { Mailbox } from "./mailbox.ts";
import { readQuestion } from "./question.ts";
import { renderAsked, renderMail, renderSettled, renderTranscript } from "./record.ts";
import { cleanWords, localTime } from "./words.ts";

/** What became of an answer: it reached its question, came too late and went into the inbox, or names no question. */
export type AnswerReceipt = "delivered" | "late" | "unknown";

/** Letters and digits that cannot be mistaken for one another when typed. */
const TAG_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";

function createTag(): string {
  return Array.from({ length: 4 }, () => TAG_LETTERS[randomInt(TAG_LETTERS.length)]).join("");
}

type Settle = (state: AskState, answer: string) => void;

/**
 * A person, as agents and workflows reach them.
 * @example
 * ```ts
 * import { HumanChannel } from "flower-agent";
 *
 * const channel = new HumanChannel({ timeoutS: 600, logPath: "qa.md" });
 * channel.onEvent = (event) => {
 *   if (event.kind !== "ask" || event.payload.state !== "asked") return;
 *   console.log(event.text);
 *   channel.answer(event.payload.id, "as you think best");
 * };
 * ```
 */
export class HumanChannel {
  /** Hears every `ask` event, after those added by {@link listen}. */
  onEvent: EventListener | undefined;
  /** Ends the id of every question of this channel; unique among the runs of a folder. */
  readonly tag: string = createTag();
  /** The tool an agent asks with. */
  readonly toolName: string = `mcp__${SERVER_NAME}__ask`;
  /** The tool an agent reads its inbox with. */
  readonly inboxToolName: string = `mcp__${SERVER_NAME}__inbox`;

  readonly #options: ResolvedChannelOptions;
  readonly #listeners = new Listeners();
  readonly #asks = new Map<string, Ask>();
  readonly #waiting = new Map<string, Settle>();
  readonly #queue = new AskQueue();
  readonly #mailbox = new Mailbox(this.tag);
  readonly #amendments: Amendments;
  #put = 0;

  /** @throws OptionError for an unknown option or a value that cannot be. */
  constructor(options: HumanChannelOptions = {}) {
    this.#options = resolveChannelOptions(options);
    this.onEvent = this.#options.onEvent;
    this.#amendments = new Amendments(this.#options.amendPath, this.#listeners.collect);
  }

  /** Seconds a question waits; `Infinity` for ever, 0 or less when nobody is there. */
  get timeoutS(): number {
    return this.#options.timeoutS;
  }

  /** Questions that may still be put; -1 when unlimited. */
  get remaining(): number {
    const { maxAsks } = this.#options;
    return maxAsks === Number.POSITIVE_INFINITY ? -1 : maxAsks - this.#put;
  }

  /** Every question so far, in order. */
  get asks(): readonly Ask[] {
    return [...this.#asks.values()];
  }

  /** Everything a person said unasked or too late, in order. */
  get mail(): readonly Mail[] {
    return this.#mailbox.all;
  }

  /** Errors of listeners and of the log and the amended document; they never stop a run. At most the last 100. */
  get uiErrors(): readonly unknown[] {
    return this.#listeners.errors;
  }

  /** Hear events beside `onEvent`; call what is returned to stop. */
  listen(listener: EventListener): () => void {
    return this.#listeners.add(listener);
  }

  /** Hear what is appended to the amended document; call what is returned to stop. */
  watchAmendments(listener: AmendmentListener): () => void {
    return this.#amendments.watch(listener);
  }

  /**
   * A fresh description of the tool server over the same state; without `inbox` that tool is not offered at all.
   * @param settings - `inbox`: offer that tool too, true by default
   */
  mcpServers(settings: { readonly inbox?: boolean | undefined } = {}): { readonly human: InProcessServer } {
    rejectUnknownKeys(settings, ["inbox"], "mcpServers");
    this.flushAmendments();
    const tools = {
      replies: this.#options.replies,
      timeoutS: this.timeoutS,
      ask: this.ask.bind(this),
      takeMail: this.takeMail.bind(this),
    };
    return { human: humanServer(tools, settings.inbox ?? true) };
  }

  /**
   * Put a question to the person and wait.
   * Every ending is a value; see {@link Ask.state}. What cannot be a question is coerced, or ends as `invalid`.
   * @param question - the words
   * @param options - choices offered; none by default
   * @param settings - `signal`: ends the wait
   * @throws the signal's reason when it aborts; the question is then settled as `declined` and no longer waits.
   */
  async ask(
    question: string,
    options: readonly string[] = [],
    settings: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Ask> {
    rejectUnknownKeys(settings, ["signal"], "ask");
    settings.signal?.throwIfAborted();
    this.flushAmendments();
    const read = readQuestion({ question, options });
    const ask = new Ask({ ...read, id: `q${this.#asks.size + 1}-${this.tag}`, askedAt: epochS() });
    this.#asks.set(ask.id, ask);
    this.#log(renderAsked(ask));
    if (ask.question === "") return this.#settle(ask, "invalid", "");
    if (this.remaining === 0) return this.#settle(ask, "over_budget", "");
    this.#put += 1;
    if (this.timeoutS <= 0) return this.#settle(ask, "timeout", "");
    return this.#wait(ask, settings.signal);
  }

  /**
   * Answer a question: false if it no longer waits.
   * @param id - of the question
   * @param text - the person's words
   * @see reply for what became of the words then.
   */
  answer(id: string, text: string): boolean {
    return this.reply(id, text) === "delivered";
  }

  /**
   * Answer a question and say what became of the words. A pure number within range picks that option; an empty
   * text is an answer too. Words that come too late go into the inbox.
   * @param id - of the question
   * @param text - the person's words
   */
  reply(id: string, text: string): AnswerReceipt {
    const ask = this.#asks.get(id);
    if (ask === undefined) return "unknown";
    const words = cleanWords(chosenAnswer(ask.options, text));
    const settle = this.#waiting.get(id);
    if (settle !== undefined) settle("answered", words);
    else if (words !== "") this.#receive(`Answer to "${oneLine(ask.question)}": ${words}`, ask);
    return settle === undefined ? "late" : "delivered";
  }

  /**
   * Skip a question: false if it no longer waits.
   * @param id - of the question
   * @param reason - what the agent is told beside that it was skipped
   */
  decline(id: string, reason = ""): boolean {
    const settle = this.#waiting.get(id);
    settle?.("declined", cleanWords(reason));
    return settle !== undefined;
  }

  /**
   * The person says something unasked: into the inbox and into the amended document. Blank text is nothing said.
   * @param text - the person's words
   */
  send(text: string): Mail | undefined {
    const words = cleanWords(text);
    return words === "" ? undefined : this.#receive(words);
  }

  /**
   * Add words to the amended document, once.
   * @param text - the words
   * @param settings - `label`: the heading they stand under
   * @returns whether they were written now. Words for a document that does not exist yet are kept and written as
   * soon as it does.
   */
  amend(text: string, settings: { readonly label?: string | undefined } = {}): boolean {
    rejectUnknownKeys(settings, ["label"], "amend");
    return this.#amendments.add(text, settings.label ?? localTime(epochS())) === "written";
  }

  /** Write what waited for its document; happens by itself at every question and every look into the inbox. */
  flushAmendments(): void {
    this.#amendments.flush();
  }

  /** Questions that wait for the person, oldest first. */
  pending(): readonly Ask[] {
    return this.asks.filter((ask) => ask.state === "asked");
  }

  /** The next question that no earlier call returned; undefined when time is up or the signal aborts. */
  nextAsk(settings: NextAskOptions = {}): Promise<Ask | undefined> {
    rejectUnknownKeys(settings, ["timeoutS", "signal"], "nextAsk");
    return this.#queue.take(settings);
  }

  /** Mail that no agent has read yet. */
  pendingMail(): readonly Mail[] {
    return this.#mailbox.queued;
  }

  /** Hand over the unread mail and mark it delivered; what the inbox tool does. */
  takeMail(): readonly Mail[] {
    this.flushAmendments();
    const taken = this.#mailbox.take();
    for (const mail of taken) this.#emitMail(mail);
    return taken;
  }

  /** Everything said so far as Markdown, in order of time. */
  transcript(): string {
    return renderTranscript(this.asks, this.mail);
  }

  #wait(ask: Ask, signal: AbortSignal | undefined): Promise<Ask> {
    return new Promise((resolve, reject) => {
      const end = (state: AskState, answer: string, withdrawn: boolean) => {
        cancel();
        signal?.removeEventListener("abort", abort);
        return this.#settle(ask, state, answer, withdrawn);
      };
      const settle: Settle = (state, answer) => resolve(end(state, answer, false));
      const abort = () => {
        end("declined", "", true);
        reject(signal?.reason);
      };
      const cancel = startTimer(this.timeoutS, () => settle("timeout", ""));
      signal?.addEventListener("abort", abort, { once: true });
      this.#waiting.set(ask.id, settle);
      this.#emit(ask.question, ask.toPayload());
      // A listener may have answered at once.
      if (this.#waiting.has(ask.id)) this.#queue.offer(ask);
    });
  }

  #settle(ask: Ask, state: AskState, answer: string, withdrawn = false): Ask {
    const settled = ask.settled(state, answer, Math.max(0, epochS() - ask.askedAt));
    this.#waiting.delete(ask.id);
    this.#queue.withdraw(ask.id);
    this.#asks.set(ask.id, settled);
    this.#log(renderSettled(settled, withdrawn));
    const text = state === "answered" ? answer : ask.question;
    this.#emit(text, withdrawn ? { ...settled.toPayload(), withdrawn } : settled.toPayload());
    return settled;
  }

  #receive(words: string, late?: Ask): Mail {
    const mail = this.#mailbox.add(words, epochS(), late?.id);
    this.#log(renderMail(mail));
    this.#emitMail(mail, this.#amendments.add(words, localTime(mail.at)));
    return mail;
  }

  #emitMail(mail: Mail, amended?: AmendState): void {
    this.#emit(mail.text, {
      kind: "mail",
      state: mail.state,
      id: mail.id,
      at: mail.at,
      ...(mail.lateFor === undefined ? {} : { late_for: mail.lateFor }),
      ...(amended === undefined ? {} : { amended }),
    });
  }

  #emit(text: string, payload: Parameters<typeof createEvent<"ask">>[1]["payload"]): void {
    this.#listeners.tell(createEvent("ask", { text, payload }), this.onEvent);
  }

  #log(block: string): void {
    const { logPath } = this.#options;
    if (logPath === undefined) return;
    try {
      mkdirSync(dirname(logPath), { recursive: true });
      appendFileSync(logPath, block);
    } catch (error) {
      this.#listeners.collect(error);
    }
  }
}
