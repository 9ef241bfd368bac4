// Appends batches to one session and says the number of each that was stored; waits for the start signal first.
// Usage: append.mjs <path> <sessionId> <name> <batches> <entries a batch>
import { SqliteSessionStore } from "../../../dist/sessions/sqlite-session-store.js";

const [path, sessionId, name, batches, size] = process.argv.slice(2);
const store = new SqliteSessionStore({ path });
console.log("open");
for await (const _ of process.stdin);
for (let batch = 0; batch < Number(batches); batch += 1) {
  const entries = Array.from({ length: Number(size) }, (_, i) => ({
    type: "user",
    uuid: `${name}-${batch}-${i}`,
    batch: `${name}-${batch}`,
    message: { role: "user", content: "x".repeat(500) },
  }));
  await store.append({ projectKey: "-w", sessionId }, entries);
  const { mtime } = (await store.listSessions("-w")).find((each) => each.sessionId === sessionId);
  console.log(JSON.stringify({ batch, mtime }));
}
store.close();
