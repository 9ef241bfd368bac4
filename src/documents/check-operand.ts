// What stands behind a verb of a check: text in quotes, text without, a regular expression, a path. What may be a
// description instead of the very text is none of them: it is left to the judge.

import { codeSpans } from "./code-spans.ts";

/** A text in quotes or backticks at the head of a clause. */
export interface Quoted {
  readonly text: string;
  readonly rest: string;
}

const PAIRS: Readonly<Record<string, string>> = { "“": "”", "‘": "’", "「": "」", "『": "』", "«": "»" };
/** Longer texts are compared by nobody. */
const MAX_CHARS = 1000;
const BEHIND_QUOTE = /^(?:$|[\s.,;:!?。，；：、！？)）\]])/;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", '"': '"', "\\": "\\" };

function doubleQuoted(clause: string): Quoted | undefined {
  const match = /^"((?:[^"\\]|\\.)*)"/.exec(clause);
  if (match === null) return undefined;
  const text = (match[1] ?? "").replace(/\\([nt"\\])/g, (_, char: string) => ESCAPES[char] ?? char);
  return { text, rest: clause.slice(match[0].length) };
}

function singleQuoted(clause: string): Quoted | undefined {
  for (let at = clause.indexOf("'", 1); at !== -1; at = clause.indexOf("'", at + 1)) {
    const rest = clause.slice(at + 1);
    if (BEHIND_QUOTE.test(rest)) return { text: clause.slice(1, at), rest };
  }
  return undefined;
}

/** Read a quoted text; undefined when the clause does not begin with one that closes. */
export function readQuoted(clause: string): Quoted | undefined {
  const first = clause.charAt(0);
  if (first === "`") {
    const span = codeSpans(clause)[0];
    return span?.start === 0 ? { text: span.code, rest: clause.slice(span.end) } : undefined;
  }
  if (first === '"') return doubleQuoted(clause);
  if (first === "'") return singleQuoted(clause);
  const close = PAIRS[first];
  const at = close === undefined ? -1 : clause.indexOf(close, 1);
  return at === -1 ? undefined : { text: clause.slice(1, at), rest: clause.slice(at + 1) };
}

/** Whether a quoted text can be compared as it stands: in backticks `\n` may be meant as a line break or as itself. */
export function isComparable(text: string): boolean {
  return text !== "" && text.length <= MAX_CHARS && !/\\[ntr]/.test(text);
}

const DETERMINER =
  /^(?:an?|the|all|each|every|any|some|no|its|their|your|this|that|these|those|what\w*|which|how|one|two|three|once|twice|both|either|same|valid|correct|at|more|less|fewer|something|anything|everything|several|um|uma|uns|umas|o|os|as|tod[oa]s?|cada|algum\w*|nenhum\w*|qualquer|seus?|suas?|ess[ea]s?|est[ea]s?|pelo|ao|mais|menos|duas|dois|três)(?![\p{L}\p{N}_'’-])/iu;
/** In lower case, or as the name of a format: "Usage" and "Error" with a capital are what a program writes. */
const TOPIC =
  /^(?:usage|help|versions?|errors?|warnings?|json|JSON|csv|CSV|yaml|YAML|xml|XML|html|HTML|text|output|results?|statistics|stats|info|information|instructions|details|progress|uso|ajuda|versão|erros?|avisos?|texto|saída|resultados?)(?:\s+[\p{L}\s]+)?$/u;
const TOPIC_WORD =
  /\b(?:messages?|information|contents?|output|lines?|rows?|words?|characters?|bytes|items?|entries|records?|columns?|numbers?|counts?|lists?|tables?|summary|reports?|mensage\w+|conteúdo|linhas?|palavras?|caracteres|itens|números?|listas?|tabelas?|resumo|relatórios?)\b/iu;
const ZH_TOPIC =
  /^(?:一|两|所有|全部|每|各|任何|正确|错误|用法|使用|帮助|版本|该|其|相应|对应|至少|至多|最多|不少于|不超过)|\d\s*(?:行|个|条|次|项|字节|列|词|字)/;
const JOINED = /\s(?:and|or|e|ou)\s|或|以及|和(?!平)|、/iu;

/** Whether an unquoted text may be a description of what is printed: "a usage message" is nothing to look for. */
function isDescription(text: string): boolean {
  if (DETERMINER.test(text) || TOPIC.test(text) || ZH_TOPIC.test(text)) return true;
  return /\s/.test(text) && TOPIC_WORD.test(text) && !/[:=]/.test(text);
}

/** A text without quotes, with how sure its end is. */
export interface Plain {
  readonly text: string;
  /** Nothing was taken off its end. */
  readonly isWhole: boolean;
}

const NUMBER = /^[-+]?\d+(?:[.,]\d+)*%?/;

/** Where a leading number is followed by a remark, it is the number that is meant: `3 (the words)`, `5: blanks count`. */
function leadingNumber(text: string): string | undefined {
  const number = NUMBER.exec(text)?.[0];
  if (number === undefined) return undefined;
  return /^\s*(?:$|[:;,；：，。]|\.(?:\s|$)|[—–-]{1,2}\s|[(（[])/.test(text.slice(number.length))
    ? number
    : undefined;
}

/**
 * Read a text without quotes; undefined when it may be a description, several texts, or too long.
 * @param isForbidden - It must not be printed: "error" is then the word itself, whatever else is meant.
 */
export function readPlain(clause: string, isForbidden = false): Plain | undefined {
  const whole = clause.trim();
  const number = leadingNumber(whole);
  if (number !== undefined) return { text: number, isWhole: true };
  let text = whole.replace(/(?<!\.)\.$|[。；;，,]$/, "");
  const remark = /^(\S+)\s*[（(][^()（）]*[)）]$/.exec(text);
  if (remark?.[1] !== undefined && /\s|（/.test(text)) text = remark[1];
  if (text === "" || text.length > MAX_CHARS || text.includes("`")) return undefined;
  const isWord = isForbidden && /^[\p{L}\p{N}]+$/u.test(text);
  if ((!isWord && isDescription(text)) || JOINED.test(` ${text} `)) return undefined;
  return { text, isWhole: text === whole };
}

/** A regular expression that can be made, or undefined. */
export function readPattern(
  source: string,
): { readonly pattern: string; readonly flags: string } | undefined {
  const match = /^\/(.+)\/([a-z]*)\s*[.。;；,，]?$/.exec(source);
  const pattern = match?.[1] ?? "";
  // Where to go on from and positions are of no use to a single test, and only change what it finds.
  const flags = (match?.[2] ?? "").replace(/[gyd]/g, "");
  if (pattern === "" || pattern.length > MAX_CHARS) return undefined;
  try {
    new RegExp(pattern, flags);
    return { pattern, flags };
  } catch {
    return undefined;
  }
}

/** Whether a text names one file or folder: no pattern, no variable, nothing a shell would have to read. */
export function isPath(text: string, isQuoted: boolean): boolean {
  if (text === "" || text.length > MAX_CHARS || /[*?$~<>|\n\\]/.test(text)) return false;
  return isQuoted || (/^[^\s,;:，；：。]+$/.test(text) && /[/.]/.test(text));
}
