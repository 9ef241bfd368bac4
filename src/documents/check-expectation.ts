// What a check expects of its command: clauses that begin with a verb are compared, everything else is prose. A clause
// that leaves a choice or an exception is never compared in part.

import type { Expectation, Part } from "./check.ts";
import { isComparable, isPath, readPattern, readPlain, readQuoted } from "./check-operand.ts";
import { readVerb, type Verb } from "./check-words.ts";
import { codeSpans } from "./code-spans.ts";

const MAX_PARTS = 8;
const SEPARATOR =
  /\s*[,;，；。]\s*(?:(?:and|but|then|e|mas)\s+|并且?|而且|且|同时)?|\.\s+(?:and\s+)?|\s+(?:and|but|e|mas)\s+|\s*(?:并且?|而且|且|以及|同时)\s*/giu;
const OR = /^[\s,，]*(?:(?:or|ou)(?![\p{L}])|或|还是)/iu;
const EXCEPTION = /(?<!\p{L})(?:unless|except|exceto|a menos que|salvo)(?!\p{L})|除非|除了/iu;
const ELSEWHERE =
  /stderr|standard error|error stream|标准错误|saída de erro|erro padrão|case[- ]?insensitive|ignoring case|不区分大小写|sem diferenciar/iu;
const EXIT = /(?<!\p{L})(?:exit|status|código|(?:returns?|retorna)\s+-?\d)|退出|返回码/iu;
const FAILURE =
  /(?<!\p{L})(?:errors?|fail\w*|refus\w*|reject\w*|den(?:y|ies|ied)|complain\w*|erros?|falha\w*|recusa\w*|rejeita\w*)(?!\p{L})|错误|报错|失败|拒绝/iu;
const NEGATION =
  /(?<!\p{L})(?:no|not|never|none|without|zero|0|não|nunca|nenhum\w*|sem)(?!\p{L})|n['’]t(?!\p{L})|不|无|没|未/iu;
const NOTHING =
  /^(?:nothing|no output(?: at all)?|nada|任何(?:内容|东西)|内容)(?=\s*(?:$|[.,;。，；]|(?:and|but|e|mas)\s|并|且|但))/iu;
const NO_OUTPUT = /^(?:(?:with\s+)?no output|sem saída|(?:没有|无)(?:任何)?输出)(?=\s*(?:$|[.,;。，；]))/iu;
const NOTHING_ELSE =
  /^[\s,，]*(?:and nothing else|and no more|nothing else|e nada mais|别无其他|没有其他)\s*[.。]?$/iu;
const REMARK = /^\s*(?:[（(][^()（）]*[)）])?\s*[.。;；,，!！]?\s*$/u;

/** What a clause comes to; "choice" when it leaves one, so that nothing of the whole may be compared. */
type Read = readonly Part[] | "choice";

function prose(text: string): Part {
  const plain = text.trim().replace(/^[,;:，；：。、]+\s*/, "");
  const isOpen = EXIT.test(plain) || (FAILURE.test(plain) && !NEGATION.test(plain));
  return isOpen ? { kind: "prose", text: plain, anyExit: true } : { kind: "prose", text: plain };
}

const QUOTED =
  /"(?:[^"\\]|\\.)*"|“[^“”]*”|「[^「」]*」|『[^『』]*』|«[^«»]*»|(?<=^|[\s:：])'[^']*'(?=$|[\s.,;])|(?<=^|[\s:：符配])\/(?:[^/\\]|\\.)+\/[a-z]*/gu;

function blot(text: string): string {
  return "\ue000".repeat(text.length);
}

/** The same text with everything quoted blotted out, so that words in it part nothing. */
function masked(text: string): string {
  let out = "";
  let from = 0;
  for (const { start, end } of codeSpans(text)) {
    out += text.slice(from, start) + blot(text.slice(start, end));
    from = end;
  }
  return (out + text.slice(from)).replace(QUOTED, blot);
}

