// What a person said to a run that no agent has read yet: told by the run's own events, since its inbox is in its memory.

import { isRecord } from "../../core/json.ts";
import { eventLogPaths } from "../../runtime/event-log.ts";
import { tailLines } from "../logs/tail-lines.ts";

/** Words on their way. */
export interface UnreadWords {
  readonly text: string;
  /** Epoch seconds. */
  readonly at: number;
}

function readMail(line: string): { id: string; state: string; words: UnreadWords } | undefined {
  // Told apart before it is parsed: most of a log is something else.
  if (!line.includes('"kind":"mail"')) return undefined;
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isRecord(event) || event.kind !== "ask" || !isRecord(event.payload)) return undefined;
  const { kind, id, state, at } = event.payload;
  if (kind !== "mail" || typeof id !== "string" || typeof state !== "string") return undefined;
  const text = typeof event.text === "string" ? event.text : "";
  return { id, state, words: { text, at: typeof at === "number" ? at : 0 } };
}

/** Words that were put into a run's inbox and not handed to an agent, oldest first. */
export async function unreadWords(runDir: string, run: string): Promise<readonly UnreadWords[]> {
  const waiting = new Map<string, UnreadWords>();
  const once = { goesOn: () => false, pause: async () => {} };
  for await (const line of tailLines({ ...eventLogPaths(runDir, run), ...once })) {
    const mail = readMail(line);
    if (mail?.state === "queued") waiting.set(mail.id, mail.words);
    else if (mail !== undefined) waiting.delete(mail.id);
  }
  return [...waiting.values()];
}
