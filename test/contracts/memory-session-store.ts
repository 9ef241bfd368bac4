// The plainest store that keeps the contract: what a user would write first.

import type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
  SessionSummaryEntry,
} from "../../src/sessions/session-store.ts";

interface Transcript {
  readonly key: SessionKey;
  readonly lines: string[];
  readonly uuids: Set<string>;
  mtime: number;
}

function nameOf(key: SessionKey): string {
  return JSON.stringify([key.projectKey, key.sessionId, key.subpath ?? ""]);
}

export class MemorySessionStore implements SessionStore {
  readonly #transcripts = new Map<string, Transcript>();
  #clock = 0;

  async append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    const known = this.#transcripts.get(nameOf(key));
    const transcript = known ?? { key: { ...key }, lines: [], uuids: new Set<string>(), mtime: 0 };
    const before = transcript.lines.length;
    for (const entry of entries) {
      if (entry.uuid !== undefined && transcript.uuids.has(entry.uuid)) continue;
      if (entry.uuid !== undefined) transcript.uuids.add(entry.uuid);
      transcript.lines.push(JSON.stringify(entry));
    }
    if (transcript.lines.length === before) return;
    this.#clock = Math.max(Date.now(), this.#clock + 1);
    transcript.mtime = this.#clock;
    this.#transcripts.set(nameOf(key), transcript);
  }

  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    return this.#transcripts.get(nameOf(key))?.lines.map((line) => JSON.parse(line)) ?? null;
  }

  async listSessions(projectKey: string): Promise<Array<{ sessionId: string; mtime: number }>> {
    return [...this.#transcripts.values()]
      .filter(({ key }) => key.projectKey === projectKey && key.subpath === undefined)
      .map(({ key, mtime }) => ({ sessionId: key.sessionId, mtime }));
  }

  async listSessionSummaries(projectKey: string): Promise<SessionSummaryEntry[]> {
    const sessions = await this.listSessions(projectKey);
    return sessions.map((session) => ({ ...session, data: {} }));
  }

  async delete(key: SessionKey): Promise<void> {
    this.#transcripts.delete(nameOf(key));
    if (key.subpath !== undefined) return;
    for (const subpath of await this.listSubkeys(key)) this.#transcripts.delete(nameOf({ ...key, subpath }));
  }

  async listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]> {
    return [...this.#transcripts.values()]
      .filter((each) => each.key.projectKey === key.projectKey && each.key.sessionId === key.sessionId)
      .map((each) => each.key.subpath)
      .filter((subpath) => subpath !== undefined);
  }
}

/** A store that only does what it must. */
export class LogOnlyStore implements SessionStore {
  readonly #inner = new MemorySessionStore();

  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    return this.#inner.append(key, entries);
  }

  load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    return this.#inner.load(key);
  }
}
