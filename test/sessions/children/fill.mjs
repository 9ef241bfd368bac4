// Appends until that fails, then says what happened and what is stored. Usage: fill.mjs <path>
import { SqliteSessionStore } from "../../../dist/sessions/sqlite-session-store.js";

const key = { projectKey: "-w", sessionId: "s" };
let stored = 0;
let failure;
try {
  const store = new SqliteSessionStore({ path: process.argv[2], lockWaitS: 1 });
  try {
    for (; stored < 5_000; stored += 5) {
      const entries = Array.from({ length: 5 }, (_, i) => ({
        type: "user",
        uuid: `${stored + i}`,
        text: "y".repeat(2_000),
      }));
      await store.append(key, entries);
    }
  } catch (error) {
    failure = { name: error.name, code: error.code, hint: error.hint, message: error.message };
  }
  store.markIncomplete("-w", "s", "no room");
  const kept = (await store.load(key))?.length ?? 0;
  console.log(JSON.stringify({ failure, stored, kept, incomplete: store.isIncomplete("-w", "s") }));
} catch (error) {
  console.log(
    JSON.stringify({
      failure: { name: error.name, code: error.code, hint: error.hint, message: error.message },
    }),
  );
}
