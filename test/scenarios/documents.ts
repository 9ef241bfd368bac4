// Replies of the roles as a model would write them.

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
