// Two folders at once in one process. A Runtime shares nothing with another: each has its books, its store, its listeners
// and its limits, and one that fails leaves the other alone.
// Run it with a credential: npx jiti examples/several-runtimes.ts (Node 24 and newer: node examples/several-runtimes.ts).
import { AgentSpec, Runtime, Step, Workflow } from "flower-agent";

const reader = new AgentSpec({
  name: "reader",
  instructions: "You answer in one sentence, from what is in the files.",
});

async function describe(workspace: string): Promise<string> {
  await using runtime = new Runtime({ workspace });
  runtime.listen((event) => {
    if (event.kind === "tool_call") console.log(`${workspace}: ${event.tool}`);
  });
  const about = new Step("about", reader, `What is the project in ${workspace} called?`);
  const ctx = await new Workflow([about], { budgetUsd: 0.5 }).run(runtime);
  if (ctx._failedAt !== undefined)
    throw new Error(ctx._aborted ?? runtime.results.at(-1)?.error ?? "it failed");
  return `${ctx.about} ($${runtime.totalCost().toFixed(4)})`;
}

const folders = process.argv.slice(2);
if (folders.length === 0) folders.push("one", "two");
const answers = await Promise.allSettled(folders.map(describe));
answers.forEach((answer, at) => {
  console.log(`${folders[at]}: ${answer.status === "fulfilled" ? answer.value : answer.reason}`);
});
process.exitCode = answers.every(({ status }) => status === "fulfilled") ? 0 : 1;
