import { afterEach, describe, expect, it } from "vitest";
import { LiveDesk } from "../../../src/cli/run/live-desk.ts";
import { LiveLines } from "../../../src/cli/run/live-lines.ts";
import { createPaint } from "../../../src/cli/screen/paint.ts";
import { createTranslator } from "../../../src/config/locale/translator.ts";
import type { HumanChannelOptions } from "../../../src/people/channel-options.ts";
import { HumanChannel } from "../../../src/people/human-channel.ts";
import { FakeTerminal } from "../terminal/fake-terminal.ts";

const READY = "Enter skips";
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Settings extends HumanChannelOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly withOracle?: boolean;
}

function stage({ columns = 80, rows = 24, withOracle = false, ...options }: Settings = {}) {
  const terminal = new FakeTerminal(columns, rows);
  const lines = new LiveLines(terminal.streams, createPaint(false));
  const channel = new HumanChannel(options);
  const interrupts: string[] = [];
  const asides: string[] = [];
  const answered: string[] = [];
  const desk = new LiveDesk({
    lines,
    t: createTranslator("en"),
    channel,
    interrupt: (words) => void interrupts.push(words),
    answered: () => void answered.push("said"),
    aside: withOracle ? (question) => void asides.push(question) : undefined,
    reactionMs: 50,
    status: (width) => ({ tone: "faint", text: "- status".slice(0, width) }),
  });
  closing.push(() => {
    desk.close();
    lines.close();
  });
  /** Resolves with the next words put into the inbox. */
  const mail = () =>
    new Promise<string>((resolve) => {
      const stop = channel.listen((event) => {
        if (event.kind !== "ask" || event.payload.kind !== "mail") return;
        stop();
        resolve(event.text);
      });
    });
  return { terminal, lines, channel, interrupts, answered, asides, desk, mail };
}

function opened(settings: Settings = {}) {
  const made = stage(settings);
  made.desk.open();
  return made;
}

