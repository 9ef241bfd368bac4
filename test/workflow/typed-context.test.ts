import { describe, expect, expectTypeOf, it } from "vitest";
import {
  AgentSpec,
  type Ctx,
  clarifyStep,
  goalStep,
  HumanChannel,
  map,
  parallel,
  Step,
  Workflow,
  type WorkflowStep,
  withGoal,
} from "../../src/index.ts";
import { renderPrompt } from "../../src/workflow/step.ts";

/** An interface, not a type alias: it has no index signature, and must do all the same. */
interface Review {
  readonly files: readonly string[];
  plan?: string;
}

const spec = new AgentSpec({ name: "x", instructions: "" });

describe("a workflow with a context of one's own type", () => {
  it("gives it to prompts and gates with flower's own keys beside it, and returns it", () => {
    const plan = new Step<Review>("plan", spec, (ctx) => `Plan for ${ctx.files.join(", ")}`, {
      gate: (_result, ctx) => {
        expectTypeOf(ctx.plan).toEqualTypeOf<string | undefined>();
        expectTypeOf(ctx._woke).toEqualTypeOf<number | undefined>();
        return true;
      },
      // @ts-expect-error a key nobody declared
      reduce: (_result, ctx) => ctx.palm,
    });
    const each = map(
      (ctx: Review) => ctx.files,
      (file) => new Step<Review>(file, spec, "read"),
    );
    const flow = new Workflow<Review>([plan, each, parallel([new Step<Review>("b", spec, "b")])], {
      context: { files: ["a"] },
    });
    expectTypeOf(flow.steps).toEqualTypeOf<readonly WorkflowStep<Review>[]>();
    type End = Awaited<ReturnType<typeof flow.run>>;
    expectTypeOf<End["files"]>().toEqualTypeOf<readonly string[]>();
    expectTypeOf<End["_failedAt"]>().toEqualTypeOf<string | undefined>();
    expect(each.stepsFor({ files: ["a", "b"] }).map(({ name }) => name)).toEqual(["a", "b"]);
  });

  it("takes flower's own steps and the goal guard, which keep the type of the context", () => {
    const channel = new HumanChannel();
    const work = new Step<Review>("work", spec, (ctx) => ctx.files.join(", "), { retries: 5 });
    const guarded = withGoal(work, channel, { goalPath: "goal.md", rounds: 2 });
    expectTypeOf(guarded).toEqualTypeOf<Step<Review>>();
    const flow = new Workflow<Review>(
      [
        clarifyStep(channel, {
          briefPath: "brief.md",
          prompt: (ctx) => {
            expectTypeOf(ctx.files).toEqualTypeOf<readonly string[]>();
            return ctx.files.join(", ");
          },
        }),
        goalStep(channel, { goalPath: "goal.md" }),
        guarded,
      ],
      { context: { files: ["a", "b"] } },
    );
    const [clarify, , last] = flow.steps as readonly Step<Review>[];
    expect(renderPrompt(clarify!.prompt, flow.context)).toBe("a, b");
    expect([last?.name, last?.retries, last?.prompt]).toEqual(["work", 1, work.prompt]);
    expectTypeOf(clarifyStep(channel, { briefPath: "b", prompt: "x" })).toEqualTypeOf<Step<Ctx>>();
    expectTypeOf(goalStep(channel, { goalPath: "g" })).toEqualTypeOf<Step<Ctx>>();
  });

  it("needs no type at all: then every key is there", () => {
    const step = new Step("a", spec, (ctx) => String(ctx.anything));
    expectTypeOf(step).toEqualTypeOf<Step<Ctx>>();
    expectTypeOf<Awaited<ReturnType<Workflow["run"]>>["_goal"]>().not.toBeAny();
    expect(step.prompt).toBeTypeOf("function");
  });
});
