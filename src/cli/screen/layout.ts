// Widths: how wide a line may be, folding prose, the rule over a step, amounts and times. Pure.

import { displayWidth } from "../../core/text.ts";

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
  const pieces: string[] = [];
  let piece = "";
  for (const char of word) {
    if (piece !== "" && displayWidth(piece + char) > width) {
      pieces.push(piece);
      piece = "";
    }
    piece += char;
  }
  return [...pieces, piece];
}

function foldLine(line: string, width: number): string[] {
  const folded: string[] = [];
  let current = "";
  // White space stays with the word before it, so that indentation and code keep their shape.
  for (const part of line.match(/^\s+|\S+\s*/g) ?? []) {
    if (displayWidth(current + part.trimEnd()) <= width) {
      current += part;
      continue;
    }
    if (current.trim() !== "") folded.push(current.trimEnd());
    const pieces = breakWord(part.trimEnd(), width);
    folded.push(...pieces.slice(0, -1));
    current = (pieces.at(-1) ?? "") + part.slice(part.trimEnd().length);
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

/** A path as people write it: `~` for the home folder. */
export function homePath(path: string, home: string): string {
  if (home === "" || home === "/") return path;
  if (path === home) return "~";
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
