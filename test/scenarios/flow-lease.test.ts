import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AgentSpec } from "../../src/agents/agent-spec.ts";
import { LeaseError } from "../../src/core/errors.ts";
import { always, text } from "../../src/testing/index.ts";
import { Step } from "../../src/workflow/step.ts";
import { Workflow } from "../../src/workflow/workflow.ts";
import { createGate } from "../testing/gate.ts";
import { fileAppears, stage, startChild } from "./stage.ts";

const plain = new AgentSpec({ name: "plain", instructions: "", allowedTools: ["Read"] });

describe("two runs in one folder", () => {
  it("are one too many: the second is refused and told who holds it, unless it gives up continuity", async () => {
    const asked = createGate();
    const goOn = createGate();
    const play = await stage({
      main: [
        async () => {
          asked.open();
          await goOn.opened;
          return text("first");
        },
        text("beside"),
        text("after"),
      ],
    });
    const make = () => new Workflow([new Step("work", plain, "go")]);
    const holder = play.runtime();
    const running = make().run(holder);
    await asked.opened;

    const refused = make().run(play.runtime());
    await expect(refused).rejects.toThrow(LeaseError);
    await expect(refused).rejects.toMatchObject({
      code: "lease_held",
      message: expect.stringMatching(new RegExp(`${holder.runId}.*${process.pid}.*work`)),
      hint: expect.stringContaining("--parallel"),
    });

    // The request goes out a moment before the store has the session's first entry.
    await fileAppears(join(play.runDir, "lineage.json"));
    const session = play.lineage().steps.work;
    const beside = await make().withoutContinuity().run(play.runtime());
    expect(beside.work).toBe("beside");
    expect(play.lineage().steps.work).toBe(session);
    expect(beside._sessions?.work).not.toBe(session);

    goOn.open();
    expect((await running).work).toBe("first");
    expect(existsSync(join(play.runDir, "active.json"))).toBe(false);

    // The next one takes a dead holder's place and goes on in its session.
    const dead = { host: hostname(), pid: 2 ** 22 + 1, start: "1", run: "dead", step: "work", heartbeat: 0 };
    writeFileSync(join(play.runDir, "active.json"), JSON.stringify(dead));
    const after = await make().run(play.runtime());
    expect(after._sessions?.work).toBe(session);
    play.api.verify();
  });
});

describe("the books of runs side by side", () => {
  it("lose no row: of two Runtimes in this process, nor of three processes", async () => {
    const play = await stage({ main: [always(text("done"))] });
    const [a, b] = [play.runtime(), play.runtime()];
    await Promise.all([
      a.run(plain, "go", { stepName: "a1" }),
      a.run(plain, "go", { stepName: "a2" }),
      b.run(plain, "go", { stepName: "b1" }),
    ]);
    const children = ["x", "y", "z"].map((name) =>
      startChild("run-steps.mjs", [play.workspace, `${name}1`, `${name}2`], play.api),
    );
    for (const child of children)
      expect(await child.ended).toMatchObject({ code: 0, out: "[true,true]", err: "" });
    const rows = play.manifest();
    expect(rows.map((row) => row.step).sort()).toEqual([
      "a1",
      "a2",
      "b1",
      "x1",
      "x2",
      "y1",
      "y2",
      "z1",
      "z2",
    ]);
    expect(rows.every((row) => row.ok && row.cost_usd > 0)).toBe(true);
    expect(new Set(rows.map((row) => row.run)).size).toBe(5);
    const booked = JSON.parse(readFileSync(join(play.runDir, "costs.json"), "utf8"));
    expect(Object.keys(booked.sessions)).toHaveLength(9);
  });
});
