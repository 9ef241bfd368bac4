// What can stand at a place of the command line, for a shell to offer: read off the tables of commands and options.

import { COMMAND_NAMES, type CommandDefinition } from "../args/commands.ts";
import { FLAGS, type Flag } from "../args/flags.ts";

/** What a shell offers at a place. */
export type Candidates =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "folders" }
  /** Runs that left their events in this folder. */
  | { readonly kind: "runs" }
  /** Questions that wait in this folder. */
  | { readonly kind: "questions" }
  /** Anything; the shell offers files. */
  | { readonly kind: "free" };

const NOTHING: Candidates = { kind: "words", words: [] };

/** Candidates for the value of an option. */
export function valueCandidates({ value }: Flag): Candidates {
  switch (value.kind) {
    case "choice":
      return { kind: "words", words: value.of };
    case "limit":
      return { kind: "words", words: [value.none] };
    case "run":
      return { kind: "runs" };
    case "folder":
      return { kind: "folders" };
    default:
      return NOTHING;
  }
}

/** Candidates for the first word after a command's name. */
export function wordCandidates({ words }: CommandDefinition): Candidates {
  switch (words.kind) {
    case "request":
    case "message":
    case "workflow":
      return { kind: "free" };
    case "answer":
      return { kind: "questions" };
    case "command":
      return { kind: "words", words: COMMAND_NAMES };
    case "choice":
    case "action":
      return { kind: "words", words: words.of };
    case "none":
      return NOTHING;
  }
}

/** How an option can be spelled. */
export function spellings({ long, short }: Flag): readonly string[] {
  return short === undefined ? [long] : [long, short];
}

/** Spellings of the options that take a value, each once. */
export function spellingsWithValue(): readonly string[] {
  return [...new Set(FLAGS.filter(({ metavar }) => metavar !== undefined).flatMap(spellings))];
}

/** Options with a value, each spelling once: commands that share one (`--timeout`) offer the same for it. */
export function valueFlags(): readonly {
  readonly spellings: readonly string[];
  readonly offer: Candidates;
}[] {
  const rows = new Map<string, { readonly spellings: readonly string[]; readonly offer: Candidates }>();
  for (const flag of FLAGS) {
    if (flag.metavar !== undefined) {
      rows.set(flag.long, { spellings: spellings(flag), offer: valueCandidates(flag) });
    }
  }
  return [...rows.values()];
}
