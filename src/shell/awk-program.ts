// Whether an awk program only prints. A program is a whole language: it is cut into tokens, so that `>` in
// a comparison or a string is told from one that writes, and what cannot be told apart is refused.

import type { ParsedArguments } from "./verb-rule.ts";

interface Token {
  readonly kind: "name" | "number" | "string" | "regex" | "sign" | "newline";
  readonly text: string;
}

interface Tokens {
  readonly list: Token[];
  /** For each open parenthesis, whether it holds the condition of a statement. */
  readonly open: boolean[];
  /** What the last closed parenthesis was in that respect. */
  closedCondition: boolean;
  /** Whether a slash could be read as a division or as a regular expression. */
  ambiguous: boolean;
}

// A string, a name, a number or a sign: which one, its first character tells.
const TOKEN =
  /"(?:[^"\\\n]|\\[^\n])*"|[A-Za-z_]\w*|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|\+\+|--|&&|\|\||[-+*/%^!<>=~?:,;(){}[\]$|]/y;
const NAME_START = /[A-Za-z_]/;
const NUMBER_START = /[\d.]/;
const REGEX = /\/(?:[^/\\\n]|\\[^\n])*\//y;
// Escapes outside brackets, and brackets whose end every version sees alike.
const CLEAR_IN_REGEX = /\\[^\n]|\[(?!\^?\])\^?(?:\[:[a-z]+:\]|[^\][\\/])+\]/g;
const SPACE_START = new Set([" ", "\t", "#"]);
// A backslash joins lines only behind a blank, so that it cannot stand inside a name; never in a comment.
const SPACE = /(?:[ \t]\\\n|[ \t]|#(?:[^\n\\]|\\(?!\n))*)+/y;

// Behind these a slash begins an expression although they look like operands.
const EXPECT_OPERAND = new Set(["print", "printf", "return", "in", "else", "exit"]);
// Names in some versions, keywords or functions without parentheses in others.
const UNCLEAR_NAMES = new Set(
  "length case default switch next nextfile break continue delete if for BEGIN END BEGINFILE ENDFILE".split(
    " ",
  ),
);
const CONDITIONS = new Set(["if", "for", "while", "switch"]);
// Calls that run, read from commands, or can do so under another name, and loops that need not end.
const FORBIDDEN = new Set(["system", "getline", "function", "func", "while", "do"]);

/** What a sticky pattern matches here; empty when nothing does. */
function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.test(text) ? text.slice(at, pattern.lastIndex) : "";
}

function skipSpace(program: string, at: number): number {
  if (!SPACE_START.has(program.charAt(at))) return at;
  SPACE.lastIndex = at;
  return SPACE.test(program) ? SPACE.lastIndex : at;
}

function kindOf(first: string): Token["kind"] {
  if (NAME_START.test(first)) return "name";
  if (first === '"') return "string";
  return NUMBER_START.test(first) ? "number" : "sign";
}

/** Whether a slash behind the last token divides: yes, no, or not to be told. */
function divides({ list, closedCondition }: Tokens): boolean | "unclear" {
  const before = list.at(-1);
  if (before === undefined || before.kind === "newline") return false;
  if (before.kind === "number" || before.kind === "string") return true;
  if (before.kind === "regex") return "unclear";
  if (before.kind === "name") {
    return UNCLEAR_NAMES.has(before.text) ? "unclear" : !EXPECT_OPERAND.has(before.text);
  }
  // Behind `if (x)` a statement begins, and with it perhaps a regular expression.
  if (before.text === ")") return closedCondition ? "unclear" : true;
  if (before.text === "++" || before.text === "--" || before.text === "$") return "unclear";
  return before.text === "]";
}

function readSlash(tokens: Tokens, program: string, at: number): Token | null {
  const division = divides(tokens);
  if (division === "unclear") tokens.ambiguous = true;
  if (division !== false) return { kind: "sign", text: "/" };
  const text = match(REGEX, program, at);
  // Some versions let a slash stand in brackets, others end the expression there.
  if (text.replace(CLEAR_IN_REGEX, "").includes("[")) tokens.ambiguous = true;
  return text === "" ? null : { kind: "regex", text };
}

/** The token here; null when there is none or a forbidden one. */
function readToken(tokens: Tokens, program: string, at: number): Token | null {
  const char = program.charAt(at);
  if (char === "\n") return { kind: "newline", text: "\n" };
  if (char === "/") return readSlash(tokens, program, at);
  const text = match(TOKEN, program, at);
  if (text === "") return null;
  const kind = kindOf(char);
  return kind === "name" && FORBIDDEN.has(text) ? null : { kind, text };
}

