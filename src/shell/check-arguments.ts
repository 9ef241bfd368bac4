// Judges a command's arguments by its rule. Knows nothing about any command.

import { mayNameDevice, type ShellWord } from "./shell-word.ts";
import type { FoundOption, OperandRule, OptionSet, ParsedArguments, VerbRule } from "./verb-rule.ts";

interface Reading {
  readonly set: OptionSet;
  readonly args: readonly ShellWord[];
  at: number;
  readonly options: FoundOption[];
  readonly operands: ShellWord[];
}

const LOOKS_LIKE_OPTION = /^[-+](?!\d+$|$)/;
const COUNT = /^-\d+$/;

/** The next word as an option's value. One that looks like an option is refused: versions differ in who takes values. */
function nextValue(reading: Reading): string | null {
  const word = reading.args[reading.at];
  if (word?.kind !== "literal" || LOOKS_LIKE_OPTION.test(word.text)) return null;
  reading.at += 1;
  return word.text;
}

function readLong(reading: Reading, word: ShellWord): boolean {
  const equals = word.text.indexOf("=");
  const name = word.text.slice(2, equals < 0 ? undefined : equals);
  const takes = reading.set.longs.get(name);
  if (takes === undefined) return false;
  if (equals >= 0) {
    const value = word.kind === "literal" ? word.text.slice(equals + 1) : undefined;
    reading.options.push({ name, value });
    return takes !== "none";
  }
  // `--name$x`: the name itself is not known.
  if (word.kind !== "literal") return false;
  const value = takes === "required" ? nextValue(reading) : undefined;
  if (value === null) return false;
  reading.options.push({ name, value });
  return true;
}

function readBundle(reading: Reading, text: string): boolean {
  const { set } = reading;
  if (set.counts && COUNT.test(text)) return true;
  for (let i = 1; i < text.length; i++) {
    const name = text.charAt(i);
    if (set.flags.includes(name)) {
      reading.options.push({ name, value: undefined });
      continue;
    }
    const rest = text.slice(i + 1);
    if (set.attached.includes(name)) {
      reading.options.push({ name, value: rest });
      return true;
    }
    if (set.valued.includes(name)) {
      if (rest !== "" && set.separateOnly) return false;
      const value = rest === "" ? nextValue(reading) : rest;
      if (value === null) return false;
      reading.options.push({ name, value });
      return true;
    }
    return false;
  }
  return true;
}

/** Reads one word; false refuses the command. */
function readArgument(reading: Reading, word: ShellWord): boolean {
  if (word.kind === "any" || (word.kind !== "literal" && word.text === "")) return false;
  if (word.text.charAt(0) !== "-" || (word.kind === "literal" && word.text === "-")) {
    reading.operands.push(word);
    return true;
  }
  if (reading.set.optionsFirst && reading.operands.length > 0) return false;
  if (word.text.charAt(1) === "-") return readLong(reading, word);
  return word.kind === "literal" && readBundle(reading, word.text);
}

/**
 * Take arguments apart by an option set.
 * @returns null when an option is not in the set, or when an expansion could bring one in.
 */
function parseArguments(set: OptionSet, args: readonly ShellWord[]): ParsedArguments | null {
  const reading: Reading = { set, args, at: 0, options: [], operands: [] };
  while (reading.at < args.length) {
    const word = args[reading.at] as ShellWord;
    reading.at += 1;
    if (word.kind === "literal" && word.text === "--") {
      reading.operands.push(...args.slice(reading.at));
      break;
    }
    if (!readArgument(reading, word)) return null;
  }
  return reading;
}

function operandsAllowed(rule: OperandRule, { options, operands }: ParsedArguments): boolean {
  const { match, needs } = rule;
  if (operands.length < rule.min || operands.length > rule.max) return false;
  // What may become several words cannot be counted.
  if (Number.isFinite(rule.max) && operands.some((word) => word.kind !== "literal" && word.kind !== "one"))
    return false;
  if (match && !operands.every((word) => word.kind === "literal" && match.test(word.text))) return false;
  return (
    operands.length === 0 || needs === undefined || options.some((option) => needs.includes(option.name))
  );
}

const NOTHING: ParsedArguments = { options: [], operands: [] };

function subcommandAllowed(
  rule: Extract<VerbRule, { kind: "subcommands" }>,
  args: readonly ShellWord[],
): boolean {
  if (rule.accepts && !rule.accepts(args)) return false;
  const first = args.findIndex((word) => word.kind !== "literal" || rule.commands.has(word.text));
  const word = args[first];
  const command = word?.kind === "literal" ? rule.commands.get(word.text) : undefined;
  if (command === undefined) return rule.bare !== undefined && argumentsAllowed(rule.bare, args);
  // Nothing but whole global options may stand before it, or it is some option's value or operand.
  const before = first === 0 ? NOTHING : parseArguments(rule.globals, args.slice(0, first));
  return before?.operands.length === 0 && argumentsAllowed(command, args.slice(first + 1));
}

/** Whether a word, or the value attached to an option in it, may name a device. */
function readsDevice({ kind, text }: ShellWord): boolean {
  const at = text.charAt(0) !== "-" ? 0 : text.charAt(1) === "-" ? text.indexOf("=") + 1 : 2;
  const first = text.charAt(at);
  return (first === "/" || first === ".") && mayNameDevice(kind, text.slice(at));
}

/** Whether a command with these arguments only looks, runs nothing else and ends by itself. */
export function argumentsAllowed(rule: VerbRule, args: readonly ShellWord[]): boolean {
  if (rule.kind === "subcommands") return subcommandAllowed(rule, args);
  if (!rule.namesOnly && args.some(readsDevice)) return false;
  if (rule.kind === "any") return true;
  if (rule.kind === "words") return rule.accepts(args);
  const found = parseArguments(rule.options, args);
  if (found === null || !operandsAllowed(rule.operands, found)) return false;
  return rule.accepts?.(found) ?? true;
}
