// An open question as rows above the line being typed. Pure.

import { clipCells } from "../../core/cells.ts";
import { oneLine, stripEscapes } from "../../core/text.ts";
import { marked } from "../screen/layout.ts";
import type { Row } from "./painter.ts";

/** A question. */
export interface ShownQuestion {
  /** As it is said: `question q1-3f9a: Which files?`. */
  readonly words: string;
  readonly options: readonly string[];
  /** Index of the option that Enter would pick. */
  readonly picked: number | undefined;
}

/** A question in rows of some width, all of it. */
export interface LaidQuestion {
  readonly text: readonly Row[];
  /** The rows of each option. */
  readonly options: readonly (readonly Row[])[];
  readonly picked: number | undefined;
  readonly width: number;
}

/** Rows of a question that is too long for the screen. */
const SHORT_WORDS = 3;

function words(text: string, width: number): Row[] {
  return marked("? ", stripEscapes(text).trim(), width).map((line) => ({ tone: "strong", text: line }));
}

function optionRows(question: ShownQuestion, width: number): Row[][] {
  return question.options.map((option, i) => {
    const isPicked = i === question.picked;
    const mark = `  ${isPicked ? ">" : " "} ${i + 1}. `;
    const lines = marked(mark, oneLine(option, 500), width);
    return lines.map((text) => ({ tone: isPicked ? ("strong" as const) : ("plain" as const), text }));
  });
}

function hintRows(hint: string, width: number): Row[] {
  return hint === "" ? [] : [{ tone: "faint", text: clipCells(`  ${hint}`, width) }];
}

/** The options round the picked one that fit, one row each. */
function some(options: LaidQuestion["options"], picked: number, height: number): Row[] {
  const first = Math.max(0, Math.min(picked - Math.floor(height / 2), options.length - height));
  return options.slice(first, first + height).flatMap((rows) => rows.slice(0, 1));
}

/** Lay a question out in rows of so many cells. */
export function layOut(question: ShownQuestion, width: number): LaidQuestion {
  const { picked } = question;
  return { text: words(question.words, width), options: optionRows(question, width), picked, width };
}

/** Rows the question takes when all of it is shown, with the hint. */
export function wholeHeight({ text, options }: LaidQuestion): number {
  return text.length + options.flat().length + 1;
}

/**
 * The question in at most `height` rows: all of it, or its beginning and the options round the picked one.
 * @param hint - how to answer; empty while that is not possible yet.
 */
export function questionRows(laid: LaidQuestion, hint: string, height: number): Row[] {
  const { text, options, picked, width } = laid;
  const last = hintRows(hint, width);
  const whole = [...text, ...options.flat(), ...last];
  if (whole.length <= height) return whole;
  const head = text.slice(0, Math.max(1, Math.min(SHORT_WORDS, height - 2)));
  const room = Math.max(0, height - head.length - last.length);
  const shown = [...head, ...some(options, picked ?? 0, room), ...last];
  return shown.slice(0, Math.max(0, height)).map((row) => ({ ...row, text: clipCells(row.text, width) }));
}
