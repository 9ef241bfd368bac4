// `flower answer`: answers a question that another process waits with.

import { resolve } from "node:path";
import { listQuestions, type Receipt, waitReceipt, writeAnswer } from "../../people/question-drop.ts";
import type { CommandContext, CommandFunction } from "../command-context.ts";
import { EXIT_DONE, EXIT_STOPPED } from "../exit-codes.ts";
import { asksFolder } from "../run/asks-folder-of.ts";

function outcome(context: CommandContext, receipt: Receipt, id: string): string {
  const { t, command } = context;
  switch (receipt) {
    case "delivered":
      return t("receipt.answered", { answer: command.request });
    case "late":
      return t("receipt.late", { id });
    case "unknown":
      return t("receipt.unknown_question", { id });
    case "no_reply":
      return t("receipt.no_run", { folder: resolve(command.workspace) });
  }
}

/** Carry out `flower answer ID TEXT`. */
export const answerCommand: CommandFunction = async (context) => {
  const { command, io, t } = context;
  const dir = asksFolder(command);
  const say = (receipt: string, words: string, exitCode: number) => {
    const mark = exitCode === EXIT_DONE ? "+" : "x";
    if (command.globals.json) io.out(JSON.stringify({ id: command.target, receipt, exit: exitCode }));
    if (exitCode !== EXIT_DONE) io.err(`${mark} ${words}`);
    else if (!command.globals.json) io.out(`${mark} ${words}`);
    return exitCode;
  };
  const drop = writeAnswer(dir, command.target, command.request);
  if (drop.kind === "ambiguous") {
    return say("ambiguous", t("receipt.ambiguous", { ids: drop.ids.join(", ") }), EXIT_STOPPED);
  }
  if (drop.kind === "unknown") {
    const open = listQuestions(dir).map(({ id }) => id);
    const words = t("receipt.unknown_question", { id: command.target });
    const listed = open.length === 0 ? words : `${words}; ${t("receipt.open", { ids: open.join(", ") })}`;
    return say("unknown", listed, EXIT_STOPPED);
  }
  const receipt = await waitReceipt(drop);
  const took = receipt === "delivered" || receipt === "late";
  return say(receipt, outcome(context, receipt, command.target), took ? EXIT_DONE : EXIT_STOPPED);
};
