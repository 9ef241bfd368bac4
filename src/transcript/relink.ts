// The thread of a session: every entry names the one before it, and the harness walks that thread back from the last.
// What is cut out must not break it, and what is broken already is knotted again.

import { parentOf, type TranscriptEntry } from "./entry.ts";

function parentsByUuid(entries: readonly TranscriptEntry[]): Map<string, string | undefined> {
  const parents = new Map<string, string | undefined>();
  for (const entry of entries)
    if (entry.uuid !== undefined && !parents.has(entry.uuid)) parents.set(entry.uuid, parentOf(entry));
  return parents;
}

/** Walks from a dropped id to the nearest one that stays; each id is walked once. */
function createAncestorWalk(
  parents: ReadonlyMap<string, string | undefined>,
  dropped: ReadonlySet<string>,
): (uuid: string) => string | null {
  const found = new Map<string, string | null>();
  return (from) => {
    const passed: string[] = [];
    const walked = new Set<string>();
    let at: string | undefined = from;
    while (at !== undefined && dropped.has(at) && !found.has(at) && !walked.has(at)) {
      passed.push(at);
      walked.add(at);
      at = parents.get(at);
    }
    const end = at === undefined || walked.has(at) ? null : (found.get(at) ?? (dropped.has(at) ? null : at));
    for (const uuid of passed) found.set(uuid, end);
    return end;
  };
}

/**
 * The entries without the dropped ones; what hung on those hangs on their nearest ancestor that stays. `entries` must
 * be the complete list: without the dropped ones in it nobody knows what they hung on.
 */
export function relink(
  entries: readonly TranscriptEntry[],
  dropped: ReadonlySet<TranscriptEntry>,
): readonly TranscriptEntry[] {
  if (dropped.size === 0) return entries;
  const gone = new Set<string>();
  for (const entry of dropped) if (entry.uuid !== undefined) gone.add(entry.uuid);
  const survivor = createAncestorWalk(parentsByUuid(entries), gone);
  return entries
    .filter((entry) => !dropped.has(entry))
    .map((entry) => {
      const parent = parentOf(entry);
      return parent !== undefined && gone.has(parent) ? { ...entry, parentUuid: survivor(parent) } : entry;
    });
}

/** Where each id stands first in the list. */
function positionsOf(entries: readonly TranscriptEntry[]): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  entries.forEach((entry, at) => {
    if (entry.uuid !== undefined && !positions.has(entry.uuid)) positions.set(entry.uuid, at);
  });
  return positions;
}

/** For each entry the one in the same thread (main or worker's) that stands before it. */
function predecessors(entries: readonly TranscriptEntry[]): readonly (string | null)[] {
  const last = new Map<boolean, string>();
  return entries.map((entry) => {
    const side = entry.isSidechain === true;
    const before = last.get(side) ?? null;
    if (entry.uuid !== undefined) last.set(side, entry.uuid);
    return before;
  });
}

/** Which entries' threads end at a root; the others run in a circle. Every entry is walked once. */
function reachesRoot(parents: readonly (number | undefined)[]): readonly boolean[] {
  if (parents.every((parent, at) => parent === undefined || parent < at)) return parents.map(() => true);
  const state: Array<boolean | undefined> = new Array(parents.length);
  const onPath = new Uint8Array(parents.length);
  for (let start = 0; start < parents.length; start += 1) {
    const path: number[] = [];
    let at: number | undefined = start;
    while (at !== undefined && state[at] === undefined && onPath[at] === 0) {
      onPath[at] = 1;
      path.push(at);
      at = parents[at];
    }
    const ends = at === undefined || state[at] === true;
    for (const passed of path) {
      state[passed] = ends;
      onPath[passed] = 0;
    }
  }
  return state.map((ends) => ends === true);
}

/**
 * The entries with every thread leading to a root: a parent that was never written, or that leads in a circle, gives
 * way to the entry before. The second value counts those.
 */
export function mendParents(entries: readonly TranscriptEntry[]): {
  readonly entries: readonly TranscriptEntry[];
  readonly mended: number;
} {
  const positions = positionsOf(entries);
  const before = predecessors(entries);
  const next = new Map<number, string | null>();
  const parents = entries.map((entry, at) => {
    const parent = parentOf(entry);
    if (parent === undefined) return undefined;
    const stands = positions.get(parent);
    if (stands !== undefined && stands !== at) return stands;
    const instead = before[at] ?? null;
    next.set(at, instead);
    return instead === null ? undefined : positions.get(instead);
  });
  const ends = reachesRoot(parents);
  // A circle has at least one link that points forward; without those every link leads back, and so to an end.
  parents.forEach((parent, at) => {
    if (ends[at] === false && parent !== undefined && parent >= at) next.set(at, before[at] ?? null);
  });
  // An entry stored twice hangs where it hangs first: whichever of the two a reader takes, the thread is the same.
  entries.forEach((entry, at) => {
    const first = entry.uuid === undefined ? at : (positions.get(entry.uuid) ?? at);
    const original = entries[first];
    if (first === at || original === undefined) return;
    const parent = next.has(first) ? (next.get(first) ?? null) : (parentOf(original) ?? null);
    if (parent === (parentOf(entry) ?? null)) next.delete(at);
    else next.set(at, parent);
  });
  if (next.size === 0) return { entries, mended: 0 };
  const mended = entries.map((entry, at) =>
    next.has(at) ? { ...entry, parentUuid: next.get(at) ?? null } : entry,
  );
  return { entries: mended, mended: next.size };
}
