// What `flower` does, put together by hand: ask until it is clear, freeze a goal, work until a judge agrees.
import {
  clarifyStep,
  coordinator,
  goalStep,
  HumanChannel,
  Runtime,
  Step,
  Workbench,
  Workflow,
  withGoal,
  worker,
} from "flower-agent";

const workbench = new Workbench({ workspace: "." });
const briefPath = `${workbench.notes}/brief.md`;
const goalPath = `${workbench.notes}/goal.md`;

const channel = new HumanChannel({ amendPath: briefPath, logPath: `${workbench.notes}/qa.md` });
channel.onEvent = (event) => {
  if (event.kind !== "ask" || event.payload.state !== "asked") return;
  console.log(`question: ${event.text}`);
  channel.answer(event.payload.id, "1"); // a person would be asked here
};

const coder = worker("Implements and verifies.", "Verify after every change.");
const lead = coordinator("lead", "", { coder }, { channel });
const work = new Step("work", lead, (ctx) => `Have this brief carried out.\n\n${ctx.clarify}\n\n${ctx.goal}`);

const workflow = new Workflow(
  [
    clarifyStep(channel, { briefPath, prompt: "The person's request:\n\nprint hello" }),
    goalStep(channel, { goalPath }),
    withGoal(work, channel, { goalPath, rounds: 2 }),
  ],
  { name: "by-hand", channel, workbench },
);

await using runtime = new Runtime({ workspace: ".", workbench });
const ctx = await workflow.run(runtime);
console.log(ctx._failedAt === undefined ? `done: ${ctx._verdict?.reason}` : `stopped at ${ctx._failedAt}`);
process.exitCode = ctx._failedAt === undefined ? 0 : 1;
