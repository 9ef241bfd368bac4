// Which programs a command line starts: in pipelines, lists, substitutions and behind words such as `env` and `timeout`.
// What it cannot tell it says, so that nobody takes silence for "none".

import { type Command, parse, type Word } from "unbash";

/** A program a line starts. */
interface ProgramWord {
  /** As it is written: a name, or a path. */
  readonly name: string;
  /** The line goes on when it fails: it stands before `||` or in a condition. */
  readonly isGuarded: boolean;
}

/** The programs of a line. */
export interface ProgramWords {
  readonly programs: readonly ProgramWord[];
  /** The line may change what its words mean (PATH, sourced files, functions it does not define here), or is malformed. */
  readonly isOpen: boolean;
}

const LITERAL: ReadonlySet<string> = new Set(["Literal", "SingleQuoted", "AnsiCQuoted"]);
const CHANGES_WORDS: ReadonlySet<string> = new Set([".", "source", "eval", "alias", "hash", "enable"]);
const MAX_DEPTH = 40;

/** What runs another command: how many operands stand before it, and which of its options take a value. */
const WRAPPERS: Readonly<Record<string, { readonly operands: number; readonly valued: RegExp }>> = {
  command: { operands: 0, valued: /^$/ },
  builtin: { operands: 0, valued: /^$/ },
  exec: { operands: 0, valued: /^-a$/ },
  env: { operands: 0, valued: /^(?:-u|-C|--unset|--chdir)$/ },
  nohup: { operands: 0, valued: /^$/ },
  setsid: { operands: 0, valued: /^$/ },
  time: { operands: 0, valued: /^(?:-f|-o)$/ },
  nice: { operands: 0, valued: /^-n$/ },
  ionice: { operands: 0, valued: /^-[cn]$/ },
  stdbuf: { operands: 0, valued: /^-[ioe]$/ },
  sudo: { operands: 0, valued: /^-[ugCDhpRrTt]$/ },
  timeout: { operands: 1, valued: /^-[ks]$/ },
  xargs: { operands: 0, valued: /^-[adEILnPs]$/ },
};

interface Walk {
  readonly found: ProgramWord[];
  readonly functions: Set<string>;
  isOpen: boolean;
}

/** A word's value when nothing in it is left to the shell to fill in. */
function literal(word: Word | undefined): string | undefined {
  const isPlain = word?.parts?.every(
    (part) =>
      LITERAL.has(part.type) ||
      (part.type === "DoubleQuoted" && part.parts.every(({ type }) => type === "Literal")),
  );
  return word === undefined || isPlain === false ? undefined : word.value;
}

function shellText(words: readonly (string | undefined)[]): string | undefined {
  const at = words.findIndex((word) => word !== undefined && /^-[a-z]*c$/.test(word));
  return at === -1 ? undefined : words[at + 1];
}

/** Follow `env X=1 timeout 5 node …` to `node`; every word on the way is a program too. */
function addWords(walk: Walk, words: readonly (string | undefined)[], isGuarded: boolean, depth: number) {
  let rest = words;
  for (let hops = 0; hops < MAX_DEPTH; hops += 1) {
    const [name, ...more] = rest;
    if (name === undefined) {
      if (rest.length > 0) walk.isOpen = true;
      return;
    }
    walk.found.push({ name, isGuarded });
    if (CHANGES_WORDS.has(name)) walk.isOpen = true;
    const base = name.slice(name.lastIndexOf("/") + 1);
    if (/^(?:ba|da|z|k)?sh$/.test(base)) {
      const script = shellText(more);
      if (script !== undefined) addScript(walk, script, isGuarded, depth + 1);
      return;
    }
    const wrapper = Object.hasOwn(WRAPPERS, base) ? WRAPPERS[base] : undefined;
    if (wrapper === undefined || (base === "command" && more.some((word) => /^-[vV]$/.test(word ?? ""))))
      return;
    rest = behindOptions(more, wrapper, base);
    if (rest.length === 0) return;
  }
}

function behindOptions(
  words: readonly (string | undefined)[],
  { operands, valued }: { readonly operands: number; readonly valued: RegExp },
  name: string,
): readonly (string | undefined)[] {
  let at = 0;
  for (;;) {
    const word = words[at];
    if (word !== undefined && valued.test(word)) at += 2;
    else if (word?.startsWith("-") === true && word !== "-") at += 1;
    else if (name === "env" && word !== undefined && /^[A-Za-z_]\w*=/.test(word)) at += 1;
    else return words.slice(at + operands);
  }
}

function addCommand(walk: Walk, command: Command, isGuarded: boolean, depth: number): void {
  for (const item of [...command.prefix, ...command.suffix]) {
    if (item.type === "Assignment" && item.name === "PATH") walk.isOpen = true;
  }
  if (command.name === undefined) return;
  const args = command.suffix.filter((item) => item.type === "Word" || item.type === "Assignment");
  const words = [command.name, ...args].map((item) => (item.type === "Word" ? literal(item) : item.text));
  if (words.some((word) => word?.startsWith("PATH=") === true)) walk.isOpen = true;
  addWords(walk, words, isGuarded, depth);
}

type Node = Readonly<Record<string, unknown>>;

/** Getters of the parser's own classes: no key of theirs is listed. */
const LAZY = ["parts", "script", "expression", "value", "target", "body"] as const;

function visit(walk: Walk, node: unknown, isGuarded: boolean, depth: number): void {
  if (node === null || typeof node !== "object") return;
  if (depth > MAX_DEPTH) {
    walk.isOpen = true;
    return;
  }
  if (Array.isArray(node)) {
    for (const one of node) visit(walk, one, isGuarded, depth);
    return;
  }
  const { type, commands, operators } = node as Node;
  if (type === "Command") addCommand(walk, node as Command, isGuarded, depth);
  if (type === "Function") walk.functions.add(literal((node as { name?: Word }).name) ?? "");
  if (type === "AndOr" && Array.isArray(commands) && Array.isArray(operators)) {
    commands.forEach((one, at) => {
      visit(walk, one, isGuarded || operators.slice(at).includes("||"), depth + 1);
    });
    return;
  }
  for (const key of new Set([...Object.keys(node), ...LAZY])) {
    visit(walk, (node as Node)[key], isGuarded || key === "clause", depth + 1);
  }
}

function addScript(walk: Walk, text: string, isGuarded: boolean, depth: number): void {
  const script = parse(text);
  if ((script.errors?.length ?? 0) > 0) walk.isOpen = true;
  visit(walk, script.commands, isGuarded, depth);
}

/** The programs a command line starts, as far as its text tells. Functions it defines are none. */
export function programWords(text: string): ProgramWords {
  const walk: Walk = { found: [], functions: new Set(), isOpen: false };
  addScript(walk, text, false, 0);
  return { programs: walk.found.filter(({ name }) => !walk.functions.has(name)), isOpen: walk.isOpen };
}
