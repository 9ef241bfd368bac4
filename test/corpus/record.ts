// Records the corpus anew: `npx jiti test/corpus/record.ts [name…]`. Files already there are not written over unless
// named: what was recorded once is what some release really stored.

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ScriptedApi } from "../../src/testing/index.ts";
import type { SessionKey, SessionStoreEntry } from "../../src/sessions/session-store.ts";
import { MemorySessionStore } from "../contracts/memory-session-store.ts";
import { createPlace, liveSession, removePlace } from "./live-session.ts";
import { RECORDINGS, type Recording } from "./recordings.ts";
import { createScrubber } from "./scrub.ts";

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), "transcripts");

class RecordingStore extends MemorySessionStore {
  readonly keys: SessionKey[] = [];

  override async append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    if (!this.keys.some((known) => JSON.stringify(known) === JSON.stringify(key))) this.keys.push({ ...key });
    await super.append(key, entries);
  }
}

async function play(recording: Recording, store: RecordingStore, place: ReturnType<typeof createPlace>) {
  const api = await ScriptedApi.start({ script: recording.script(place) });
  try {
    const options = { ...recording.options?.(), sessionStore: store };
    const onMessage = recording.watch?.();
    const shared = { api, place, ...(recording.env === undefined ? {} : { env: recording.env }) };
    const outcome = await liveSession({
      ...shared,
      prompts: recording.prompts,
      options,
      ...(onMessage === undefined ? {} : { onMessage }),
    });
    console.log(`   ends with: ${outcome.messages.at(-1)?.type}, threw: ${String(outcome.thrown)}`, outcome.messages.map((m) => `${m.type}/${(m as {subtype?: string}).subtype ?? ""}`).join(" "));
    if (recording.resume === undefined) return;
    const { sessionId } = store.keys.find((key) => key.subpath === undefined)!;
    const { abortController: _used, ...again } = options;
    await liveSession({ ...shared, prompts: recording.resume, options: { ...again, resume: sessionId } });
  } finally {
    for (const fault of api.faults) console.log("   fault:", fault.message.slice(0, 300));
    await api.close();
  }
}

async function record(name: string, recording: Recording): Promise<void> {
  const place = createPlace();
  try {
    recording.prepare?.(place);
    const store = new RecordingStore();
    await play(recording, store, place);
    const scrub = createScrubber(place);
    let worker = 0;
    for (const key of store.keys) {
      const entries = scrub((await store.load(key)) ?? []);
      const suffix = key.subpath === undefined ? "" : `.worker-${(worker += 1)}`;
      const lines = entries.map((entry) => JSON.stringify(entry)).join("\n");
      writeFileSync(join(FOLDER, `${name}${suffix}.jsonl`), `${lines}\n`);
      console.log(`${name}${suffix}: ${entries.length} entries`);
    }
  } finally {
    removePlace(place);
  }
}

mkdirSync(FOLDER, { recursive: true });
const named = process.argv.slice(2);
for (const [name, recording] of Object.entries(RECORDINGS)) {
  const isAsked = named.length > 0 ? named.includes(name) : !existsSync(join(FOLDER, `${name}.jsonl`));
  if (isAsked) await record(name, recording);
}
process.exit(0);
