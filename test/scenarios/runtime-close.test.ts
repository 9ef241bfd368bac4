import { expect, it } from "vitest";
import { AgentSpec } from "../../src/agents/agent-spec.ts";
import type { RunOptions } from "../../src/runtime/run-options.ts";
import { NO_WATCH } from "../../src/runtime/step-watch.ts";
import { hang, text } from "../../src/testing/index.ts";
import { stage } from "./stage.ts";

const terse = new AgentSpec({ name: "terse", instructions: "You answer in one line." });

it("closing stops a step that still runs, and leaves no process waiting for a door that is gone", async () => {
  const play = await stage({ main: [hang()] });
  const runtime = play.runtime();
  // Whoever stands around the step must not ask a person then: nobody would end the question.
  let isToldOfEnd: boolean | undefined;
  runtime.watchSteps({
    ...NO_WATCH,
    ended: async (_step, signal) => {
      isToldOfEnd = signal?.aborted;
    },
  });
  const running = runtime.run(terse, "speak");
  await play.api.seen(({ role }) => role === "main", AbortSignal.timeout(20_000));
  await runtime.close();
  expect(await running).toMatchObject({ ok: false, failure: { code: "stopped_on_request" } });
  expect(isToldOfEnd).toBe(true);
  expect(play.manifest()).toMatchObject([{ step: "terse", ok: false }]);
});

it("a closed Runtime refuses every further step and opens nothing", async () => {
  const play = await stage({ main: [text("never said")] });
  const runtime = play.runtime();
  await runtime.close();
  await runtime.close();
  for (let i = 0; i < 3; i += 1)
    await expect(runtime.run(terse, "speak")).rejects.toMatchObject({ code: "runtime_closed" });
  expect(play.api.requests).toEqual([]);
});

it("a step that cannot be is refused before anything starts", async () => {
  const play = await stage({ main: [text("never said")] });
  await using runtime = play.runtime();
  const as = <T>(value: unknown) => value as T;
  const refused = { name: "OptionError", code: "bad_option" };
  await expect(runtime.run(as<AgentSpec>({ name: "x" }), "speak")).rejects.toMatchObject(refused);
  await expect(runtime.run(terse, as<string>(undefined))).rejects.toMatchObject(refused);
  for (const options of [{ signal: {} }, { onEvent: 1 }, { resume: 5 }, { fork: "yes" }, { stepName: null }])
    await expect(runtime.run(terse, "speak", as<RunOptions>(options))).rejects.toMatchObject(refused);
  expect(play.api.requests).toEqual([]);
});
