import { expect, it } from "vitest";
import { AgentSpec } from "../../src/agents/agent-spec.ts";
import { coordinator } from "../../src/agents/roles/coordinator.ts";
import { worker } from "../../src/agents/roles/worker.ts";
import { dispatch, ScriptError, text } from "../../src/testing/index.ts";
import { stage } from "./stage.ts";

const terse = new AgentSpec({ name: "terse", instructions: "You answer in one line." });

it("a speaker without a turn ends its step at once, with the words of the script", async () => {
  const play = await stage({ judge: [text("never said")] });
  await using runtime = play.runtime();
  const result = await runtime.run(terse, "mend the network timeouts");
  expect(result).toMatchObject({ ok: false, attempts: 1, failure: { code: "request_refused" } });
  expect(result.error).toContain("script: request 1: main is not in the script, which has judge");
  expect(() => play.api.verify()).toThrow(ScriptError);
});

it("a worker without a turn is reported at once, whatever words it was sent with", async () => {
  const play = await stage({
    coordinator: [dispatch("coder", "mend the network timeouts"), text("It failed.")],
  });
  await using runtime = play.runtime();
  const lead = coordinator("lead", "", { coder: worker("Writes code.", "You write code.") });
  const result = await runtime.run(lead, "have it mended");
  expect(result).toMatchObject({ ok: true, attempts: 1, text: "It failed." });
  expect(() => play.api.verify()).toThrow(/worker "coder" is not in the script/);
});
