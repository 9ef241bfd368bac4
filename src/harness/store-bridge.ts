// Between flower's store and the harness: the same store, and word of each session whose first entry was accepted.

import type { SessionKey, SessionStore } from "../sessions/session-store.ts";

/** What a bridge tells; neither may throw. */
export interface BridgeListeners {
  /** The first entry of a main transcript was accepted. */
  readonly onStored: (sessionId: string) => void;
  /** A session was loaded to be resumed, its workers included. */
  readonly onLoaded: () => void;
}

/** A store for one query that tells when a main transcript has been accepted, and when a session was loaded. */
export function bridgeStore(store: SessionStore, { onStored, onLoaded }: BridgeListeners): SessionStore {
  const seen = new Set<string>();
  const { listSessions, listSessionSummaries, listSubkeys } = store;
  const remove = store.delete;
  return {
    async append(key: SessionKey, entries) {
      await store.append(key, entries);
      if (key.subpath !== undefined || seen.has(key.sessionId)) return;
      seen.add(key.sessionId);
      onStored(key.sessionId);
    },
    async load(key) {
      const entries = await store.load(key);
      if (key.subpath === undefined && entries !== null) onLoaded();
      return entries;
    },
    ...(listSessions === undefined ? {} : { listSessions: listSessions.bind(store) }),
    ...(listSessionSummaries === undefined ? {} : { listSessionSummaries: listSessionSummaries.bind(store) }),
    ...(listSubkeys === undefined ? {} : { listSubkeys: listSubkeys.bind(store) }),
    ...(remove === undefined ? {} : { delete: remove.bind(store) }),
  };
}
