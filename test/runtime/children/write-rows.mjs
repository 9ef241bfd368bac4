// A process of its own that writes its rows again and again: `write-rows.mjs <manifest> <run> <rows>`.
import { writeManifest } from "../../../dist/runtime/manifest.js";

const [path, run, count] = process.argv.slice(2);
const rows = [];
for (let i = 0; i < Number(count); i += 1) {
  rows.push({ run, step: `s${i}`, session_id: null, ok: true, cost_usd: 0 });
  writeManifest(path, run, rows);
}