describe("an open question", () => {
  it("stands above the line with its options, and a number shows what it picks before Enter says so", async () => {
    const { terminal, channel } = opened();
    const asked = channel.ask("Which files?", ["text", "all"]);
    await terminal.shown(READY);
    const id = channel.pending()[0]?.id;
    expect(terminal.screen.all).toEqual([
      "",
      `? question ${id}: Which files?`,
      "    1. text",
      "    2. all",
      "  1-2 or your own words (Enter skips)",
      "- status",
      "?",
    ]);
    terminal.type("2");
    await terminal.shown("  > 2. all");
    expect(channel.pending()).toHaveLength(1);
    terminal.type("\r");
    expect(await asked).toMatchObject({ state: "answered", answer: "all" });
    await terminal.shown("Which files", false);
    expect(terminal.screen.all).toEqual(["- status", "> say something"]);
  });

  it("is answered by the option the arrows stand on, round both ends", async () => {
    const { terminal, channel } = opened();
    const first = channel.ask("Which?", ["a", "b", "c"]);
    await terminal.shown(READY);
    terminal.type("\u001b[A");
    await terminal.shown("> 3. c");
    terminal.type("\u001b[B\u001b[B");
    await terminal.shown("> 2. b");
    terminal.type("\r");
    expect(await first).toMatchObject({ answer: "b" });
  });

  it.each([
    ["left", "\u001b[D"],
    ["home", "\u001b[H"],
    ["backspace", "\u007f"],
  ])("keeps the option the arrows stand on when %s finds nothing on the line", async (_, key) => {
    const { terminal, channel } = opened();
    const asked = channel.ask("Which files?", ["text", "all"]);
    await terminal.shown(READY);
    terminal.type(`\u001b[B${key}\r`);
    expect((await asked).answer).toBe("text");
  });

  it("takes words, and a number out of its range as words", async () => {
    const { terminal, channel } = opened();
    const asked = channel.ask("Which?", ["a", "b"]);
    await terminal.shown(READY);
    terminal.type("3\r");
    expect(await asked).toMatchObject({ state: "answered", answer: "3" });
  });

  it("is skipped by Enter, and a picked option that was let go is not picked", async () => {
    const { terminal, channel } = opened();
    const asked = channel.ask("Which?", ["a", "b"]);
    await terminal.shown(READY);
    terminal.type("\u001b[B");
    await terminal.shown("> 1. a");
    terminal.type("\u001b");
    await terminal.shown("> 1. a", false);
    terminal.type("\r");
    expect(await asked).toMatchObject({ state: "declined" });
  });

  it("is skipped by Enter when the number typed for it was erased again, as the line says", async () => {
    const { terminal, channel } = opened();
    const asked = channel.ask("Which?", ["a", "b"]);
    await terminal.shown(READY);
    terminal.type("2");
    await terminal.shown("> 2. b");
    terminal.type("\u007f");
    await terminal.shown("> 2. b", false);
    terminal.type("\r");
    expect(await asked).toMatchObject({ state: "declined" });
  });

  it("marks no option for a number that was begun for the one before", async () => {
    const { terminal, channel } = opened({ timeoutS: 1 });
    const first = channel.ask("one?", ["a", "b"]);
    await terminal.shown(READY);
    terminal.type("1");
    await terminal.shown("> 1. a");
    void channel.ask("two?", ["c", ...Array.from({ length: 20 }, (_, i) => `d${i}`)]);
    expect(await first).toMatchObject({ state: "timeout" });
    await terminal.shown("two?");
    terminal.type("2");
    await terminal.shown("? 12");
    expect(terminal.text).not.toContain("> 12.");
  });

  it("says how many more wait, and how long it will", async () => {
    const { terminal, channel } = opened({ timeoutS: 90 });
    void channel.ask("one?");
    void channel.ask("two?");
    await terminal.shown(/answer \(Enter skips\) · 1 more waiting · 1:[23]\d left/);
    terminal.type("first\r");
    await terminal.shown(/two\?\n {2}answer \(Enter skips\) · 1:[23]\d left/);
  });

  it("takes a paste of several lines as one answer, marked by the terminal or not", async () => {
    const { terminal, channel } = opened();
    const marked = channel.ask("one?");
    await terminal.shown(READY);
    terminal.type("\u001b[200~first\rsec");
    terminal.type("ond\rthird\r\u001b[201~");
    await terminal.shown("third");
    expect(channel.pending()).toHaveLength(1);
    terminal.type("\r");
    expect((await marked).answer).toBe("first\nsecond\nthird");
    await terminal.shown("one?", false);
    const unmarked = channel.ask("two?");
    await terminal.shown(READY);
    terminal.type("first\rsecond\rthird\r");
    expect((await unmarked).answer).toBe("first\nsecond\nthird");
    expect(channel.mail).toEqual([]);
  });

  it("too long for the screen keeps its options and its line in sight", async () => {
    const { terminal, channel, desk } = opened({ columns: 40, rows: 9 });
    void channel.ask(
      "why ".repeat(200),
      Array.from({ length: 20 }, (_, i) => `option ${i + 1}`),
    );
    expect(desk.shows(channel.pending()[0]?.id ?? "")).toBe(false);
    await terminal.shown(READY.slice(0, 5));
    expect(terminal.screen.screen.length).toBeLessThanOrEqual(9);
    expect(terminal.screen.screen.at(-1)).toBe("?");
    terminal.type("17");
    await terminal.shown("> 17. option 17");
  });
});

describe("what is typed before a question appears", () => {
  it("goes to the inbox, also what is only half typed by then; the question waits for its own answer", async () => {
    const { terminal, channel, mail } = opened();
    const heard = mail();
    terminal.type("also add te");
    await terminal.shown("> also add te");
    const asked = channel.ask("Which?", ["a", "b"]);
    await terminal.shown("goes to the inbox");
    terminal.type("sts\r");
    expect(await heard).toBe("also add tests");
    expect(channel.pending()).toHaveLength(1);
    await terminal.shown(READY);
    terminal.type("1\r");
    expect(await asked).toMatchObject({ answer: "a" });
    expect(channel.mail).toHaveLength(1);
  });

  it("goes to the inbox when it comes sooner than anybody could have read the question", async () => {
    const { terminal, channel, mail } = opened();
    const heard = mail();
    const asked = channel.ask("Delete it all?", ["yes", "no"]);
    terminal.type("1\r");
    expect(await heard).toBe("1");
    expect(channel.pending()).toHaveLength(1);
    await terminal.shown(READY);
    terminal.type("2\r");
    expect(await asked).toMatchObject({ answer: "no" });
  });

  it("does not skip it either", async () => {
    const { terminal, channel } = opened();
    void channel.ask("Which?");
    terminal.type("\r");
    await terminal.shown(READY);
    expect(channel.pending()).toHaveLength(1);
  });

  it("and before the run began is mail", async () => {
    const { terminal, lines, channel, desk, mail } = stage();
    terminal.type("with tests\r");
    await expect.poll(() => lines.waiting).toBe(1);
    const heard = mail();
    desk.open();
    expect(await heard).toBe("with tests");
    expect(channel.mail).toHaveLength(1);
  });
});

