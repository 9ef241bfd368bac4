// The flower process of a cell: the three-step flow as `flower go` runs it, with its signals, and with waits that are
// short through options. `child.mjs <settings as JSON>`; the last line it prints says how it ended.
import { HandoffPolicy } from "../dist/agents/handoff-policy.js";
import { SignalGuard } from "../dist/cli/run/signals.js";
import { Runtime, starterFlow, wakeState } from "../dist/index.js";
import { Resilience } from "../dist/runtime/resilience.js";

const { workspace, request, answer, handoffWindow } = JSON.parse(process.argv[2]);

/** A second of silence in the real world is a blink here; the bounds stay far above what a cell needs. */
const WAITS = { baseDelay: 0.3, maxDelay: 1, probeInterval: 0.5, maxOfflineWait: 120, stallTimeout: 90 };
const HEADROOM = 20_000;

async function run() {
  const { waking } = wakeState(workspace);
  const flow = starterFlow(waking ? "" : request, { workspace, timeoutS: 60 });
  flow.channel.listen((event) => {
    if (event.kind === "ask" && event.payload.state === "asked") {
      setTimeout(() => flow.channel.answer(String(event.payload.id), answer), 20);
    }
  });
  const runtime = new Runtime({
    workspace,
    workbench: flow.workbench,
    resilience: new Resilience(WAITS),
    handoff:
      handoffWindow === undefined ? true : new HandoffPolicy({ window: handoffWindow, headroom: HEADROOM }),
  });
  const guard = new SignalGuard(runtime, { onInterrupt: () => {}, onLeave: () => {} });
  try {
    const end = await guard.watch((signal) => flow.run(runtime, { signal }));
    if (end.signal !== undefined && end.exitCode !== undefined) return { leaving: end.signal };
    const result = end._results?.[end._failedAt ?? ""];
    return {
      failedAt: end._failedAt ?? null,
      woke: end._woke,
      verdict: end._verdict?.state,
      error: end._aborted ?? result?.error ?? null,
    };
  } finally {
    await runtime.close();
  }
}

const end = await run().catch((error) => ({ threw: `${error.code ?? error.name}: ${error.message}` }));
process.stdout.write(`${JSON.stringify(end)}\n`);
process.exit(end.failedAt === null ? 0 : 1);
