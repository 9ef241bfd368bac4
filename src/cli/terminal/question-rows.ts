// An open question as rows above the line being typed. Pure.

import { clipCells } from "../../core/cells.ts";
import { oneLine, stripEscapes } from "../../core/text.ts";
import { marked } from "../screen/layout.ts";
import type { Row } from "./painter.ts";

/** A question and what stands with it. */
export interface ShownQuestion {
  /** As it is said: `question q1-3f9a: Which files?`. */
  readonly words: string;
  readonly options: readonly string[];
  /** Index of the option that Enter would pick. */
  readonly picked: number | undefined;
  /** How to answer; empty while that is not possible yet. */
  readonly hint: string;
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

function hintRows({ hint }: ShownQuestion, width: number): Row[] {
  return hint === "" ? [] : [{ tone: "faint", text: clipCells(`  ${hint}`, width) }];
}

/** The options round the picked one that fit, one row each. */
function some(options: readonly Row[][], picked: number, height: number): Row[] {
  const first = Math.max(0, Math.min(picked - Math.floor(height / 2), options.length - height));
  return options.slice(first, first + height).flatMap((rows) => rows.slice(0, 1));
}

/** Rows the question takes when all of it is shown. */
export function wholeHeight(question: ShownQuestion, width: number): number {
  return words(question.words, width).length + optionRows(question, width).flat().length + 1;
}

/** The question in at most `height` rows: all of it, or its beginning and the options round the picked one. */
export function questionRows(question: ShownQuestion, width: number, height: number): Row[] {
  const text = words(question.words, width);
  const options = optionRows(question, width);
  const hint = hintRows(question, width);
  const whole = [...text, ...options.flat(), ...hint];
  if (whole.length <= height) return whole;
  const head = text.slice(0, Math.max(1, Math.min(SHORT_WORDS, height - 2)));
  const room = Math.max(0, height - head.length - hint.length);
  const shown = [...head, ...some(options, question.picked ?? 0, room), ...hint];
  return shown.slice(0, Math.max(0, height)).map((row) => ({ ...row, text: clipCells(row.text, width) }));
}
