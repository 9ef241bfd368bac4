import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ask, dispatch, text, toolUse } from "../../src/testing/index.ts";
import { cliStage, descendants, lives } from "./cli-stage.ts";
import { briefText } from "./documents.ts";
import { type Sitting, sitDown } from "./pty-stage.ts";

const CTRL_C = "\u0003";
const BRIEF = briefText("Count words.");
const GONE = { timeout: 30_000, interval: 200 };

function stateOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3);
}

/** What every end must leave behind: the keyboard the shell's, no mode of flower's left on. */
function expectGivenBack(sitting: Sitting): void {
  expect(sitting.isRaw()).toBe(false);
  expect([...sitting.screen.modes].sort()).toEqual(["25", "7"]);
}

describe("a run at the terminal", () => {
  it("survives being stopped and continued, and ends with its books on a second Ctrl-C", async () => {
    const play = await cliStage({
      coordinator: [dispatch("coder", "Write a.txt."), dispatch("coder", "Again."), text("Done.")],
      workers: {
        coder: [toolUse("Bash", { command: "sleep 300" }), toolUse("Bash", { command: "sleep 301" })],
      },
    });
    mkdirSync(join(play.workspace, ".flower/notes"), { recursive: true });
    writeFileSync(join(play.workspace, ".flower/notes/brief.md"), BRIEF);
    const sitting = sitDown(play, ["go", "--no-goal", "--no-color"], { columns: 38, rows: 16 });
    const { pid } = sitting.pty;
    await sitting.shown("| * Bash  sleep 300");
    sitting.type("half a li");
    await sitting.shown("> half a li");
    expect(sitting.isRaw()).toBe(true);

    process.kill(pid, "SIGSTOP");
    await expect.poll(() => stateOf(pid)).toBe("T");
    sitting.screen.write("\r\n[1]+ Stopped\r\n");
    process.kill(pid, "SIGCONT");
    await sitting.shown(/\[1\]\+ Stopped[\s\S]*> half a li$/);
    expect(sitting.isRaw()).toBe(true);

    const children = descendants(pid);
    expect(children.length).toBeGreaterThan(1);
    sitting.type(CTRL_C);
    await sitting.shown("! interrupted");
    // What was half typed is still there: it is what the turn was stopped for.
    await sitting.shown("! half a li");
    sitting.type(CTRL_C);
    expect(await sitting.ended).toBe(130);
    expectGivenBack(sitting);
    expect(sitting.screen.unfolded.filter((line) => line !== "").at(-1)).toMatch(/^total \$/);
    expect(sitting.screen.unfolded).toContainEqual(expect.stringContaining("leaving; the books are written"));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no colour was wanted
    expect(sitting.bytes()).not.toMatch(/\x1b\[\d+m/);
    expect(play.manifest().some((row) => row.step === "work")).toBe(true);
    expect(existsSync(join(play.workspace, "runs/lineage.json"))).toBe(true);
    await expect.poll(() => children.filter(lives), GONE).toEqual([]);
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGINT", 130],
    [CTRL_C, 130],
  ])("gives the terminal back when %j ends it before there is a run", async (signal, code) => {
    const play = await cliStage({});
    const sitting = sitDown(play, []);
    await sitting.shown("? What do you want?");
    expect(sitting.isRaw()).toBe(true);
    if (signal === CTRL_C) sitting.type(signal);
    else process.kill(sitting.pty.pid, signal);
    expect(await sitting.ended).toBe(code);
    expectGivenBack(sitting);
    expect(existsSync(join(play.workspace, ".flower"))).toBe(false);
  });
});

describe("a shell's job", () => {
  it("is stopped by Ctrl-Z, goes on in the background without the terminal, and takes it back in front", async () => {
    const play = await cliStage({});
    const sitting = sitDown(play, [], { inShell: true, extra: { PS1: "$ " } });
    await sitting.shown("? What do you want?");
    sitting.type("half a line");
    await sitting.shown("? What do you want? half a line");
    expect(sitting.isRaw()).toBe(true);
    sitting.type("\u001a");
    await sitting.shown(/Stopped[^$]*\$$/);
    expect(sitting.isRaw()).toBe(false);
    expect(sitting.screen.modes).not.toContain("2004");
    sitting.type("bg\r");
    await sitting.shown(/&\n\$$/);
    sitting.type("echo shell-has-it\r");
    await sitting.shown(/^shell-has-it$/m);
    expect(sitting.isRaw()).toBe(false);
    sitting.type("fg\r");
    await sitting.shown(/fg\n.*\n\? What do you want\? half a line$/);
    expect(sitting.isRaw()).toBe(true);
    sitting.type("\u0003");
    await sitting.shown(/fg\n.*\n\n\$$/);
    expect(sitting.isRaw()).toBe(false);
    sitting.type("exit\r");
    await sitting.ended;
  });
});

describe("a terminal that is none", () => {
  const script = { clarifier: [ask("Which files?", ["text", "all"]), text(BRIEF)] };

  it("called dumb gets plain lines, and is asked with a simple prompt", async () => {
    const play = await cliStage(script);
    const sitting = sitDown(play, ["count", "--clarify-only"], { extra: { TERM: "dumb" } });
    await sitting.shown(/q1-\w{4}: 1-2 or your own words/);
    expect(sitting.isRaw()).toBe(false);
    sitting.type("2\r");
    await sitting.shown("+ answered: all");
    expect(await sitting.ended).toBe(0);
    expect(sitting.bytes()).not.toContain("\u001b");
  });

  it("in an automatic build is taken to be empty, and that is said", async () => {
    const play = await cliStage(script);
    const sitting = sitDown(play, ["count", "--clarify-only"], { extra: { CI: "true" } });
    expect(await sitting.ended).toBe(0);
    expect(sitting.screen.unfolded.join("\n")).toMatch(
      /! nobody is there to answer[\s\S]*nobody answered in 5 s/,
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: nothing may be drawn
    expect(sitting.bytes()).not.toMatch(/\x1b\[\?|\x1b\[\d*[A-K]/);
  });
});
