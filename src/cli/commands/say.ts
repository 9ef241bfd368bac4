// `flower say`: words for the inbox of the run in a folder, from any terminal.

import { resolve } from "node:path";
import { waitReceipt, writeMail } from "../../people/question-drop.ts";
import type { CommandFunction } from "../command-context.ts";
import { EXIT_DONE, EXIT_STOPPED } from "../exit-codes.ts";
import { asksFolder } from "../run/asks-folder-of.ts";
import { stopWith } from "../run/stop-with.ts";

/** Carry out `flower say TEXT`. */
export const sayCommand: CommandFunction = async (context) => {
  const { command, io, t } = context;
  const receipts = await Promise.all(
    writeMail(asksFolder(command), command.request).map((ticket) => waitReceipt(ticket)),
  );
  const delivered = receipts.filter((receipt) => receipt === "delivered").length;
  const exit = delivered > 0 ? EXIT_DONE : EXIT_STOPPED;
  const folder = resolve(command.workspace);
  if (command.globals.json) io.out(JSON.stringify({ receipts, delivered, exit }));
  if (exit === EXIT_STOPPED) {
    return stopWith(context, { words: t("receipt.no_run", { folder }), next: t("logs.none_next") });
  }
  if (!command.globals.json) io.out(`+ ${t("receipt.sent", { folder })}`);
  return exit;
};
