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

/** The next word as an option's value. One that looks like an option is refused: versions differ in who takes values. */
function nextValue(reading: Reading): string | null {
  const word = reading.args[reading.at];
  if (word?.kind !== "literal" || /^[-+](?!\d+$|$)/.test(word.text)) return null;
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
  if (set.counts && /^-\d+$/.test(text)) return true;
  for (let i = 1; i < text.length; i++) {
    const name = text.charAt(i);
    const rest = text.slice(i + 1);
    if (set.flags.includes(name)) reading.options.push({ name, value: undefined });
    else if (set.attached.includes(name)) {
      reading.options.push({ name, value: rest });
      return true;
    } else if (set.valued.includes(name)) {
      if (rest !== "" && set.separateOnly) return false;
      const value = rest === "" ? nextValue(reading) : rest;
      if (value === null) return false;
      reading.options.push({ name, value });
      return true;
    } else return false;
  }
  return true;
}

/** Reads one word; false refuses the command. */
function readArgument(reading: Reading, word: ShellWord): boolean {
  if (word.kind === "any" || (word.kind !== "literal" && word.text === "")) return false;
  if (!word.text.startsWith("-") || (word.kind === "literal" && word.text === "-")) {
    reading.operands.push(word);
    return true;
  }
  if (reading.set.optionsFirst && reading.operands.length > 0) return false;
  if (word.text.startsWith("--")) return readLong(reading, word);
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
  return { options: reading.options, operands: reading.operands };
}

function operandsAllowed(rule: OperandRule, { options, operands }: ParsedArguments): boolean {
  const { match, needs } = rule;
  const exact = operands.every((word) => word.kind === "literal" || word.kind === "one");
  if (operands.length < rule.min) return false;
  if (Number.isFinite(rule.max) && (!exact || operands.length > rule.max)) return false;
  if (match && !operands.every((word) => word.kind === "literal" && match.test(word.text))) return false;
  return (
    operands.length === 0 || needs === undefined || options.some((option) => needs.includes(option.name))
  );
}

function subcommandAllowed(
  rule: Extract<VerbRule, { kind: "subcommands" }>,
  args: readonly ShellWord[],
): boolean {
  if (rule.accepts && !rule.accepts(args)) return false;
  const first = args.findIndex((word) => word.kind !== "literal" || rule.commands.has(word.text));
  const word = args[first];
  const command = word?.kind === "literal" ? rule.commands.get(word.text) : undefined;
  if (word === undefined || command === undefined)
    return rule.bare !== undefined && argumentsAllowed(rule.bare, args);
  // Nothing but whole global options may stand before it, or it is some option's value or operand.
  const before = parseArguments(rule.globals, args.slice(0, first));
  return before !== null && before.operands.length === 0 && argumentsAllowed(command, args.slice(first + 1));
}

/** Whether a word, or the value attached to an option in it, may name a device. */
function readsDevice(args: readonly ShellWord[]): boolean {
  return args.some((word) => {
    const value = word.text.startsWith("--")
      ? word.text.slice(word.text.indexOf("=") + 1)
      : word.text.slice(2);
    return mayNameDevice(word) || (word.text.startsWith("-") && mayNameDevice({ ...word, text: value }));
  });
}

/** Whether a command with these arguments only looks, runs nothing else and ends by itself. */
export function argumentsAllowed(rule: VerbRule, args: readonly ShellWord[]): boolean {
  if (rule.kind === "subcommands") return subcommandAllowed(rule, args);
  if (!rule.namesOnly && readsDevice(args)) return false;
  if (rule.kind === "any") return true;
  if (rule.kind === "words") return rule.accepts(args);
  const found = parseArguments(rule.options, args);
  if (found === null || !operandsAllowed(rule.operands, found)) return false;
  return rule.accepts?.(found) ?? true;
}
