// Every night with nobody there (cron, a systemd timer): has failing tests put right, within limits of money and time.
// A night that is cut short goes on in the next; one that came to its end makes the next begin anew. A line for each
// night stands in nightly.md, and the exit code says what became of it: 0 done, 1 not yet, 75 the last night still runs.
// Run it with a credential: npx jiti examples/nightly-unattended.ts (Node 24 and newer: node examples/nightly-unattended.ts).
import { spawnSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { constants } from "node:os";
import {
  coordinator,
  HumanChannel,
  LeaseError,
  Lineage,
  Runtime,
  Step,
  Workflow,
  worker,
} from "flower-agent";

const CHECK = ["--test", "sum.test.mjs"];
const COMMAND = `node ${CHECK.join(" ")}`;
const LIMITS = { budgetUsd: 5, budgetTokens: 20_000_000, deadlineS: 4 * 3600 };
const TRY_AGAIN_LATER = 75; // EX_TEMPFAIL of sysexits.h

/** What one night came to. */
interface Night {
  readonly exitCode: number;
  readonly words: string;
  readonly costUsd: number;
}

function testsPass(): boolean {
  return spawnSync(process.execPath, CHECK, { stdio: "ignore" }).status === 0;
}

function createWorkflow(): Workflow {
  const channel = new HumanChannel({ timeoutS: 0 }); // nobody is there: a question is answered "decide yourself" at once
  const coder = worker(
    "Finds out why a test fails and puts it right.",
    "The tests are right, the code is not.",
  );
  const lead = coordinator("lead", "One worker for each failing test.", { coder }, { channel });
  const mend = new Step("mend", lead, `Have ${COMMAND} pass.`, {
    when: () => !testsPass(), // nothing to do costs nothing
    retries: 3,
    gate: () => testsPass(),
    onReject: () => `${COMMAND} still fails. Go on.`,
    resumePrompt: `You were cut short last night. See how far it came, then have ${COMMAND} pass.`,
  });
  return new Workflow([mend], { channel, ...LIMITS });
}

async function spendNight(runtime: Runtime): Promise<Night> {
  const leave = new AbortController();
  let signalled: "SIGTERM" | "SIGINT" | undefined;
  const onSignal = (signal: "SIGTERM" | "SIGINT") => {
    signalled = signal;
    runtime.rescue(); // the books first: whoever sent this may not wait long
    leave.abort();
  };
  process.once("SIGTERM", onSignal).once("SIGINT", onSignal);
  try {
    const ctx = await createWorkflow().run(runtime, {
      signal: leave.signal,
      onEvent: (event) => {
        if (event.kind === "tool_call") console.log(`${event.payload.agent ?? "lead"}: ${event.tool}`);
      },
    });
    const costUsd = runtime.totalCost();
    if (signalled !== undefined)
      return { exitCode: 128 + constants.signals[signalled], words: "stopped", costUsd };
    if (ctx._failedAt !== undefined) {
      // A limit says what it was; a step that failed by itself has it in its result.
      const result = ctx._results?.[ctx._failedAt];
      return { exitCode: 1, words: ctx._aborted ?? result?.error ?? "the tests still fail", costUsd };
    }
    const { runDir, workspace } = runtime;
    Lineage.open({ runDir, workspace }).archive(`${runDir}/archive`); // done: the next night has a session of its own
    return { exitCode: 0, words: costUsd === 0 ? "nothing to do" : "the tests pass", costUsd };
  } catch (error) {
    if (!(error instanceof LeaseError)) throw error;
    return { exitCode: TRY_AGAIN_LATER, words: error.message, costUsd: 0 };
  } finally {
    process.off("SIGTERM", onSignal).off("SIGINT", onSignal);
  }
}

await using runtime = new Runtime({ workspace: ".", workbench: true });
const { exitCode, words, costUsd } = await spendNight(runtime);
const line = `- ${new Date().toISOString()} ${words}, $${costUsd.toFixed(2)}, run ${runtime.runId}\n`;
appendFileSync("nightly.md", line);
console.log(line.trim());
process.exitCode = exitCode;
