import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COMMAND_NAMES, COMMANDS } from "../../src/cli/args/commands.ts";
import { FLAGS } from "../../src/cli/args/flags.ts";
import { helpText, overviewText } from "../../src/cli/args/help-text.ts";
import { parseCommandLine } from "../../src/cli/args/parse-command-line.ts";
import { usageErrorLines } from "../../src/cli/args/usage-text.ts";
import { asksFolder } from "../../src/cli/run/asks-folder-of.ts";
import { createTranslator } from "../../src/config/locale/translator.ts";
import { displayWidth } from "../../src/core/cells.ts";

const t = createTranslator("en");

function parsed(argv: readonly string[]) {
  const line = parseCommandLine(argv);
  if (line.kind !== "command") throw new Error(`${line.kind}: ${JSON.stringify(line)}`);
  return line;
}

function refused(argv: readonly string[]) {
  const line = parseCommandLine(argv);
  if (line.kind !== "usage_error") throw new Error(`not refused: ${JSON.stringify(line)}`);
  return { ...line, text: usageErrorLines(t, line).join("\n") };
}

interface Case {
  readonly id: string;
  readonly scenario: string;
  readonly input: readonly string[];
  readonly expected: Readonly<Record<string, unknown>>;
}

const cases: readonly Case[] = JSON.parse(
  readFileSync(new URL("../fixtures/cli/cases.json", import.meta.url), "utf8"),
);

describe("the published command lines", () => {
  const argv = cases.filter((each) => each.id.startsWith("D-cli") && Array.isArray(each.input));
  it.each(argv.map((each) => [each.id, each] as const))("%s", (_id, { input, expected }) => {
    if (expected.exitCode !== undefined) {
      const error = refused(input);
      expect(error.exitCode).toBe(expected.exitCode);
      if (expected.messageNames !== undefined) expect(error.text).toContain(String(expected.messageNames));
      return;
    }
    const line = parsed(input);
    const { command, workspace, request } = expected;
    if (command !== undefined) expect(line.command).toBe(command);
    if (workspace !== undefined) expect(line.workspace).toBe(workspace);
    if (request !== undefined) expect(line.request).toBe(request);
    if (expected.modelSees !== undefined) expect(line.request).toBe(input.join(" "));
  });
});

describe("the folders of a command line", () => {
  it("stay together, wherever it is typed (D-cli-06)", () => {
    const typed = cases.find(({ id }) => id === "D-cli-06")?.input as unknown as { argv: readonly string[] };
    const line = parsed(typed.argv);
    expect(line.request).toBe("x");
    expect(asksFolder(line)).toBe("/proj/runs/asks");
  });
});

describe("the request", () => {
  it.each([
    [["make", "me", "a", "todo", "app"], "make me a todo app"],
    [["go", "run", "the", "tests"], "run the tests"],
    [["--rounds", "2", "build", "x"], "build x"],
    [["--rounds=2", "build", "x"], "build x"],
    [["build", "--rounds", "2", "x"], "build x"],
    [["-vw", "/tmp", "build", "x"], "build x"],
    [["-w/tmp", "build", "x"], "build x"],
    [["--", "run", "the", "tests"], "run the tests"],
    [["-v", "--", "--help", "is", "wrong"], "--help is wrong"],
    [["go", "--", "status"], "status"],
    [["-"], "-"],
    [[], ""],
  ])("%j asks for %j", (argv, request) => {
    expect(parsed(argv)).toMatchObject({ command: "go", request });
  });

  it("keeps any words after -- as they are", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (words) => {
        expect(parsed(["--", ...words]).request).toBe(words.join(" ").trim());
      }),
    );
  });

  it("never throws, whatever is typed", () => {
    const token = fc.oneof(
      fc.string(),
      fc.constantFrom(...FLAGS.map(({ long }) => long), ...COMMAND_NAMES, "-w", "--"),
    );
    fc.assert(fc.property(fc.array(token), (argv) => void parseCommandLine(argv)));
  });
});

