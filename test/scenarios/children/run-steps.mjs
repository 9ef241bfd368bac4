// A process of its own that runs steps one after the other: `run-steps.mjs <workspace> <step>…`.
import { AgentSpec, Runtime } from "../../../dist/index.js";

const [workspace, ...steps] = process.argv.slice(2);
const runtime = new Runtime({ workspace });
const spec = new AgentSpec({ name: "plain", instructions: "", allowedTools: ["Read"] });
for (const stepName of steps) await runtime.run(spec, stepName, { stepName });
await runtime.close();
process.stdout.write(JSON.stringify(runtime.results.map((result) => result.ok)));
