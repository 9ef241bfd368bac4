// What to do after an attempt: one pure decision, tested as a table.

import type { AttemptEnd } from "./attempt.ts";
import { explainFailure, type FailureWords } from "./failure.ts";

/** What happens next in a step. */
export type Move = { readonly kind: "done" } | { readonly kind: "stop"; readonly words: FailureWords };

/** What the decision is made from. */
export interface Situation {
  readonly end: AttemptEnd;
  /** What the broker saw of the upstream last. */
  readonly upstream: string | undefined;
}

/** Decide what follows an attempt. */
export function nextMove(situation: Situation): Move {
  const { end, upstream } = situation;
  switch (end.kind) {
    case "done":
      return { kind: "done" };
    case "aborted":
      return { kind: "stop", words: { error: "stopped on request", hint: "" } };
    case "failed":
      return { kind: "stop", words: explainFailure({ ...end, upstream }) };
  }
}
