// `flower answer`: answers a question that another process waits with.

import { resolve } from "node:path";
import { listQuestions, type Receipt, waitReceipt, writeAnswer } from "../../people/question-drop.ts";
import type { CommandContext, CommandFunction } from "../command-context.ts";
import { EXIT_DONE, EXIT_STOPPED } from "../exit-codes.ts";
import { asksFolder } from "../run/asks-folder-of.ts";
import { stopWith } from "../run/stop-with.ts";

/** What became of an answer that was not taken, and what to do next. */
function refusal(
  { t, command }: CommandContext,
  kind: "ambiguous" | "unknown" | "no_reply",
  ids: readonly string[],
): { readonly words: string; readonly next: string } {
  switch (kind) {
    case "ambiguous":
      return { words: t("receipt.ambiguous", { ids: ids.join(", ") }), next: t("receipt.whole_id") };
    case "unknown": {
      const next = ids.length === 0 ? t("receipt.look") : t("receipt.open", { ids: ids.join(", ") });
      return { words: t("receipt.unknown_question", { id: command.target }), next };
    }
    case "no_reply":
      return {
        words: t("receipt.no_run", { folder: resolve(command.workspace) }),
        next: t("logs.none_next"),
      };
  }
}

function taken({ t, command }: CommandContext, receipt: "delivered" | "late"): string {
  return receipt === "late"
    ? t("receipt.late", { id: command.target })
    : t("receipt.answered", { answer: command.request });
}

function report({ io, command }: CommandContext, receipt: Receipt | "ambiguous", exit: number): void {
  if (command.globals.json) io.out(JSON.stringify({ id: command.target, receipt, exit }));
}

/** Carry out `flower answer ID TEXT`. */
export const answerCommand: CommandFunction = async (context) => {
  const { command, io } = context;
  const dir = asksFolder(command);
  const refuse = (kind: "ambiguous" | "unknown" | "no_reply", ids: readonly string[]) => {
    report(context, kind, EXIT_STOPPED);
    return stopWith(context, refusal(context, kind, ids));
  };
  const open = () => listQuestions(dir).map(({ id }) => id);
  const drop = writeAnswer(dir, command.target, command.request);
  if (drop.kind === "ambiguous") return refuse("ambiguous", drop.ids);
  if (drop.kind === "unknown") return refuse("unknown", open());
  const receipt = await waitReceipt(drop);
  if (receipt === "unknown" || receipt === "no_reply") return refuse(receipt, open());
  report(context, receipt, EXIT_DONE);
  if (!command.globals.json) io.out(`+ ${taken(context, receipt)}`);
  return EXIT_DONE;
};
