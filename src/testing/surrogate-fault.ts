// A request body with half a character in it: the API's JSON reader refuses the whole body.

/** An escaped surrogate, and what follows it. Escaped backslashes are eaten first so that they do not count. */
const ESCAPE = /\\(?:u([dD][89a-fA-F][0-9a-fA-F]{2})(\\u([0-9a-fA-F]{4}))?|[^u]|u)/g;

function isHigh(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}

function fault(raw: string, at: number, what: string): string {
  const before = raw.slice(0, at);
  const line = before.split("\n").length;
  const column = at - before.lastIndexOf("\n");
  return `The request body is not valid JSON: ${what} in string: line ${line} column ${column} (char ${at})`;
}

/** The API's words for the first lone surrogate in a JSON text, or undefined when every pair is whole. */
export function surrogateFault(raw: string): string | undefined {
  ESCAPE.lastIndex = 0;
  for (let match = ESCAPE.exec(raw); match !== null; match = ESCAPE.exec(raw)) {
    if (match[1] === undefined) continue;
    const end = match.index + 6;
    if (!isHigh(Number.parseInt(match[1], 16))) return fault(raw, match.index, "invalid high surrogate");
    if (match[3] === undefined) return fault(raw, end, "no low surrogate");
    if (!isLow(Number.parseInt(match[3], 16))) return fault(raw, end, "invalid low surrogate");
  }
  return undefined;
}
