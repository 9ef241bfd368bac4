import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hang, text, toolUse, turn } from "../../src/testing/index.ts";
import { cliStage } from "./cli-stage.ts";
import { bodyOf } from "./documents.ts";

/** 4,000 tokens of output cost $0.08. */
const dear = (number: number) =>
  turn(toolUse("Bash", { command: `echo ${number}` }), { usage: { inputTokens: 0, outputTokens: 4_000 } });

const FLOW = `import { AgentSpec, Step, Workflow } from "flower-agent";
const spec = new AgentSpec({ name: "a", instructions: "", allowedTools: ["Bash"] });
export const flow = ({ channel }) => new Workflow([new Step("work", spec, "Go.")], { channel });
export const thrifty = ({ channel }) =>
  new Workflow([new Step("work", spec, "Go.")], { channel, budgetUsd: 0.01 });
`;

describe("the limits of a run at the command", () => {
  it("stop it with exit code 1 and a next step when nobody is there; a wake goes on, and what is typed raises them", async () => {
    const play = await cliStage({ main: [dear(1), dear(2), dear(3), dear(4), text("Finished.")] });
    writeFileSync(join(play.workspace, "flow.mjs"), FLOW);
    const stopped = await play.flower(["run", "flow.mjs:flow", "--budget", "0.1"]);
    expect(stopped.code).toBe(1);
    expect(stopped.stdout).toContain("- budget $0.10\n");
    expect(stopped.stdout).toMatch(/! \d+% of the budget used/);
    expect(stopped.stdout).toContain("The budget of $0.10 is used up");
    expect(stopped.stderr).toMatch(/^x stopped: .*\$0\.10.*\n {2}next: .*--budget/);

    // Raised once by a number: two turns more, and the rest is within the new limit.
    const raised = await play.flower(
      ["run", "flow.mjs:thrifty", "--budget", "0.1", "--lang", "pt", "--timeout", "60"],
      "mais 5\n",
    );
    expect(raised.stdout).toContain("O orçamento de $0.10 acabou");
    expect(raised.stdout).toContain("Finished.");
    expect(raised).toMatchObject({ code: 0, stderr: "" });
    expect(play.manifest().map((row) => row.ok)).toEqual([false, true]);
    expect(new Set(play.manifest().map((row) => row.session_id)).size).toBe(1);
    play.api.verify();
  });

  it("end a run at its deadline though the API never answers", async () => {
    const play = await cliStage({ main: [hang()] });
    writeFileSync(join(play.workspace, "flow.mjs"), FLOW);
    const end = await play.flower(["run", "flow.mjs:flow", "--deadline", "0.002"]);
    expect(end.code).toBe(1);
    expect(end.stdout).toContain("- deadline in 0.002 h · budget $50.00");
    expect(end.stderr).toMatch(/^x stopped: .*deadline.*\n {2}next: .*--deadline/);
  });
});

describe("the context of a run at the command", () => {
  it("is handed over below the window that was named, and shown; not with --no-handoff", async () => {
    const full = { usage: { inputTokens: 12_000, outputTokens: 10 } };
    const look = (command: string) => turn(toolUse("Bash", { command }), full);
    const handoff = "## Doing\nCounting a.\n\n## Next\nCount b.\n";
    const play = await cliStage({
      main: [look("echo a"), text(handoff), text("Counted."), look("echo c"), turn(text("Kept."), full)],
    });
    const end = await play.flower(["once", "count", "-t", "Bash", "--window", "60000"]);
    expect(end).toMatchObject({ code: 0, stderr: "" });
    expect(end.stdout).toMatch(/\n# context full; writing the handoff\n/);
    expect(end.stdout).toMatch(
      /\n# -- handoff -+\n# doing: Counting a\.\n# next: Count b\.\n<- a fresh session takes over; /,
    );
    expect(play.manifest()[0]?.retired).toHaveLength(1);
    const kept = await play.flower(["once", "count", "-t", "Bash", "--no-handoff"]);
    expect(kept.stdout).not.toContain("handoff");
    expect(play.manifest()[1]).toMatchObject({ ok: true, retired: [] });
  });

  it("loses its long old results to files with -T, and only then", async () => {
    const calls = Array.from({ length: 22 }, (_, i) =>
      toolUse("Bash", { command: i === 0 ? "printf 'long%.0s' {1..800}" : `echo ${i} > /dev/null` }),
    );
    const play = await cliStage({ main: [calls, text("One."), text("Two."), text("Three.")] });
    const once = (...args: string[]) => play.flower(["once", "-t", "Bash", ...args]);
    expect(await once("first")).toMatchObject({ code: 0 });
    const session = play.manifest()[0]?.session_id ?? "";
    expect(await once("second", "--resume", session)).toMatchObject({ code: 0 });
    expect(bodyOf(play.api.requests.at(-1)!)).toContain("longlonglong");
    const spill = join(play.workspace, ".flower/spill");
    expect(existsSync(spill)).toBe(false);
    const trimmed = await once("third", "--resume", session, "-T", "-v");
    expect(trimmed.stdout).toContain("results trimmed: 1");
    expect(bodyOf(play.api.requests.at(-1)!)).not.toContain("longlonglong");
    expect(readdirSync(spill).length).toBeGreaterThan(0);
  });
});
