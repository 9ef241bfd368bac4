// With `--json` some commands print one object, also when they refuse or break. What a person reads goes to standard error.

import { stripEscapes } from "../../core/text.ts";
import type { CommandContext } from "../command-context.ts";
import { reportError } from "../report-error.ts";
import { type Refusal, stopWith } from "./stop-with.ts";

/** Run a command that prints one object; what it throws becomes lines on standard error and, for programs, that object. */
export async function withObject(context: CommandContext, work: () => Promise<number>): Promise<number> {
  const { command, io, t } = context;
  try {
    return await work();
  } catch (error) {
    const { lines, exitCode: exit } = reportError(t, error, command.globals.verbose);
    if (command.globals.json) io.out(JSON.stringify({ exit, reason: lines[0] ?? "" }));
    for (const line of lines) io.err(line);
    return exit;
  }
}

/** Say that a command cannot do what was asked, to programs with `facts`. @returns the exit code. */
export function refuseWith(context: CommandContext, refusal: Refusal, facts: object = {}): number {
  const exit = stopWith(context, refusal);
  const reason = stripEscapes(`x ${refusal.words}`);
  if (context.command.globals.json) context.io.out(JSON.stringify({ ...facts, exit, reason }));
  return exit;
}