describe("a line half typed before the run began", () => {
  it("is mail once Enter ends it", async () => {
    const { terminal, channel, desk, mail } = stage();
    terminal.type("mak");
    await expect.poll(() => terminal.raw).toBe(true);
    const heard = mail();
    desk.open();
    await terminal.shown("> mak");
    terminal.type("e\r");
    expect(await heard).toBe("make");
    expect(channel.mail).toHaveLength(1);
  });

  it("neither answers nor skips a question that is open by then", async () => {
    const { terminal, channel, desk, mail } = stage();
    terminal.type("mak");
    const heard = mail();
    desk.open();
    await terminal.shown("> mak");
    const asked = channel.ask("Which?", ["a", "b"]);
    await terminal.shown("goes to the inbox");
    terminal.type("e\r");
    expect(await heard).toBe("make");
    await terminal.shown(READY);
    terminal.type("1\r");
    expect(await asked).toMatchObject({ state: "answered", answer: "a" });
  });
});

describe("other words", () => {
  it("for a question that was settled meanwhile are its late answer, not the next one's", async () => {
    const { terminal, channel, mail } = opened({ timeoutS: 1 });
    const heard = mail();
    const first = channel.ask("one?");
    await terminal.shown(READY);
    terminal.type("fast");
    expect(await first).toMatchObject({ state: "timeout" });
    terminal.type("\r");
    expect(await heard).toBe('Answer to "one?": fast');
  });

  it("after an interruption go to the turn at once; Enter alone says nothing", async () => {
    const { terminal, channel, interrupts, desk } = opened();
    desk.noteInterrupt();
    await terminal.shown("! say what it should do now");
    terminal.type("\r");
    terminal.type("use node\r");
    await terminal.shown("> say something");
    expect(interrupts).toEqual(["use node"]);
    expect(channel.mail).toEqual([]);
  });

  it("after an interruption answer a question that came since, as the mark says, and that is a word in between", async () => {
    const { terminal, channel, interrupts, answered, desk } = opened();
    desk.noteInterrupt();
    await terminal.shown("! say what it should do now");
    const asked = channel.ask("Which?");
    await terminal.shown(READY);
    await terminal.shown("\n? ");
    expect(terminal.screen.all.join("\n")).not.toContain("say what it should do now");
    terminal.type("node\r");
    expect(await asked).toMatchObject({ answer: "node" });
    await terminal.shown("> say something");
    expect(interrupts).toEqual([]);
    expect(answered).toEqual(["said"]);
  });

  it("that begin with a question mark go aside, full-width or not, and leave the open question open", async () => {
    const { terminal, channel, asides } = opened({ withOracle: true });
    void channel.ask("Which?");
    await terminal.shown(READY);
    for (const line of ["？can I delete this", "?status", " ？x"]) {
      terminal.type(`${line}\r`);
      await expect.poll(() => asides.at(-1)).toBe(line.replace(/^[ ?？]+/, ""));
    }
    expect(channel.pending()).toHaveLength(1);
    expect(channel.mail).toEqual([]);
  });

  it("that begin with one are words like any other where nothing answers them", async () => {
    const { terminal, channel } = opened();
    const asked = channel.ask("Which?");
    await terminal.shown(READY);
    terminal.type("?what\r");
    expect(await asked).toMatchObject({ answer: "?what" });
  });
});

