// What tells the four roles of a main thread apart: the first line of each role's rules, as a line of its own.

import { CLARIFIER_RULES } from "../agents/roles/clarifier.ts";
import { COORDINATOR_RULES } from "../agents/roles/coordinator.ts";
import { JUDGE_RULES } from "../agents/roles/judge.ts";
import { ORACLE_RULES } from "../agents/roles/oracle.ts";

function firstLine(rules: string): string {
  return rules.trim().split("\n", 1)[0] ?? "";
}

const MARKS = [
  { role: "coordinator", mark: firstLine(COORDINATOR_RULES) },
  { role: "clarifier", mark: firstLine(CLARIFIER_RULES) },
  { role: "judge", mark: firstLine(JUDGE_RULES) },
  { role: "oracle", mark: firstLine(ORACLE_RULES) },
] as const;

/** The role whose rules stand in a system prompt; `main` when none do. */
export function mainRole(system: string): "coordinator" | "clarifier" | "judge" | "oracle" | "main" {
  const lines = new Set(system.split("\n"));
  return MARKS.find(({ mark }) => lines.has(mark))?.role ?? "main";
}
