// What a judge's ruling is worth beside what flower saw itself. Pure: it decides, and asks nobody.

import { isUnverifiable } from "../../documents/items.ts";
import type { Verdict } from "../../documents/verdict.ts";
import type { EvidenceItem, EvidenceOutcome } from "../../evidence/evidence.ts";
import { failedNumbers } from "./item-numbers.ts";

/** A ruling with everything it is held against. */
export interface BindInput {
  readonly verdict: Verdict;
  /** One for each check of the goal, in its order. */
  readonly items: readonly EvidenceItem[];
  /** Items for which the judge named a path that is there. */
  readonly proven: ReadonlySet<number>;
  /** Items that could not be verified and about which a person has said something since: the judge decides on them. */
  readonly settled: ReadonlySet<number>;
  /** Whether the judge was asked for missing paths already. */
  readonly askedAgain: boolean;
}

/** What counts. Items are named by their number in the goal. */
export type Binding =
  | { readonly kind: "achieved" }
  /** What the judge said, and beyond it `broken`: commands that say otherwise; `unproven`: items passed on no evidence. */
  | {
      readonly kind: "not_yet";
      readonly broken: readonly number[];
      readonly unproven: readonly number[];
      /** What the judge itself names; 0 for what names no item. */
      readonly named: readonly number[];
    }
  /** A person decides. `items` are those flower adds to what the judge said. */
  | { readonly kind: "unreachable"; readonly items: readonly number[] }
  /** The judge passed these and named no path: it is asked for that, once. */
  | { readonly kind: "unproven"; readonly items: readonly number[] }
  /** Rejected for nothing but items whose commands held: another judge is asked. */
  | { readonly kind: "contested"; readonly items: readonly number[] }
  | { readonly kind: "unclear" };

const BROKEN: ReadonlySet<EvidenceOutcome> = new Set(["failed", "flaky", "timed_out", "not_run"]);

/** Whether what flower saw of an item speaks against it. */
export function isBroken(item: EvidenceItem): boolean {
  return BROKEN.has(item.outcome);
}

/** Whether nobody can tell here, by the goal's mark or because the command could not run. */
export function isOpen(item: EvidenceItem): boolean {
  return !isBroken(item) && (item.outcome === "unverifiable" || isUnverifiable(item.check.text));
}

/** Whether it is the judge that decides on it, so that it has to say where it looked. */
function isForJudge({ outcome }: EvidenceItem): boolean {
  return outcome === "prose" || outcome === "ran" || outcome === "unverifiable";
}

function numbersOf(items: readonly EvidenceItem[], is: (item: EvidenceItem) => boolean): number[] {
  return items.filter(is).map((item) => item.number);
}

function bindAchieved(input: BindInput): Binding {
  const { items, proven, settled } = input;
  const broken = numbersOf(items, isBroken);
  if (broken.length > 0) return { kind: "not_yet", broken, unproven: [], named: [] };
  const open = numbersOf(items, (item) => isOpen(item) && !settled.has(item.number));
  const unproven = numbersOf(
    items,
    (item) => isForJudge(item) && !open.includes(item.number) && !proven.has(item.number),
  );
  if (unproven.length > 0) {
    if (!input.askedAgain) return { kind: "unproven", items: unproven };
    return { kind: "not_yet", broken: [], unproven, named: [] };
  }
  return open.length > 0 ? { kind: "unreachable", items: open } : { kind: "achieved" };
}

/**
 * Hold a ruling against the evidence of its round.
 * Achieved passes only with no command against it, a path for every item that is the judge's, and nothing left open. A
 * rejection stands unless all it names are commands that held. That it cannot be verified here stands too, unless a
 * command failed that the judge does not speak of: what can be done comes first.
 */
export function bindVerdict(input: BindInput): Binding {
  const { verdict, items } = input;
  if (!verdict.ok) return { kind: "unclear" };
  if (verdict.achieved) return bindAchieved(input);
  const named = failedNumbers(
    verdict.failed,
    items.map((item) => item.check.text),
  );
  const broken = numbersOf(items, (item) => isBroken(item) && !named.includes(item.number));
  if (verdict.unreachable && broken.length === 0) return { kind: "unreachable", items: [] };
  const isAgainstEvidence =
    named.length > 0 &&
    !items.some(isBroken) &&
    named.every((number) => items[number - 1]?.outcome === "held");
  if (isAgainstEvidence) return { kind: "contested", items: named };
  return { kind: "not_yet", broken, unproven: [], named };
}

/** Whether a second judge leaves a contested rejection standing: it says the same, or nothing that could be read. */
export function upholds(second: Binding): boolean {
  if (second.kind === "contested" || second.kind === "unclear") return true;
  return (
    second.kind === "not_yet" &&
    second.broken.length === 0 &&
    second.unproven.length === 0 &&
    second.named.every((number) => number === 0)
  );
}
