// A test of a workflow: the real harness runs, the model is a script. No key, no network.
import assert from "node:assert/strict";
import { coordinator, Runtime, Step, Workflow, worker } from "flower-agent";
import { DUMMY_KEY, dispatch, lastToolResult, ScriptedApi, text, toolUse } from "flower-agent/testing";

const api = await ScriptedApi.start({
  script: {
    coordinator: [dispatch("coder", "Print 6 * 7."), text("The worker reports 42.")],
    workers: {
      coder: [
        toolUse("Bash", { command: "node -p '6 * 7'" }),
        (request) => text(`It printed ${lastToolResult(request, "Bash")}`),
      ],
    },
  },
});
const runtime = new Runtime({
  workspace: ".",
  env: { ANTHROPIC_API_KEY: DUMMY_KEY, ANTHROPIC_BASE_URL: api.url },
});

try {
  const coder = worker("Runs things.", "You run what you are told.");
  const work = new Step("work", coordinator("lead", "", { coder }), "What is 6 * 7?");
  const ctx = await new Workflow([work]).run(runtime);

  assert.equal(ctx._failedAt, undefined);
  assert.equal(ctx.work, "The worker reports 42.");
  const reports = api.requests.filter((request) => request.role === "worker");
  assert.match(lastToolResult(reports[1]!, "Bash") ?? "", /42/); // the command really ran
  api.verify(); // every line of the script was used, and nothing else was asked
  console.log("the workflow works");
} finally {
  await runtime.close();
  await api.close();
}