describe("the terminal", () => {
  it("is taken with its keyboard and given back as it was", async () => {
    const { terminal, lines, desk } = opened();
    await terminal.shown("> say something");
    expect(terminal.raw).toBe(true);
    expect(terminal.screen.modes.has("2004")).toBe(true);
    terminal.type("half a line");
    await terminal.shown("half a line");
    desk.close();
    lines.print("done");
    lines.close();
    expect(terminal.raw).toBe(false);
    expect(terminal.screen.modes.has("2004")).toBe(false);
    expect(terminal.screen.modes).toContain("25");
    expect(terminal.screen.all).toEqual(["done"]);
  });

  it("is given back by a crash, before anything is said about it", async () => {
    const { terminal } = opened();
    await terminal.shown("> say something");
    const emitter: NodeJS.EventEmitter = process;
    emitter.emit("uncaughtExceptionMonitor", new Error("crash"), "uncaughtException");
    expect(terminal.raw).toBe(false);
    expect(terminal.screen.modes.has("2004")).toBe(false);
    expect(terminal.screen.all).toEqual([""]);
  });

  it.each([
    [5, 3],
    [1, 1],
    [12, 2],
    [300, 100],
  ])("of %i by %i shows what fits", async (columns, rows) => {
    const { terminal, channel, lines } = opened({ columns, rows });
    void channel.ask("Which files should it read?", ["text", "all"]);
    lines.print("printed");
    terminal.type("abc");
    if (columns > 1) await terminal.shown("a");
    else await expect.poll(() => terminal.bytes).toBeGreaterThan(20);
    expect(terminal.screen.screen.length).toBeLessThanOrEqual(rows);
  });

  it("is drawn anew when its size changes, with the answer half typed", async () => {
    const { terminal, channel, lines } = opened();
    lines.print("a line that was printed before, long enough to be folded by a narrow screen");
    const asked = channel.ask("Which files should it read?", ["text", "all"]);
    await terminal.shown(READY);
    terminal.type("my own words");
    await terminal.shown("my own words");
    for (const [columns, rows] of [
      [30, 24],
      [110, 30],
      [48, 24],
    ] as const) {
      const before = terminal.bytes;
      // A window that is dragged has many sizes; only the last one counts.
      terminal.resize(20, 24);
      terminal.resize(columns, rows);
      lines.refresh();
      await expect.poll(() => terminal.bytes).toBeGreaterThan(before);
      expect(terminal.text).toContain("? my own words");
      expect(terminal.text.match(/my own words/g)).toHaveLength(1);
      expect(terminal.text.match(/1\. text/g)).toHaveLength(1);
      expect(terminal.screen.unfolded[0]).toMatch(/^a line that .* narrow screen$/);
    }
    terminal.type("\r");
    expect(await asked).toMatchObject({ answer: "my own words" });
  });

  it("that hangs up leaves the run alone", async () => {
    const { terminal, lines } = opened();
    await terminal.shown("> say something");
    terminal.hangUp();
    await expect.poll(() => lines.ended).toBe(true);
    lines.print("goes on");
    expect(terminal.screen.all).toEqual(["goes on"]);
  });

  it("writes nothing while nothing changes, and little for a key", async () => {
    const { terminal, lines } = opened();
    await terminal.shown("> say something");
    terminal.type("a");
    await terminal.shown("> a");
    const before = terminal.bytes;
    for (let i = 0; i < 20; i += 1) lines.refresh();
    terminal.type("b");
    await terminal.shown("> ab");
    expect(terminal.bytes - before).toBeLessThan(60);
  });
});

describe("asked on its own", () => {
  it("a question takes what is typed before and after it, edited as any line", async () => {
    const { terminal, lines } = stage();
    terminal.type("mak");
    const answer = lines.ask("? What do you want?");
    await terminal.shown("? What do you want? mak");
    terminal.type("e it\u0017so\r");
    expect(await answer).toBe("make so");
    expect(terminal.screen.all).toEqual(["? What do you want? make so"]);
  });

  it("ends with Ctrl-D on an empty line", async () => {
    const { terminal, lines } = stage();
    const answer = lines.ask("?");
    terminal.type("\u0004");
    expect(await answer).toBeUndefined();
  });
});
