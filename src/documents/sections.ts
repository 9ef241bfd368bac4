// The one splitter: any text -> the sections of a document. Pure, total and linear; what a section means is
// left to the documents.

import { dropFences, unwrapFence } from "./fences.ts";
import { type Heading, type Outline, readHeading } from "./headings.ts";
import { isRule, joinBody, toLines } from "./lines.ts";
import { isBlank } from "./placeholders.ts";

/** One time a section occurs in a text. */
interface Occurrence<F extends string> {
  readonly field: F;
  readonly text: string;
  /** Its heading may have been the beginning of a longer title; used only when nothing better is there. */
  readonly isWeak: boolean;
}

/** A text taken apart. */
export interface Sections<F extends string> {
  readonly occurrences: readonly Occurrence<F>[];
  /** All lines but fenced code. */
  readonly prose: readonly string[];
  /** Prose outside the fence that wrapped the reply; undefined when there was no such fence. */
  readonly around: { readonly before: string; readonly after: string } | undefined;
}

interface Mark<F extends string> {
  readonly at: number;
  readonly heading: Heading<F>;
}

function isHeadingLine<F extends string>(outline: Outline<F>): (line: string) => boolean {
  return (line) => {
    const heading = readHeading(line, outline);
    return heading?.kind === "section" && !heading.isAlone;
  };
}

function findMarks<F extends string>(lines: readonly string[], outline: Outline<F>): readonly Mark<F>[] {
  const marks: Mark<F>[] = [];
  let isAfterBreak = true;
  lines.forEach((line, at) => {
    const heading = line === "" ? undefined : readHeading(line, outline);
    const isHeading = heading !== undefined && (heading.kind === "other" || !heading.isAlone || isAfterBreak);
    if (isHeading) marks.push({ at, heading });
    isAfterBreak = isHeading || line.trim() === "";
  });
  return marks;
}

/** Does anything stand below this heading before one as strong? A weaker one right below it may be its text. */
function hasBody<F extends string>(
  lines: readonly string[],
  marks: readonly Mark<F>[],
  index: number,
): boolean {
  const mark = marks[index];
  if (mark === undefined) return false;
  if (mark.heading.kind === "section" && mark.heading.rest !== "") return true;
  const next = marks[index + 1];
  const end = next?.at ?? lines.length;
  let isBelowRule = false;
  for (let at = mark.at + 1; at < end; at += 1) {
    const line = lines[at] ?? "";
    if (line.trim() !== "" && !isRule(line)) return true;
    isBelowRule ||= line.trim() !== "";
  }
  return next !== undefined && next.heading.level > mark.heading.level && !isBelowRule;
}

/**
 * A document keeps to one way of writing its headings. A label in a weaker form than the strongest one that
 * has a body (`Goal: …` below `## Goal`) is text of the section it stands in, or that text would vanish.
 */
function demote<F extends string>(lines: readonly string[], marks: readonly Mark<F>[]): readonly Mark<F>[] {
  const strongest = new Map<F, number>();
  marks.forEach((mark, index) => {
    if (mark.heading.kind === "other" || mark.heading.isWeak) return;
    const { field, level } = mark.heading;
    const best = strongest.get(field);
    if (best !== undefined && best <= level) return;
    if (hasBody(lines, marks, index)) strongest.set(field, level);
  });
  return marks.filter(
    ({ heading }) =>
      heading.kind === "other" || heading.level <= (strongest.get(heading.field) ?? heading.level),
  );
}

function cutOut<F extends string>(
  lines: readonly string[],
  marks: readonly Mark<F>[],
): readonly Occurrence<F>[] {
  const found: Occurrence<F>[] = [];
  let open: Mark<F> | undefined;
  const close = (end: number): void => {
    if (open === undefined || open.heading.kind === "other") return;
    const { field, rest, isWeak } = open.heading;
    found.push({ field, isWeak, text: joinBody([rest, ...lines.slice(open.at + 1, end)]) });
    open = undefined;
  };
  for (const mark of marks) {
    // A heading this document does not know ends a section only from the same level or above.
    if (mark.heading.kind === "other" && mark.heading.level > (open?.heading.level ?? 0)) continue;
    close(mark.at);
    open = mark.heading.kind === "section" ? mark : undefined;
  }
  close(lines.length);
  return found;
}

/** Take a text apart into the sections of `outline`. Never throws; what it cannot place it leaves out. */
export function splitSections<F extends string>(text: string, outline: Outline<F>): Sections<F> {
  return splitLines(toLines(text), outline);
}

/** {@link splitSections} of lines that {@link toLines} made. */
export function splitLines<F extends string>(all: readonly string[], outline: Outline<F>): Sections<F> {
  const unwrapped = unwrapFence(all, isHeadingLine(outline));
  const lines = dropFences(unwrapped?.lines ?? all);
  return {
    occurrences: cutOut(lines, demote(lines, findMarks(lines, outline))),
    prose: lines,
    around: unwrapped === undefined ? undefined : { before: unwrapped.before, after: unwrapped.after },
  };
}

/** The text of a section: its first occurrence that is not `isEmpty`, "" when none is. */
export function textOf<F extends string>(sections: Sections<F>, field: F, isEmpty = isBlank): string {
  const filled = sections.occurrences.filter((one) => one.field === field && !isEmpty(one.text));
  return (filled.find((one) => !one.isWeak) ?? filled[0])?.text ?? "";
}
