// What flower itself asks of a session store: quick answers from the SQLite store, slower ones from any other.

import { join } from "node:path";
import { isRecord } from "../core/json.ts";
import { asText, contextTokens, type HarnessMessage } from "../harness/message.ts";
import { SqliteSessionStore } from "../harness/sqlite-session-store.ts";
import type { SessionStore, SessionStoreEntry } from "../sessions/session-store.ts";

/** The default store of a run dir. */
export function createStore(runDir: string): SqliteSessionStore {
  return new SqliteSessionStore({ path: join(runDir, "sessions.db") });
}

function contextOfEntries(entries: readonly SessionStoreEntry[]): number {
  for (const entry of [...entries].reverse()) {
    if (entry.type !== "assistant" || entry.isSidechain === true || !isRecord(entry.message)) continue;
    if (entry.message.model === "<synthetic>") continue;
    const context = contextTokens(entry.message.usage);
    if (context > 0) return context;
  }
  return 0;
}

/** One workspace's view of a store. */
export class StoreView {
  readonly #store: SessionStore;
  readonly #projectKey: string;

  constructor(store: SessionStore, projectKey: string) {
    this.#store = store;
    this.#projectKey = projectKey;
  }

  /** Tie the project key to this workspace's real path: two paths can map to one key. */
  claim(workspace: string): void {
    if (this.#store instanceof SqliteSessionStore) this.#store.claimProject(this.#projectKey, workspace);
  }

  async has(sessionId: string): Promise<boolean> {
    if (this.#store instanceof SqliteSessionStore) return this.#store.hasSession(this.#projectKey, sessionId);
    if (this.#store.listSessions !== undefined) {
      const sessions = await this.#store.listSessions(this.#projectKey);
      return sessions.some((session) => session.sessionId === sessionId);
    }
    return (await this.#store.load({ projectKey: this.#projectKey, sessionId })) !== null;
  }

  async contextOf(sessionId: string): Promise<number> {
    if (this.#store instanceof SqliteSessionStore)
      return this.#store.lastContext(this.#projectKey, sessionId);
    const entries = await this.#store.load({ projectKey: this.#projectKey, sessionId });
    return entries === null ? 0 : contextOfEntries(entries);
  }

  /** Note that entries of a session were lost: the harness could not mirror them. */
  markIncomplete(message: HarnessMessage): void {
    const key = isRecord(message.key) ? message.key : {};
    const sessionId = asText(key.sessionId) || asText(message.session_id);
    if (!(this.#store instanceof SqliteSessionStore) || sessionId === "") return;
    this.#store.markIncomplete(this.#projectKey, sessionId, asText(message.error, "entries were lost"));
  }

  close(): void {
    if (this.#store instanceof SqliteSessionStore) this.#store.close();
  }
}
