// Inline code in a line of Markdown: which runs of backticks open and close it. Linear in the line.

/** A piece of inline code. */
export interface CodeSpan {
  /** Index of its first backtick. */
  readonly start: number;
  /** Index behind its last one. */
  readonly end: number;
  /** What stands between, without the one blank at both ends that lets code begin or end with a backtick. */
  readonly code: string;
}

function innerText(text: string): string {
  const isPadded = text.startsWith(" ") && text.endsWith(" ") && text.trim() !== "";
  return isPadded ? text.slice(1, -1) : text;
}

/** All inline code of a text, in order. A run of backticks closes only by one of the same length. */
export function codeSpans(text: string): readonly CodeSpan[] {
  const runs = [...text.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({ index, length }));
  const closers = new Array<number>(runs.length);
  const nextOf = new Map<number, number>();
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const length = runs[at]?.length ?? 0;
    closers[at] = nextOf.get(length) ?? -1;
    nextOf.set(length, at);
  }
  const spans: CodeSpan[] = [];
  for (let at = 0; at < runs.length; at += 1) {
    const open = runs[at];
    const close = runs[closers[at] ?? -1];
    const isEscaped = open?.length === 1 && text[open.index - 1] === "\\";
    if (open === undefined || close === undefined || isEscaped) continue;
    const inner = text.slice(open.index + open.length, close.index);
    spans.push({ start: open.index, end: close.index + close.length, code: innerText(inner) });
    at = closers[at] ?? at;
  }
  return spans;
}