describe("options", () => {
  it.each([
    [["-w", "/p", "status"], { command: "status", workspace: "/p" }],
    [["status", "-w", "/p"], { command: "status", workspace: "/p" }],
    [["--lang", "en", "status"], { command: "status" }],
    [["--model", "status", "x y"], { command: "go", request: "x y", flags: { model: "status" } }],
    [["--json", "status"], { globals: { json: true } }],
    [["go", "x y", "--asks", "-1"], { flags: { asks: -1 } }],
    [["x y", "--timeout", "-1"], { flags: { timeout: -1 } }],
    [["x y", "--timeout", "0.5"], { flags: { timeout: 0.5 } }],
    [["x y", "--no-goal"], { flags: { noGoal: true } }],
    [["x y", "--evidence", "off"], { flags: { evidence: "off" } }],
    [["x y", "--evidence", "on", "--sandbox"], { flags: { evidence: "on", sandbox: true } }],
    [["x y", "--no-color"], { globals: { noColor: true } }],
    [["x y", "--budget", "2.5", "--deadline", "0.5"], { flags: { budget: 2.5, deadline: 0.5 } }],
    [["x y", "--budget", "None"], { flags: { budget: "none" } }],
    [["x y", "--no-trim"], { globals: { trim: false }, flags: { noTrim: true } }],
    [["x y", "-T"], { globals: { trim: true } }],
    [
      ["run", "a.ts", "-T", "--budget=9", "--deadline=1", "--window=9"],
      { globals: { trim: true }, flags: { budget: 9, deadline: 1, window: 9 } },
    ],
    [["-T", "once", "hi", "--no-handoff"], { globals: { trim: true }, flags: { noHandoff: true } }],
    [["clean", "--older-than", "2w", "--dry-run"], { flags: { olderThan: 1_209_600, dryRun: true } }],
    [["clean", "--older-than", "12H"], { flags: { olderThan: 43_200 } }],
    [["clean", "--older-than=1.5"], { flags: { olderThan: 129_600 } }],
    [["clean", "--older-than", "0"], { flags: { olderThan: 0 } }],
    [["stop"], { command: "stop", flags: {} }],
    [["stop", "--timeout", "0", "--force"], { flags: { patience: 0, force: true } }],
    [["logs", "-f", "--run", "3fa9c1"], { command: "logs", flags: { follow: true, run: "3fa9c1" } }],
    [["once", "hi", "--window", "200000"], { flags: { window: 200_000 } }],
    [["x y", "--new", "--effort", "high"], { flags: { fresh: true, effort: "high" } }],
    [
      ["once", "hi", "-t", "Read,Bash", "-b", "2", "-p", "plan"],
      { flags: { tools: ["Read", "Bash"], spend: 2, permission: "plan" } },
    ],
    [["-b", "2", "once", "hi"], { command: "once", request: "hi", flags: { spend: 2 } }],
    [["once", "hi", "--resume", "s", "--fork", "--at", "m"], { flags: { resume: "s", fork: true, at: "m" } }],
    [["run", "a.ts:flow", "do", "it"], { command: "run", target: "a.ts:flow", request: "do it" }],
    [["answer", "q1-3f9a", "yes", "please"], { command: "answer", target: "q1-3f9a", request: "yes please" }],
    [["say", "hello"], { command: "say", request: "hello" }],
  ])("%j", (argv, wanted) => {
    expect(parsed(argv)).toMatchObject(wanted);
  });

  it("hands on only what was typed", () => {
    expect(parsed(["x y"]).flags).toEqual({});
  });

  it.each([
    [["--version"], "version"],
    [["go", "-V"], "version"],
    [["-h"], "help"],
    [["once", "--help"], "help"],
  ])("%j is %s", (argv, kind) => {
    expect(parseCommandLine(argv).kind).toBe(kind);
  });
});

