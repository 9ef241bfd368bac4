import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { OptionError } from "../../src/core/errors.ts";
import type { Event } from "../../src/events/event.ts";
import { HumanChannel } from "../../src/people/human-channel.ts";
import type { StepResult } from "../../src/runtime/step-result.ts";
import type { Ctx } from "../../src/workflow/context.ts";
import { goalStep } from "../../src/workflow/goal-step.ts";
import { renderPrompt } from "../../src/workflow/step.ts";
import { goalText } from "../scenarios/documents.ts";

const folder = mkdtempSync(join(tmpdir(), "flower-goal-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function set(checks: readonly string[], options: { readonly evidence?: boolean } = {}) {
  const step = goalStep(new HumanChannel({ timeoutS: 0 }), { goalPath: join(folder, "goal.md"), ...options });
  const events: Event[] = [];
  const ctx: Ctx = { _onEvent: (event: Event) => events.push(event) };
  const reply = goalText("It works.", checks);
  await step.options.gate?.({ lastText: reply, text: reply } as StepResult, ctx);
  const shown = events.filter((event) => event.kind === "task" && event.payload.notice === "commands");
  return { shown, prompt: renderPrompt(step.prompt, {}) };
}

describe("setting a goal", () => {
  it("shows the commands that flower will run itself, and how to have it leave them alone", async () => {
    const { shown, prompt } = await set([
      "`npm test` -> exits 0",
      "it is documented",
      "`node a.mjs` -> prints 3",
    ]);
    expect(shown.map((event) => event.payload)).toMatchObject([{ commands: ["npm test", "node a.mjs"] }]);
    expect(shown[0]?.text).toContain("--evidence off");
    expect(prompt).toContain("flower itself runs the commands of the checklist before each verdict");
  });

  it("shows nothing where there is no command, or where none will be run", async () => {
    expect((await set(["it is documented"])).shown).toEqual([]);
    const { shown, prompt } = await set(["`npm test` -> exits 0"], { evidence: false });
    expect(shown).toEqual([]);
    expect(prompt).toContain("flower runs no command of the checklist");
  });

  it("refuses evidence that is no switch", async () => {
    await expect(set([], { evidence: "off" as never })).rejects.toThrow(OptionError);
  });
});
