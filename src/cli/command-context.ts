// What every command is given, and what it gives back: a number.

import type { Translator } from "../config/locale/translator.ts";
import type { Command } from "./args/command-line.ts";
import type { Io } from "./io.ts";

/** One invocation. */
export interface CommandContext {
  readonly command: Command;
  readonly io: Io;
  readonly t: Translator;
}

/** Carries out a command. @returns the exit code. */
export type CommandFunction = (context: CommandContext) => Promise<number>;
