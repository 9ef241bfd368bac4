// Hands a transcript to the real harness as a stored session, has it say one thing more, and tells what the model saw.

import type { SessionStore } from "../../src/sessions/session-store.ts";
import { always, messagesOf, ScriptedApi, type SeenMessage, text } from "../../src/testing/index.ts";
import type { TranscriptEntry } from "../../src/transcript/entry.ts";
import { MemorySessionStore } from "../contracts/memory-session-store.ts";
import { createPlace, liveSession, removePlace } from "../corpus/live-session.ts";

const SESSION_ID = "00000000-0000-4000-8000-000000000001";

/** A model without levels of effort: with one, a history without its announcement gets an empty message for it. */
export const PLAIN_MODEL = "claude-haiku-4-5";

export interface TakenUp {
  /** What the model answered, as the harness reports it. */
  readonly said: unknown;
  /** What the API refused, in its words. */
  readonly refusals: readonly string[];
  /** The history that was sent, without what the harness says about itself. */
  readonly sent: readonly SeenMessage[];
  /** The same as raw text. */
  readonly raw: string;
  /** What the store holds afterwards. */
  readonly stored: readonly TranscriptEntry[];
}

/** Resume the session that `entries` are; `wrap` puts a rewriting store over the one that holds them. */
export async function takeUp(
  entries: readonly TranscriptEntry[],
  wrap: (inner: SessionStore, workspace: string) => SessionStore,
  model?: string,
): Promise<TakenUp> {
  const place = createPlace();
  const api = await ScriptedApi.start({ script: { main: [always(text("taken up"))] }, allowRefusals: true });
  try {
    const inner = new MemorySessionStore();
    const key = { projectKey: place.workspace.replace(/[^A-Za-z0-9]/g, "-"), sessionId: SESSION_ID };
    await inner.append(key, entries as TranscriptEntry[]);
    const { messages } = await liveSession({
      api,
      place,
      prompts: ["and now?"],
      options: {
        sessionStore: wrap(inner, place.workspace),
        resume: SESSION_ID,
        ...(model === undefined ? {} : { model }),
      },
    });
    const result = messages.findLast((message) => message.type === "result");
    const asked = api.requests.filter((request) => request.role === "main");
    return {
      said: result !== undefined && "result" in result ? result.result : JSON.stringify(result),
      refusals: api.faults.map((fault) => fault.message),
      sent: asked.length === 0 ? [] : messagesOf(asked[0]!),
      raw: JSON.stringify(asked[0]?.body.messages ?? null),
      stored: (await inner.load(key)) ?? [],
    };
  } finally {
    await api.close();
    removePlace(place);
  }
}
