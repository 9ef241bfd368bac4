import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readLease } from "../../src/runtime/lease.ts";
import { dispatch, lastToolResult, lastUserText, text, toolUse } from "../../src/testing/index.ts";
import { bodyOf, requestsOf, smoothScript } from "./documents.ts";
import { allGone, atEnd, childrenOf, fileAppears, stage, startChild } from "./stage.ts";

describe("a process that is killed without warning in the middle of a worker's command", () => {
  it("is gone on with: same work session, nothing asked or set again, each turn paid once", async () => {
    const play = await stage((workspace) =>
      smoothScript({
        coordinator: [
          dispatch("coder", "Write wc.mjs."),
          dispatch("coder", "Finish wc.mjs."),
          (request) => text(`Reported: ${lastToolResult(request, "Agent")}`),
        ],
        workers: {
          coder: [
            toolUse("Bash", {
              command: `touch ${workspace}/begun; for i in $(seq 600); do test -e ${workspace}/over && break; sleep 0.1; done`,
            }),
            text("Conclusion: it was half done and is done now."),
          ],
        },
      }),
    );
    const begun = join(play.workspace, "begun");
    atEnd(() => {
      if (existsSync(play.workspace)) writeFileSync(join(play.workspace, "over"), "");
    });

    const child = startChild("run-flow.mjs", [play.workspace, "count the words"], play.api);
    const failed = child.ended.then((end) =>
      Promise.reject(new Error(`ended early: ${JSON.stringify(end)}`)),
    );
    await Promise.race([fileAppears(begun), failed]);
    failed.catch(() => {});
    const dead = readLease(join(play.runDir, "active.json"));
    expect(dead).toMatchObject({ pid: child.process.pid, step: "work" });
    const harness = childrenOf(child.process.pid);
    expect(harness.length).toBeGreaterThan(0);
    child.process.kill("SIGKILL");
    await child.ended;
    writeFileSync(join(play.workspace, "over"), "");

    expect(existsSync(join(play.runDir, "active.json"))).toBe(true);
    const before = play.manifest();
    const steps = play.lineage().steps;
    expect(before.map((row) => [row.step, row.session_id, row.error])).toEqual([
      ["clarify", steps.clarify, null],
      ["goal", steps.goal, null],
      ["work", steps.work, "unfinished"],
    ]);
    expect(Object.keys(steps)).toEqual(["clarify", "goal", "work"]);

    expect(await allGone(harness), "the harness of a dead flower leaves by itself").toEqual([]);

    const { ctx } = await play.flow("");
    expect(ctx._failedAt).toBeUndefined();
    expect(ctx._woke).toBe(1);
    expect(String(ctx.work)).toContain("it was half done and is done now");
    expect(play.lineage().steps).toEqual(steps);
    expect(existsSync(join(play.runDir, "active.json"))).toBe(false);

    const woken = requestsOf(play.api.requests, "coordinator").at(1)!;
    expect(woken.sessionId).toBe(steps.work);
    expect(bodyOf(woken)).toContain("Write wc.mjs.");
    expect(lastUserText(woken)).toContain("You were interrupted.");

    const rows = play.manifest();
    expect(rows.slice(0, before.length)).toEqual(before);
    const run2 = rows.filter((row) => row.run !== before[0]?.run);
    expect(run2.map((row) => row.step)).toEqual(["work", "work:verdict#1"]);
    expect(requestsOf(play.api.requests, "clarifier")).toHaveLength(1);
    expect(requestsOf(play.api.requests, "judge")).toHaveLength(2);
    // Six turns came to a result. What the killed process had begun is never booked twice.
    const turns = rows.reduce((sum, row) => sum + row.cost_usd, 0) / before[1]!.cost_usd;
    expect(turns).toBeGreaterThan(5.999);
    expect(turns).toBeLessThan(play.api.requests.length + 0.001);
    play.api.verify();
  });
});
