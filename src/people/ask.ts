// A question put to a person, and a person's unasked words: plain records, replaced as a whole when they change.

import { rejectUnknownKeys } from "../core/options.ts";
import type { QuestionPayload } from "../events/event.ts";

/** Where a question stands; all but `asked` are final. */
export type AskState = "asked" | "answered" | "timeout" | "declined" | "over_budget" | "invalid";

/** What an {@link Ask} is made of. */
export interface AskFields {
  /** What the question is answered by. */
  readonly id: string;
  /** The question's words. */
  readonly question: string;
  /** Choices offered. @defaultValue none: a free answer */
  readonly options?: readonly string[] | undefined;
  /** Epoch seconds. */
  readonly askedAt: number;
  /** Where it stands. @defaultValue `asked` */
  readonly state?: AskState | undefined;
  /** The person's words. @defaultValue empty */
  readonly answer?: string | undefined;
  /** Seconds from asking to settling. @defaultValue 0 */
  readonly waitedS?: number | undefined;
}

const KEYS = [
  "id",
  "question",
  "options",
  "askedAt",
  "state",
  "answer",
  "waitedS",
] as const satisfies readonly (keyof AskFields)[];

/**
 * One question to a person. A settled question is a new record with the same id.
 * @example
 * ```ts
 * import { HumanChannel } from "flower-agent";
 *
 * const channel = new HumanChannel();
 * const ask = await channel.nextAsk({ timeoutS: 60 });
 * if (ask !== undefined) channel.answer(ask.id, ask.options[0] ?? "as you like");
 * ```
 */
export class Ask {
  /** Short enough to type, unique among the runs of a folder, e.g. `q1-3f9a`. */
  readonly id: string;
  /** The question's words. */
  readonly question: string;
  /** Choices offered; a person may always answer in words instead. */
  readonly options: readonly string[];
  /** Epoch seconds. */
  readonly askedAt: number;
  /** Where it stands. */
  readonly state: AskState;
  /** The person's words, or the reason for skipping; empty unless answered or declined. An answer may be empty too. */
  readonly answer: string;
  /** Seconds from asking to settling; 0 while it waits. */
  readonly waitedS: number;

  /** @throws OptionError `unknown_option`. */
  constructor(fields: AskFields) {
    rejectUnknownKeys(fields, KEYS, "Ask");
    this.id = fields.id;
    this.question = fields.question;
    this.options = fields.options ?? [];
    this.askedAt = fields.askedAt;
    this.state = fields.state ?? "asked";
    this.answer = fields.answer ?? "";
    this.waitedS = fields.waitedS ?? 0;
  }

  /**
   * The same question, settled.
   * @param answer - the person's words, or why there are none
   * @param waitedS - seconds since it was put
   */
  settled(state: AskState, answer: string, waitedS: number): Ask {
    return new Ask({ ...this, state, answer, waitedS });
  }

  /** Payload of an `ask` event. */
  toPayload(): QuestionPayload {
    return {
      state: this.state,
      id: this.id,
      question: this.question,
      options: [...this.options],
      asked_at: this.askedAt,
      answer: this.answer,
      waited: this.waitedS,
    };
  }
}

/** Words from a person that nobody asked for, or that came too late for their question. */
export interface Mail {
  /** Unique in its channel. */
  readonly id: string;
  /** The person's words. */
  readonly text: string;
  /** Epoch seconds. */
  readonly at: number;
  /** `queued` until an agent reads its inbox. */
  readonly state: "queued" | "delivered";
  /** The question these words answer, when they came after it was settled. */
  readonly lateFor?: string;
}

/** The answer meant by what was typed: a pure number within range picks that option, all else is literal. */
export function chosenAnswer(options: readonly string[], typed: string): string {
  const digits = typed.trim().normalize("NFKC");
  if (!/^\d{1,9}$/.test(digits)) return typed;
  return options[Number(digits) - 1] ?? typed;
}
