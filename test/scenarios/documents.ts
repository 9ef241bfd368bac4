// Replies of the roles as a model would write them, and scripts made of them.

import { type ApiRequest, type Script, text } from "../../src/testing/index.ts";

/** A complete brief; `goal` is its first section. */
export function briefText(goal: string, more = ""): string {
  return `## Goal\n${goal}\n${more}\n## Acceptance criteria\n\`node wc.mjs a.txt\` prints the number of words.\n\n## Boundaries\nNothing else is changed.\n\n## Unknowns and assumptions\nFiles are UTF-8.\n`;
}

/** A goal with these checks. */
export function goalText(statement: string, checks: readonly string[]): string {
  return `## Goal\n${statement}\n\n## Checklist\n${checks.map((check) => `- ${check}`).join("\n")}\n`;
}

/** A verdict. */
export function verdictText(conclusion: string, reason: string, failed: readonly string[] = []): string {
  const list = failed.length === 0 ? "(none)" : failed.map((check) => `- ${check}`).join("\n");
  return `## Conclusion\n${conclusion}\n\n## Reason\n${reason}\n\n## Not passed\n${list}\n`;
}

/** A check whose command holds in any folder: for stories that are about something else. */
export const HOLDS = "`printf 'one two three' | wc -w` -> prints 3";

/** A clear request, one round of work by the coordinator alone, achieved; parts can be replaced. */
export function smoothScript(more: Script = {}): Script {
  return {
    clarifier: [text(briefText("Count the words in a file."))],
    judge: [text(goalText("A word counter.", [HOLDS])), text(verdictText("achieved", "1: it counts words."))],
    coordinator: [text("The worker reports it done.")],
    ...more,
  };
}

/** The requests of one role, in order. */
export function requestsOf(requests: readonly ApiRequest[], role: ApiRequest["role"]): ApiRequest[] {
  return requests.filter((request) => request.role === role);
}

/** Everything of a request that the model would read, as it was sent. */
export function bodyOf(request: ApiRequest): string {
  return JSON.stringify(request.body);
}
