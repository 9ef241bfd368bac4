// Help in words: one screen of all commands, and a page for each; from the tables of commands and options, and the
// catalogue.

import type { MessageKey } from "../../config/locale/catalogue.ts";
import type { Translator } from "../../config/locale/translator.ts";
import { displayWidth } from "../../core/cells.ts";
import { fold } from "../screen/layout.ts";
import { COMMANDS, type CommandName, commandOf, FIRST_EXAMPLES } from "./commands.ts";
import { type Flag, flagsOf, GLOBAL_KEYS } from "./flags.ts";
import { type LooseTranslator, usageLine } from "./usage-text.ts";

/** Room for the left column: fits nearly all examples on 80 columns, and leaves the larger half on a narrow screen. */
const MAX_LEFT = 34;
const MAX_LEFT_SHARE = 0.45;
const INDENT = 2;
const GAP = 2;

interface Row {
  readonly left: string;
  readonly right: string;
}

type TableKey =
  | `help.flag.${string}`
  | `help.command.${string}`
  | `help.more.${string}`
  | `help.example.${string}`;

/** Each row of the tables has its message: a test walks them all. */
function sayKey(t: Translator, key: TableKey): string {
  return (t as LooseTranslator)(key as MessageKey);
}

/** Rows in two columns; what is too long for the left one has its description below. */
function table(rows: readonly Row[], width: number): string[] {
  const most = Math.min(MAX_LEFT, width * MAX_LEFT_SHARE);
  const widths = rows.map(({ left }) => displayWidth(left)).filter((cells) => cells <= most);
  const column = INDENT + Math.max(0, ...widths) + GAP;
  return rows.flatMap(({ left, right }) => {
    const lines = fold(right, width - column).map((line) => " ".repeat(column) + line);
    const [first = "", ...others] = lines;
    const head = " ".repeat(INDENT) + left;
    if (displayWidth(head) > column - GAP) return [head, ...lines];
    return [head + first.slice(displayWidth(head)), ...others];
  });
}

/** An option as help spells it. */
function flagSpelling({ short, long, metavar }: Flag): string {
  const names = short === undefined ? long : `${short}, ${long}`;
  return metavar === undefined ? names : `${names} ${metavar}`;
}

function flagRows(t: Translator, flags: readonly Flag[]): Row[] {
  return flags.map((flag) => ({ left: flagSpelling(flag), right: sayKey(t, `help.flag.${flag.key}`) }));
}

function exampleRows(t: Translator, examples: (typeof COMMANDS)[number]["examples"]): Row[] {
  return examples.map(({ line, about }) => ({ left: line, right: sayKey(t, `help.example.${about}`) }));
}

/** What there is, on one screen of 80 columns and 24 lines. */
export function overviewText(t: Translator, width: number): string {
  const commands = COMMANDS.map(({ name }) => ({ left: name, right: sayKey(t, `help.command.${name}`) }));
  return [
    ...fold(t("help.about"), width),
    "",
    ...table(exampleRows(t, FIRST_EXAMPLES), width),
    "",
    ...table(commands, width),
    "",
    ...fold(t("help.more"), width),
    ...fold(t("help.exit"), width),
  ].join("\n");
}

/** Everything about one command. */
export function helpText(t: Translator, command: CommandName, width: number): string {
  const flags = flagsOf(command);
  const own = flags.filter(({ key }) => !GLOBAL_KEYS.includes(key));
  const shared = flags.filter(({ key }) => GLOBAL_KEYS.includes(key));
  const sections = [
    [usageLine(t, command)],
    fold(sayKey(t, `help.command.${command}`), width),
    [t("help.examples"), ...table(exampleRows(t, commandOf(command).examples), width)],
    own.length === 0 ? [] : [t("help.options", { command }), ...table(flagRows(t, own), width)],
    [t("help.globals"), ...table(flagRows(t, shared), width)],
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}
