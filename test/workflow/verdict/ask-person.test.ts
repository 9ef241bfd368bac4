import { describe, expect, it } from "vitest";
import { createTranslator } from "../../../src/config/locale/translator.ts";
import { Verdict } from "../../../src/documents/verdict.ts";
import type { EvidenceItem } from "../../../src/evidence/evidence.ts";
import { HumanChannel } from "../../../src/people/human-channel.ts";
import type { Ctx } from "../../../src/workflow/context.ts";
import { StepAbort } from "../../../src/workflow/step.ts";
import { askDisputed, askUnreachable } from "../../../src/workflow/verdict/ask-person.ts";
import type { Round } from "../../../src/workflow/verdict/goal-guard.ts";

const say = createTranslator("en");
const FAILED = {
  number: 2,
  check: { text: "`npm test` -> exits 0", command: "npm test" },
  outcome: "failed",
  why: "exit code 1, not 0",
} as EvidenceItem;

/** A round as far as a question needs it; a person gives `answer`, or nobody is there. */
function roundFor(answer?: string, items: readonly EvidenceItem[] = []) {
  const channel = new HumanChannel({ timeoutS: answer === undefined ? 0 : null });
  const asked: string[] = [];
  channel.listen((event) => {
    if (event.kind !== "ask" || event.payload.state !== "asked") return;
    asked.push(event.text);
    channel.answer(String(event.payload.id), answer ?? "");
  });
  const ctx: Ctx = {};
  const guard = { channel, say, name: "work:verdict", goalPath: "/g.md", unanswered: new WeakSet() };
  const round = { ctx, guard, number: 1, evidence: { folder: "/evidence", items } } as unknown as Round;
  return { round, ctx, asked };
}

const REJECTED = new Verdict({ state: "not_yet", reason: "I do not believe it.", failed: ["1: no"] });

describe("what two judges reject and the commands show to be right", () => {
  it("passes by the person's word", async () => {
    const { round, asked } = roundFor("1");
    expect(await askDisputed(round, REJECTED, [1])).toBe(true);
    expect(asked[0]).toContain("I do not believe it.");
    expect(asked[0]).toContain("- 1: no");
  });

  it.each([
    ["2", "I do not believe it."],
    ["the judges are right: send it back to work", "I do not believe it."],
    ["", "I do not believe it."],
    ["it must also be fast", "it must also be fast"],
  ])("goes back with the answer %j, for the reason %j", async (answer, reason) => {
    const { round, ctx } = roundFor(answer);
    expect(await askDisputed(round, REJECTED, [1])).toBe(false);
    expect(ctx._verdict).toMatchObject({ state: "not_yet", reason, failed: ["1: no"] });
  });

  it("goes back once with nobody there, ends the step the second time, and begins anew after that", async () => {
    const { round } = roundFor();
    expect(await askDisputed(round, REJECTED, [1])).toBe(false);
    const end = askDisputed(round, REJECTED, [1]);
    await expect(end).rejects.toBeInstanceOf(StepAbort);
    await expect(end).rejects.toMatchObject({ hint: expect.stringContaining("/evidence") });
    expect(await askDisputed(round, REJECTED, [1])).toBe(false);
  });
});

describe("what cannot be verified", () => {
  it("is asked about with everything that speaks against the work", async () => {
    const { round, asked } = roundFor("1", [FAILED]);
    const verdict = new Verdict({ state: "unreachable", reason: "No phone.", failed: ["1: no phone"] });
    expect(await askUnreachable(round, verdict)).toBe(true);
    expect(asked[0]).toMatch(
      /No phone\.\n- 1: no phone\n.*: 2\n- 2: `npm test` -> exits 0 – exit code 1, not 0$/,
    );
  });
});
