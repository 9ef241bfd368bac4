// Two steps: a plan is made, then carried out. The gate looks at the disk, not at what the agent says.
import { existsSync } from "node:fs";
import { AgentSpec, coordinator, Runtime, Step, Workflow, worker } from "flower-agent";

const planner = new AgentSpec({
  name: "planner",
  instructions: "You plan in three lines and write no code.",
});
const coder = worker("Writes code and runs it.", "Verify after every change.");
const lead = coordinator("lead", "Keep to the plan.", { coder });

const plan = new Step("plan", planner, "Plan a script hello.mjs that prints hello.");
const work = new Step("work", lead, (ctx) => `Have this plan carried out:\n\n${ctx.plan}`, {
  retries: 2,
  gate: () => existsSync("hello.mjs"),
  onReject: () => "hello.mjs is not there yet. Go on until it is.",
});

await using runtime = new Runtime({ workspace: "." });
const ctx = await new Workflow([plan, work]).run(runtime, {
  onStep: (step, result) => console.log(`${step.name}: ${result.ok ? "ok" : result.error}`),
});
process.exitCode = ctx._failedAt === undefined ? 0 : 1;
