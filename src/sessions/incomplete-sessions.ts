// Sessions whose stored transcript has a hole: the harness gave up on storing a part of it.

import type { Connection } from "./connection.ts";

/** Why a session is incomplete. */
export interface IncompleteMark {
  readonly projectKey: string;
  readonly sessionId: string;
  readonly reason: string;
  /** When it was noticed, epoch milliseconds. */
  readonly at: number;
}

/**
 * Marks of one store. Whatever kept an entry out of the file usually keeps a mark out too, so a mark holds in this
 * process at once and reaches the file with the first write that works.
 */
export class IncompleteSessions {
  readonly #unsaved = new Map<string, IncompleteMark>();

  /** Remember; the first reason stays. */
  add(mark: IncompleteMark): void {
    const name = `${mark.projectKey}/${mark.sessionId}`;
    if (!this.#unsaved.has(name)) this.#unsaved.set(name, mark);
  }

  /** Write what is not in the file yet; call `saved` once that is committed. Runs inside a transaction. */
  write(connection: Connection): void {
    for (const { projectKey, sessionId, reason, at } of this.#unsaved.values()) {
      connection.run(
        "INSERT INTO incomplete (project_key, session_id, reason, at) VALUES (?, ?, ?, ?) " +
          "ON CONFLICT (project_key, session_id) DO NOTHING",
        projectKey,
        sessionId,
        reason.replaceAll("\0", ""),
        at,
      );
    }
  }

  /** Everything remembered is in the file. */
  saved(): void {
    this.#unsaved.clear();
  }

  /** True when nothing waits to be written. */
  get isSaved(): boolean {
    return this.#unsaved.size === 0;
  }

  /** The reason, or undefined for a session that is whole as far as anyone knows. */
  reason(connection: Connection, projectKey: string, sessionId: string): string | undefined {
    const row = connection.get(
      "SELECT reason FROM incomplete WHERE project_key = ? AND session_id = ?",
      projectKey,
      sessionId,
    );
    if (row !== undefined) return String(row.reason);
    return this.#unsaved.get(`${projectKey}/${sessionId}`)?.reason;
  }

  /** The session is gone, and its mark with it. Runs inside a transaction. */
  forget(connection: Connection, projectKey: string, sessionId: string): void {
    this.#unsaved.delete(`${projectKey}/${sessionId}`);
    connection.run("DELETE FROM incomplete WHERE project_key = ? AND session_id = ?", projectKey, sessionId);
  }
}
