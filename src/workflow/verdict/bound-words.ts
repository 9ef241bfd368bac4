// A binding in words: the verdict that counts, as the work and a person read it. Pure.

import type { Translator } from "../../config/locale/translator.ts";
import { Verdict } from "../../documents/verdict.ts";
import type { EvidenceItem } from "../../evidence/evidence.ts";
import type { Binding } from "./bind-verdict.ts";

/** Reason put on a verdict that could not be read: unclear is never achieved. */
const UNCLEAR =
  "The verdict could not be read. Show for every check what proves it: command, exit code, output, path.";

/** What the words are made from. */
export interface BoundWords {
  /** What the judge said. */
  readonly verdict: Verdict;
  readonly items: readonly EvidenceItem[];
  readonly say: Translator;
}

/** Item numbers as they are read. */
export function listed(numbers: readonly number[]): string {
  return numbers.join(", ");
}

/** A verdict that could not be read, with a reason the work can do something about. */
export function unclearVerdict(verdict: Verdict): Verdict {
  return new Verdict({ state: "", reason: UNCLEAR, failed: verdict.failed });
}

/** Items of a list, each with its number, its words and why it does not count. */
export function itemLines(
  items: readonly EvidenceItem[],
  numbers: readonly number[],
  why?: string,
): string[] {
  return numbers.map((number) => {
    const item = items.find((each) => each.number === number);
    const because = why ?? item?.why ?? "";
    return `${number}: ${item?.check.text ?? ""}${because === "" ? "" : ` – ${because}`}`;
  });
}

/** flower's words first; what the judge said stays below them, and as whose. */
function reasonOf({ verdict, say }: BoundWords, words: readonly string[]): string {
  const own = words.join("\n");
  if (verdict.state === "not_yet" || verdict.state === "")
    return [own, verdict.reason].filter((part) => part !== "").join("\n\n");
  const said = say("evidence.judge_said", { verdict: say(`verdict.${verdict.state}`) });
  return `${own}\n\n${said}\n${verdict.reason}`.trim();
}

/** The judge's own verdict, or the one the evidence makes of it. */
export function boundVerdict(binding: Binding, from: BoundWords): Verdict {
  const { verdict, items, say } = from;
  if (binding.kind === "unclear") return unclearVerdict(verdict);
  if (binding.kind === "unreachable") {
    if (binding.items.length === 0) return verdict;
    return new Verdict({
      state: "unreachable",
      reason: reasonOf(from, [say("evidence.open", { items: listed(binding.items) })]),
      failed: itemLines(items, binding.items),
    });
  }
  if (binding.kind !== "not_yet") return verdict;
  const { broken, unproven } = binding;
  if (broken.length === 0 && unproven.length === 0) return verdict;
  const words = [
    ...(broken.length === 0 ? [] : [say("evidence.broken", { items: listed(broken) })]),
    ...(unproven.length === 0 ? [] : [say("evidence.no_path", { items: listed(unproven) })]),
  ];
  return new Verdict({
    state: "not_yet",
    reason: reasonOf(from, words),
    failed: [
      ...verdict.failed,
      ...itemLines(items, broken),
      ...itemLines(items, unproven, say("evidence.no_path_item")),
    ],
  });
}
