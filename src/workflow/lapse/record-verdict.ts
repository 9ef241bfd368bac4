// Writing a verdict down: a file for people and later runs, and the facts of it in the books.

import { join } from "node:path";
import { reasonOf, wordsOf } from "../../config/locale/words.ts";
import { readProcessEnv } from "../../config/process-env.ts";
import { epochS } from "../../core/clock.ts";
import { writeAtomic } from "../../core/json.ts";
import { relativeKey } from "../../core/paths.ts";
import type { Fingerprint } from "../../evidence/fingerprint.ts";
import { fingerprintWork } from "../../evidence/work-tree.ts";
import { createNotice } from "../../runtime/notice.ts";
import { VERDICT_KEY } from "../context.ts";
import type { Round } from "../verdict/goal-guard.ts";
import { verdictFolder, verdictName } from "./verdict-files.ts";
import { bookedFacts, renderRecord, stateOf, type VerdictRecord } from "./verdict-record.ts";

/** What a verdict will hold for: how things were when it was looked at. */
interface Basis {
  readonly tree: Fingerprint;
  readonly documents: Readonly<Record<string, string>>;
}

function look({ place, ctx }: Round): Promise<Fingerprint> {
  return fingerprintWork(place.work, readProcessEnv(), ctx._signal);
}

function recordOf(round: Round, basis: Basis, passes: boolean): VerdictRecord | undefined {
  const { ctx, guard, runtime, number } = round;
  const { work } = round.place;
  const verdict = ctx[VERDICT_KEY];
  if (verdict === undefined) return undefined;
  const named = (path: string) => relativeKey(runtime.workspace, path);
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
      folder: named(work.folder),
      exclude: work.exclude.map(named),
      isolated: work.isIsolated,
    },
  };
}

/** A disk that cannot be written costs a later run its knowledge of the verdict, and this one nothing. */
function write(round: Round, record: VerdictRecord): void {
  const { runDir, workbench, workspace } = round.runtime;
  const path = join(verdictFolder(runDir, workbench?.notes), verdictName(record));
  try {
    writeAtomic(path, renderRecord(record));
    round.runtime.note(record.judge, { verdict: bookedFacts(record, relativeKey(workspace, path)) });
  } catch (error) {
    round.ctx._onEvent?.(createNotice("store", wordsOf("notice.books", { reason: reasonOf(error) })));
  }
}

/**
 * Have a round decided, and write down what was ruled; a round in which nobody ruled leaves nothing.
 * @param decide - calls what it is given once the judges have ruled, while the work is as they saw it.
 * @returns whether the work passes.
 * @throws what `decide` throws; what was ruled before that is written down.
 */
export async function recordRuling(
  round: Round,
  decide: (hasRuled: () => Promise<void>) => Promise<boolean>,
): Promise<boolean> {
  const { ctx, guard } = round;
  const before = ctx[VERDICT_KEY];
  const documents = ctx._frozen?.hashes() ?? {};
  let tree = round.evidence?.after ?? (await look(round));
  let passes = false;
  try {
    passes = await decide(async () => {
      // A judge that may run commands leaves files of theirs: what it saw last is what it ruled on.
      if (guard.canRun) tree = await look(round);
    });
    return passes;
  } finally {
    const record = ctx[VERDICT_KEY] === before ? undefined : recordOf(round, { tree, documents }, passes);
    if (record !== undefined) write(round, record);
  }
}
