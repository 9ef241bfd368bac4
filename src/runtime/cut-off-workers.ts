// Workers that were cut off: found in the stored transcripts, named to the coordinator, and continued with their own
// transcript instead of starting over. The finding is pure; loading is at the end.

import { isRecord } from "../core/json.ts";
import { oneLine } from "../core/text.ts";
import { asText, type Block, blocksOf, contentText } from "../harness/message.ts";
import type { SessionStore, SessionStoreEntry } from "../sessions/session-store.ts";

/** A worker that lost its unfinished turn. */
export interface CutOffWorker {
  /** What `SendMessage` takes as `to`. */
  readonly agentId: string;
  /** Role name. */
  readonly type: string;
  readonly description: string;
}

/** A worker's transcript, as far as it says whose it is. */
export interface WorkerTranscript {
  readonly agentId: string;
  readonly entries: readonly SessionStoreEntry[];
}

const DISPATCH_TOOLS = ["Agent", "Task"];
const CONTINUE_TOOL = "SendMessage";
const SUBPATH = /(?:^|\/)agent-([^/]+)$/;
/** What stands in place of an answer when a call was stopped, by us, by a kill, or by a load that mended the history. */
const STOPPED =
  /^\s*(?:\[(?:Request|Tool call|Tool use) interrupted\b|The user doesn't want to proceed with this tool use)/i;
/** A worker that died of the API; its transcript is whole up to there. */
const DIED = /^\s*Agent (?:terminated|stopped) early due to an? /i;

type Answer = "open" | "died" | "answered";

/** A call that sent a worker off or on, and what became of it. */
interface WorkerCall {
  /** The dispatch, or the agent that was written to. */
  readonly of: string;
  answer: Answer;
}

function messageOf(entry: SessionStoreEntry): Readonly<Record<string, unknown>> {
  return isRecord(entry.message) ? entry.message : {};
}

function blocksOfEntry(entry: SessionStoreEntry): readonly Block[] {
  return blocksOf(messageOf(entry).content);
}

/** True for words someone sent: no tool result, no note of the harness. */
function isPrompt(entry: SessionStoreEntry): boolean {
  if (entry.type !== "user" || entry.isMeta === true || entry.isCompactSummary === true) return false;
  const blocks = blocksOfEntry(entry);
  return (
    blocks.some((b) => b.type === "text" && !STOPPED.test(asText(b.text))) &&
    !blocks.some((b) => b.type === "tool_result")
  );
}

/** True for what the model said; the harness writes entries of its own in the same place. */
function isModelSpeech(entry: SessionStoreEntry): boolean {
  return (
    entry.type === "assistant" && messageOf(entry).model !== "<synthetic>" && entry.isApiErrorMessage !== true
  );
}

function answerIn(result: Block): Answer {
  const text = contentText(result.content);
  if (STOPPED.test(text)) return "open";
  return DIED.test(text) ? "died" : "answered";
}

/**
 * Follows the calls of one turn, however often it was cut off and gone on with. A turn that came to its own end
 * settles them all: whom it left behind, it left behind knowingly.
 */
class TurnCalls {
  readonly #calls = new Map<string, WorkerCall>();
  #isOver = false;

  read(entry: SessionStoreEntry): void {
    if (isPrompt(entry)) {
      if (this.#isOver) this.#calls.clear();
      this.#isOver = false;
    } else if (isModelSpeech(entry)) this.#readSpeech(entry);
    else if (entry.type === "user") this.#readResults(entry);
  }

  /** True when a call has not come back: without one nobody can have been cut off. */
  hasOpen(): boolean {
    return [...this.#calls.values()].some((call) => call.answer !== "answered");
  }

  /** The last call that concerns a worker, by the ids it goes by. */
  last(ids: ReadonlySet<string>): WorkerCall | undefined {
    return [...this.#calls.values()].findLast((call) => ids.has(call.of));
  }

  #readSpeech(entry: SessionStoreEntry): void {
    // The model has read of a death and went on: what follows from it is its own decision.
    for (const call of this.#calls.values()) if (call.answer === "died") call.answer = "answered";
    const uses = blocksOfEntry(entry).filter((block) => block.type === "tool_use");
    for (const block of uses) {
      const id = asText(block.id);
      const to = isRecord(block.input) ? asText(block.input.to) : "";
      if (DISPATCH_TOOLS.includes(asText(block.name))) this.#calls.set(id, { of: id, answer: "open" });
      if (block.name === CONTINUE_TOOL) this.#calls.set(id, { of: to, answer: "open" });
    }
    this.#isOver = uses.length === 0 && messageOf(entry).stop_reason !== "tool_use";
  }

  #readResults(entry: SessionStoreEntry): void {
    for (const block of blocksOfEntry(entry)) {
      const call = block.type === "tool_result" ? this.#calls.get(asText(block.tool_use_id)) : undefined;
      if (call !== undefined) call.answer = answerIn(block);
    }
  }
}

function followCalls(main: readonly SessionStoreEntry[]): TurnCalls {
  const calls = new TurnCalls();
  for (const entry of main) if (isRecord(entry)) calls.read(entry);
  return calls;
}

/** The workers whose last call never came back with a report. Pure. */
export function findCutOff(
  main: readonly SessionStoreEntry[],
  workers: readonly WorkerTranscript[],
): readonly CutOffWorker[] {
  const calls = followCalls(main);
  return workers.flatMap(({ agentId, entries }) => {
    const records = entries.filter((entry) => isRecord(entry) && entry.type === "agent_metadata");
    const about = records.at(-1);
    if (about === undefined || agentId === "") return [];
    const ids = new Set([agentId, ...records.map((record) => asText(record.toolUseId))]);
    ids.delete("");
    const last = calls.last(ids);
    if (last === undefined || last.answer === "answered") return [];
    return [{ agentId, type: asText(about.agentType), description: oneLine(asText(about.description)) }];
  });
}

/** What the coordinator is told; empty when nobody was cut off. */
export function describeCutOff(workers: readonly CutOffWorker[]): string {
  if (workers.length === 0) return "";
  const lines = workers.map((w) => `- ${w.type}, agent id ${w.agentId}: ${w.description}`);
  return [
    "These workers were cut off in the middle of their task. They keep everything they did: continue each with",
    "SendMessage({to: <agent id>, summary: …, message: …}) instead of dispatching its task again. The last command of",
    "each may have run in part and is not in its memory: have it look at what is there first.",
    ...lines,
  ].join("\n");
}

/** Look for cut-off workers of a session; none when the store cannot list transcripts. */
export async function loadCutOff(
  store: SessionStore,
  projectKey: string,
  sessionId: string,
): Promise<readonly CutOffWorker[]> {
  const subpaths = (await store.listSubkeys?.({ projectKey, sessionId })) ?? [];
  if (subpaths.length === 0) return [];
  const main = await store.load({ projectKey, sessionId });
  // Workers' transcripts are read only where one of them may matter.
  if (main === null || !followCalls(main).hasOpen()) return [];
  const transcripts = await Promise.all(
    subpaths.map(async (subpath) => {
      const agentId = SUBPATH.exec(subpath)?.[1] ?? "";
      const entries = agentId === "" ? null : await store.load({ projectKey, sessionId, subpath });
      return { agentId, entries: entries ?? [] };
    }),
  );
  return findCutOff(main, transcripts);
}
