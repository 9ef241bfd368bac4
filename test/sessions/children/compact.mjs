// Deletes a session and gives the room back, as far as that can be. Usage: compact.mjs <path> <sessionId>
import { SqliteSessionStore } from "../../../dist/sessions/sqlite-session-store.js";

const [path, sessionId] = process.argv.slice(2);
const store = new SqliteSessionStore({ path });
await store.delete({ projectKey: "-w", sessionId });
const result = store.compact();
const kept = (await store.load({ projectKey: "-w", sessionId: "kept" }))?.length ?? 0;
console.log(JSON.stringify({ result, kept }));
store.close();