describe("refusals", () => {
  it.each([
    [["run", "the", "tests"], "flower go run the tests"],
    [["status", "of", "the", "project"], "flower go status of the project"],
    [["stop", "the", "server"], "flower go stop the server"],
    [["clean", "up", "the", "repo"], "flower go clean up the repo"],
    [["logs", "of", "nginx"], "flower go logs of nginx"],
    [["demo", "my", "app"], "flower go demo my app"],
    [["setup", "a server"], "flower go setup 'a server'"],
    [["answer", "the", "question"], "flower go answer the question"],
    [["-v", "run", "tests"], "flower go run tests"],
    [["statsu"], "flower status"],
    [["completion", "bsh"], "flower completion bash"],
    [["completion", "of", "the", "plan"], "flower go completion of the plan"],
    [["x y", "--timeot", "3"], "--timeout"],
    [["x y", "--round=3"], "--rounds"],
  ])("%j suggests %j", (argv, suggestion) => {
    expect(refused(argv)).toMatchObject({ exitCode: 2, suggestion });
  });

  it.each([
    [["x y", "--rounds", "0"], "--rounds"],
    [["x y", "--rounds", "x"], "--rounds"],
    [["x y", "--rounds", "1.5"], "--rounds"],
    [["x y", "--asks", "x"], "--asks"],
    [["x y", "--asks", ""], "--asks"],
    [["x y", "--timeout", "NaN"], "--timeout"],
    [["x y", "--timeout", "Infinity"], "--timeout"],
    [["x y", "--timeout"], "--timeout"],
    [["x y", "--model", "--rounds", "2"], "--model"],
    [["x y", "--effort", "huge"], "--effort"],
    [["x y", "--lang", "fr"], "--lang"],
    [["x y", "-w", ""], "--workspace"],
    [["once", "x", "-p", "yolo"], "--permission"],
    [["once", "x", "-b", "0"], "--max-cost"],
    [["once", "x", "--fork"], "--fork"],
    [["once", "x", "--at", "m"], "--at"],
    [["once", "x", "--rounds", "2"], "--rounds"],
    [["run", "a.ts", "--new"], "--new"],
    [["run"], "flower run"],
    [["say"], "flower say"],
    [["completion"], "bash|zsh|fish"],
    [["completion", "bash", "zsh"], "flower completion"],
    [["answer", "q1"], "flower answer"],
    [["x y", "--no-goal", "--rounds", "2"], "--rounds"],
    [["x y", "--clarify-only", "--judge-can-run"], "--judge-can-run"],
    [["x y", "--evidence", "maybe"], "--evidence"],
    [["x y", "--no-goal", "--evidence", "on"], "--evidence"],
    [["x y", "--clarify-only", "--evidence", "off"], "--evidence"],
    [["x y", "--no-goal", "--sandbox"], "--sandbox"],
    [["x y", "--clarify-only", "--sandbox"], "--sandbox"],
    [["x y", "--evidence", "off", "--sandbox"], "--sandbox"],
    [["once", "x", "--sandbox"], "--sandbox"],
    [["x y", "--new", "--parallel"], "--new"],
    [["status", "-W"], "-W"],
    [["demo", "-w", "/x"], "-w"],
    [["completion", "bash", "--json"], "--json"],
    [["setup", "--url", "gw.example"], "--url"],
    [["setup", "--kind", "password"], "--kind"],
    [["setup", "--check", "--model", "m"], "--check"],
    [["setup", "--check", "--url", "https://gw.example"], "--check"],
    [["setup", "--no-config"], "--no-config"],
    [["x y", "--model", "--resume"], "--model"],
    [["x y", "--model=-x"], "--model"],
    [["x y", "--model", "two words"], "--model"],
    [["x y", "--check"], "--check"],
    [["x y", "--window", "1e9999"], "--window"],
    [["x y", "--window", "200.5"], "--window"],
    [["x y", "--window", "9000", "--no-handoff"], "--window"],
    [["x y", "-T", "--no-trim"], "--trim"],
    [["x y", "--no-trim", "--trim"], "--trim"],
    [["run", "a.ts", "--no-trim"], "--no-trim"],
    [["once", "x", "--budget", "2"], "--budget"],
    [["once", "x", "--deadline", "2"], "--deadline"],
    [["x y", "--budget", "0"], "none"],
    [["x y", "--budget", "-3"], "--budget"],
    [["x y", "--budget", "some"], "--budget"],
    [["x y", "--budget", "$5"], "--budget"],
    [["x y", "--deadline", "0"], "--deadline"],
    [["x y", "--deadline", "none"], "--deadline"],
    [["status", "-T"], "-T"],
    [["status", "-f"], "-f"],
    [["stop", "--timeout", "-1"], "--timeout"],
    [["logs", "--run", ""], "--run"],
    [["clean", "--older-than", "-1"], "--older-than"],
    [["clean", "--older-than", "soon"], "30d"],
    [["clean", "--older-than", "3m"], "--older-than"],
  ])("%j names %s and shows a usage line", (argv, named) => {
    const { text, exitCode } = refused(argv);
    expect(exitCode).toBe(2);
    expect(text).toContain(named);
    expect(text).toMatch(/^usage: flower /m);
  });

  it("keeps the language that was asked for", () => {
    expect(refused(["--lang", "pt", "--nope", "x"]).lang).toBe("pt");
  });

  it("says what was typed without its escape sequences", () => {
    expect(refused(["x", "--asks", "\u001b[2Jno"]).text).not.toContain("\u001b");
  });
});

