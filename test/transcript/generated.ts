// Transcripts made up by fast-check, in the shapes the harness stores: messages in several entries, calls side by side,
// results beside the thread, denials, interruptions, errors, summaries; and, when asked for, damage of every kind.

import fc from "fast-check";
import type { TranscriptEntry } from "../../src/transcript/entry.ts";

type Maker = (state: State) => void;

interface State {
  readonly entries: TranscriptEntry[];
  leaf: string | null;
  count: number;
  calls: number;
}

function push(
  state: State,
  entry: Record<string, unknown> & { type: string },
  parent: string | null = state.leaf,
) {
  state.count += 1;
  const uuid = `u${state.count}`;
  state.entries.push({ uuid, parentUuid: parent, ...entry });
  return uuid;
}

const PNG = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };
const commands = fc.constantFrom("ls", "git status", "npm test", "cat a.txt", "rm -rf x", "pwd");
const words = fc.string({ unit: "grapheme", maxLength: 300 });
const content = fc.oneof(
  words,
  words.map((text) => [{ type: "text", text }]),
  words.map((text) => [{ type: "text", text }, PNG]),
  fc.constant([{ type: "document", source: { type: "text", data: "doc" } }]),
);
const outcome = fc.constantFrom("ran", "ran", "ran", "denied", "interrupted");

interface Call {
  readonly command: string;
  readonly content: unknown;
  readonly outcome: string;
  readonly name: string;
}

function resultEntry(call: Call, id: string): Record<string, unknown> & { type: string } {
  const isError = call.outcome !== "ran";
  const block = { type: "tool_result", tool_use_id: id, content: call.content, is_error: isError };
  const kinds: Record<string, string> = { denied: "permission-rule", interrupted: "user-rejected" };
  return {
    type: "user",
    message: { role: "user", content: [block] },
    toolUseResult: isError
      ? "Error: no"
      : { stdout: JSON.stringify(call.content), stderr: "", interrupted: false },
    ...(kinds[call.outcome] === undefined ? {} : { toolDenialKind: kinds[call.outcome] }),
  };
}

const call: fc.Arbitrary<Call> = fc.record({
  command: commands,
  content,
  outcome,
  name: fc.constantFrom("Bash", "Bash", "Read"),
});

/** One model message: thought, text, calls, an entry each; the results hang on their own calls. */
const modelTurn: fc.Arbitrary<Maker> = fc
  .record({ thought: fc.boolean(), says: fc.option(words), calls: fc.array(call, { maxLength: 3 }) })
  .map(({ thought, says, calls }) => (state) => {
    const id = `m${state.count}`;
    const say = (block: unknown) => {
      const message = { id, role: "assistant", model: "m", content: [block] };
      state.leaf = push(state, { type: "assistant", message });
      return state.leaf;
    };
    if (thought) say({ type: "thinking", thinking: "hm", signature: "s" });
    if (says !== null || calls.length === 0) say({ type: "text", text: says || "well" });
    const made = calls.map((each) => {
      state.calls += 1;
      const callId = `t${state.calls}`;
      return {
        each,
        callId,
        at: say({ type: "tool_use", id: callId, name: each.name, input: { command: each.command } }),
      };
    });
    for (const { each, callId, at } of made) state.leaf = push(state, resultEntry(each, callId), at);
  });

const userTurn: fc.Arbitrary<Maker> = words.map((text) => (state) => {
  state.leaf = push(state, { type: "user", message: { role: "user", content: text } });
});

const apiError: fc.Arbitrary<Maker> = fc.boolean().map((marked) => (state) => {
  const message = {
    id: `e${state.count}`,
    role: "assistant",
    model: "<synthetic>",
    content: [{ type: "text", text: "API Error" }],
  };
  state.leaf = push(state, { type: "assistant", message, ...(marked ? { isApiErrorMessage: true } : {}) });
});

const inserted: fc.Arbitrary<Maker> = fc.constantFrom("isMeta", "isCompactSummary").map((mark) => (state) => {
  const message = { role: "user", content: [{ type: "text", text: "words of the harness" }] };
  state.leaf = push(state, { type: "user", message, [mark]: true });
});

const bookkeeping: fc.Arbitrary<Maker> = fc
  .constantFrom("attachment", "progress", "system", "queue-operation", "last-prompt")
  .map((type) => (state) => {
    if (type === "queue-operation" || type === "last-prompt") state.entries.push({ type, content: "x" });
    else state.leaf = push(state, { type, data: { n: state.count } });
  });

/** Transcripts as an unharmed harness leaves them. */
export const soundTranscript: fc.Arbitrary<TranscriptEntry[]> = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: modelTurn },
      { weight: 2, arbitrary: userTurn },
      apiError,
      inserted,
      bookkeeping,
    ),
    {
      maxLength: 14,
    },
  )
  .map((makers) => {
    const state: State = { entries: [], leaf: null, count: 0, calls: 0 };
    push(state, { type: "user", message: { role: "user", content: "begin" } });
    state.leaf = "u1";
    for (const make of makers) make(state);
    return state.entries;
  });

type Blow = (entries: TranscriptEntry[], at: number) => TranscriptEntry[];

const BLOWS: readonly Blow[] = [
  (entries, at) => entries.filter((_, i) => i !== at),
  (entries, at) => entries.slice(0, Math.max(1, at)),
  (entries, at) => entries.map((entry, i) => (i === at ? { ...entry, parentUuid: "never-written" } : entry)),
  (entries, at) =>
    entries.map((entry, i) =>
      i === at && entry.uuid !== undefined ? { ...entry, parentUuid: entry.uuid } : entry,
    ),
  (entries, at) =>
    entries.map((entry, i) => (i === at ? { ...entry, parentUuid: entries.at(-1)?.uuid ?? null } : entry)),
  (entries, at) => {
    const again = entries[at];
    return again === undefined ? entries : [...entries, { ...again, uuid: `again-${at}-${entries.length}` }];
  },
  (entries, at) => {
    const message = {
      id: `half${at}`,
      role: "assistant",
      content: [{ type: "thinking", thinking: "half a thou" }],
    };
    const uuid = `half-${at}-${entries.length}`;
    return [...entries, { type: "assistant", uuid, parentUuid: entries.at(-1)?.uuid ?? null, message }];
  },
  (entries, at) => {
    const message = { role: "user", content: [{ type: "text", text: "cut \ud83d" }] };
    const uuid = `cut-${at}-${entries.length}`;
    return [...entries, { type: "user", uuid, parentUuid: entries.at(-1)?.uuid ?? null, message }];
  },
];

/** The same after a kill, a lost batch, a disk that forgot something. */
export const damagedTranscript: fc.Arbitrary<TranscriptEntry[]> = fc
  .tuple(
    soundTranscript,
    fc.array(fc.tuple(fc.nat(BLOWS.length - 1), fc.nat(60)), { minLength: 1, maxLength: 5 }),
  )
  .map(([entries, blows]) =>
    blows.reduce((now, [kind, at]) => BLOWS[kind]!(now, at % Math.max(1, now.length)), entries),
  );
