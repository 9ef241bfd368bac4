// Which line is a heading: the labels of a document in three languages, and the forms models write them in.

/** One section of a document. */
export interface SectionSpec<F extends string> {
  readonly field: F;
  /** The heading as it is written, always English. */
  readonly title: string;
  /** Headings also accepted, in any of the three languages. */
  readonly aliases: readonly string[];
}

/** The sections of a document in their order, ready for matching. */
export interface Outline<F extends string> {
  readonly sections: readonly SectionSpec<F>[];
  readonly labels: RegExp;
  readonly fields: readonly F[];
  /** Characters a label starts with, in either case: most lines of a text are told apart by their first. */
  readonly initials: ReadonlySet<string>;
}

/** What a line is, when it is not plain text. */
export type Heading<F extends string> =
  | {
      readonly kind: "section";
      readonly field: F;
      /** 1 to 6 by its marks, 7 in bold, 8 by a colon or alone on its line. */
      readonly level: number;
      /** Text behind the heading on the same line. */
      readonly rest: string;
      /** More words follow without a colon: it may be a longer title of something else. */
      readonly isWeak: boolean;
      /** Nothing marks it but standing alone, so a blank line must stand before it. */
      readonly isAlone: boolean;
    }
  | { readonly kind: "other"; readonly level: number };

const BOLD_LEVEL = 7;
const PLAIN_LEVEL = 8;
/** A heading and its marks are within this many characters, so longer lines cost no more. */
const HEAD_CHARS = 160;
const MARKS = new Set("#*_【(（0123456789一二三四五六七八九十");
const ASCII = /^[ -~\s]*$/;
const NUMBER = /^(?:[(（]?\d{1,2}[.)）、．]|[(（]?[一二三四五六七八九十]{1,3}[)）、．.])\s*/;
const BOLD_OPEN = /^(?:(\*{1,3}|_{1,3})(?=\S)|(【)\s*)/;
const BOLD_LINE = /^(?:\*\*[^*]+\*\*|__[^_]+__|【[^】]+】)\s*[:：]?\s*$/;
const NOT_MORE_WORD = "(?![\\p{L}\\p{N}]|[-'’]\\p{L})";

/** Lower case without accents, one unit a character for the letters labels are made of. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

function labelPattern(label: string): string {
  const words = fold(label)
    .replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")
    .split(" ");
  return `(${words.map((word) => (word === "and" || word === "e" ? `(?:${word}|&)` : word)).join("[\\s_-]{1,4}")})`;
}

/** Prepare the labels of a document; the longest is tried first, so that none swallows a longer one's beginning. */
export function createOutline<F extends string>(sections: readonly SectionSpec<F>[]): Outline<F> {
  const labels = sections
    .flatMap(({ field, title, aliases }) => [title, ...aliases].map((label) => ({ field, label })))
    .sort((a, b) => b.label.length - a.label.length);
  return {
    sections,
    labels: new RegExp(
      `^(?:${labels.map(({ label }) => labelPattern(label)).join("|")})${NOT_MORE_WORD}`,
      "u",
    ),
    fields: labels.map(({ field }) => field),
    initials: new Set(
      labels.flatMap(({ label }) => [fold(label).charAt(0), fold(label).charAt(0).toUpperCase()]),
    ),
  };
}

interface Label<F extends string> {
  readonly field: F;
  readonly rest: string;
}

function takeLabel<F extends string>(text: string, outline: Outline<F>): Label<F> | undefined {
  if (!outline.initials.has(text.charAt(0))) return undefined;
  const composed = text.slice(0, HEAD_CHARS).normalize("NFC");
  const match = outline.labels.exec(fold(composed));
  if (match === null) return undefined;
  const field = outline.fields[match.slice(1).findIndex((group) => group !== undefined)];
  if (field === undefined) return undefined;
  return { field, rest: composed.slice(match[0].length) + text.slice(HEAD_CHARS) };
}

/** `Doing / 现在在做`: the same section named twice. */
function withoutTwin<F extends string>(label: Label<F>, outline: Outline<F>): Label<F> {
  const slash = /^\s{0,4}[/|]\s{0,4}/.exec(label.rest)?.[0];
  if (slash === undefined) return label;
  const twin = takeLabel(label.rest.slice(slash.length), outline);
  return twin?.field === label.field ? twin : label;
}

