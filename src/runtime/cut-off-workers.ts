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
const SUBPATH = /(?:^|\/)agent-([^/]+)$/;
const INTERRUPTED = /^\s*\[(?:Request|Tool call|Tool use) interrupted\b/i;

function blocksOfEntry(entry: SessionStoreEntry): readonly Block[] {
  return isRecord(entry.message) ? blocksOf(entry.message.content) : [];
}

/** True for words someone sent: no tool result, no note of the harness. */
function isPrompt(entry: SessionStoreEntry): boolean {
  if (entry.type !== "user" || entry.isMeta === true || entry.isCompactSummary === true) return false;
  const blocks = blocksOfEntry(entry);
  return (
    blocks.some((b) => b.type === "text" && !INTERRUPTED.test(asText(b.text))) &&
    !blocks.some((b) => b.type === "tool_result")
  );
}

interface Calls {
  readonly dispatched: ReadonlySet<string>;
  /** Calls that came back with something other than word of an interruption. */
  readonly answered: ReadonlySet<string>;
}

/** Calls since the last prompt: what was cut off before that was told, and decided about, then. */
function callsSinceLastPrompt(main: readonly SessionStoreEntry[]): Calls {
  const from = main.findLastIndex(isPrompt);
  const dispatched = new Set<string>();
  const answered = new Set<string>();
  for (const entry of main.slice(from + 1)) {
    for (const block of blocksOfEntry(entry)) {
      if (block.type === "tool_use" && DISPATCH_TOOLS.includes(asText(block.name)))
        dispatched.add(asText(block.id));
      if (block.type !== "tool_result") continue;
      const isStopped =
        INTERRUPTED.test(contentText(block.content)) ||
        /doesn't want to proceed/.test(contentText(block.content));
      if (!isStopped) answered.add(asText(block.tool_use_id));
    }
  }
  return { dispatched, answered };
}

/** The workers whose dispatch never came back. Pure. */
export function findCutOff(
  main: readonly SessionStoreEntry[],
  workers: readonly WorkerTranscript[],
): readonly CutOffWorker[] {
  const { dispatched, answered } = callsSinceLastPrompt(main);
  return workers.flatMap(({ agentId, entries }) => {
    const about = entries.findLast((entry) => entry.type === "agent_metadata");
    const call = asText(about?.toolUseId);
    if (about === undefined || !dispatched.has(call) || answered.has(call)) return [];
    return [{ agentId, type: asText(about.agentType), description: oneLine(asText(about.description)) }];
  });
}

/** What the coordinator is told; empty when nobody was cut off. */
export function describeCutOff(workers: readonly CutOffWorker[]): string {
  if (workers.length === 0) return "";
  const lines = workers.map((w) => `- ${w.type}, agent id ${w.agentId}: ${w.description}`);
  return [
    "These workers were cut off in the middle of their task. They keep everything they did: continue each with",
    "SendMessage({to: <agent id>, summary: …, message: …}) instead of dispatching its task again.",
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
  if (main === null || callsSinceLastPrompt(main).dispatched.size === 0) return [];
  const transcripts = await Promise.all(
    subpaths.map(async (subpath) => {
      const agentId = SUBPATH.exec(subpath)?.[1] ?? "";
      const entries = agentId === "" ? null : await store.load({ projectKey, sessionId, subpath });
      return { agentId, entries: entries ?? [] };
    }),
  );
  return findCutOff(main, transcripts);
}