describe("help", () => {
  const languages = ["en", "zh", "pt"] as const;
  const placeless = /undefined|help\.|[{}]/;

  it.each(languages)("describes every option and gives examples of every command in %s", (language) => {
    const say = createTranslator(language);
    for (const { name, examples } of COMMANDS) {
      const text = helpText(say, name, 80);
      expect(text).not.toMatch(placeless);
      for (const flag of FLAGS.filter(({ commands }) => commands.includes(name))) {
        expect(text).toContain(flag.long);
      }
      for (const { line } of examples) expect(text).toContain(line);
    }
  });

  it.each(languages)("shows every command, and how to begin, on one screen in %s", (language) => {
    const text = overviewText(createTranslator(language), 80);
    const lines = text.split("\n");
    expect(text).not.toMatch(placeless);
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(text).toContain("  flower make me a todo app");
    for (const name of COMMAND_NAMES) expect(text).toMatch(new RegExp(`^  ${name} `, "m"));
  });

  it("stays within the screen, at any width", () => {
    for (const language of languages) {
      for (const width of [40, 60, 80, 110]) {
        const say = createTranslator(language);
        const pages = [overviewText(say, width), ...COMMAND_NAMES.map((name) => helpText(say, name, width))];
        const wide = pages.flatMap((page) => page.split("\n")).filter((line) => displayWidth(line) > width);
        // A line to copy, a usage line and the heading of one are never folded.
        expect(wide.filter((line) => !/^ {2}\S*\s?.*flower|^(usage|uso|用法)/.test(line))).toEqual([]);
      }
    }
  });

  it("gives examples that can be typed", () => {
    for (const { name, examples } of COMMANDS) {
      for (const { line } of examples) {
        const argv = line.replace(/^.*flower ?| [|] (?:source|less)$|[)]$/g, "").split(" ");
        expect(parsed(argv.filter((word) => word !== "")), line).toMatchObject({ command: name });
      }
    }
  });

  it("is asked for by the name of a command", () => {
    expect(parsed(["help"])).toMatchObject({ command: "help", target: "" });
    expect(parsed(["help", "once"])).toMatchObject({ command: "help", target: "once" });
    expect(refused(["help", "statsu"])).toMatchObject({ suggestion: "flower help status" });
    expect(refused(["help", "me", "write"])).toMatchObject({ suggestion: "flower go help me write" });
  });
});
