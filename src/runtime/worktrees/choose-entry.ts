// Which worktree a person means: by name, branch, agent id or run id, or the beginning or end of one. Pure.

import { IsolationError } from "../../core/errors.ts";
import { nearestName } from "../../core/options.ts";
import type { WorktreeEntry } from "./survey.ts";

type Named = Pick<WorktreeEntry, "name" | "branch">;

/** Everything an entry is called. */
function callsOf({ name, branch }: Named): readonly string[] {
  return [name, branch, name.replace(/^(?:agent|flower)-/, ""), branch.replace(/^flower\//, "")];
}

function refuse(code: string, message: string, hint: string): IsolationError {
  return new IsolationError(message, { code, hint });
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
    throw refuse("worktree_ambiguous", `${wanted} may mean ${names}`, "type more of the name");
  }
  const near = nearestName(
    wanted,
    entries.map(({ name }) => name),
  );
  const hint = near === undefined ? "`flower worktrees` lists what there is" : `did you mean ${near}?`;
  throw refuse("worktree_unknown", `there is no worktree ${wanted}`, hint);
}