function clausesOf(text: string): readonly string[] {
  const mask = masked(text);
  const clauses: string[] = [];
  let from = 0;
  for (const { index, 0: separator } of mask.matchAll(SEPARATOR)) {
    const next = index + separator.length;
    const rest = text.slice(next);
    const isNext = readVerb(rest) !== undefined || NO_OUTPUT.test(rest);
    if (!isNext || text.slice(from, index).trim() === "") continue;
    clauses.push(text.slice(from, index));
    from = next;
  }
  return [...clauses, text.slice(from)];
}

/** Quoted texts in a row; what follows the last one is the rest. */
function quotedList(
  clause: string,
): { readonly texts: readonly string[]; readonly rest: string } | undefined {
  const first = readQuoted(clause);
  if (first === undefined) return undefined;
  const texts = [first.text];
  let { rest } = first;
  while (texts.length <= MAX_PARTS) {
    const joint = /^\s*(?:[,，、]\s*(?:(?:and|e|nor)\s+)?|(?:and|e|nor)\s+|和|及|以及|与)\s*/iu.exec(
      rest,
    )?.[0];
    const next = joint === undefined || joint === "" ? undefined : readQuoted(rest.slice(joint.length));
    if (next === undefined || !/^\s*(?:$|[.,;，。；、]|and\s|e\s|和|及|与)/iu.test(next.rest)) break;
    texts.push(next.text);
    rest = next.rest;
  }
  return { texts, rest };
}

function printed(kind: "prints" | "prints_exactly" | "prints_not", text: string): Part {
  return { kind, text };
}

type Prints = "prints" | "prints_exactly" | "prints_not";

function isPrints(kind: Verb["kind"]): kind is Prints {
  return kind === "prints" || kind === "prints_exactly" || kind === "prints_not";
}

