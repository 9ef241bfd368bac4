// Where the questions of the run in a folder are, found without making anything.

import { resolve } from "node:path";
import type { Command } from "../args/command-line.ts";

/** `<runDir>/asks` of the folder a command is about. */
export function asksFolder(command: Command): string {
  return resolve(command.workspace, command.globals.runDir, "asks");
}
