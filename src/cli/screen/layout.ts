// Widths: how wide a line may be, folding prose, the rule over a step, amounts and times. Pure.

import { displayWidth, graphemes } from "../../core/cells.ts";

const MIN_COLUMNS = 40;
const MAX_COLUMNS = 110;
const DEFAULT_COLUMNS = 80;

/** Columns to use on a terminal that reports this many; never fewer than 40 nor more than 110. */
export function usableWidth(columns: number | undefined): number {
  const given =
    columns === undefined || !Number.isFinite(columns) || columns <= 0 ? DEFAULT_COLUMNS : columns;
  return Math.max(MIN_COLUMNS, Math.min(Math.floor(given), MAX_COLUMNS));
}

/** A word in pieces none of which is wider than `width`. */
function breakWord(word: string, width: number): string[] {
  if (displayWidth(word) <= width) return [word];
  const pieces: string[] = [];
  let piece = "";
  let used = 0;
  for (const grapheme of graphemes(word)) {
    const cells = displayWidth(grapheme);
    if (piece !== "" && used + cells > width) {
      pieces.push(piece);
      piece = "";
      used = 0;
    }
    piece += grapheme;
    used += cells;
  }
  return [...pieces, piece];
}

/** Chinese and its like may be broken between any two characters, but not before a comma nor after a bracket. */
const WIDE_RUN = /[\u3000-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\u{20000}-\u{3fffd}]/u;
const NOT_FIRST =
  /^[\u3001\u3002\u3009\u300b\u300d\u300f\u3011\uff01\uff09\uff0c\uff1a\uff1b\uff1f\u2026\u201d\u2019]/;
const NOT_LAST = /[\u3008\u300a\u300c\u300e\u3010\uff08\u201c\u2018]$/;

/** What may stand alone on a line, with the white space behind it. */
function breakable(part: string): string[] {
  if (!WIDE_RUN.test(part)) return [part];
  const pieces: string[] = [];
  for (const grapheme of graphemes(part)) {
    const before = pieces.at(-1);
    const joins =
      before !== undefined &&
      (NOT_FIRST.test(grapheme) ||
        NOT_LAST.test(before) ||
        /^\s$/.test(grapheme) ||
        !(WIDE_RUN.test(grapheme) || WIDE_RUN.test(before.at(-1) ?? "")));
    if (joins) pieces[pieces.length - 1] = before + grapheme;
    else pieces.push(grapheme);
  }
  return pieces;
}

function foldLine(line: string, width: number): string[] {
  if (displayWidth(line) <= width) return [line.trimEnd()];
  const folded: string[] = [];
  let current = "";
  let used = 0;
  // White space stays with the word before it, so that indentation and code keep their shape.
  for (const part of (line.match(/^\s+|\S+\s*/g) ?? []).flatMap(breakable)) {
    const word = part.trimEnd();
    if (used + displayWidth(word) > width) {
      if (current.trim() !== "") folded.push(current.trimEnd());
      const pieces = breakWord(word, width);
      folded.push(...pieces.slice(0, -1));
      current = (pieces.at(-1) ?? "") + part.slice(word.length);
      used = displayWidth(current);
    } else {
      current += part;
      used += displayWidth(part);
    }
  }
  return [...folded, current.trimEnd()];
}

/** A text in lines of at most `width` cells. Tabs count as four. */
export function fold(text: string, width: number): string[] {
  const columns = Math.max(1, width);
  return text
    .replaceAll("\t", "    ")
    .split("\n")
    .flatMap((line) => foldLine(line, columns));
}

/** Lines with a mark before the first and the same indentation before the rest. */
export function marked(mark: string, text: string, width: number): string[] {
  const indent = " ".repeat(displayWidth(mark));
  return fold(text, width - indent.length).map((line, i) => `${i === 0 ? mark : indent}${line}`.trimEnd());
}

/** `== work ======== 3/3`, `suffix` at its end, as wide as the screen. */
export function rule(name: string, place: string, suffix: string, width: number): string {
  const start = `== ${name} `;
  const end = ` ${place}${suffix === "" ? "" : `  ${suffix}`}`;
  const line = Math.max(3, width - displayWidth(start) - displayWidth(end));
  return `${start}${"=".repeat(line)}${end}`;
}

/** `-- round 2 --------`, as wide as the screen. */
export function minorRule(title: string, width: number): string {
  const start = `-- ${title} `;
  return start + "-".repeat(Math.max(3, width - displayWidth(start)));
}

/** US dollars: cents, or four digits below ten cents, where cents would say nothing. */
export function money(usd: number): string {
  return `$${usd.toFixed(usd > 0 && usd < 0.1 ? 4 : 2)}`;
}

/** Tokens as `950`, `71.4K`, `1.2M`. */
export function tokens(count: number): string {
  if (count < 1_000) return String(Math.round(count));
  return count < 999_950 ? `${(count / 1_000).toFixed(1)}K` : `${(count / 1_000_000).toFixed(1)}M`;
}

/** Seconds as `0:12`, `3:05`, `1:02:03`. */
export function elapsed(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (n: number) => String(n).padStart(2, "0");
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** A moment, in epoch seconds, as `2026-03-01 14:05` on this machine's clock. */
export function localTime(epochS: number): string {
  const at = new Date(epochS * 1000);
  if (Number.isNaN(at.getTime())) return "?";
  const two = (n: number) => String(n).padStart(2, "0");
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** A text in which files below a folder are named from there, as people who work in it name them. */
export function withoutFolder(text: string, folder: string): string {
  if (folder === "" || folder === "/") return text;
  const name = folder.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return text.replaceAll(new RegExp(`(?<![^\\s"'=:(])${name}/(?=[\\p{L}\\p{N}._@-])`, "gu"), "");
}

/** A path as people write it: `~` for the home folder. */
export function homePath(path: string, home: string): string {
  if (home === "" || home === "/") return path;
  if (path === home) return "~";
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
