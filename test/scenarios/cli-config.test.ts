import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { dispatch, text } from "../../src/testing/index.ts";
import { type CliStage, cliStage } from "./cli-stage.ts";
import { briefText, goalText, HOLDS, verdictText } from "./documents.ts";

function writeProject(play: CliStage, values: unknown): void {
  writeFileSync(join(play.workspace, "flower.config.json"), JSON.stringify(values));
}

function writeOwn(play: CliStage, values: unknown): void {
  const path = join(play.home, ".config/flower/flower.config.json");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(values));
}

describe("flower.config.json", () => {
  it("reaches every role and limit of a run, and says what it gave and what of a project's was not heeded", async () => {
    const play = await cliStage({
      clarifier: [text(briefText("Count words."))],
      judge: [text(goalText("A counter.", [HOLDS])), text(verdictText("achieved", "It counts."))],
      coordinator: [dispatch("coder", "Write it."), text("Done.")],
      workers: { coder: [text("Conclusion: written.")] },
    });
    writeProject(play, { budget: 900, rounds: 7, models: { judge: "claude-opus-4-5" } });
    writeOwn(play, { budget: 20, model: "claude-haiku-4-5", models: { worker: "claude-sonnet-4-5" } });
    const end = await play.flower(["count"]);
    expect(end).toMatchObject({ code: 0, stderr: "" });
    const asked = new Set(play.api.requests.map(({ role, body }) => `${role} ${body.model}`));
    expect([...asked].sort()).toEqual([
      "clarifier claude-haiku-4-5",
      "coordinator claude-haiku-4-5",
      "judge claude-opus-4-5",
      // The test before it begins: each of them, once.
      "side claude-haiku-4-5",
      "side claude-opus-4-5",
      "side claude-sonnet-4-5",
      "worker claude-sonnet-4-5",
    ]);
    const unfolded = end.stdout.replace(/\s+/g, " ");
    expect(unfolded).toMatch(
      /- defaults of \S*flower\.config\.json: rounds 7 · models\.judge claude-opus-4-5 /,
    );
    expect(unfolded).toContain(
      "- defaults of ~/.config/flower/flower.config.json: budget 20 · model claude-haiku-4-5 · models.worker",
    );
    expect(unfolded).toMatch(/! budget 900 of \S*flower\.config\.json does not count, 20 holds/);
    expect(end.stdout).toContain("- budget $20.00\n");
    expect(end.stdout).toContain("round 1 of 7: achieved");
    play.api.verify();
  });

  it("is a usage error when it cannot be, before anything is asked of the API, also for a program", async () => {
    const play = await cliStage({ main: [text("Hi.")] });
    writeProject(play, { permission: "bypassPermissions" });
    const end = await play.flower(["once", "hello"]);
    expect(end).toMatchObject({ code: 2, stdout: "" });
    expect(end.stderr).toContain("flower.config.json: permission cannot be set by a project's file");
    expect(end.stderr).toContain("next: put it into ~/.config/flower/flower.config.json");
    const program = await play.flower(["once", "hello", "--json"]);
    expect(JSON.parse(program.stdout)).toMatchObject({ payload: { notice: "summary", exit: 2 } });
    expect(play.api.requests).toEqual([]);
    expect((await play.flower(["once", "hello", "--no-config"])).code).toBe(0);
    expect((await play.flower(["status"])).code).toBe(0);
  });
});
