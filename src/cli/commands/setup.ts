// `flower setup`: asks for a credential, stores it for the person alone, tests it.

import { userEnvPath } from "../../config/process-env.ts";
import type { CommandFunction } from "../command-context.ts";
import { EXIT_DONE, EXIT_STOPPED } from "../exit-codes.ts";
import { openLines } from "../run/open-lines.ts";
import { setUp } from "./setup-dialog.ts";

/** Carry out `flower setup`. */
export const setupCommand: CommandFunction = async (context) => {
  const { io, t } = context;
  if (!io.inIsTty || !io.outIsTty) {
    io.err(`x ${t("setup.no_terminal", { path: userEnvPath(io.env) })}`);
    return EXIT_STOPPED;
  }
  const lines = openLines(context);
  try {
    return (await setUp({ ...context, lines })) ? EXIT_DONE : EXIT_STOPPED;
  } finally {
    lines.close();
  }
};
