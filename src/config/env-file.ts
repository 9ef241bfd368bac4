// The text of a `.env` file: statements with their place, values, and writing one value back.
// A value that cannot be read with certainty is reported and left out, never guessed.

/** One `KEY=value` of the file, with where it stands in the normalised text (end exclusive, without its newline). */
export type EnvStatement = {
  readonly key: string;
  readonly start: number;
  readonly end: number;
  /** Line of the key, from 1. */
  readonly line: number;
} & (
  | { readonly kind: "value"; readonly value: string }
  | { readonly kind: "problem"; readonly reason: string }
);

const ASSIGNMENT = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=/;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\", $: "$" };

/** The text without a byte-order mark and with `\n` as its only line end. */
export function normaliseEnvText(text: string): string {
  return text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
}

function lineEnd(source: string, from: number): number {
  const at = source.indexOf("\n", from);
  return at === -1 ? source.length : at;
}

function resolveEscapes(text: string): string {
  return text.replace(/\\([\s\S])/g, (whole, char: string) => ESCAPES[char] ?? whole);
}

/** Index of the quote that closes the value beginning at `from`, or -1. */
function closingQuote(source: string, from: number, quote: string): number {
  for (let i = from; i < source.length; i += 1) {
    if (source[i] === "\\" && quote === '"') i += 1;
    else if (source[i] === quote) return i;
  }
  return -1;
}

type ReadValue = { readonly end: number } & (
  | { readonly kind: "value"; readonly value: string }
  | { readonly kind: "problem"; readonly reason: string }
);

/** A quote counts as closing only with nothing but white space or a comment behind it on its line. */
function readQuoted(source: string, open: number): ReadValue {
  const quote = source.charAt(open);
  const ownEnd = lineEnd(source, open);
  const close = closingQuote(source, open + 1, quote);
  if (close === -1) return { kind: "problem", reason: "unmatched quote", end: ownEnd };
  const end = lineEnd(source, close);
  if (!/^\s*$|^\s+#/.test(source.slice(close + 1, end))) {
    const reason = close < ownEnd ? "text after the closing quote" : "unmatched quote";
    return { kind: "problem", reason, end: ownEnd };
  }
  const inner = source.slice(open + 1, close);
  return { kind: "value", value: quote === '"' ? resolveEscapes(inner) : inner, end };
}

function readValue(source: string, from: number): ReadValue {
  const end = lineEnd(source, from);
  const rest = source.slice(from, end);
  const lead = rest.length - rest.trimStart().length;
  const first = rest.charAt(lead);
  if (first === '"' || first === "'") return readQuoted(source, from + lead);
  const comment = rest.search(/\s#/);
  return { kind: "value", value: (comment === -1 ? rest : rest.slice(0, comment)).trim(), end };
}

/** Every assignment of a normalised text, in order; other lines are passed over. */
export function scanEnv(source: string): readonly EnvStatement[] {
  const statements: EnvStatement[] = [];
  let line = 1;
  for (let at = 0; at < source.length; ) {
    const match = ASSIGNMENT.exec(source.slice(at, lineEnd(source, at)));
    const start = at;
    let end = lineEnd(source, at);
    if (match?.[1] !== undefined) {
      const read = readValue(source, at + match[0].length);
      statements.push({ ...read, key: match[1], start, line });
      end = read.end;
    }
    line += source.slice(start, end).split("\n").length;
    at = end + 1;
  }
  return statements;
}

/** The last value of each key. */
export function envValues(statements: readonly EnvStatement[]): Record<string, string> {
  // No prototype, so that a key named `__proto__` is a key.
  const values: Record<string, string> = Object.create(null);
  for (const statement of statements) {
    if (statement.kind === "value") values[statement.key] = statement.value;
  }
  return values;
}

/**
 * The values of a `.env` text, in an object without prototype; any text gives an answer.
 * `export`, single and double quotes (escapes only in double ones), multi-line quoted values, comments only
 * after white space, no interpolation, the last assignment of a key wins. An unmatched quote spoils its own
 * line and no other.
 */
export function parseEnvFile(text: string): Record<string, string> {
  return envValues(scanEnv(normaliseEnvText(text)));
}

/** One assignment that `parseEnvFile` reads back as exactly this value. */
export function renderEnvLine(key: string, value: string): string {
  if (/^[\w./:@%+=,~-]+$/.test(value)) return `${key}=${value}`;
  const escaped = value
    .replace(/[\\"]/g, "\\$&")
    .replace(/\n/g, "\\n")
    .replace(/\r/g, "\\r")
    .replace(/\t/g, "\\t");
  return `${key}="${escaped}"`;
}
