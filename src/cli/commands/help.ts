// `flower help`: the overview, or everything about one command.

import { isCommandName } from "../args/commands.ts";
import { helpText, overviewText } from "../args/help-text.ts";
import type { CommandFunction } from "../command-context.ts";
import { EXIT_DONE } from "../exit-codes.ts";
import { usableWidth } from "../screen/layout.ts";

/** Carry out `flower help`. */
export const helpCommand: CommandFunction = async ({ command: { target }, io, t }) => {
  const width = usableWidth(io.columns());
  io.out(isCommandName(target) ? helpText(t, target, width) : overviewText(t, width));
  return EXIT_DONE;
};
