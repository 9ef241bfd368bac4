// Gathers evidence with a command that goes on and on, to be killed meanwhile: `gather.mjs <workspace> <folder>`.
import { createTranslator } from "../../../dist/config/locale/translator.js";
import { gatherEvidence } from "../../../dist/evidence/gather-evidence.js";

const [where, folder] = process.argv.slice(2);
await gatherEvidence({
  checks: ["`trap '' TERM; echo $$ > a; while true; do sleep 1; done` -> exits 0"],
  round: 1,
  folder,
  tree: { folder: where, workspace: where, exclude: [], isIsolated: false },
  env: process.env,
  say: createTranslator("en"),
});
