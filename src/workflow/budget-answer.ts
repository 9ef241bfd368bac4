// A person's answer at the limit of a run, understood. Pure; doubtful words are asked about, never guessed upwards.

import type { RunLimit } from "../runtime/run-brake.ts";

/** What the person wants. */
export type BudgetAnswer =
  | { readonly kind: "stop" }
  | { readonly kind: "finish" }
  /** So much more than has been used by now. */
  | { readonly kind: "raise"; readonly by: number }
  /** The limit itself, counted from the start of the run. */
  | { readonly kind: "raise_to"; readonly to: number }
  /** Raise, but the words do not say by how much. */
  | { readonly kind: "raise_unsaid" }
  | { readonly kind: "unclear" };

/** The three choices as they were offered. */
export interface BudgetChoices {
  readonly raise: string;
  readonly stop: string;
  readonly finish: string;
}

const NUMBER =
  /(?<![\p{L}\d.,])(\d[\d.,']*)\s*(k|m|mio|million|h|hours?|horas?|min(?:utes?|utos?)?|s|seconds?|小时|分钟|万)?(?![\p{L}\d])/iu;
/** A number after one of these is where the limit shall stand, not what is added. */
const TO = /\b(?:to|até|para)\s*(?:US)?\$?\s*$|(?:到|至|为)\s*\$?\s*$/iu;
const STOP = /^\s*(?:stop|no|quit|end|abort|cancel|parar?|não|nao|停|停止|不|结束)(?![a-z])/iu;
const FINISH = /\b(?:finish|terminar?)\b|做完|完成/iu;

const FACTORS: Readonly<Record<RunLimit, readonly (readonly [RegExp, number])[]>> = {
  usd: [[/^k$/i, 1_000]],
  tokens: [
    [/^k$/i, 1_000],
    [/^(?:m|mio|million)$/i, 1_000_000],
    [/^万$/, 10_000],
  ],
  // Without a unit a deadline is meant in hours: nobody counts a run of days in seconds.
  deadline: [
    [/^(?:m|min.*|分钟)$/i, 60],
    [/^s/i, 1],
    [/^(?:h.*|小时)?$/i, 3_600],
  ],
};

/** A number as people write it: 20, 20.5, 2,5, 1,000 and 1.000.000. */
function plainNumber(written: string): number {
  const digits = written.replace(/[.,']$/, "");
  if (/^\d{1,3}(?:[.,']\d{3}){2,}$|^\d{1,3}[,']\d{3}$/.test(digits))
    return Number(digits.replace(/[.,']/g, ""));
  if (/^\d{1,3}(?:,\d{3})+\.\d+$/.test(digits)) return Number(digits.replace(/,/g, ""));
  return Number(digits.replace(",", "."));
}

/** The amount in these words, in dollars, tokens or seconds; undefined when there is none, or more than one. */
function amountIn(
  text: string,
  limit: RunLimit,
): { readonly amount: number; readonly isTarget: boolean } | undefined {
  const found = NUMBER.exec(text);
  if (found === null) return undefined;
  const after = text.slice(found.index + found[0].length);
  if (NUMBER.test(after) || /[-\u2212]\s*\$?\s*$/.test(text.slice(0, found.index))) return undefined;
  const unit = found[2] ?? "";
  const factor =
    FACTORS[limit].find(([pattern]) => pattern.test(unit))?.[1] ?? (unit === "" ? 1 : Number.NaN);
  const amount = plainNumber(found[1] ?? "") * factor;
  if (!Number.isFinite(amount) || amount <= 0) return undefined;
  return { amount, isTarget: TO.test(text.slice(0, found.index)) };
}

/** Understand an answer to "by how much?". */
export function readAmount(text: string, limit: RunLimit): BudgetAnswer {
  const found = amountIn(text.normalize("NFKC"), limit);
  if (found === undefined) return STOP.test(text) ? { kind: "stop" } : { kind: "unclear" };
  return found.isTarget ? { kind: "raise_to", to: found.amount } : { kind: "raise", by: found.amount };
}

/** Understand an answer to "the budget is used up, what now?". */
export function readBudgetAnswer(text: string, choices: BudgetChoices, limit: RunLimit): BudgetAnswer {
  const said = text.trim();
  if (said === choices.stop) return { kind: "stop" };
  if (said === choices.finish) return { kind: "finish" };
  if (said === choices.raise) return { kind: "raise_unsaid" };
  if (STOP.test(said)) return { kind: "stop" };
  const amount = readAmount(said, limit);
  if (amount.kind !== "unclear") return amount;
  if (FINISH.test(said)) return { kind: "finish" };
  return said === "" ? { kind: "unclear" } : { kind: "raise_unsaid" };
}
