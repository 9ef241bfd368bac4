// Which worktree a person means: by name, branch, agent id or run id, or the beginning or end of one. Pure.

import { inEnglish, wordsOf } from "../../config/locale/words.ts";
import { IsolationError } from "../../core/errors.ts";
import { nearestName } from "../../core/options.ts";
import type { Words } from "../../core/words.ts";
import type { WorktreeEntry } from "./survey.ts";

type Named = Pick<WorktreeEntry, "name" | "branch">;

/** Everything an entry is called. */
function callsOf({ name, branch }: Named): readonly string[] {
  return [name, branch, name.replace(/^(?:agent|flower)-/, ""), branch.replace(/^flower\//, "")];
}

function refuse(code: string, what: Words, next: Words): IsolationError {
  return new IsolationError(inEnglish(what), { code, hint: inEnglish(next), values: { what, next } });
}

/** Enough to tell that it was not typed by chance. */
const SHORTEST = 4;

/**
 * The entry a person means.
 * @throws IsolationError `worktree_unknown`, `worktree_ambiguous`.
 */
export function chooseEntry<E extends Named>(entries: readonly E[], typed: string): E {
  const wanted = typed.trim();
  const whole = entries.filter((entry) => callsOf(entry).includes(wanted));
  const part = (entry: Named) =>
    callsOf(entry).some((call) => call.startsWith(wanted) || call.endsWith(wanted));
  const found = whole.length > 0 || wanted.length < SHORTEST ? whole : entries.filter(part);
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  const names = found.map(({ name }) => name).join(", ");
  if (only !== undefined) {
    throw refuse(
      "worktree_ambiguous",
      wordsOf("said.tree.ambiguous", { name: wanted, names }),
      wordsOf("said.tree.ambiguous_next"),
    );
  }
  const near = nearestName(
    wanted,
    entries.map(({ name }) => name),
  );
  const next =
    near === undefined ? wordsOf("said.tree.unknown_next") : wordsOf("said.tree.near", { name: near });
  throw refuse("worktree_unknown", wordsOf("said.tree.unknown", { name: wanted }), next);
}
