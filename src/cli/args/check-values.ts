// The values of options, checked and converted. Pure.

import { baseUrlFault, withoutPath } from "../../config/base-url.ts";
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

const AGE = /^(\d+(?:\.\d+)?)([hdw]?)$/;
const UNIT_S: Readonly<Record<string, number>> = { h: 3_600, d: 86_400, w: 604_800 };

/** A name that begins with a dash would be read as an option by the harness. */
const MODEL = /^[^\s\p{Cc}-][^\s\p{Cc}]*$/u;

const NUMBERS = {
  number: { key: "expected.number", fits: () => true },
  amount: { key: "expected.amount", fits: (n: number) => n > 0 },
  seconds: { key: "expected.seconds", fits: (n: number) => n >= 0 },
  hours: { key: "expected.hours", fits: (n: number) => n > 0 },
  whole: { key: "expected.whole", fits: Number.isSafeInteger },
  count: { key: "expected.count", fits: (n: number) => Number.isSafeInteger(n) && n >= 1 },
} as const satisfies Record<string, { key: MessageKey; fits: (n: number) => boolean }>;

/** A phrase of the catalogue and what stands in it. */
interface Expected {
  readonly key: MessageKey;
  readonly parameters?: Readonly<Record<string, string>>;
}

function expectedOf({ value }: Flag): Expected {
  switch (value.kind) {
    case "number":
      return { key: NUMBERS[value.expected].key };
    case "limit":
      return { key: "expected.limit", parameters: { none: value.none } };
    case "age":
      return { key: "expected.age" };
    case "choice":
      return { key: "expected.choice", parameters: { choices: value.of.join(", ") } };
    case "list":
      return { key: "expected.list" };
    case "model":
      return { key: "expected.model" };
    case "address":
      return { key: "expected.address" };
    case "flag":
      return { key: "expected.switch" };
    case "text":
    case "folder":
    case "run":
      return { key: "expected.text" };
  }
}

/** That a value is not what the option needs; `name` and `value` as the person wrote them. */
export function badValue(flag: Flag, name: string, value: string): UsageProblem {
  const { key, parameters } = expectedOf(flag);
  const shown = { flag: name, value: value === "" ? '""' : value };
  return {
    key: "usage.bad_value",
    parameters: { ...shown, ...parameters },
    phrase: { name: "expected", key },
  };
}

function toNumber(typed: string): number {
  return NUMBER.test(typed.trim()) ? Number(typed) : Number.NaN;
}

/** The value of what was typed; undefined for what cannot be one. */
function convert({ value }: Flag, typed: string): unknown {
  switch (value.kind) {
    case "number": {
      const number = toNumber(typed);
      return Number.isFinite(number) && NUMBERS[value.expected].fits(number) ? number : undefined;
    }
    case "limit": {
      if (typed.trim().toLowerCase() === value.none) return value.none;
      const number = toNumber(typed);
      return Number.isFinite(number) && number > 0 ? number : undefined;
    }
    case "age": {
      const [, number, unit] = AGE.exec(typed.trim().toLowerCase()) ?? [];
      return number === undefined ? undefined : Number(number) * (UNIT_S[unit || "d"] ?? 0);
    }
    case "choice":
      return value.of.find((choice) => choice === typed);
    case "list": {
      const items = typed.split(/[\s,]+/).filter((item) => item !== "");
      return items.length > 0 ? items : undefined;
    }
    case "model":
      return MODEL.test(typed) ? typed : undefined;
    case "address": {
      const address = withoutPath(typed.trim());
      return baseUrlFault(address) === undefined ? address : undefined;
    }
    case "flag":
      return true;
    case "text":
    case "folder":
    case "run":
      return typed.trim() === "" ? undefined : typed;
  }
}

/** Check one value as typed, or as it would be typed. */
export function checkValue(flag: Flag, typed: string, name = flag.long): CheckedValue {
  const value = convert(flag, typed);
  return value === undefined
    ? { kind: "problem", problem: badValue(flag, name, typed) }
    : { kind: "value", value };
}

/** Pairs where the first has no effect unless, or because, the second is there; `key=value` means that value alone. */
const NEEDS: readonly (readonly [key: string, flag: string, other: string, otherFlag: string])[] = [
  ["fork", "--fork", "resume", "--resume"],
  ["at", "--at", "resume", "--resume"],
];
const EXCLUDES: readonly (readonly [key: string, flag: string, other: string, otherFlag: string])[] = [
  ["rounds", "--rounds", "noGoal", "--no-goal"],
  ["rounds", "--rounds", "clarifyOnly", "--clarify-only"],
  ["judgeCanRun", "--judge-can-run", "noGoal", "--no-goal"],
  ["judgeCanRun", "--judge-can-run", "clarifyOnly", "--clarify-only"],
  ["evidence", "--evidence", "noGoal", "--no-goal"],
  ["evidence", "--evidence", "clarifyOnly", "--clarify-only"],
  ["sandbox", "--sandbox", "noGoal", "--no-goal"],
  ["sandbox", "--sandbox", "clarifyOnly", "--clarify-only"],
  ["sandbox", "--sandbox", "evidence=off", "--evidence off"],
  ["noGoal", "--no-goal", "clarifyOnly", "--clarify-only"],
  ["isolate", "--isolate", "clarifyOnly", "--clarify-only"],
  ["check", "--check", "choice", "--kind"],
  ["check", "--check", "url", "--url"],
  ["check", "--check", "model", "--model"],
  ["fresh", "--new", "parallel", "--parallel"],
  ["window", "--window", "noHandoff", "--no-handoff"],
  ["trim", "--trim", "noTrim", "--no-trim"],
];

/** An option and its value. */
export type Given = readonly [key: string, value: unknown];

/** Whether a rule means an option with this value. */
function isNamed(rule: string, [key, value]: Given): boolean {
  const [name, alone] = rule.split("=");
  return name === key && (alone === undefined ? value !== undefined : value === alone);
}

/** Whether one of two options would do nothing beside the other. */
export function clash(one: Given, other: Given): boolean {
  return EXCLUDES.some(
    ([a, , b]) => (isNamed(a, one) && isNamed(b, other)) || (isNamed(a, other) && isNamed(b, one)),
  );
}

/** An option that would do nothing beside, or without, another. */
export function checkTogether(values: Values): UsageProblem | undefined {
  const has = (rule: string) => Object.entries(values).some((given) => isNamed(rule, given));
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
