// The harness's own way of asking answers itself with nothing when no terminal is there. Questions go another way.

import { deny, isMainThread } from "./call.ts";
import type { PreGuard } from "./decision.ts";

/** Options of {@link questionPreGuard}. */
export interface QuestionOptions {
  /** Name of the tool that reaches a person, where the main thread has one. */
  readonly askTool?: string | undefined;
}

/** Refuses `AskUserQuestion` everywhere and points to what reaches a person instead. */
export function questionPreGuard(options: QuestionOptions = {}): PreGuard {
  const { askTool } = options;
  const instead =
    askTool === undefined
      ? "Nobody can be asked here: decide yourself and name the assumption in your reply."
      : `Use ${askTool} instead.`;
  return {
    name: "question",
    tools: ["AskUserQuestion"],
    decide: (call) =>
      deny(
        isMainThread(call)
          ? `AskUserQuestion reaches nobody here and would come back empty. ${instead}`
          : "AskUserQuestion reaches nobody here. Put the question in your report: whoever sent you can ask.",
      ),
  };
}
