import { describe, expect, expectTypeOf, it } from "vitest";
import { AgentSpec, type Ctx, map, parallel, Step, Workflow, type WorkflowStep } from "../../src/index.ts";

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

  it("needs no type at all: then every key is there", () => {
    const step = new Step("a", spec, (ctx) => String(ctx.anything));
    expectTypeOf(step).toEqualTypeOf<Step<Ctx>>();
    expectTypeOf<Awaited<ReturnType<Workflow["run"]>>["_goal"]>().not.toBeAny();
    expect(step.prompt).toBeTypeOf("function");
  });
});
