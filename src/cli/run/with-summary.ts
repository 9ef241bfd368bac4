// With `--json` the last thing on standard output is a summary, also when the run could not even begin.

import type { CommandContext } from "../command-context.ts";
import { reportError } from "../report-error.ts";
import { RunOutput } from "./run-output.ts";

/** Run a command; what it throws becomes lines on standard error and, for programs, a summary. */
export async function withSummary(
  context: CommandContext,
  work: (output: RunOutput) => Promise<number>,
): Promise<number> {
  const output = new RunOutput(context);
  try {
    return await work(output);
  } catch (error) {
    const { lines, exitCode } = reportError(context.t, error, context.command.globals.verbose);
    for (const line of lines) context.io.err(line);
    if (context.command.globals.json) {
      output.summary({ exitCode, manifest: undefined, costUsd: 0, reason: lines[0] ?? "" });
    }
    return exitCode;
  }
}
