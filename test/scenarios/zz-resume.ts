import { PruningSessionStore } from "../../src/sessions/pruning-session-store.ts";
import { trimReport } from "../../src/sessions/trim-report.ts";
import { EphemeralPolicy } from "../../src/transcript/ephemeral-policy.ts";
import { PrunePolicy } from "../../src/transcript/prune-policy.ts";
import { TrimPolicy } from "../../src/transcript/trim-policy.ts";
import { corpusNames, readCorpus } from "../corpus/corpus.ts";
import { takeUp } from "./take-up.ts";

const only = process.argv.slice(2);
for (const name of corpusNames()) {
  if (name.includes(".worker") || (only.length && !only.includes(name))) continue;
  const entries = readCorpus(name);
  const plain = await takeUp(entries, (inner) => inner);
  let store: PruningSessionStore | undefined;
  const hard = await takeUp(
    entries,
    (inner, workspace) =>
      (store = new PruningSessionStore({
        inner,
        workspace,
        policy: new TrimPolicy({ keepRecent: 0, minChars: 5 }),
        ephemeral: new EphemeralPolicy({ keepRecent: 0 }),
        prune: new PrunePolicy({ keepDenials: 0 }),
      })),
  );
  console.log(
    name,
    "| plain:",
    plain.said,
    plain.refusals.map((r) => r.slice(0, 200)),
    "added",
    plain.stored.length - entries.length,
    plain.raw.length,
    "| hard:",
    hard.said,
    hard.refusals.map((r) => r.slice(0, 200)),
    "added",
    hard.stored.length - entries.length,
    hard.raw.length,
    trimReport(store!),
  );
  if (only.length) {
    console.log("PLAIN", plain.raw);
    console.log("HARD", hard.raw);
  }
}
process.exit(0);
