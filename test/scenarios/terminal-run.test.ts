import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type ApiRequest,
  always,
  ask,
  dispatch,
  httpError,
  lastToolResult,
  lastUserText,
  text,
  toolNames,
  toolUse,
} from "../../src/testing/index.ts";
import { cliStage } from "./cli-stage.ts";
import { briefText, goalText, HOLDS, verdictText } from "./documents.ts";
import { keptScreen, type Sitting, sitDown } from "./pty-stage.ts";

const kept = (sitting: Sitting, name: string) =>
  expect(keptScreen(sitting)).toMatchFileSnapshot(`../screens/${name}.txt`);

const CTRL_C = "\u0003";
const READY = "Enter skips";

/** A gate that a step of the script waits at. */
function gate() {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}

describe("an evening at the terminal", () => {
  it("answers by digit, by paste and not at all, says something unasked, and stops a turn with words", async () => {
    const first = gate();
    const play = await cliStage((workspace) => ({
      clarifier: [
        async () => {
          await first.opened;
          return ask("Which files?", ["text files", "everything"]);
        },
        ask("How fast should it be?"),
        ask("In which language?", ["JavaScript", "Python"]),
        text(briefText("Count words.")),
      ],
      judge: [text(goalText("A counter.", [HOLDS])), text(verdictText("achieved", "It counts."))],
      coordinator: [
        toolUse("mcp__human__inbox", {}),
        dispatch("coder", "Write a.txt."),
        dispatch("coder", "Write b.txt."),
        text("Done as you said."),
      ],
      oracle: [text("It sleeps; I saw the call."), always(httpError(401))],
      workers: {
        coder: [
          toolUse("Write", { file_path: join(workspace, "a.txt"), content: "a b c\n" }),
          toolUse("Bash", { command: "sleep 300" }),
          toolUse("Bash", { command: "sleep 301" }),
        ],
      },
    }));
    const sitting = sitDown(play, ["count", "my", "words"]);
    // Begun before there is a question, ended after it has appeared: it is no answer.
    await sitting.shown("> say something");
    sitting.type("also count li");
    await sitting.shown("> also count li");
    first.open();
    await sitting.shown("goes to the inbox; then answer here");
    await kept(sitting, "typing-en-80");
    sitting.type("nes\r");
    await sitting.shown("+ noted; it is read at the next milestone");
    await sitting.shown(READY);
    sitting.type("2");
    await sitting.shown("> 2. everything");
    for (const [columns, rows] of [
      [50, 20],
      [120, 40],
      [80, 30],
    ] as const) {
      await sitting.resize(columns, rows);
      await sitting.shown(/Which files\?\n.*text files\n {2}> 2\. everything\n.*\n.*\n\? 2$/);
    }
    await kept(sitting, "question-en-80");
    sitting.type("\r");
    await sitting.shown("+ answered: everything");
    await sitting.shown(/How fast.*\n.*answer \(Enter skips\)/);
    sitting.type("\u001b[200~under a second\rfor 10 MB\r\u001b[201~");
    await sitting.shown(/\? under a second\n {2}for 10 MB/);
    sitting.type("\r");
    await sitting.shown("+ answered: under a second for 10 MB");
    await sitting.shown(/In which language\?\n.*\n.*\n.*Enter skips/);
    sitting.type("\r");
    await sitting.shown(". skipped");

    await sitting.shown("coder: Bash sleep 300");
    sitting.type("?what is it doing\r");
    await sitting.shown("# asking aside: what is it doing");
    await sitting.shown("# It sleeps; I saw the call.");
    sitting.type("\uff1fagain\r");
    await sitting.shown(/! no answer from aside: .*(?:key|credential|401)/i);
    sitting.type(CTRL_C);
    await sitting.shown("! interrupted");
    await sitting.shown("coder: Bash sleep 301");
    await kept(sitting, "interrupted-en-80");
    sitting.type("use node only\r");
    await sitting.shown("+ said to it at once");
    expect(await sitting.ended).toBe(0);

    await kept(sitting, "end-en-80");
    const shown = sitting.screen.unfolded;
    expect(shown.filter((line) => line.includes("Which files?"))).toHaveLength(1);
    expect(shown.filter((line) => line.startsWith("? "))).toHaveLength(3);
    expect(shown.some((line) => /^- context|^> say something/.test(line))).toBe(false);
    expect(shown.filter((line) => line !== "").at(-1)).toMatch(
      /^total \$0\.\d{4} · manifest .*runs\/manifest\.json$/,
    );
    // What the terminal was told, it was told back.
    expect([...sitting.screen.modes].sort()).toEqual(["25", "7"]);

    const requests = play.api.requests;
    const clarify = requests.filter((request) => request.role === "clarifier");
    expect(lastToolResult(clarify[1] as ApiRequest, "mcp__human__ask")).toBe("everything");
    expect(lastToolResult(clarify[2] as ApiRequest, "mcp__human__ask")).toBe("under a second\nfor 10 MB");
    expect(lastToolResult(clarify[3] as ApiRequest, "mcp__human__ask")).toMatch(/skipped it/);
    const work = requests.filter((request) => request.role === "coordinator");
    expect(lastToolResult(work[1] as ApiRequest, "mcp__human__inbox")).toContain("also count lines");
    expect(lastUserText(work.at(-1) as ApiRequest)).toContain("use node only");
    // Said while the work went on: the judge rules by it as well.
    const verdict = requests.filter((request) => request.role === "judge").at(-1);
    expect(lastUserText(verdict as ApiRequest)).toMatch(/Said later by the person[\s\S]*use node only/);
    const brief = readFileSync(join(play.workspace, ".flower/notes/brief.md"), "utf8");
    expect(brief).toContain("also count lines");
    expect(brief).toContain("use node only");
    // The side channel read the last events, wrote its own books, and left no trace in the run.
    const aside = requests.filter((request) => request.role === "oracle");
    expect(lastUserText(aside[0] as ApiRequest)).toMatch(
      /step "work"[\s\S]*sleep 300[\s\S]*what is it doing/,
    );
    expect(toolNames(aside[0] as ApiRequest)).toEqual(expect.arrayContaining(["Glob", "Grep", "Read"]));
    expect(toolNames(aside[0] as ApiRequest)).not.toEqual(expect.arrayContaining(["Bash"]));
    expect(JSON.stringify(work.map((request) => request.body))).not.toContain("what is it doing");
    const books = (folder: string) =>
      JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as { step: string; cost_usd: number }[];
    const side = books(join(play.workspace, "runs", "aside"));
    expect(side.map((row) => row.step)).toEqual(["oracle", "oracle"]);
    const total = [...books(join(play.workspace, "runs")), ...side].reduce(
      (sum, row) => sum + row.cost_usd,
      0,
    );
    expect(shown.filter((line) => line !== "").at(-1)).toContain(`total $${total.toFixed(4)} `);
    expect(shown.join("\n")).toMatch(/- cost \$\S+: .* · asked\s+aside\s+\$\d/);
    const logs = await play.flower(["logs"]);
    expect(logs.stdout.trim().split("\n").at(-1)).toContain(`total $${total.toFixed(4)} `);
    const status = await play.flower(["status", "--json"]);
    expect((JSON.parse(status.stdout) as { costUsd: number }).costUsd).toBeCloseTo(total, 9);
    play.api.verify();
  });
});
