// `flower say`: words for the inbox of the run in a folder, from any terminal.

import { resolve } from "node:path";
import { waitReceipt, writeMail } from "../../people/question-drop.ts";
import type { CommandFunction } from "../command-context.ts";
import { EXIT_DONE, EXIT_STOPPED } from "../exit-codes.ts";
import { asksFolder } from "../run/asks-folder-of.ts";

/** Carry out `flower say TEXT`. */
export const sayCommand: CommandFunction = async ({ command, io, t }) => {
  const receipts = await Promise.all(
    writeMail(asksFolder(command), command.request).map((ticket) => waitReceipt(ticket)),
  );
  const taken = receipts.filter((receipt) => receipt === "delivered").length;
  const exitCode = taken > 0 ? EXIT_DONE : EXIT_STOPPED;
  const folder = resolve(command.workspace);
  if (command.globals.json) io.out(JSON.stringify({ receipts, delivered: taken, exit: exitCode }));
  if (taken === 0) io.err(`x ${t("receipt.no_run", { folder })}`);
  else if (!command.globals.json) io.out(`+ ${t("receipt.sent", { folder })}`);
  return exitCode;
};
