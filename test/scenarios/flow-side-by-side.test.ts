import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AgentSpec } from "../../src/agents/agent-spec.ts";
import { hang, speaker, text, turn } from "../../src/testing/index.ts";
import type { Ctx } from "../../src/workflow/context.ts";
import { Step } from "../../src/workflow/step.ts";
import { map, parallel } from "../../src/workflow/step-group.ts";
import { Workflow } from "../../src/workflow/workflow.ts";
import { stage } from "./stage.ts";

const specOf = (name: string) => new AgentSpec({ name, instructions: `You are reviewer ${name}.` });
const stepOf = (name: string, options = {}) => new Step<Ctx>(name, specOf(name), `Review ${name}.`, options);
const said = (name: string, ...steps: Parameters<typeof speaker>[2]) =>
  speaker(name, `You are reviewer ${name}.`, steps);

/** An answer that leaves only when something else has happened. */
function gate(): { readonly open: () => void; readonly opened: Promise<void> } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe("steps side by side", () => {
  it("run at once, each under its own name in context, books, lineage and events, and share the budget", async () => {
    const asked = gate();
    const play = await stage({
      speakers: [
        said("a", async () => {
          await asked.opened;
          return turn(text("a is fine"), { usage: { inputTokens: 1_000 } });
        }),
        said("b", () => {
          asked.open();
          return text("b is fine");
        }),
        said("sum", (request) =>
          text(JSON.stringify(request.body).includes("a is fine") ? "all fine" : "lost"),
        ),
      ],
    });
    const seen: (readonly [string, number])[] = [];
    const ctx = await new Workflow<Ctx>([
      parallel([stepOf("a"), stepOf("b")], { name: "reviews" }),
      new Step<Ctx>("sum", specOf("sum"), (c) => `Sum up: ${(c.reviews as string[]).join(" | ")}`),
    ]).run(play.runtime(), {
      onStep: (step, result) => void seen.push([step.name, result.costUsd]),
      budgetUsd: 5,
    });
    expect(ctx).toMatchObject({
      a: "a is fine",
      b: "b is fine",
      reviews: ["a is fine", "b is fine"],
      sum: "all fine",
    });
    expect(ctx._failedAt).toBeUndefined();
    expect(seen.map(([name]) => name).sort()).toEqual(["a", "b", "sum"]);
    expect(
      play
        .manifest()
        .map((row) => row.step)
        .sort(),
    ).toEqual(["a", "b", "sum"]);
    expect(Object.keys(play.lineage().steps).sort()).toEqual(["a", "b", "sum"]);
    const spoken = play.events.filter((event) => event.kind === "text");
    expect(spoken.map((event) => [event.payload.step, event.text]).sort()).toEqual([
      ["a", "a is fine"],
      ["b", "b is fine"],
      ["sum", "all fine"],
    ]);
    const begun = play.events.filter((event) => event.kind === "step").map((event) => event.payload);
    expect(begun.map(({ index, total }) => [index, total])).toEqual([
      [1, 2],
      [1, 2],
      [2, 2],
    ]);
    expect(begun[0]).toMatchObject({ group: "reviews" });
    expect(existsSync(join(play.runDir, "finished.json"))).toBe(false);
    play.api.verify();
  });

  it("are not run again after a run that was cut off, where they had come to their end; the others go on", async () => {
    const first = await stage({
      speakers: [
        said("one.md", text("one is read")),
        said("two.md", hang()),
        said("three.md", text("unreached")),
      ],
    });
    const items = (ctx: Ctx) => ctx.files as string[];
    const make = (files: string[]) =>
      new Workflow<Ctx>(
        [
          map(items, (file: string) => stepOf(file, { resumePrompt: "Go on." }), {
            name: "read",
            concurrency: 1,
          }),
        ],
        { context: { files } },
      );
    const abort = new AbortController();
    const runtime = first.runtime();
    void first.api.seen((request) => request.agent === "two.md").then(() => abort.abort());
    const cut = await make(["one.md", "two.md", "three.md"]).run(runtime, { signal: abort.signal });
    expect(cut._failedAt).toBe("two.md");
    await runtime.close();
    expect(JSON.parse(readFileSync(join(first.runDir, "finished.json"), "utf8")).steps).toHaveProperty([
      "one.md",
    ]);

    const later = await stage(
      { speakers: [said("two.md", text("two is read")), said("three.md", text("three is read"))] },
      { workspace: first.workspace },
    );
    const ctx = await make(["one.md", "two.md", "three.md"]).run(later.runtime());
    expect(ctx.read).toEqual(["one is read", "two is read", "three is read"]);
    expect(ctx._failedAt).toBeUndefined();
    expect(existsSync(join(first.runDir, "finished.json"))).toBe(false);
    later.api.verify();
  });

  it("end the workflow when one fails, once those that run have come to their end", async () => {
    const failed = gate();
    const good = async () => {
      await failed.opened;
      return text("done");
    };
    const play = await stage({ speakers: [said("bad", text("no good")), said("good", good)] });
    const steps = [stepOf("bad", { gate: () => false }), stepOf("good"), stepOf("late")];
    const ctx = await new Workflow<Ctx>([parallel(steps, { concurrency: 2 }), stepOf("never")]).run(
      play.runtime(),
      {
        onStep: (step) => {
          if (step.name === "bad") failed.open();
        },
      },
    );
    expect(ctx._failedAt).toBe("bad");
    expect(ctx.parallel).toEqual([undefined, "done", undefined]);
    play.api.verify();
  });
});
