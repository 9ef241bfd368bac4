// The options of a HumanChannel, checked and filled in once.

import { OptionError } from "../core/errors.ts";
import { rejectUnknownKeys, requireObject } from "../core/options.ts";
import type { EventListener } from "../events/event.ts";
import { DEFAULT_REPLIES, type Replies } from "./replies.ts";

/** How a person is reached. */
export interface HumanChannelOptions {
  /** Hears every `ask` event; may be set later on the channel. If it throws, the error is collected. */
  readonly onEvent?: EventListener | undefined;
  /**
   * Questions this channel may put in all; 0 allows none. A negative number means unlimited, as absence does.
   * @defaultValue unlimited
   */
  readonly maxAsks?: number | undefined;
  /**
   * Seconds a question waits. `null` and `Infinity` wait forever; 0 and less say that nobody is there: questions
   * settle at once as `timeout`.
   * @defaultValue 1800, half an hour: long enough to come back from a meeting, short enough not to lose the night
   */
  readonly timeoutS?: number | null | undefined;
  /** Markdown file that every question, answer and message is appended to. @defaultValue none */
  readonly logPath?: string | undefined;
  /** Document (the brief) that a person's words are appended to once it exists. @defaultValue none */
  readonly amendPath?: string | undefined;
  /** Reply to a question over the quota. */
  readonly overBudgetText?: string | undefined;
  /** Reply when nobody answered. */
  readonly timeoutText?: string | undefined;
  /** Reply when the person skipped. */
  readonly declinedText?: string | undefined;
  /** Reply to a question without words. */
  readonly invalidText?: string | undefined;
}

/** Options with every default in place. */
export interface ResolvedChannelOptions {
  readonly onEvent: EventListener | undefined;
  /** `Infinity` when unlimited. */
  readonly maxAsks: number;
  /** `Infinity` when forever. */
  readonly timeoutS: number;
  readonly logPath: string | undefined;
  readonly amendPath: string | undefined;
  readonly replies: Replies;
}

const KEYS = [
  "onEvent",
  "maxAsks",
  "timeoutS",
  "logPath",
  "amendPath",
  "overBudgetText",
  "timeoutText",
  "declinedText",
  "invalidText",
] as const;
const DEFAULT_TIMEOUT_S = 1800;

function bad(key: string, wants: string): OptionError {
  return new OptionError(`HumanChannel: ${key} must be ${wants}`, {
    code: "bad_option",
    hint: `give ${key} ${wants}, or leave it out`,
  });
}

function text(options: HumanChannelOptions, key: keyof HumanChannelOptions, fallback: string): string {
  const value: unknown = options[key];
  if (value === undefined) return fallback;
  if (typeof value !== "string" || value.trim() === "") throw bad(key, "a text that is not empty");
  return value;
}

function path(options: HumanChannelOptions, key: "logPath" | "amendPath"): string | undefined {
  return text(options, key, "") || undefined;
}

function quota(value: unknown): number {
  if (value === undefined) return Number.POSITIVE_INFINITY;
  if (typeof value !== "number" || (!Number.isInteger(value) && value !== Number.POSITIVE_INFINITY)) {
    throw bad("maxAsks", "a whole number");
  }
  return value < 0 ? Number.POSITIVE_INFINITY : value;
}

function patience(value: unknown): number {
  if (value === undefined) return DEFAULT_TIMEOUT_S;
  if (value === null) return Number.POSITIVE_INFINITY;
  if (typeof value !== "number" || Number.isNaN(value)) throw bad("timeoutS", "a number of seconds or null");
  return value;
}

/**
 * Check and complete what a person passed.
 * @throws OptionError `unknown_option`, `bad_options` or `bad_option`.
 */
export function resolveChannelOptions(options: HumanChannelOptions): ResolvedChannelOptions {
  requireObject(options, "HumanChannel");
  rejectUnknownKeys(options, KEYS, "HumanChannel");
  if (options.onEvent !== undefined && typeof options.onEvent !== "function")
    throw bad("onEvent", "a function");
  return {
    onEvent: options.onEvent,
    maxAsks: quota(options.maxAsks),
    timeoutS: patience(options.timeoutS),
    logPath: path(options, "logPath"),
    amendPath: path(options, "amendPath"),
    replies: {
      overBudget: text(options, "overBudgetText", DEFAULT_REPLIES.overBudget),
      timeout: text(options, "timeoutText", DEFAULT_REPLIES.timeout),
      declined: text(options, "declinedText", DEFAULT_REPLIES.declined),
      invalid: text(options, "invalidText", DEFAULT_REPLIES.invalid),
    },
  };
}
