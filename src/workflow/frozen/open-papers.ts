// The frozen documents of a run, tied to what they must hear of: every agent that starts and ends, and every word a
// person adds to a document.

import { join } from "node:path";
import type { Translator } from "../../config/locale/translator.ts";
import type { HumanChannel } from "../../people/human-channel.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import type { Lineage } from "../lineage.ts";
import { FROZEN_FOLDER } from "./frozen-copy.ts";
import { FrozenPapers } from "./frozen-papers.ts";
import { FrozenStore } from "./frozen-store.ts";

/** What the papers are opened with. */
export interface PapersInput {
  readonly runtime: Runtime;
  readonly channel: HumanChannel | undefined;
  readonly lineage: Lineage;
  readonly say: Translator;
  /** Whether the run holds the folder. */
  readonly isAlone: boolean;
  /** Folder of the verdicts. */
  readonly verdicts: string;
}

/** Open the papers of a run; `close` unties them. */
export function openPapers(input: PapersInput): {
  readonly papers: FrozenPapers;
  readonly close: () => void;
} {
  const { runtime, channel, lineage, say, isAlone, verdicts } = input;
  const { runDir, workspace, runId } = runtime;
  const papers = new FrozenPapers({
    store: new FrozenStore({ runDir, workspace, runId, lineage, isAlone }),
    channel,
    say,
    emit: (event) => runtime.emit(event),
    alsoProtected: [verdicts, join(runDir, FROZEN_FOLDER), lineage.path, runtime.manifestPath],
  });
  const unwatch = runtime.watchSteps(papers);
  const unhear = channel?.watchAmendments((path, before, added) => papers.amended(path, before, added));
  return {
    papers,
    close: () => {
      unwatch();
      unhear?.();
    },
  };
}
