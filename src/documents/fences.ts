// Fenced code: where blocks open and close, and the one fence that models put around a whole reply.

/** One fenced block, by line index. */
export interface Fence {
  readonly open: number;
  /** Line of the closing marks, or -1 when the block never closes. */
  readonly close: number;
  /** What stands behind the opening marks, lower case. */
  readonly info: string;
}

interface FenceMark {
  readonly char: string;
  readonly length: number;
  readonly info: string;
  /** False behind a list marker: such a line opens a block and never closes one. */
  readonly canClose: boolean;
}

/** Indentation and list markers before a fence; longer ones are no fence anyone writes. */
const LEAD = /^\s{0,60}(?:(?:[-*+]|\d{1,9}[.)])\s{1,8}){0,6}/;
/** More prose than this around a fence is a reply that quotes a document, not one that wraps it. */
const MAX_AROUND_CHARS = 400;
const PROSE_INFO = new Set(["", "markdown", "md", "text", "txt", "plaintext", "plain"]);

/** Read a line as fence marks; undefined when it is none. */
export function fenceMark(line: string): FenceMark | undefined {
  if (line.length < 3 || (!line.includes("```") && !line.includes("~~~"))) return undefined;
  const lead = LEAD.exec(line)?.[0] ?? "";
  const char = line[lead.length];
  if (char !== "`" && char !== "~") return undefined;
  let end = lead.length;
  while (line[end] === char) end += 1;
  const length = end - lead.length;
  const rest = line.slice(end);
  if (length < 3 || (char === "`" && rest.includes("`"))) return undefined;
  return { char, length, info: rest.trim().toLowerCase(), canClose: lead.trim() === "" };
}

/** All fenced blocks. A block closes only by its own character, at least its length and nothing behind it. */
export function findFences(lines: readonly string[]): readonly Fence[] {
  const fences: Fence[] = [];
  let opened: { readonly at: number; readonly mark: FenceMark } | undefined;
  lines.forEach((line, at) => {
    const mark = fenceMark(line);
    if (mark === undefined) return;
    if (opened === undefined) {
      opened = { at, mark };
      return;
    }
    const isSameFence = mark.char === opened.mark.char && mark.length >= opened.mark.length;
    if (!isSameFence || mark.info !== "" || !mark.canClose) return;
    fences.push({ open: opened.at, close: at, info: opened.mark.info });
    opened = undefined;
  });
  if (opened !== undefined) fences.push({ open: opened.at, close: -1, info: opened.mark.info });
  return fences;
}

/** Replace every fenced block by one blank line; an unclosed one takes everything behind it. */
export function dropFences(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let at = 0;
  for (const fence of findFences(lines)) {
    for (; at < fence.open; at += 1) kept.push(lines[at] ?? "");
    kept.push("");
    at = fence.close === -1 ? lines.length : fence.close + 1;
  }
  for (; at < lines.length; at += 1) kept.push(lines[at] ?? "");
  return kept;
}

/** A reply freed from the fence around it. */
export interface Unwrapped {
  readonly lines: readonly string[];
  /** The prose that stood outside the fence, trimmed; "" when the fence was the whole reply. */
  readonly before: string;
  readonly after: string;
}

interface Region {
  readonly open: number;
  readonly close: number;
}

function firstFilled(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && lines[at]?.trim() === "") at += 1;
  return at;
}

function lastFilled(lines: readonly string[]): number {
  let at = lines.length - 1;
  while (at >= 0 && lines[at]?.trim() === "") at -= 1;
  return at;
}

function someLine(lines: readonly string[], region: Region, test: (line: string) => boolean): boolean {
  for (let at = region.open + 1; at < region.close; at += 1) if (test(lines[at] ?? "")) return true;
  return false;
}

function isHeadingOutside(
  lines: readonly string[],
  fences: readonly Fence[],
  isHeading: (line: string) => boolean,
): boolean {
  let from = -1;
  for (const fence of fences) {
    if (someLine(lines, { open: from, close: fence.open }, isHeading)) return true;
    if (fence.close === -1) return false;
    from = fence.close;
  }
  return someLine(lines, { open: from, close: lines.length }, isHeading);
}

/**
 * A wrapper that itself holds fences of its own length reads, by the rules, as several blocks. It is still
 * one wrapper when it starts with a heading, and either nothing outside does or the last marks close nothing.
 */
function wrapperWithFencesInside(
  lines: readonly string[],
  fences: readonly Fence[],
  isHeading: (line: string) => boolean,
): Region | undefined {
  const first = fences[0];
  const last = fences.at(-1);
  if (first === undefined || last === undefined || first === last) return undefined;
  if (!PROSE_INFO.has(first.info) || !isHeading(lines[firstFilled(lines, first.open + 1)] ?? ""))
    return undefined;
  if (someLine(lines, { open: -1, close: first.open }, isHeading)) return undefined;
  if (last.close === -1) {
    const isBareEnd = last.info === "" && last.open === lastFilled(lines);
    return isBareEnd ? { open: first.open, close: last.open } : undefined;
  }
  return isHeadingOutside(lines, fences, isHeading) ? undefined : { open: first.open, close: last.close };
}

function wrapper(
  lines: readonly string[],
  fences: readonly Fence[],
  isHeading: (line: string) => boolean,
): Region | undefined {
  const withHeadings = fences.filter(
    (fence) => fence.close !== -1 && PROSE_INFO.has(fence.info) && someLine(lines, fence, isHeading),
  );
  const only = withHeadings.length === 1 ? withHeadings[0] : undefined;
  if (only !== undefined && !isHeadingOutside(lines, fences, isHeading)) return only;
  return wrapperWithFencesInside(lines, fences, isHeading);
}

/**
 * Take off the fence that wraps a whole reply, with at most a few sentences around it.
 * Undefined when there is none; a fence that holds no heading of the document is never a wrapper.
 */
export function unwrapFence(
  lines: readonly string[],
  isHeading: (line: string) => boolean,
): Unwrapped | undefined {
  const fences = findFences(lines);
  if (fences.length === 0) return undefined;
  const region = wrapper(lines, fences, isHeading);
  if (region === undefined) return undefined;
  const before = lines.slice(0, region.open).join("\n").trim();
  const after = lines
    .slice(region.close + 1)
    .join("\n")
    .trim();
  if (before.length + after.length > MAX_AROUND_CHARS) return undefined;
  return { lines: lines.slice(region.open + 1, region.close), before, after };
}
