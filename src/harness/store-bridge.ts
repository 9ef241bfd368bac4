// Between flower's store and the harness: the same store, and word of each session whose first entry was accepted.

import type { SessionKey, SessionStore } from "../sessions/session-store.ts";

/** A store for one query that tells when a main transcript has been accepted. `onStored` must not throw. */
export function bridgeStore(store: SessionStore, onStored: (sessionId: string) => void): SessionStore {
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
    load: (key) => store.load(key),
    ...(listSessions === undefined ? {} : { listSessions: listSessions.bind(store) }),
    ...(listSessionSummaries === undefined ? {} : { listSessionSummaries: listSessionSummaries.bind(store) }),
    ...(listSubkeys === undefined ? {} : { listSubkeys: listSubkeys.bind(store) }),
    ...(remove === undefined ? {} : { delete: remove.bind(store) }),
  };
}
