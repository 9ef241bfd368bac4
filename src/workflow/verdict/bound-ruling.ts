// A judge's ruling as it counts: held against the evidence, and asked for the paths it left out.

import { wordsOf } from "../../config/locale/words.ts";
import type { Verdict } from "../../documents/verdict.ts";
import { type Binding, bindVerdict } from "./bind-verdict.ts";
import { boundVerdict, listed, unclearVerdict } from "./bound-words.ts";
import { type Round, tellOfJudge } from "./goal-guard.ts";
import { provenItems } from "./proven-items.ts";
import { type Ruling, ruleOn, verdictPrompt } from "./ruling.ts";

/** A ruling, and what it comes to. */
export interface BoundRuling {
  /** What counts, flower's own words included. */
  readonly verdict: Verdict;
  /** Undefined without evidence: then the judge's word counts alone. */
  readonly binding: Binding | undefined;
}

/** What a judge has said so far. */
interface Said {
  readonly verdict: Verdict;
  /** Everything in which it may have named a path. */
  readonly reasons: readonly string[];
  readonly askedAgain: boolean;
}

function bind(round: Round, said: Said): Binding {
  const { evidence, guard, runtime, place, goal, ctx } = round;
  const folders = [
    ...[place.folder, runtime.workspace],
    ...[runtime.workbench?.root, evidence?.folder].filter((folder) => folder !== undefined),
  ];
  const proven = said.reasons.flatMap((reason) => [...provenItems({ reason, checks: goal.checks, folders })]);
  return bindVerdict({
    verdict: said.verdict,
    items: evidence?.items ?? [],
    proven: new Set(proven),
    settled: guard.settled.get(ctx) ?? new Set(),
    askedAgain: said.askedAgain,
  });
}

function pathsPrompt(items: readonly number[]): string {
  const which = items.length === 1 ? `item ${items[0]}` : `items ${listed(items)}`;
  return `You concluded achieved, and for ${which} your reason names no path that exists here. Look again. Reply with the three sections once more; the Reason has a line for each of these: its number, a colon, what you saw, and the path you saw it in. An item for which there is no such path is not passed.`;
}

/** Ask the same judge for what it left out. A reply with paths alone leaves its ruling as it was. */
async function askForPaths(
  round: Round,
  ruling: Ruling,
  { items, suffix }: { readonly items: readonly number[]; readonly suffix: string },
): Promise<Said> {
  const { verdict, sessionId } = ruling;
  if (sessionId === null) return { verdict, reasons: [verdict.reason], askedAgain: true };
  tellOfJudge(round, "again", wordsOf("evidence.ask_paths", { items: listed(items) }));
  const prompt = pathsPrompt(items);
  const again = await ruleOn(round, { suffix: `${suffix}.again`, prompt, resume: sessionId });
  const words = again.verdict.reason || again.text;
  return {
    verdict: again.verdict.ok ? again.verdict : verdict,
    // Asked about one item, a judge speaks of that one.
    reasons: [verdict.reason, items.length === 1 ? `${items[0]}:\n${words}` : words],
    askedAgain: true,
  };
}

/** Have a round ruled on by a fresh judge, and bind what it says. `suffix` and `more` are what sets this judge apart. */
export async function ruleBound(round: Round, suffix = "", more = ""): Promise<BoundRuling> {
  const ruling = await ruleOn(round, { suffix, prompt: verdictPrompt(round, more) });
  const { verdict } = ruling;
  if (round.evidence === undefined)
    return { verdict: verdict.ok ? verdict : unclearVerdict(verdict), binding: undefined };
  const words = { items: round.evidence.items, say: round.guard.say };
  const binding = bind(round, { verdict, reasons: [verdict.reason], askedAgain: false });
  if (binding.kind !== "unproven") return { verdict: boundVerdict(binding, { ...words, verdict }), binding };
  const said = await askForPaths(round, ruling, { items: binding.items, suffix });
  const bound = bind(round, said);
  return { verdict: boundVerdict(bound, { ...words, verdict: said.verdict }), binding: bound };
}
