// Writing a verdict down: a file for people and later runs, and the facts of it in the books.

import { join, relative, sep } from "node:path";
import { readProcessEnv } from "../../config/process-env.ts";
import { epochS } from "../../core/clock.ts";
import { errorText } from "../../core/errors.ts";
import { writeAtomic } from "../../core/json.ts";
import { createEvent } from "../../events/event.ts";
import type { Fingerprint } from "../../evidence/fingerprint.ts";
import { fingerprintWork, type WorkTree, workTreeOf } from "../../evidence/work-tree.ts";
import { VERDICT_KEY } from "../context.ts";
import type { Round } from "../verdict/goal-guard.ts";
import { verdictFolder, verdictName } from "./verdict-files.ts";
import { bookedFacts, renderRecord, stateOf, type VerdictRecord } from "./verdict-record.ts";

/** What a verdict will hold for: how things were when it was looked at. */
interface Basis {
  readonly work: WorkTree;
  readonly tree: Fingerprint;
  readonly documents: Readonly<Record<string, string>>;
}

function look(work: WorkTree, round: Round): Promise<Fingerprint> {
  return fingerprintWork(work, readProcessEnv(), round.ctx._signal);
}

async function basisOf(round: Round): Promise<Basis> {
  const { workspace, runDir, workbench } = round.runtime;
  const { place, ctx } = round;
  const work = workTreeOf({
    workspace,
    runDir,
    workbench: workbench?.root,
    folder: place.folder,
    isIsolated: place.isSpread,
  });
  return { work, tree: await look(work, round), documents: ctx._frozen?.hashes() ?? {} };
}

function recordOf(round: Round, basis: Basis, passes: boolean): VerdictRecord | undefined {
  const { ctx, guard, runtime, number } = round;
  const verdict = ctx[VERDICT_KEY];
  if (verdict === undefined) return undefined;
  const named = (path: string) => relative(runtime.workspace, path).split(sep).join("/");
  return {
    state: stateOf(verdict, passes),
    judged: verdict.state,
    run: runtime.runId,
    step: guard.step.name,
    judge: `${guard.name}#${number}`,
    round: number,
    rounds: guard.rounds,
    at: epochS(),
    reason: verdict.reason,
    failed: verdict.failed,
    evidence: round.evidence === undefined ? null : named(round.evidence.folder),
    documents: basis.documents,
    tree: basis.tree,
    work: {
      folder: named(basis.work.folder),
      exclude: basis.work.exclude.map(named),
      isolated: basis.work.isIsolated,
    },
  };
}

/** A disk that cannot be written costs a later run its knowledge of the verdict, and this one nothing. */
function write(round: Round, record: VerdictRecord): void {
  const { runDir, workbench, workspace } = round.runtime;
  const path = join(verdictFolder(runDir, workbench?.notes), verdictName(record));
  try {
    writeAtomic(path, renderRecord(record));
    round.runtime.note(record.judge, { verdict: bookedFacts(record, relative(workspace, path)) });
  } catch (error) {
    round.ctx._onEvent?.(createEvent("task", { text: errorText(error), payload: { notice: "store" } }));
  }
}

/**
 * Have a round decided, and write down what was ruled; a round in which nobody ruled leaves nothing.
 * @returns whether the work passes.
 * @throws what `decide` throws; what was ruled before that is written down.
 */
export async function recordRuling(round: Round, decide: () => Promise<boolean>): Promise<boolean> {
  const { ctx, guard } = round;
  const before = ctx[VERDICT_KEY];
  const basis = await basisOf(round);
  let passes = false;
  try {
    passes = await decide();
    return passes;
  } finally {
    if (ctx[VERDICT_KEY] !== before) {
      // A judge that may run commands leaves files of theirs: what it saw last is what it ruled on.
      const tree = guard.canRun ? await look(basis.work, round) : basis.tree;
      const record = recordOf(round, { ...basis, tree }, passes);
      if (record !== undefined) write(round, record);
    }
  }
}
