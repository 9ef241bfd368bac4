// A usage error that only shows at run time: what is wrong, the usage line, exit code 2.

import { usageLine, usageMore } from "../args/usage-text.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_USAGE } from "../exit-codes.ts";

/** Say it on standard error. @returns the exit code. */
export function refuseUsage({ io, t, command }: CommandContext, words: string): number {
  for (const line of [`flower: ${words}`, usageLine(t, command.command), usageMore(t, command.command)])
    io.err(line);
  return EXIT_USAGE;
}
