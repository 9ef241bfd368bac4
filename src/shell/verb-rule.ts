// The shape of the table that says which arguments of which command only look.

import type { ShellWord } from "./shell-word.ts";

/** What an option does with a value: takes none, needs one (attached or next word), or takes one only attached. */
type LongValue = "none" | "required" | "attached";

/** An option as found: its letter or long name, and its value when that is known. */
export interface FoundOption {
  /** Without dashes. */
  readonly name: string;
  /** Undefined when there is none, or when it comes from an expansion. */
  readonly value: string | undefined;
}

/** A command's arguments taken apart. */
export interface ParsedArguments {
  readonly options: readonly FoundOption[];
  readonly operands: readonly ShellWord[];
}

/** The options a command may have; every other refuses it, abbreviations of these too. */
export interface OptionSet {
  /** Letters without a value; they may be bundled. */
  readonly flags: string;
  /** Letters with a value, attached or in the next word. */
  readonly valued: string;
  /** Letters whose value, if any, is attached. */
  readonly attached: string;
  readonly longs: ReadonlyMap<string, LongValue>;
  /** Whether `-5` is a count. */
  readonly counts: boolean;
  /** Whether a letter's value must be the next word, because the tool reads on in the same one. */
  readonly separateOnly: boolean;
  /** Whether some versions read everything behind the first operand as operands. */
  readonly optionsFirst: boolean;
}

/** What may stand beside the options. */
export interface OperandRule {
  readonly min: number;
  readonly max: number;
  /** Every operand must be literal and match. */
  readonly match?: RegExp;
  /** Operands only look when one of these options is there. */
  readonly needs?: readonly string[];
}

/** Which arguments of one command only look. */
export type VerbRule =
  | { readonly kind: "any"; readonly namesOnly: boolean }
  | {
      readonly kind: "options";
      readonly options: OptionSet;
      readonly operands: OperandRule;
      readonly namesOnly: boolean;
      readonly accepts?: (found: ParsedArguments) => boolean;
    }
  | {
      readonly kind: "words";
      readonly namesOnly: boolean;
      readonly accepts: (args: readonly ShellWord[]) => boolean;
    }
  | {
      readonly kind: "subcommands";
      readonly globals: OptionSet;
      readonly commands: ReadonlyMap<string, VerbRule>;
      /** The rule without a subcommand; none when that form does more than look. */
      readonly bare?: VerbRule;
      readonly accepts?: (args: readonly ShellWord[]) => boolean;
    };

/** How the tables write an `OptionSet`: `longs` as words, `name`, `name=` (needs a value), `name[=]` (attached). */
export interface OptionText {
  readonly flags?: string;
  readonly valued?: string;
  readonly attached?: string;
  readonly longs?: string;
  readonly counts?: boolean;
  readonly separateOnly?: boolean;
  readonly optionsFirst?: boolean;
}

function parseLongs(text: string): ReadonlyMap<string, LongValue> {
  const longs = new Map<string, LongValue>();
  for (const entry of text.split(/\s+/).filter(Boolean)) {
    const name = entry.replace(/(?:\[=\]|=)$/, "");
    longs.set(name, entry.endsWith("[=]") ? "attached" : entry.endsWith("=") ? "required" : "none");
  }
  return longs;
}

/** An `OptionSet` from its written form. */
export function optionSet(text: OptionText): OptionSet {
  return {
    flags: text.flags ?? "",
    valued: text.valued ?? "",
    attached: text.attached ?? "",
    longs: parseLongs(text.longs ?? ""),
    counts: text.counts ?? false,
    separateOnly: text.separateOnly ?? false,
    optionsFirst: text.optionsFirst ?? false,
  };
}

/** How the tables write an `options` rule. */
export interface OptionsRuleText extends OptionText {
  readonly operands?: Partial<OperandRule>;
  readonly namesOnly?: boolean;
  readonly accepts?: (found: ParsedArguments) => boolean;
}

/** A rule that allows these options and, unless said otherwise, any operands. */
export function onlyOptions(text: OptionsRuleText): VerbRule {
  return {
    kind: "options",
    options: optionSet(text),
    operands: { min: 0, max: Number.POSITIVE_INFINITY, ...text.operands },
    namesOnly: text.namesOnly ?? false,
    ...(text.accepts === undefined ? {} : { accepts: text.accepts }),
  };
}

/** For commands none of whose arguments can do more than look. */
export const ANY_ARGUMENTS: VerbRule = { kind: "any", namesOnly: false };

/** The same, for commands that only name or measure files and never read one to its end. */
export const ANY_NAMES: VerbRule = { kind: "any", namesOnly: true };

/** No operands. */
export const NO_OPERANDS: Partial<OperandRule> = { max: 0 };