function followParentheses(tokens: Tokens, token: Token): void {
  if (token.kind !== "sign") return;
  if (token.text === "(") tokens.open.push(CONDITIONS.has(tokens.list.at(-1)?.text ?? ""));
  if (token.text === ")") tokens.closedCondition = tokens.open.pop() ?? true;
}

function tokenize(program: string): Tokens | null {
  const tokens: Tokens = { list: [], open: [], closedCondition: false, ambiguous: false };
  let at = 0;
  for (;;) {
    at = skipSpace(program, at);
    if (at >= program.length) return tokens;
    const token = readToken(tokens, program, at);
    if (token === null) return null;
    followParentheses(tokens, token);
    tokens.list.push(token);
    at += token.text.length;
  }
}

/** Index of the parenthesis that closes the head of the `for` at this place. */
function headEnd(list: readonly Token[], at: number): number {
  let depth = 0;
  for (let i = at + 1; i < list.length; i++) {
    const { text } = list[i] as Token;
    if (text === "(") depth += 1;
    if (text === ")") depth -= 1;
    if (depth === 0) return i;
  }
  return list.length;
}

/** Whether a variable is written behind this place, other than in the head of another `for`. */
function isChangedBehind(list: readonly Token[], from: number, name: string): boolean {
  const text = (i: number): string => list[i]?.text ?? "";
  for (let i = from; i < list.length; i++) {
    if (text(i) === "for") i = headEnd(list, i);
    if (text(i) !== name) continue;
    const before = text(i - 1);
    const after = text(i + 1);
    if ([before, after].some((sign) => sign === "++" || sign === "--")) return true;
    if (after === "=" && text(i + 2) !== "=") return true;
    if (/^[-+*/%^]$/.test(after) && text(i + 2) === "=") return true;
    // As an argument, `sub` and its like write it.
    if (before === "," && after === ")") return true;
  }
  return false;
}

// Numbers that would take longer to count to than anyone waits.
const UNBOUNDED = /\d{7}|\d[eE]|[*^]/;
const COUNTED = /^\( (\w+) = [^;]* ; (\w+) (<|>|< =|> =) [^;]* ; (?:(\w+) (\+\+|--)|(\+\+|--) (\w+)) \)$/;

/** Whether a `for` at this place surely counts up or down, or walks an array. */
function loopEnds(list: readonly Token[], at: number): boolean {
  const end = headEnd(list, at);
  const text = list
    .slice(at + 1, end + 1)
    .map((token) => token.text)
    .join(" ");
  if (/^\( \w+ in \w+ \)$/.test(text)) return true;
  const counted = UNBOUNDED.test(text) ? null : COUNTED.exec(text);
  if (!counted) return false;
  const [, first = "", tested, order = "", after, sign, signBefore, name] = counted;
  const up = (sign ?? signBefore) === "++";
  if (first !== tested || first !== (after ?? name) || up !== order.startsWith("<")) return false;
  return !isChangedBehind(list, end + 1, first);
}

/** Whether no token writes or loops without end; those that run programs were refused as they were read. `>` is a comparison except behind print. */
function tokensOnlyPrint(list: readonly Token[]): boolean {
  let printing = false;
  let at = -1;
  for (const token of list) {
    at += 1;
    if (token.kind === "name") {
      if (token.text === "for" && !loopEnds(list, at)) return false;
      if (token.text === "print" || token.text === "printf") printing = true;
    } else if (token.kind === "sign") {
      if (token.text === "|" || (token.text === ">" && printing)) return false;
      if (token.text === ";" || token.text === "}") printing = false;
    }
  }
  return true;
}

/** Whether an awk program only prints, and ends when its input does. */
function awkProgramOnlyPrints(program: string): boolean {
  const tokens = tokenize(program);
  if (tokens === null || !tokensOnlyPrint(tokens.list)) return false;
  // Where a slash is unclear, code may hide in what was taken for text: then the text must be clean too.
  return !tokens.ambiguous || !/\b(?:system|getline|func|function|while|do|for)\b|[>|@]/.test(program);
}

/** Whether these arguments of `awk`, whose options were already judged, only print. */
export function awkOnlyPrints({ operands }: ParsedArguments): boolean {
  const [program] = operands;
  return program?.kind === "literal" && awkProgramOnlyPrints(program.text);
}
