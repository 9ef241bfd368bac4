// The flower process of a run: the work step and its verdict as `flower go` runs them, brief and goal being there.
// `child.mjs <settings as JSON>`; the last line it prints says how it ended and what the person was asked.
import { Runtime, starterFlow } from "../dist/index.js";

const { workspace, accepts, ...options } = JSON.parse(process.argv[2]);

/** Somebody is there who has looked: takes finished work as it is, and has nothing to say to any other question. */
function attend(channel, questions) {
  channel.listen((event) => {
    if (event.kind !== "ask" || event.payload.state !== "asked") return;
    const { id, question, options: choices = [] } = event.payload;
    questions.push({ question, choices, accepted: accepts });
    setTimeout(() => (accepts ? channel.answer(id, "1") : channel.decline(id)), 5);
  });
}

async function run() {
  const flow = starterFlow("", { workspace, rounds: 1, timeoutS: 60, ...options });
  const questions = [];
  attend(flow.channel, questions);
  const runtime = new Runtime({ workspace, workbench: flow.workbench });
  try {
    const end = await flow.run(runtime);
    return {
      failedAt: end._failedAt ?? null,
      aborted: end._aborted ?? null,
      error: end._results?.[end._failedAt ?? ""]?.error ?? null,
      verdict: end._verdict?.state ?? null,
      passedBy: end._passedBy ?? null,
      named: end._verdict?.failed ?? [],
      reason: end._verdict?.reason ?? "",
      questions,
    };
  } finally {
    await runtime.close();
  }
}

const end = await run().catch((error) => ({ threw: `${error.code ?? error.name}: ${error.message}` }));
process.stdout.write(`${JSON.stringify(end)}\n`);
process.exit(0);
