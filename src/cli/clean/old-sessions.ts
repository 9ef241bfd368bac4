// The sessions of a store that nothing points at, and the spilled results that those which stay mention.

import { existsSync } from "node:fs";
import { SqliteSessionStore } from "../../sessions/sqlite-session-store.ts";
import type { Pointed } from "./pointed-sessions.ts";

/** A session in the store. */
export interface StoredSession {
  readonly projectKey: string;
  readonly sessionId: string;
  /** Epoch seconds of its last entry. */
  readonly changedAt: number;
}

/** An old session that may go, with the bytes of its entries. */
export interface OldSession extends StoredSession {
  readonly bytes: number;
}

/** The sessions of a store, sorted out. */
export interface SortedSessions {
  readonly old: readonly OldSession[];
  readonly kept: readonly StoredSession[];
}

/** The store at a path; undefined when there is none: looking must not make one. */
export function openStore(path: string): SqliteSessionStore | undefined {
  return existsSync(path) ? new SqliteSessionStore({ path }) : undefined;
}

async function allSessions(store: SqliteSessionStore): Promise<StoredSession[]> {
  const lists = store.projects().map(async (projectKey) => {
    const sessions = await store.listSessions(projectKey);
    return sessions.map(({ sessionId, mtime }) => ({ projectKey, sessionId, changedAt: mtime / 1000 }));
  });
  return (await Promise.all(lists)).flat();
}

/** Sort a store's sessions: old is what nothing points at and what has not grown since then. */
export async function sortSessions(
  store: SqliteSessionStore,
  pointed: Pointed,
  since: number,
): Promise<SortedSessions> {
  const old: OldSession[] = [];
  const kept: StoredSession[] = [];
  for (const session of await allSessions(store)) {
    const { projectKey, sessionId } = session;
    if (pointed.sessions.has(sessionId) || session.changedAt >= since) kept.push(session);
    else old.push({ ...session, bytes: store.sizeOf(projectKey, sessionId) });
  }
  return { old, kept };
}

/** As the guards and the trimming name them. */
const SPILL_NAME = /\b[0-9a-f]{16}\.txt\b/g;

/** Names of spilled results in a text. */
export function spillNames(text: string): readonly string[] {
  return text.match(SPILL_NAME) ?? [];
}

/** Names of the spilled results that sessions mention: their models may still read them. */
export function mentionedSpills(
  store: SqliteSessionStore,
  sessions: readonly StoredSession[],
): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { projectKey, sessionId } of sessions) {
    for (const entry of store.entriesWith(projectKey, sessionId, ".txt")) {
      for (const name of spillNames(entry)) names.add(name);
    }
  }
  return names;
}
