// What counts as done is not for agents to write: the frozen documents, and flower's own conclusions. The first wall
// only: a command in Bash goes past it, and is found out afterwards by the documents' hashes.

import { deny, inputOf, PASS } from "./call.ts";
import type { PreGuard, ToolCall } from "./decision.ts";
import { isInside, isSameEntry, physicalPath } from "./physical-path.ts";
import { WRITERS, writtenPlaces } from "./written-file.ts";

/** Options of {@link frozenPreGuard}. */
export interface FrozenGuardOptions {
  /** Absolute paths of files and folders, asked at every call: documents are frozen while a run goes on. */
  readonly protects: () => readonly string[];
}

function isProtected(call: ToolCall, paths: readonly string[]): boolean {
  const path = inputOf(call)?.[WRITERS.get(call.tool) ?? ""];
  if (typeof path !== "string" || path === "") return false;
  const places = writtenPlaces(path.trim(), call.cwd || "/");
  return paths.some((frozen) => {
    const home = physicalPath(frozen) ?? frozen;
    return places.some((place) => place !== undefined && (isInside(place, home) || isSameEntry(place, home)));
  });
}

/** Refuses every tool that writes a file on what is frozen, on every thread. */
export function frozenPreGuard(options: FrozenGuardOptions): PreGuard {
  return {
    name: "frozen",
    tools: [...WRITERS.keys()],
    decide: (call) => {
      if (!isProtected(call, options.protects())) return PASS;
      return deny(
        "This file says what the person wants and what counts as done, or is flower's own record of it. It is frozen: only the person changes it. If it is wrong, say so in your report and go on by what it says.",
      );
    },
  };
}
