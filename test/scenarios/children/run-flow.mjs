// A process of its own that runs the flow as the command does: `run-flow.mjs <workspace> <ask> [options as JSON]`.
import { Runtime, starterFlow } from "../../../dist/index.js";

const [workspace, ask, options = "{}"] = process.argv.slice(2);
const flow = starterFlow(ask, { workspace, timeoutS: 0, ...JSON.parse(options) });
const runtime = new Runtime({ workspace, workbench: flow.workbench });
const ctx = await flow.run(runtime);
await runtime.close();
process.stdout.write(JSON.stringify({ failedAt: ctx._failedAt ?? null, woke: ctx._woke }));
