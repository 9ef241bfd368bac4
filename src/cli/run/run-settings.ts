// What the flags say about surviving and about limits: the command's own defaults stand here, and nowhere else.

import { HandoffPolicy } from "../../agents/handoff-policy.ts";
import type { Translator } from "../../config/locale/translator.ts";
import type { RuntimeOptions } from "../../runtime/runtime-options.ts";
import type { BudgetOptions } from "../../workflow/budget-limits.ts";
import type { Command, RunFlags } from "../args/command-line.ts";
import { DEFAULT_BUDGET_USD } from "../args/flags.ts";
import { money } from "../screen/layout.ts";

const SECONDS_PER_HOUR = 3_600;

/** What a command gives its Runtime: trimming (on for `go` unless refused, else with `-T`) and the handoff. */
export function survivalOptions({
  command,
  globals,
  flags,
}: Command): Pick<RuntimeOptions, "trim" | "handoff"> {
  const trim = command === "go" ? flags.noTrim !== true : globals.trim;
  if (flags.noHandoff === true) return { trim, handoff: false };
  return { trim, handoff: new HandoffPolicy({ window: flags.window }) };
}

function toUsd(budget: RunFlags["budget"]): number | undefined {
  return budget === "none" ? Number.POSITIVE_INFINITY : budget;
}

/**
 * The limits of a run: what was typed, else what the workflow names itself, else what a file gives, else the command's
 * own budget.
 */
export function limitsOf({ flags, fromFiles }: Command, own: BudgetOptions = {}): BudgetOptions {
  const budgetUsd = toUsd(flags.budget);
  const deadlineS = flags.deadline === undefined ? undefined : flags.deadline * SECONDS_PER_HOUR;
  const ownFirst = <T>(key: string, given: T | undefined, named: T | undefined) =>
    fromFiles[key] === undefined ? (given ?? named) : (named ?? given);
  return {
    budgetUsd: ownFirst("budget", budgetUsd, own.budgetUsd) ?? DEFAULT_BUDGET_USD,
    deadlineS: ownFirst("deadline", deadlineS, own.deadlineS),
  };
}

/** The limits as said before a run begins; the default one says how to change it. */
export function limitWords(t: Translator, flags: RunFlags, limits: BudgetOptions): string {
  const { budgetUsd = Number.POSITIVE_INFINITY, deadlineS } = limits;
  const amount = money(budgetUsd);
  const budget =
    budgetUsd === Number.POSITIVE_INFINITY
      ? t("banner.no_budget")
      : t(flags.budget === undefined ? "banner.budget_default" : "banner.budget", { amount });
  if (deadlineS === undefined || deadlineS === Number.POSITIVE_INFINITY) return budget;
  const hours = Number((deadlineS / SECONDS_PER_HOUR).toPrecision(3));
  return `${t("banner.deadline", { hours })} · ${budget}`;
}