interface Parts<F extends string> {
  readonly field: F;
  readonly rest: string;
  readonly isBold: boolean;
  readonly isNumbered: boolean;
  readonly hasSeparator: boolean;
}

function takeParts<F extends string>(text: string, outline: Outline<F>): Parts<F> | undefined {
  let at = NUMBER.exec(text)?.[0].length ?? 0;
  const bold = BOLD_OPEN.exec(text.slice(at, at + HEAD_CHARS));
  at += bold?.[0].length ?? 0;
  const inner = at > 0 ? (NUMBER.exec(text.slice(at, at + HEAD_CHARS))?.[0].length ?? 0) : 0;
  const found = takeLabel(text.slice(at + inner), outline);
  if (found === undefined) return undefined;
  const label = withoutTwin(found, outline);
  let rest = label.rest;
  let hasSeparator = false;
  const takeColon = (): void => {
    const colon = /^\s{0,8}[:：]/.exec(rest)?.[0];
    if (colon === undefined) return;
    hasSeparator = true;
    rest = rest.slice(colon.length);
  };
  takeColon();
  if (bold !== null) {
    const close = bold[1] ?? "】";
    const gap = /^\s{0,4}/.exec(rest)?.[0].length ?? 0;
    if (!rest.startsWith(close, gap)) return undefined;
    rest = rest.slice(gap + close.length);
    takeColon();
  }
  return { field: label.field, rest, isBold: bold !== null, isNumbered: at + inner > 0, hasSeparator };
}

/** What stands behind a marked heading: a dash separates, closing marks and a remark in brackets are no text. */
function marked<F extends string>(parts: Parts<F>, level: number): Heading<F> {
  const { field, isNumbered: _, ...more } = parts;
  let { rest } = more;
  let isSeparated = more.hasSeparator;
  const dash = /^\s{1,8}[—–-]{1,3}\s/.exec(rest)?.[0];
  if (!isSeparated && dash !== undefined) {
    isSeparated = true;
    rest = rest.slice(dash.length);
  }
  rest = rest.trim();
  if (rest.length <= HEAD_CHARS) {
    rest = rest.replace(/(?:^|\s)#+$/, "").trim();
    if (!isSeparated && /^[(（][^()（）]*[)）]$/.test(rest)) rest = "";
  }
  return { kind: "section", field, level, rest, isWeak: !isSeparated && rest !== "", isAlone: false };
}

function plain<F extends string>(parts: Parts<F>): Heading<F> | undefined {
  const rest = parts.rest.trim();
  if (!parts.hasSeparator && rest !== "") return undefined;
  const isAlone = !parts.hasSeparator && !parts.isNumbered;
  return { kind: "section", field: parts.field, level: PLAIN_LEVEL, rest, isWeak: false, isAlone };
}

/** Read one line as a heading; undefined when it is text. Quotes, list items and indented code never are. */
export function readHeading<F extends string>(line: string, outline: Outline<F>): Heading<F> | undefined {
  let indent = 0;
  while (indent < 4 && line[indent] === " ") indent += 1;
  if (indent > 3) return undefined;
  const text = indent === 0 ? line : line.slice(indent);
  const first = text.charAt(0);
  if (!outline.initials.has(first) && !MARKS.has(first)) return undefined;
  const marks = /^(#{1,6})(?!#)/.exec(text)?.[1]?.length ?? 0;
  if (marks > 0) {
    const title = text.slice(marks).trimStart();
    if (title === "") return { kind: "other", level: marks };
    const parts = takeParts(title, outline);
    if (parts !== undefined) return marked(parts, marks);
    return title.length < text.length - marks ? { kind: "other", level: marks } : undefined;
  }
  const parts = takeParts(text, outline);
  if (parts !== undefined) return parts.isBold ? marked(parts, BOLD_LEVEL) : plain(parts);
  const isBoldLine = text.length <= HEAD_CHARS && BOLD_LINE.test(text);
  return isBoldLine ? { kind: "other", level: BOLD_LEVEL } : undefined;
}
