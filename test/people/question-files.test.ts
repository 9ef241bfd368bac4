import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { selfMark } from "../../src/core/processes.ts";
import { HumanChannel } from "../../src/people/human-channel.ts";
import { listQuestions, waitReceipt, writeAnswer, writeMail } from "../../src/people/question-drop.ts";
import { QuestionFiles } from "../../src/people/question-files.ts";

const open: QuestionFiles[] = [];

afterEach(() => {
  for (const files of open.splice(0)) files.close();
});

const folder = () => join(mkdtempSync(join(tmpdir(), "flower-asks-")), "asks");

function running(dir: string, channel: HumanChannel = new HumanChannel(), run = ""): HumanChannel {
  const files = new QuestionFiles({ dir, channel, run });
  files.start();
  open.push(files);
  return channel;
}

function sent(drop: ReturnType<typeof writeAnswer>) {
  if (drop.kind !== "sent") throw new TypeError(`not sent: ${drop.kind}`);
  return drop;
}

/** A pid that was alive and no longer is. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""], { env: { PATH: process.env.PATH ?? "" } });
  await new Promise((resolve) => child.on("exit", resolve));
  return child.pid!;
}

describe("a waiting question", () => {
  it("is a file from asking to settling", async () => {
    const dir = folder();
    const channel = running(dir, new HumanChannel(), "run-1");
    const asking = channel.ask("Which?", ["a", "b"]);
    const { id, askedAt } = channel.pending()[0]!;
    const record = JSON.parse(readFileSync(join(dir, `${id}.json`), "utf8"));
    expect(record).toMatchObject({
      id,
      question: "Which?",
      options: ["a", "b"],
      askedAt,
      run: "run-1",
      pid: process.pid,
    });
    expect(listQuestions(dir)).toEqual([
      { id, question: "Which?", options: ["a", "b"], askedAt, run: "run-1", pid: process.pid },
    ]);
    channel.answer(id, "1");
    await asking;
    expect(existsSync(join(dir, `${id}.json`))).toBe(false);
    expect(listQuestions(dir)).toEqual([]);
  });

  it("that was put before the files were started is shown too", async () => {
    const dir = folder();
    const channel = new HumanChannel();
    const asking = channel.ask("early?");
    running(dir, channel);
    expect(listQuestions(dir)).toMatchObject([{ question: "early?" }]);
    channel.decline(channel.pending()[0]!.id);
    await asking;
  });

  it("has no file when nobody is there", async () => {
    const dir = folder();
    const channel = running(dir, new HumanChannel({ timeoutS: 0 }));
    await channel.ask("?");
    expect(readdirSync(dir)).toEqual(["runs"]);
  });
});

describe("an answer from another terminal", () => {
  it("reaches the question, and the writer learns of it", async () => {
    const dir = folder();
    const channel = running(dir);
    const asking = channel.ask("Which?", ["a", "b"]);
    const ticket = sent(writeAnswer(dir, channel.pending()[0]!.id, "2"));
    expect(await waitReceipt(ticket)).toBe("delivered");
    expect((await asking).answer).toBe("b");
    expect(readdirSync(join(dir, "runs", channel.tag))).toEqual(["run.json"]);
  });

  it("may name the question by its number where that is clear", async () => {
    const dir = folder();
    const channel = running(dir);
    const asking = channel.ask("Which?");
    expect(await waitReceipt(sent(writeAnswer(dir, " Q1 ", "yes")))).toBe("delivered");
    expect((await asking).answer).toBe("yes");
    const other = running(dir);
    const both = [channel.ask("again?"), other.ask("mine?"), other.ask("and this?")];
    expect(writeAnswer(dir, "q2", "x")).toEqual({
      kind: "ambiguous",
      ids: expect.arrayContaining([`q2-${channel.tag}`, `q2-${other.tag}`]),
    });
    for (const one of [channel, other]) for (const ask of one.pending()) one.decline(ask.id);
    await Promise.all(both);
  });

  it("may be empty, and that is an answer", async () => {
    const dir = folder();
    const channel = running(dir);
    const asking = channel.ask("Which?");
    expect(await waitReceipt(sent(writeAnswer(dir, channel.pending()[0]!.id, "")))).toBe("delivered");
    expect(await asking).toMatchObject({ state: "answered", answer: "" });
  });

  it("that comes too late goes into the inbox, and the writer is told", async () => {
    const dir = folder();
    const channel = running(dir);
    const asking = channel.ask("Which?");
    const { id } = channel.pending()[0]!;
    channel.decline(id);
    await asking;
    expect(await waitReceipt(sent(writeAnswer(dir, id, "left")))).toBe("late");
    expect(channel.pendingMail()).toMatchObject([{ lateFor: id, text: 'Answer to "Which?": left' }]);
  });

  it("to a question never put is unknown", async () => {
    const dir = folder();
    const channel = running(dir);
    expect(await waitReceipt(sent(writeAnswer(dir, `q9-${channel.tag}`, "x")))).toBe("unknown");
    expect(channel.mail).toEqual([]);
  });

  it.each([
    "../../etc/passwd",
    "q1-../x",
    "q1/abcd",
    "q1-abcd/..",
    "",
    "q",
    "q1-ABCDE",
    "..",
    "q1-abcd\0",
    "q1-zzzz",
    "q7",
  ])("to %j is refused before anything is written", (id) => {
    const dir = folder();
    running(dir);
    const before = readdirSync(dir, { recursive: true });
    expect(writeAnswer(dir, id, "x")).toEqual({ kind: "unknown", id });
    expect(readdirSync(dir, { recursive: true })).toEqual(before);
  });

  it("is not led astray by a path that ends in the name of a live run", () => {
    const dir = folder();
    const { tag } = running(dir);
    for (const id of [`q1/../x-${tag}`, `../q1-${tag}`, `q1\\..-${tag}`, `q1-${tag}/`, `qx-${tag}`]) {
      expect(writeAnswer(dir, id, "x")).toEqual({ kind: "unknown", id });
    }
    expect(readdirSync(join(dir, "runs", tag))).toEqual(["run.json"]);
  });

  it("that nobody takes is withdrawn, so that it is not delivered after all", async () => {
    const dir = folder();
    const channel = running(dir);
    const home = join(dir, "runs", channel.tag);
    open.splice(0)[0]!.close();
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "run.json"), JSON.stringify({ ...selfMark(), host: hostname(), run: "" }));
    const ticket = sent(writeAnswer(dir, `q1-${channel.tag}`, "x"));
    expect(await waitReceipt(ticket, { timeoutS: 0.05 })).toBe("no_reply");
    expect(readdirSync(home)).toEqual(["run.json"]);
    const stopped = sent(writeAnswer(dir, `q1-${channel.tag}`, "x"));
    expect(await waitReceipt(stopped, { signal: AbortSignal.abort() })).toBe("no_reply");
  });
});

describe("words from another terminal", () => {
  it("reach every run in the folder", async () => {
    const dir = folder();
    const runs = [running(dir), running(dir)];
    const tickets = writeMail(dir, "use tabs");
    expect(await Promise.all(tickets.map((ticket) => waitReceipt(ticket)))).toEqual([
      "delivered",
      "delivered",
    ]);
    for (const channel of runs) expect(channel.pendingMail()).toMatchObject([{ text: "use tabs" }]);
  });

  it("are left nowhere when no run listens", () => {
    const dir = folder();
    expect(writeMail(dir, "hello?")).toEqual([]);
    expect(existsSync(dir)).toBe(false);
  });

  it("written by a real other process arrive, all of them and once", async () => {
    const dir = folder();
    const channel = running(dir);
    const script = `
      import { writeFileSync, renameSync } from "node:fs";
      for (let i = 0; i < 30; i += 1) {
        const name = ${JSON.stringify(join(dir, "runs", channel.tag))} + "/" + process.argv[1] + "-" + i;
        writeFileSync(name + ".tmp", JSON.stringify({ kind: "mail", text: process.argv[1] + " " + i }));
        renameSync(name + ".tmp", name + ".json");
      }`;
    const children = ["a", "b"].map((name) =>
      spawn(process.execPath, ["--input-type=module", "-e", script, name], {
        env: { PATH: process.env.PATH ?? "" },
      }),
    );
    const all = new Promise<void>((resolve) => {
      channel.listen(() => channel.mail.length === 60 && resolve());
    });
    await Promise.all(children.map((child) => new Promise((resolve) => child.on("exit", resolve))));
    await all;
    expect(new Set(channel.mail.map((mail) => mail.text)).size).toBe(60);
  });

  it("that arrive while the run closes are still delivered", () => {
    const dir = folder();
    const channel = running(dir);
    writeMail(dir, "one last thing");
    open.splice(0)[0]!.close();
    expect(channel.pendingMail()).toMatchObject([{ text: "one last thing" }]);
    expect(writeMail(dir, "too late")).toEqual([]);
  });
});

describe("a folder in disorder", () => {
  it("is cleared of what dead runs left, and of nothing else", async () => {
    const dir = folder();
    const living = running(dir);
    const asking = living.ask("still here?");
    const dead = JSON.stringify({ pid: await deadPid(), start: "1", host: hostname(), run: "" });
    const reused = JSON.stringify({ ...selfMark(), start: "1", host: hostname(), run: "" });
    const elsewhere = JSON.stringify({ pid: 1, start: "1", host: "another-host", run: "" });
    for (const [tag, owner] of [
      ["dead", dead],
      ["old0", reused],
      ["far0", elsewhere],
      ["none", "{"],
      ["new0", "{"],
    ] as const) {
      mkdirSync(join(dir, "runs", tag), { recursive: true });
      writeFileSync(join(dir, "runs", tag, "run.json"), owner);
      writeFileSync(join(dir, "runs", tag, "1.taken"), "{}");
      writeFileSync(join(dir, `q1-${tag}.json`), owner);
    }
    utimesSync(join(dir, "runs", "none"), 1, 1);
    writeFileSync(join(dir, "readme.txt"), "mine");
    running(dir);
    expect(readdirSync(join(dir, "runs"))).toEqual(expect.arrayContaining(["far0", "new0", living.tag]));
    expect(readdirSync(join(dir, "runs"))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/dead|old0|none/)]),
    );
    const names = readdirSync(dir);
    expect(names).toEqual(expect.arrayContaining(["readme.txt", `q1-${living.tag}.json`, "q1-far0.json"]));
    expect(names).not.toContain("q1-dead.json");
    expect(names).not.toContain("q1-old0.json");
    living.decline(living.pending()[0]!.id);
    await asking;
  });

  it("lists only questions that somebody still waits for", async () => {
    const dir = folder();
    mkdirSync(dir, { recursive: true });
    const owner = { ...selfMark(), host: hostname(), run: "" };
    const question = { id: "q1-good", question: "?", options: ["a", 7], askedAt: 2, ...owner };
    const files: Record<string, unknown> = {
      "q1-good.json": question,
      "q2-good.json": { ...question, id: "q2-good", askedAt: 1 },
      "q1-dead.json": { ...question, id: "q1-dead", pid: await deadPid() },
      "q1-bad0.json": "not a record",
      "q1-bad1.json": { ...question, id: "../../x" },
      "q1-bad2.json": { ...question, options: "none" },
      "other.json": question,
    };
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(dir, name), JSON.stringify(content));
    writeFileSync(join(dir, "q1-half.json"), '{"id": "q1-half", "ques');
    expect(listQuestions(dir).map(({ id, options }) => [id, options])).toEqual([
      ["q2-good", ["a"]],
      ["q1-good", ["a"]],
    ]);
    expect(listQuestions(join(dir, "absent"))).toEqual([]);
  });

  it("does not trip over garbage among the messages, and does not read through links", async () => {
    const dir = folder();
    const channel = running(dir);
    const home = join(dir, "runs", channel.tag);
    const secret = join(dir, "..", "secret.json");
    writeFileSync(secret, JSON.stringify({ kind: "mail", text: "secret" }));
    symlinkSync(secret, join(home, "a-link.json"));
    mkdirSync(join(home, "a-folder.json"));
    for (const [i, text] of [
      "{",
      "[]",
      "null",
      '{"kind":"mail"}',
      '{"kind":"mail","text":7}',
      '{"kind":"rm","text":"x"}',
      "x".repeat(1_100_000),
    ].entries()) {
      writeFileSync(join(home, `bad${i}.json`), text);
    }
    expect(await waitReceipt({ kind: "sent", path: join(home, "bad0") })).toBe("unknown");
    expect(await Promise.all(writeMail(dir, "a real word").map((ticket) => waitReceipt(ticket)))).toEqual([
      "delivered",
    ]);
    expect(channel.mail.map((mail) => mail.text)).toEqual(["a real word"]);
    expect(readdirSync(home).filter((name) => name.endsWith(".json"))).toEqual(["run.json"]);
    expect(existsSync(secret)).toBe(true);
  });

  it("is made again when somebody removes it under a run", async () => {
    const dir = folder();
    const channel = running(dir);
    const asking = channel.ask("still there?");
    rmSync(dir, { recursive: true });
    await expect.poll(() => listQuestions(dir).length, { timeout: 6_000 }).toBe(1);
    expect(await waitReceipt(sent(writeAnswer(dir, "q1", "yes")))).toBe("delivered");
    expect((await asking).answer).toBe("yes");
  });
});

describe("a run's files", () => {
  it("are gone after it closed, and closing twice is harmless", async () => {
    const dir = folder();
    const channel = running(dir);
    const asking = channel.ask("?");
    open[0]!.close();
    open[0]!.close();
    expect(readdirSync(dir, { recursive: true })).toEqual(["runs"]);
    channel.decline(channel.pending()[0]!.id);
    await asking;
    expect(readdirSync(dir, { recursive: true })).toEqual(["runs"]);
  });

  it("that cannot be written are a typed error at the start, and only collected later", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "flower-file-")), "file");
    writeFileSync(file, "");
    const files = new QuestionFiles({ dir: join(file, "asks"), channel: new HumanChannel() });
    expect(() => files.start()).toThrow(expect.objectContaining({ code: "write_failed" }));
    const dir = folder();
    const channel = running(dir);
    rmSync(dir, { recursive: true });
    writeFileSync(dir, "in the way");
    const asking = channel.ask("?");
    expect(open[0]!.errors.length).toBeGreaterThan(0);
    channel.answer(channel.pending()[0]!.id, "on the channel itself");
    expect((await asking).answer).toBe("on the channel itself");
  });

  it("are refused to a second one under the same tag", () => {
    const dir = folder();
    const channel = running(dir);
    expect(() => new QuestionFiles({ dir, channel }).start()).toThrow(
      expect.objectContaining({ code: "asks_taken" }),
    );
    expect(() => new QuestionFiles({ dir, chanel: channel } as never)).toThrow(
      expect.objectContaining({ code: "unknown_option" }),
    );
  });
});
