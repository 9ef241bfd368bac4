// The values of options, checked and converted. Pure.

import type { MessageKey } from "../../config/locale/catalogue.ts";
import type { UsageProblem } from "./command-line.ts";
import type { Flag } from "./flags.ts";

/** A value, or why it cannot be. */
export type CheckedValue =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "problem"; readonly problem: UsageProblem };

/** Values of every flag so far, by key. */
export type Values = Readonly<Record<string, unknown>>;

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

const EXPECTED = {
  number: { key: "expected.number", fits: () => true },
  amount: { key: "expected.amount", fits: (n: number) => n > 0 },
  seconds: { key: "expected.seconds", fits: (n: number) => n >= 0 },
  hours: { key: "expected.hours", fits: (n: number) => n > 0 },
  whole: { key: "expected.whole", fits: Number.isSafeInteger },
  count: { key: "expected.count", fits: (n: number) => Number.isSafeInteger(n) && n >= 1 },
} as const satisfies Record<string, { key: MessageKey; fits: (n: number) => boolean }>;

function bad(flag: Flag, value: string, expected: MessageKey, parameters = {}): CheckedValue {
  return {
    kind: "problem",
    problem: {
      key: "usage.bad_value",
      parameters: { flag: flag.long, value: value === "" ? '""' : value, ...parameters },
      phrase: { name: "expected", key: expected },
    },
  };
}

/** Check one value as typed. */
export function checkValue(flag: Flag, typed: string): CheckedValue {
  const { value } = flag;
  switch (value.kind) {
    case "number": {
      const { key, fits } = EXPECTED[value.expected];
      const number = NUMBER.test(typed.trim()) ? Number(typed) : Number.NaN;
      return Number.isFinite(number) && fits(number)
        ? { kind: "value", value: number }
        : bad(flag, typed, key);
    }
    case "limit": {
      if (typed.trim().toLowerCase() === value.none) return { kind: "value", value: value.none };
      const number = NUMBER.test(typed.trim()) ? Number(typed) : Number.NaN;
      return Number.isFinite(number) && number > 0
        ? { kind: "value", value: number }
        : bad(flag, typed, "expected.limit", { none: value.none });
    }
    case "choice":
      return value.of.includes(typed)
        ? { kind: "value", value: typed }
        : bad(flag, typed, "expected.choice", { choices: value.of.join(", ") });
    case "list": {
      const items = typed.split(/[\s,]+/).filter((item) => item !== "");
      return items.length > 0 ? { kind: "value", value: items } : bad(flag, typed, "expected.list");
    }
    case "text":
    case "folder":
    case "run":
      return typed.trim() !== "" ? { kind: "value", value: typed } : bad(flag, typed, "expected.text");
    case "flag":
      return { kind: "value", value: true };
  }
}

/** Pairs where the first has no effect unless, or because, the second is there. */
const NEEDS: readonly (readonly [key: string, flag: string, other: string, otherFlag: string])[] = [
  ["fork", "--fork", "resume", "--resume"],
  ["at", "--at", "resume", "--resume"],
];
const EXCLUDES: readonly (readonly [key: string, flag: string, other: string, otherFlag: string])[] = [
  ["rounds", "--rounds", "noGoal", "--no-goal"],
  ["rounds", "--rounds", "clarifyOnly", "--clarify-only"],
  ["judgeCanRun", "--judge-can-run", "noGoal", "--no-goal"],
  ["judgeCanRun", "--judge-can-run", "clarifyOnly", "--clarify-only"],
  ["noGoal", "--no-goal", "clarifyOnly", "--clarify-only"],
  ["isolate", "--isolate", "clarifyOnly", "--clarify-only"],
  ["fresh", "--new", "parallel", "--parallel"],
  ["window", "--window", "noHandoff", "--no-handoff"],
  ["trim", "--trim", "noTrim", "--no-trim"],
];

/** An option that would do nothing beside, or without, another. */
export function checkTogether(values: Values): UsageProblem | undefined {
  const has = (key: string) => values[key] !== undefined;
  const lacking = NEEDS.find(([key, , other]) => has(key) && !has(other));
  if (lacking !== undefined) {
    const [, flag, , other] = lacking;
    return { key: "usage.needs_other", parameters: { flag, other } };
  }
  const clashing = EXCLUDES.find(([key, , other]) => has(key) && has(other));
  if (clashing === undefined) return undefined;
  const [, flag, , other] = clashing;
  return { key: "usage.not_with", parameters: { flag, other } };
}
