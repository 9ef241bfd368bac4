// What a person says after a brief was frozen: appended below it, kept whole, never mixed into its sections.

import { oneLine } from "../core/text.ts";
import { findFences } from "./fences.ts";
import { type Outline, readHeading } from "./headings.ts";
import { ADDED_TITLE, isRule, safeText, toLines } from "./lines.ts";

const OWN_TITLE = /^### Added by the person(?: \([^\n]*\))?\s*(?:\n|$)/;
const BARE_TITLE = /^### Added by the person\s*(?:\n|$)/;
const LABEL_CHARS = 80;
const TOP_HEADING = /^ {0,3}#{1,2}(?:\s|$)/;

/**
 * The text to append to a brief file so that a person's later words stay beside its sections. Every line is
 * quoted, so headings and fences among the words stay words.
 */
export function amendmentText(text: string, label = ""): string {
  const name = oneLine(label, LABEL_CHARS).replace(/[()]/g, "");
  const lines = safeText(text).trim().split("\n");
  const quoted = lines.map((line) => (line === "" ? ">" : `> ${line}`)).join("\n");
  return `\n${name === "" ? ADDED_TITLE : `${ADDED_TITLE} (${name})`}\n\n${quoted}\n`;
}

/** A brief's text without and with what was said later. */
export interface Amended {
  readonly standing: readonly string[];
  readonly amendments: string;
}

/** Where later words may begin. */
interface Cut<F extends string> {
  readonly outline: Outline<F>;
  /**
   * A file is appended to by people and programs alike: behind the last section, every heading or rule begins
   * their words. In a model's reply only the heading that says so does.
   */
  readonly isFile: boolean;
}

function closedFenceLines(lines: readonly string[]): ReadonlySet<number> {
  const inside = new Set<number>();
  for (const { open, close } of findFences(lines)) for (let at = open; at <= close; at += 1) inside.add(at);
  return inside;
}

function findCut<F extends string>(lines: readonly string[], { outline, isFile }: Cut<F>): number {
  const fenced = closedFenceLines(lines);
  const seen = new Set<F>();
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const isOwn = seen.size > 0 && OWN_TITLE.test(line);
    if (isOwn && (isFile || !fenced.has(at))) return at;
    if (fenced.has(at)) continue;
    const isPastLast = isFile && seen.size === outline.sections.length;
    if (isPastLast && (TOP_HEADING.test(line) || isRule(line))) return at;
    const heading = line === "" ? undefined : readHeading(line, outline);
    if (heading?.kind === "section" && heading.level <= 6) seen.add(heading.field);
  }
  return lines.length;
}

/** Take later words off a brief. They are everything from their first heading to the end, whatever they hold. */
export function splitAmendments<F extends string>(text: string, cut: Cut<F>): Amended {
  const lines = toLines(text);
  if (!cut.isFile && !text.includes(ADDED_TITLE)) return { standing: lines, amendments: "" };
  const at = findCut(lines, cut);
  const words = lines.slice(at).join("\n").trim();
  return { standing: lines.slice(0, at), amendments: words.replace(BARE_TITLE, "").trim() };
}

/** Later words as they stand in the file, under a heading that marks them. */
export function renderAmendments(amendments: string): string {
  const words = safeText(amendments).trim();
  if (words === "") return "";
  return OWN_TITLE.test(words) && !BARE_TITLE.test(words) ? `\n${words}\n` : `\n${ADDED_TITLE}\n\n${words}\n`;
}

/** Later words for the next model: quoted, and said to count over what stands above. */
export function amendmentsPrompt(amendments: string): string {
  const words = safeText(amendments).trim();
  if (words === "") return "";
  const quoted = words.split("\n").map((line) => (line.startsWith(">") ? line : `> ${line}`.trimEnd()));
  return [
    "## Said later by the person",
    "",
    "Newer than the sections above; where they disagree, this counts.",
    "",
    ...quoted,
    "",
  ].join("\n");
}
