// What a person reads about the last verdict and what became of it.

import { basename } from "node:path";
import type { Translator } from "../../config/locale/translator.ts";
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

/** A verdict in one line, with what has changed since. */
export function describeStanding(say: Translator, last: LastVerdict, standing: Standing): string {
  const verdict = say(STATES[last.state]);
  switch (standing.kind) {
    case "holds":
      return verdict;
    case "tree_changed":
      return say("standing.tree_changed", { verdict });
    case "documents_changed": {
      const names = last.changedDocuments.map((path) => basename(path)).join(", ");
      return say("standing.documents_changed", { verdict, names });
    }
    case "worked_on":
      return say("standing.worked_on", { verdict });
    case "unknown":
      return say("standing.unknown", { verdict, why: standing.why });
  }
}
