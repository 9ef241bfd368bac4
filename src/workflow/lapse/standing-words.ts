// What a person reads about the last verdict and what became of it.

import { basename } from "node:path";
import { sayValue, type Translator } from "../../config/locale/translator.ts";
import { wordsOf } from "../../config/locale/words.ts";
import type { Words } from "../../core/words.ts";
import type { Standing } from "./standing.ts";
import type { LastVerdict } from "./verdict-files.ts";
import type { RuledState } from "./verdict-record.ts";

const STATES = {
  achieved: "verdict.achieved",
  accepted: "verdict.accepted",
  not_yet: "verdict.not_yet",
  unreachable: "verdict.unreachable",
  unclear: "verdict.unclear",
} as const satisfies Record<RuledState, string>;

/** A verdict with what has changed since. */
export function standingWords(last: LastVerdict, standing: Standing): Words {
  const verdict = wordsOf(STATES[last.state]);
  switch (standing.kind) {
    case "holds":
      return verdict;
    case "tree_changed":
      return wordsOf("standing.tree_changed", { verdict });
    case "documents_changed": {
      const names = last.changedDocuments.map((path) => basename(path)).join(", ");
      return wordsOf("standing.documents_changed", { verdict, names });
    }
    case "worked_on":
      return wordsOf("standing.worked_on", { verdict });
    case "unknown":
      return wordsOf("standing.unknown", { verdict, why: standing.why });
  }
}

/** The same in one line of a person's language. */
export function describeStanding(t: Translator, last: LastVerdict, standing: Standing): string {
  return sayValue(t, standingWords(last, standing));
}