/** Quoted texts behind a verb of printing. */
function printsQuoted(kind: Prints, clause: string, operand: string): Read | undefined {
  const list = quotedList(operand);
  if (list === undefined) return undefined;
  const { texts, rest } = list;
  if (OR.test(rest)) return "choice";
  const isOne = texts.length === 1;
  const isOnly = kind === "prints" && isOne && NOTHING_ELSE.test(rest);
  const isExact = kind === "prints_exactly" || isOnly;
  const isEmptyExact = isExact && texts[0] === "";
  if ((isExact && !isOne) || (!isEmptyExact && !texts.every(isComparable))) return [prose(clause)];
  if (isOnly) return [printed("prints_exactly", texts[0] ?? "")];
  const parts = texts.map((text) => printed(kind, text));
  if (REMARK.test(rest)) return /[（(]\s*(?:or|ou|或)/iu.test(rest) ? "choice" : parts;
  // What is said beyond it can narrow what was meant: not to print `x` twice is no ban on `x`.
  return kind === "prints" ? [...parts, prose(rest)] : [prose(clause)];
}

function printsPlain(kind: Prints, clause: string, operand: string, verb: Verb): Read {
  if (NOTHING.test(operand) || (kind === "prints_not" && /^anything[.。]?$/i.test(operand.trim()))) {
    return [printed("prints_exactly", "")];
  }
  const isChinese = /^\p{Script=Han}/u.test(operand);
  const plain = isChinese && verb.isAttached ? undefined : readPlain(operand, kind === "prints_not");
  if (plain === undefined) return [prose(clause)];
  const after = operand.trim().slice(plain.text.length);
  if (OR.test(after) || /^\s*[（(]\s*(?:or|ou|或)/iu.test(after)) return "choice";
  const isSure = plain.isWhole || kind !== "prints_exactly";
  return isSure ? [printed(kind, plain.text)] : [prose(clause)];
}

function matched(clause: string, operand: string): Read {
  const quoted = operand.startsWith("/") ? undefined : readQuoted(operand);
  if (quoted !== undefined && OR.test(quoted.rest)) return "choice";
  const source = quoted === undefined ? operand.trim() : REMARK.test(quoted.rest) ? quoted.text : "";
  const found = readPattern(source);
  return found === undefined ? [prose(clause)] : [{ kind: "matches", ...found }];
}

function created(clause: string, operand: string): Read {
  const list = quotedList(operand);
  if (list !== undefined) {
    if (OR.test(list.rest)) return "choice";
    if (!list.texts.every((text) => isPath(text, true))) return [prose(clause)];
    const parts = list.texts.map((path): Part => ({ kind: "creates", path }));
    return REMARK.test(list.rest) ? parts : [...parts, prose(list.rest)];
  }
  const token = /^\S+/.exec(operand)?.[0] ?? "";
  const path = token.replace(/[.,;，；。]+$/, "");
  const rest = operand.slice(token.length);
  if (OR.test(rest)) return "choice";
  if (!isPath(path, false)) return [prose(clause)];
  return REMARK.test(rest) ? [{ kind: "creates", path }] : [{ kind: "creates", path }, prose(rest)];
}

function exited(part: Part, rest: string): Read {
  if (OR.test(rest)) return "choice";
  return REMARK.test(rest) ? [part] : [part, prose(rest)];
}

function readClause(clause: string): Read {
  const text = clause.trim();
  if (NO_OUTPUT.test(text)) return [printed("prints_exactly", "")];
  const verb = readVerb(text);
  if (verb === undefined) return OR.test(text) ? "choice" : [prose(text)];
  const operand = text.slice(verb.length);
  const isElsewhere = ELSEWHERE.test(masked(text));
  if (verb.kind === "exits") return exited({ kind: "exits", code: verb.code }, operand);
  if (verb.kind === "fails") return exited({ kind: "fails" }, operand);
  if (isElsewhere) return [prose(text)];
  if (isPrints(verb.kind)) {
    return printsQuoted(verb.kind, text, operand) ?? printsPlain(verb.kind, text, operand, verb);
  }
  return verb.kind === "matches" ? matched(text, operand) : created(text, operand);
}

/** A text alone, without a verb: quoted it is what must be printed, unless it may be the name of a file. */
function readBare(clause: string, isSeen: boolean): Read | undefined {
  const text = clause.trim();
  if (ELSEWHERE.test(masked(text))) return undefined;
  const quoted = readQuoted(text)?.text;
  if (quoted !== undefined)
    return /[/\\]|\.\w{1,5}$/.test(quoted) ? undefined : printsQuoted("prints", text, text);
  const number = isSeen ? /^-?\d+(?:\.\d+)?(?=[\s.。]*$)/.exec(text)?.[0] : undefined;
  return number === undefined ? undefined : [printed("prints", number)];
}

function joined(parts: readonly Part[]): Expectation | undefined {
  const [first] = parts;
  return parts.length <= 1 ? first : { kind: "all", parts };
}

/**
 * Read what is expected of a command.
 * @param isSeen - The words behind "see": a number alone is then what is printed.
 * @returns undefined when nothing is said.
 */
export function readExpectation(text: string, isSeen: boolean): Expectation | undefined {
  const whole = text.trim().replace(/^[.。;；,，:：]+\s*/, "");
  if (/^[.。;；,，!！\s]*$/.test(whole)) return undefined;
  if (EXCEPTION.test(masked(whole))) return { kind: "prose", text: whole, anyExit: true };
  const clauses = clausesOf(whole);
  const reads = clauses.map((clause, at) =>
    at === 0 && readVerb(clause.trim()) === undefined
      ? (readBare(clause, isSeen) ?? readClause(clause))
      : readClause(clause),
  );
  if (reads.includes("choice")) return { kind: "prose", text: whole, anyExit: true };
  const parts = reads.flatMap((read) => (read === "choice" ? [] : read));
  if (parts.every(({ kind }) => kind === "prose") || parts.length > MAX_PARTS) return joined([prose(whole)]);
  return joined(parts);
}
