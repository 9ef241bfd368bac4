// What is said where a run that is at work must be left alone.

import { inEnglish, wordsOf } from "../../config/locale/words.ts";
import { LeaseError } from "../../core/errors.ts";
import type { Words } from "../../core/words.ts";

/** The refusal, `worktrees_in_use`. */
export function inUse(what: Words): LeaseError {
  const next = wordsOf("said.tree.in_use_next");
  const init = { code: "worktrees_in_use", hint: inEnglish(next), values: { what, next } };
  return new LeaseError(inEnglish(what), init);
}
