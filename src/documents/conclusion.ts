// Reading a ruling out of the words of a judge. Whatever can be doubted is no ruling: a doubt costs one more
// round, a false "achieved" ends the work.

import { fold } from "./headings.ts";
import {
  ACHIEVED,
  DOUBT,
  FOLLOWING,
  HARMLESS,
  HYPOTHETICAL,
  LEADING,
  LEADING_ZH,
  NOT_YET,
  QUESTION,
  UNREACHABLE,
} from "./verdict-words.ts";

/** A ruling; "" when the text holds none that is clear. */
export type VerdictState = "achieved" | "not_yet" | "unreachable" | "";

interface Found {
  readonly state: Exclude<VerdictState, "">;
  readonly at: number;
  readonly end: number;
}

const SENTENCE_END = /[.!?;\n。;]/;
/** Stands for a state word that has been read; it is in no word list. */
const TAKEN = "\ue000";
const MAX_LEAD_CHARS = 160;
/** A conclusion longer than this is a report; nobody can say which of its words is the ruling. */
const MAX_CONCLUSION_CHARS = 20_000;
/** Letters struck through and "not" signs, decomposed. */
const STRUCK = /[\u0335-\u0338¬]/gu;

/** One kind of letters, spaces and quotes; emphasis, struck-out and quoted text gone; line ends kept. */
function normal(text: string): string {
  const lines = text.split("\n").filter((line) => !line.trimStart().startsWith(">"));
  const plain = lines.join("\n").normalize("NFKC").normalize("NFD").replace(STRUCK, " not ");
  return fold(plain)
    .replaceAll(TAKEN, "")
    .replace(/~~[^~]*~~/g, " ")
    .replace(/\*+/g, "")
    .replace(/[’‘`´]/g, "'")
    .replace(/(?<![a-z])'+|'+(?![a-z])/g, "")
    .replace(/(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/gu, "")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n[ \n]*/g, "\n")
    .trim();
}

/** Take the matches out of the text, in place, so that no word is read twice. */
function take(text: string, pattern: RegExp, state: Found["state"], found: Found[]): string {
  return text.replace(pattern, (match: string, ...more: unknown[]) => {
    const at = more.find((value) => typeof value === "number") ?? 0;
    found.push({ state, at, end: at + match.length });
    return TAKEN.repeat(match.length);
  });
}

/** A single digit or truth value as the whole conclusion, apart from punctuation. */
function bareAnswer(text: string): VerdictState {
  const bare = text.replace(/["'()[\]{}.,:;!#。，：；！\s]/g, "");
  if (bare === "1" || bare === "true") return "achieved";
  return bare === "0" || bare === "false" ? "not_yet" : "";
}

/** The choices repeated instead of one chosen: different states joined by nothing but `/`, `|`, a comma or "or". */
function isChoiceList(text: string, found: readonly Found[]): boolean {
  const isJoined = found.some((one, index) => {
    const next = found[index + 1];
    if (next === undefined || next.state === one.state || next.at - one.end > 20) return false;
    return /^[\s"()[\]]*(?:[,，、]\s*)?(?:[/|]|or|ou|或者?|还是)[\s"()[\]]*$/.test(
      text.slice(one.end, next.at),
    );
  });
  // All three states in a row are the choices, also where commas alone part them.
  const gaps = found.slice(1).map((one, index) => text.slice(found[index]?.end ?? 0, one.at));
  const isEnumeration =
    new Set(found.map(({ state }) => state)).size === 3 &&
    gaps.every((gap) => /^[\s"'`()[\],，、/|]*(?:or|ou|或者?)?[\s"'`()[\]]*$/.test(gap));
  const isNothingElse = /^[\s\d,，、/|.()[\]\-+•·\ue000]*$/.test(text);
  return isJoined || isEnumeration || (isNothingElse && found.some(({ state }) => state === "achieved"));
}

function sentenceAround(text: string, { at, end }: Found): { readonly lead: string; readonly rest: string } {
  let start = at;
  while (start > 0 && at - start <= MAX_LEAD_CHARS && !SENTENCE_END.test(text[start - 1] ?? "")) start -= 1;
  let stop = end;
  while (stop < text.length && stop - end <= MAX_LEAD_CHARS && !SENTENCE_END.test(text[stop] ?? ""))
    stop += 1;
  return { lead: text.slice(start, at), rest: text.slice(end, stop) };
}

function has(pattern: RegExp, text: string): boolean {
  return text.search(pattern) !== -1;
}

function isPlainLead(lead: string): boolean {
  if (lead.length > MAX_LEAD_CHARS) return false;
  const words = lead
    .replaceAll(TAKEN, " ")
    .replace(LEADING_ZH, " ")
    .replace(/^\s*\d{1,2}\)|\ball (?:of )?(?:the )?\d{1,4} /g, " ");
  if (/[^a-z\s:,"'()[\]{}#>\-+•·\u2014\u2013、，：✅✔☑]|\[\s*\]/.test(words)) return false;
  const found: readonly string[] = words.match(/[a-z]+/g) ?? [];
  return !QUESTION.has(found[0] ?? "") && found.every((word) => LEADING.has(word));
}

/** `2 of 3`, `2/3`, `2 out of the three`; the second number is only looked at: in `3 of 3 of 4` it is a first one too. */
const COUNTED =
  /(?<!\d)(\d+)[\s_-]*(?:\/|(?:out[\s_-]*)?of|de)[\s_-]*(?:the[\s_-]+)?(?=(\d+|(?:two|three|four|five|six|seven|eight|nine|ten)(?![a-z0-9_-])))/g;

/** Less than all of them, or not said in the same digits. */
function isShortOfAll(text: string): boolean {
  return [...text.matchAll(COUNTED)].some(([, some, all]) => some !== all);
}

function isAffirmed(text: string, achieved: readonly Found[]): boolean {
  const rest = text.replace(HARMLESS, " ");
  if (/[?？❌✗✘☐⚠%]|!=|\bopen\s?:/.test(rest) || has(DOUBT, rest) || isShortOfAll(rest)) return false;
  return achieved.every(
    (one) =>
      isPlainLead(sentenceAround(text, one).lead) && FOLLOWING.test(text.slice(one.end, one.end + 200)),
  );
}

/** The ruling a conclusion holds, "" when it holds none or one that can be doubted. */
export function readConclusion(conclusion: string): VerdictState {
  if (conclusion.length > MAX_CONCLUSION_CHARS) return "";
  const text = normal(conclusion);
  const bare = bareAnswer(text);
  if (bare !== "") return bare;
  const found: Found[] = [];
  let left = take(text, UNREACHABLE, "unreachable", found);
  left = take(left, NOT_YET, "not_yet", found);
  left = take(left, ACHIEVED, "achieved", found);
  found.sort((a, b) => a.at - b.at);
  const states = new Set(found.map(({ state }) => state));
  if (states.size > 1 && isChoiceList(left, found)) return "";
  const isRuled = (one: Found): boolean => !has(HYPOTHETICAL, sentenceAround(left, one).lead);
  if (states.has("unreachable")) {
    return found.some((one) => one.state === "unreachable" && isRuled(one)) ? "unreachable" : "";
  }
  if (states.size !== 1) return "";
  if (states.has("achieved")) return isAffirmed(left, found) ? "achieved" : "";
  const isSaid = found.some((one) => isRuled(one) && !has(HYPOTHETICAL, sentenceAround(left, one).rest));
  return isSaid ? "not_yet" : "";
}
