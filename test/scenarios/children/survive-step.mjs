// A process of its own that runs one coordinator step and leaves as a program with handlers does: on SIGTERM and
// SIGHUP it writes the books, stops the step, and ends by that signal. `survive-step.mjs <workspace>`.
import { coordinator, Runtime, worker } from "../../../dist/index.js";

const [workspace] = process.argv.slice(2);
const runtime = new Runtime({ workspace });
const stop = new AbortController();
let signal;
for (const name of ["SIGTERM", "SIGHUP"]) {
  process.on(name, () => {
    signal ??= name;
    runtime.rescue();
    stop.abort();
  });
}
const spec = coordinator("lead", "", { coder: worker("Writes code.", "You implement.") });
const result = await runtime.run(spec, "go", { stepName: "work", signal: stop.signal });
await runtime.close();
process.stdout.write(JSON.stringify({ ok: result.ok, error: result.error }));
if (signal !== undefined) {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
