// The published cases of typing at a terminal, each as it was stated.

import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { readWhole } from "../../src/cli/run/line-source.ts";
import { LiveDesk } from "../../src/cli/run/live-desk.ts";
import { LiveLines } from "../../src/cli/run/live-lines.ts";
import { openLines } from "../../src/cli/run/open-lines.ts";
import { PlainLines } from "../../src/cli/run/plain-lines.ts";
import { lookForPerson, presenceOf } from "../../src/cli/run/presence.ts";
import { createPaint } from "../../src/cli/screen/paint.ts";
import { createTranslator } from "../../src/config/locale/translator.ts";
import { HumanChannel } from "../../src/people/human-channel.ts";
import { FakeTerminal } from "./terminal/fake-terminal.ts";

interface Case {
  readonly id: string;
  readonly scenario: string;
  readonly input: unknown;
  readonly expected: Readonly<Record<string, unknown>>;
}
const cases: readonly Case[] = JSON.parse(
  readFileSync(new URL("../fixtures/cli/cases.json", import.meta.url), "utf8"),
);
function published<Input>(id: string): Omit<Case, "input"> & { readonly input: Input } {
  const found = cases.find((each) => each.id === id);
  if (found === undefined) throw new Error(id);
  return found as Case & { readonly input: Input };
}
const title = (id: string) => `${id}: ${published(id).scenario}`;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

function sit(columns = 80) {
  const terminal = new FakeTerminal(columns);
  const lines = new LiveLines(terminal.streams, createPaint(true));
  const channel = new HumanChannel();
  const asides: string[] = [];
  const desk = new LiveDesk({
    lines,
    t: createTranslator("en"),
    channel,
    interrupt: () => {},
    aside: (question) => void asides.push(question),
    reactionMs: 20,
    status: () => ({ tone: "faint", text: "- status" }),
  });
  desk.open();
  closing.push(() => {
    desk.close();
    lines.close();
  });
  return { terminal, lines, channel, asides };
}

describe("published cases of the terminal", () => {
  it(title("D-term-02"), async () => {
    const { input } = published<{ columns: number; input: string; event: string }>("D-term-02");
    const { terminal, lines } = sit(input.columns);
    terminal.type(input.input);
    await terminal.shown(/ {2}b$/);
    for (let i = 0; i < 3; i += 1) {
      lines.print(`${input.event} ${i}`);
      await terminal.shown(`${input.event} ${i}`);
    }
    expect(terminal.screen.all).toEqual([
      "line 0",
      "line 1",
      "line 2",
      "- status",
      "> 你好世界你好世界a",
      "  b",
    ]);
  });

  it(title("D-term-03"), async () => {
    const { input, expected } = published<string>("D-term-03");
    const { terminal, channel } = sit();
    const asked = channel.ask("what?");
    await terminal.shown("Enter skips");
    terminal.type(input);
    expect((await asked).answer).toBe(expected.text);
    expect(channel.asks).toHaveLength(expected.answers as number);
    expect(channel.mail).toEqual([]);
  });

  it(title("D-term-04"), async () => {
    const { input, expected } = published<{ stdin: string; isTTY: boolean }>("D-term-04");
    const [words = ""] = input.stdin.split("<EOF>");
    // A pipe has no modes: asking for one would throw.
    const stdin = () => new PassThrough() as unknown as NodeJS.ReadStream & PassThrough;
    const whole = stdin();
    whole.end(words);
    expect(await readWhole(whole)).toEqual({ kind: "text", text: `${expected.request}\n` });
    const ended = stdin();
    const context = {
      io: { stdin: ended, env: { TERM: "xterm" }, inIsTty: input.isTTY, outIsTty: true, echo: undefined },
      command: { globals: { noColor: false } },
    };
    const lines = openLines(context as unknown as Parameters<typeof openLines>[0]);
    expect(lines).toBeInstanceOf(PlainLines);
    ended.end();
    expect(await lookForPerson(lines, { isTty: input.isTTY, timeout: undefined })).toEqual(
      presenceOf({ isTty: input.isTTY, timeout: undefined, ended: true, lines: 0 }),
    );
    const nobody = new HumanChannel({ timeoutS: 0 });
    expect(await nobody.ask("Which?")).toMatchObject({ state: "timeout" });
    lines.close();
  });

  it(title("D-term-05"), async () => {
    const { terminal, channel } = sit();
    await terminal.shown("> say something");
    terminal.type("also add tests\r");
    await expect.poll(() => channel.pendingMail().map((mail) => mail.text)).toEqual(["also add tests"]);
    void channel.ask("Which files?", ["text", "all"]);
    await terminal.shown("Enter skips");
    expect(channel.pending()).toHaveLength(1);
  });

  it.each(published<readonly (number | null)[]>("D-term-06").input)(
    `${title("D-term-06")}: %s`,
    async (columns) => {
      const { terminal, lines, channel } = sit(columns ?? 0);
      void channel.ask("Which files?", ["text", "all"]);
      lines.print("a line that is longer than the screen is wide");
      terminal.type("my words\r");
      // Mail where it came sooner than anybody could have read the question, else its answer.
      const heard = () => [...channel.pendingMail().map(({ text }) => text), channel.asks[0]?.answer];
      await expect.poll(heard).toContain("my words");
      await expect.poll(() => terminal.bytes).toBeGreaterThan(40);
    },
  );

  it(title("D-term-07"), async () => {
    const { input, expected } = published<readonly string[]>("D-term-07");
    const pieces = input.map((hex) => Buffer.from(hex.replaceAll(" ", ""), "hex"));
    const { terminal, channel } = sit();
    const asked = channel.ask("Which?");
    await terminal.shown("Enter skips");
    for (const piece of pieces) {
      terminal.type(piece);
      await new Promise(setImmediate);
    }
    expect((await asked).answer).toBe(expected.line);
  });

  it(title("D-ask-07"), async () => {
    const { input } = published<readonly string[]>("D-ask-07");
    const { terminal, channel, asides } = sit();
    void channel.ask("Which?");
    await terminal.shown("Enter skips");
    for (const [i, line] of input.entries()) {
      terminal.type(`${line}\r`);
      await expect.poll(() => asides.length).toBe(i + 1);
    }
    expect(channel.pending()).toHaveLength(1);
    expect(channel.mail).toEqual([]);
  });
});
