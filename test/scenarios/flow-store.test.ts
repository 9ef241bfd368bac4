import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { AgentSpec } from "../../src/agents/agent-spec.ts";
import { SqliteSessionStore } from "../../src/harness/sqlite-session-store.ts";
import { always, text } from "../../src/testing/index.ts";
import { Step } from "../../src/workflow/step.ts";
import { Workflow } from "../../src/workflow/workflow.ts";
import { atEnd, stage, temporaryFolder } from "./stage.ts";

const plain = new AgentSpec({ name: "plain", instructions: "", allowedTools: ["Read"] });

describe("a session in the store", () => {
  it.each([
    ["odd characters", "Größe und_x.y (1) 🌷"],
    ["a very long path", join("x".repeat(100), "y_".repeat(50), "é".repeat(40))],
  ])("is found again in a workspace with %s", async (_what, below) => {
    const workspace = join(temporaryFolder("flower-odd-"), below);
    mkdirSync(workspace, { recursive: true });
    const play = await stage({ main: [always(text("done"))] }, { workspace });
    const first = await play.runtime().run(plain, "go");
    const later = play.runtime();
    expect(await later.hasSession(first.sessionId!)).toBe(true);
    expect(await later.hasSession("00000000-0000-4000-8000-000000000000")).toBe(false);
    const second = await later.run(plain, "on", { resume: first.sessionId! });
    expect(second).toMatchObject({ ok: true, sessionId: first.sessionId });
    expect(JSON.stringify(play.api.requests.at(-1)?.body)).toContain("done");
  });

  it("that was only announced is not remembered either", async () => {
    process.env.FLOWER_HARNESS = fileURLToPath(
      new URL("../runtime/children/replay-harness.mjs", import.meta.url),
    );
    atEnd(() => {
      delete process.env.FLOWER_HARNESS;
    });
    const play = await stage({});
    const announced = [
      { type: "system", subtype: "init", session_id: "s" },
      {
        type: "result",
        subtype: "success",
        session_id: "s",
        num_turns: 0,
      },
    ];
    const spec = plain.with({ env: { REPLAY: JSON.stringify([announced]) } });
    const flow = () => new Workflow([new Step("work", spec, "go")]);
    const first = await flow().run(play.runtime());
    expect(first._sessions?.work).toBe("s");
    expect(() => play.lineage()).toThrow(/ENOENT/);
    const second = await flow().run(play.runtime());
    expect(second._failedAt).toBeUndefined();
  });

  it("that was never written is not remembered, the person is told, and the step goes on", async () => {
    const workspace = temporaryFolder("flower-ws-");
    class FullStore extends SqliteSessionStore {
      override async append(): Promise<void> {
        throw new TypeError("no space left");
      }
    }
    mkdirSync(join(workspace, "runs"));
    const store = new FullStore({ path: join(workspace, "runs", "sessions.db") });
    atEnd(() => store.close());
    const play = await stage({ main: [always(text("done"))] }, { workspace });
    const ctx = await new Workflow([new Step("work", plain, "go")]).run(play.runtime({ store }));
    expect(ctx.work).toBe("done");
    expect(() => play.lineage()).toThrow(/ENOENT/);
    const told = play.events.filter((event) => event.kind === "task" && event.payload.notice === "store");
    expect(told.length).toBeGreaterThan(0);
    expect(told[0]?.text).toMatch(/no space left|append/i);
  });
});
