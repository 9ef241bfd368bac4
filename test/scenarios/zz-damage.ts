import { DAMAGES } from "../transcript/damages.ts";
import { takeUp } from "./take-up.ts";
import { PruningSessionStore } from "../../src/sessions/pruning-session-store.ts";
for (const [name, { entries, kept, gone = [] }] of Object.entries(DAMAGES)) {
  for (const heal of [false, true]) {
  const r = await takeUp(entries, (inner, workspace) => heal ? new PruningSessionStore({ inner, workspace, policy: false }) : inner);
  console.log(name, "|", heal ? "HEALED" : "plain ", "|", String(r.said).slice(0, 200), "| lost:", kept.filter((k) => !r.raw.includes(k)), "| not gone:", gone.filter((k) => r.raw.includes(k)).map((k) => k.slice(0, 30)), "| surr:", /\\ud83d(?!\\udc)/i.test(r.raw));
  }
}
process.exit(0);
