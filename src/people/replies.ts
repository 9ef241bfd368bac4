// What the model is told when a question ends: the person's words as they are, or one of four fixed replies.

import type { Ask } from "./ask.ts";

const DECIDE_YOURSELF =
  'Decide it yourself, choosing what is easiest to undo, and write the assumption under "Unknowns and assumptions". ' +
  "Do not ask this again, and do not stop: go on with the work.";

/** The fixed replies, each a different text with the same consequence. */
export interface Replies {
  /** Nobody answered in time, or nobody is there. */
  readonly timeout: string;
  /** The number of questions is used up. */
  readonly overBudget: string;
  /** The person skipped the question. */
  readonly declined: string;
  /** The question held no words. */
  readonly invalid: string;
}

/** Used unless a channel is given other texts. */
export const DEFAULT_REPLIES: Replies = {
  timeout: `Nobody answered: no person is there at the moment. ${DECIDE_YOURSELF}`,
  overBudget: `The question was not put to anybody: the number of questions for this run is used up. ${DECIDE_YOURSELF}`,
  declined: `The person saw the question and skipped it: they leave it to you. ${DECIDE_YOURSELF}`,
  invalid: `The question was empty, so it was not put to anybody. ${DECIDE_YOURSELF}`,
};

const EMPTY_ANSWER =
  "(The person sent an empty answer: they saw the question and had nothing to add. This picks none of the options.) " +
  'Decide it yourself, write the assumption under "Unknowns and assumptions", and go on.';

/** Told to a model whose turn was stopped while its question waited. */
export const WITHDRAWN = "(The question was withdrawn because the turn was stopped. Nobody answered it.)";

/** The text a model reads as the result of its question. */
export function replyTo(ask: Ask, replies: Replies): string {
  switch (ask.state) {
    case "answered":
      return ask.answer === "" ? EMPTY_ANSWER : ask.answer;
    case "declined":
      return ask.answer === "" ? replies.declined : `${replies.declined}\nTheir reason: ${ask.answer}`;
    case "over_budget":
      return replies.overBudget;
    case "invalid":
      return replies.invalid;
    default:
      return replies.timeout;
  }
}
