// A session store of your own: transcripts as files of JSON lines, held to the contract every store is held to, then
// used by a run that ends and by a later one that goes on in its session.
// Run it with a credential: npx jiti examples/custom-store.ts (Node 24 and newer: node examples/custom-store.ts).
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  AgentSpec,
  Runtime,
  type SessionKey,
  type SessionStore,
  type SessionStoreEntry,
  Step,
  Workflow,
} from "flower-agent";
import { storeContract } from "flower-agent/testing";

/** An id as the name of a file: no slashes, no dots. */
function fileName(id: string): string {
  return encodeURIComponent(id).replaceAll(".", "%2E");
}

/**
 * `<folder>/<project>/<session>.jsonl`, and below `<session>/` those of its workers. For one process at a time; whoever
 * runs workflows in one folder from several has them keep out of each other's way by the lease.
 */
class JsonLinesStore implements SessionStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  // Nothing is awaited before the line is on disk: appends that were not awaited keep their order.
  async append(key: SessionKey, entries: readonly SessionStoreEntry[]): Promise<void> {
    const path = this.#pathOf(key);
    const known = new Set(this.#read(path).flatMap(({ uuid }) => uuid ?? []));
    const isNew = ({ uuid }: SessionStoreEntry) =>
      uuid === undefined || (!known.has(uuid) && known.add(uuid));
    const fresh = entries.filter(isNew); // the harness sends a batch again when it is not sure that it arrived
    if (fresh.length === 0) return;
    mkdirSync(dirname(path), { recursive: true });
    // A line begins with its line end: one that was torn by a power cut spoils no other.
    appendFileSync(path, fresh.map((entry) => `\n${JSON.stringify(entry)}`).join(""));
  }

  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    const path = this.#pathOf(key);
    return existsSync(path) ? this.#read(path) : null;
  }

  async delete(key: SessionKey): Promise<void> {
    const path = this.#pathOf(key);
    rmSync(path, { force: true });
    if (key.subpath === undefined) rmSync(path.replace(/\.jsonl$/, ""), { recursive: true, force: true });
  }

  async listSubkeys(key: SessionKey): Promise<string[]> {
    const folder = this.#pathOf({ projectKey: key.projectKey, sessionId: key.sessionId }).replace(
      /\.jsonl$/,
      "",
    );
    if (!existsSync(folder)) return [];
    return readdirSync(folder).map((name) => decodeURIComponent(name.replace(/\.jsonl$/, "")));
  }

  #pathOf({ projectKey, sessionId, subpath }: SessionKey): string {
    const ids = subpath === undefined ? [projectKey, sessionId] : [projectKey, sessionId, subpath];
    return `${join(this.#folder, ...ids.map(fileName))}.jsonl`;
  }

  #read(path: string): SessionStoreEntry[] {
    const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
    return lines.flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return []; // the empty first line, or a torn one
      }
    });
  }
}

// Methods a store may leave out are named in `requires`: the cases for those it lacks do not concern it.
const scratch = mkdtempSync(join(tmpdir(), "json-lines-"));
const contract = storeContract(() => new JsonLinesStore(mkdtempSync(join(scratch, "store-"))));
const concerned = contract.filter(({ requires }) =>
  requires.every((name) => name in JsonLinesStore.prototype),
);
for (const promise of concerned) await promise.run(); // rejects with the promise that was broken
rmSync(scratch, { recursive: true });
console.log(`the store keeps ${concerned.length} promises`);

const agent = new AgentSpec({ name: "friend", instructions: "You answer in one line." });
const talk = new Step("talk", agent, "Remember the number 41.", { resumePrompt: "Which number was it?" });

/** One run: a Runtime and a store of its own over the same files. */
async function run(): Promise<string> {
  await using runtime = new Runtime({ workspace: ".", store: new JsonLinesStore("transcripts") });
  const ctx = await new Workflow([talk]).run(runtime);
  if (ctx._failedAt !== undefined) throw new Error(runtime.results.at(-1)?.error ?? "it failed");
  return `${ctx._woke === 0 ? "first run" : "woken"}: ${ctx.talk}`;
}

console.log(await run());
console.log(await run());
