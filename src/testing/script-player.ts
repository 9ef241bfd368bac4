// Decides what each message request gets: who asks, whether the API would refuse it, and which step is next.
// Keeps the requests and what went differently; sends nothing.

import { errorText } from "../core/errors.ts";
import { shortHash } from "../core/ids.ts";
import type { ApiRequest, IncomingRequest } from "./api-request.ts";
import { type HttpError, httpError } from "./failure.ts";
import { historyFault } from "./history-fault.ts";
import type { ReadRequest } from "./incoming.ts";
import { keyFault } from "./key-fault.ts";
import { Recogniser } from "./recogniser.ts";
import { RequestLog } from "./request-log.ts";
import { ScriptBook, type Speaker, speakerLabel } from "./script.ts";
import type { ScriptFault } from "./script-error.ts";
import type { ResolvedApiOptions } from "./scripted-api-options.ts";
import { automaticTurn, type SideKind } from "./side-request.ts";
import { type Answer, type AnswerFunction, type Reply, replyOf } from "./step.ts";
import { unexpectedWords } from "./unexpected-words.ts";

/**
 * Refusals that hold for the same messages however often they come: the harness sends such a request up to six
 * times, each time with some optional feature taken away, before it believes them.
 */
const LASTING = [400, 404, 413, 422];

function isLasting(reply: Reply): reply is HttpError {
  return reply.kind === "http_error" && LASTING.includes(reply.status);
}

function dialogueKey({ sessionId, agentId, body }: IncomingRequest): string {
  return `${sessionId}/${agentId}/${shortHash(JSON.stringify(body.messages) ?? "")}`;
}

/** Plays a script: one reply a request. */
export class ScriptPlayer {
  /** Everything asked, probes included. */
  readonly log: RequestLog;
  /** Notes the dispatches of answers that leave. */
  readonly recogniser: Recogniser;
  readonly #options: ResolvedApiOptions;
  readonly #book: ScriptBook;
  readonly #faults: ScriptFault[] = [];
  readonly #refused = new Map<string, HttpError>();

  /** @throws OptionError `unknown_option`, `bad_script`. */
  constructor(options: ResolvedApiOptions) {
    this.#options = options;
    this.#book = new ScriptBook(options.script);
    this.log = new RequestLog(options.keepBodies);
    this.recogniser = new Recogniser(options.script.speakers ?? []);
  }

  /** What went differently so far. */
  get faults(): readonly ScriptFault[] {
    return this.#faults;
  }

  /** The same, and the steps that were never asked for. */
  allFaults(): readonly ScriptFault[] {
    const unused = this.#book.unused().map((message): ScriptFault => ({ kind: "unused", message }));
    return [...this.#faults, ...unused];
  }

  /** The 401 a request without the expected key gets. */
  denied(request: IncomingRequest): HttpError | undefined {
    return keyFault(request.headers, this.#options.expectKey);
  }

  /** Note something nobody expected; the reply says so too. */
  unexpected(message: string, cause?: unknown): HttpError {
    this.#faults.push({ kind: "unexpected", message, ...(cause === undefined ? {} : { cause }) });
    return httpError(400, { message: `script: ${message}`, headers: { "x-should-retry": "false" } });
  }

  /** What a message request gets. */
  async reply(read: ReadRequest): Promise<Reply> {
    const recognition = this.recogniser.recognise(read.request);
    const speaker: Speaker =
      recognition.kind === "speaker" ? recognition.speaker : { role: "worker", agent: undefined };
    const request: ApiRequest = { ...read.request, ...speaker };
    this.log.keep(request);
    const earlier = this.denied(request) ?? this.#earlierRefusal(request);
    if (earlier !== undefined) return earlier;
    const reply =
      this.#invalid(read, speaker) ??
      (recognition.kind === "ambiguous"
        ? this.unexpected(unexpectedWords(request, recognition.reason))
        : await this.#scripted(request));
    if (isLasting(reply) && request.sessionId !== undefined) this.#refused.set(dialogueKey(request), reply);
    return reply;
  }

  #earlierRefusal(request: IncomingRequest): HttpError | undefined {
    return this.#refused.size === 0 ? undefined : this.#refused.get(dialogueKey(request));
  }

  #invalid({ request, json, raw }: ReadRequest, speaker: Speaker): HttpError | undefined {
    const fault = historyFault(json, raw);
    if (fault === undefined) return undefined;
    this.#faults.push({
      kind: "refused",
      message: `request ${request.index} of ${speakerLabel(speaker)}: ${fault}`,
    });
    return httpError(400, { message: fault });
  }

  async #scripted(request: ApiRequest): Promise<Reply> {
    if (request.role === "side") {
      const kind = request.agent as SideKind;
      return await this.#work(
        () => this.#options.script.side?.(request, kind) ?? automaticTurn(kind),
        request,
      );
    }
    const label = speakerLabel(request);
    const next = this.#book.next(request);
    switch (next.kind) {
      case "step": {
        const { step } = next;
        return await this.#work(typeof step === "function" ? step : () => step, request);
      }
      case "exhausted": {
        const what = `${label} asked for step ${next.total + 1}, its script has ${next.total}`;
        return this.unexpected(unexpectedWords(request, what));
      }
      case "unscripted": {
        const others = this.#book.speakers().join(", ") || "nobody";
        return this.unexpected(
          unexpectedWords(request, `${label} is not in the script, which has ${others}`),
        );
      }
    }
  }

  async #work(step: AnswerFunction | (() => Answer), request: ApiRequest): Promise<Reply> {
    try {
      return replyOf(await step(request));
    } catch (cause) {
      const what = `the step of ${speakerLabel(request)} threw: ${errorText(cause)}`;
      return this.unexpected(unexpectedWords(request, what), cause);
    }
  }
}
