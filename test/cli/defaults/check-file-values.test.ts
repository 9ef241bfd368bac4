import { describe, expect, it } from "vitest";
import { FLAGS, GLOBAL_KEYS } from "../../../src/cli/args/flags.ts";
import { parseCommandLine } from "../../../src/cli/args/parse-command-line.ts";
import { problemWords } from "../../../src/cli/args/usage-text.ts";
import { checkFileValues, fileName } from "../../../src/cli/defaults/check-file-values.ts";
import { createTranslator } from "../../../src/config/locale/translator.ts";

const t = createTranslator("en");

function problemOf(values: Record<string, unknown>, owner: "project" | "person" = "person") {
  const checked = checkFileValues(values, owner);
  if (checked.kind !== "problem") return undefined;
  return { words: problemWords(t, checked.problem), near: checked.near };
}

/** A good value for every option that may stand in a file: as JSON, and as it is typed. */
const GOOD: Readonly<Record<string, readonly [unknown, readonly string[]]>> = {
  asks: [-1, ["--asks", "-1"]],
  rounds: [5, ["--rounds", "5"]],
  "no-goal": [true, ["--no-goal"]],
  "judge-can-run": [true, ["--judge-can-run"]],
  evidence: ["off", ["--evidence", "off"]],
  sandbox: [true, ["--sandbox"]],
  timeout: [0, ["--timeout", "0"]],
  isolate: [true, ["--isolate"]],
  budget: [12.5, ["--budget", "12.5"]],
  deadline: [0.5, ["--deadline", "0.5"]],
  window: [65_536, ["--window", "65536"]],
  "no-handoff": [true, ["--no-handoff"]],
  "no-trim": [true, ["--no-trim"]],
  instructions: ["Be brief.", ["--instructions", "Be brief."]],
  tools: [
    ["Read", "Bash"],
    ["--tools", "Read,Bash"],
  ],
  permission: ["plan", ["--permission", "plan"]],
  "max-cost": [2, ["--max-cost", "2"]],
  model: ["gateway/m-1:30b[1m]", ["--model", "gateway/m-1:30b[1m]"]],
  effort: ["high", ["--effort", "high"]],
  "project-settings": [true, ["--project-settings"]],
};

/** Options that a run decides for itself. */
const EACH_RUN = ["no-config", "new", "clarify-only", "parallel", "resume", "fork", "at"];

describe("the options of a run", () => {
  it("each either may stand in a file or are each run's own", () => {
    const runs = FLAGS.filter(({ commands }) =>
      ["go", "run", "once"].some((name) => commands.includes(name as never)),
    );
    const names = runs.filter(({ key }) => !GLOBAL_KEYS.includes(key)).map(fileName);
    expect(names.sort()).toEqual([...Object.keys(GOOD), ...EACH_RUN].sort());
  });

  it.each(Object.entries(GOOD))("%s means in a file what it means when typed", (name, [value, argv]) => {
    const flag = FLAGS.find(({ long }) => long === `--${name}`);
    const line = parseCommandLine([flag?.commands[0] ?? "", ...argv, "--", "x"]);
    const typed = line.kind === "command" ? line.flags : line;
    expect(checkFileValues({ [name]: value }, "person")).toEqual({
      kind: "values",
      values: typed,
      models: {},
    });
  });

  it("are off when a switch is false, and a budget may be lifted", () => {
    expect(checkFileValues({ isolate: false, budget: "none" }, "person")).toMatchObject({
      values: { isolate: false, budget: "none" },
    });
  });

  it.each(EACH_RUN)("%s stands in no file", (name) => {
    expect(problemOf({ [name]: true })?.words).toBe(`${name} is decided for each run`);
  });

  it.each(["workspace", "run-dir", "workbench", "trim", "json", "lang", "help"])(
    "neither does %s, which goes with other commands too",
    (name) => expect(problemOf({ [name]: "x" })?.words).toBe(`${name} is decided for each run`),
  );
});

describe("a file of a project", () => {
  const PERSON_ONLY =
    "asks no-goal judge-can-run evidence timeout instructions tools permission project-settings".split(" ");

  it.each(Object.keys(GOOD))("may set %s only if that gives nothing of the person's away", (name) => {
    const problem = problemOf({ [name]: GOOD[name]?.[0] }, "project");
    const refused = `${name} cannot be set by a project's file`;
    expect(problem?.words).toBe(PERSON_ONLY.includes(name) ? refused : undefined);
  });
});

describe("a value that cannot be", () => {
  it.each([
    ["rounds", "5", 'rounds: "5" is not a whole number, 1 or more'],
    ["rounds", 0, "rounds: 0 is not a whole number, 1 or more"],
    ["rounds", 2.5, "rounds: 2.5 is not a whole number, 1 or more"],
    ["rounds", null, "rounds: null is not a whole number, 1 or more"],
    ["budget", "lots", 'budget: "lots" is not an amount above 0, or none'],
    ["budget", -1, "budget: -1 is not an amount above 0, or none"],
    ["budget", true, "budget: true is not an amount above 0, or none"],
    ["isolate", "yes", 'isolate: "yes" is not true or false'],
    ["isolate", 1, "isolate: 1 is not true or false"],
    ["effort", "extreme", 'effort: "extreme" is not one of low, medium, high, xhigh, max'],
    ["tools", "Read", 'tools: "Read" is not a list such as Read,Bash'],
    ["tools", [], "tools: [] is not a list such as Read,Bash"],
    ["tools", ["Read Bash"], 'tools: ["Read Bash"] is not a list such as Read,Bash'],
    ["tools", ["Read", 1], 'tools: ["Read",1] is not a list such as Read,Bash'],
    ["instructions", "  ", 'instructions: " " is not a text that is not empty'],
    ["model", "--resume", 'model: "--resume" is not a model\'s name, without spaces'],
    ["model", "a b", 'model: "a b" is not a model\'s name, without spaces'],
    ["model", ["m"], 'model: ["m"] is not a model\'s name, without spaces'],
    ["models", "opus", "models is not an object of models for coordinator, worker, clarifier, judge, oracle"],
    ["models", { judge: 4 }, "models.judge: 4 is not a model's name, without spaces"],
    ["models", { judge: "" }, 'models.judge: "" is not a model\'s name, without spaces'],
  ])("%s: %j is refused with what was expected", (name, value, words) => {
    expect(problemOf({ [name]: value })?.words).toBe(words);
  });

  it("is refused together with another that would silence it", () => {
    const words = "rounds has no effect together with no-goal";
    expect(problemOf({ rounds: 5, "no-goal": true })?.words).toBe(words);
    expect(problemOf({ rounds: 5, "no-goal": false })).toBeUndefined();
  });
});

describe("a name nobody knows", () => {
  it.each([
    ["round", "rounds"],
    ["judgeCanRun", "judge-can-run"],
    ["judge_can_run", "judge-can-run"],
    ["--rounds", "rounds"],
    ["budgetUsd", "budget"],
    ["projectSettings", "project-settings"],
    ["maxCost", "max-cost"],
    ["Model", "model"],
    ["modells", "models"],
  ])("%s is refused, and %s was meant", (name, near) => {
    expect(problemOf({ [name]: true })).toEqual({ words: `unknown name "${name}"`, near });
  });

  it("is a role too", () => {
    const words = 'models: unknown role "judgge"; there are coordinator, worker, clarifier, judge, oracle';
    expect(problemOf({ models: { judgge: "opus" } })).toEqual({ words, near: "judge" });
  });

  it.each(["__proto__", "constructor", "toString", "", "$schema"])("%j is no exception", (name) => {
    const values = JSON.parse(`{${JSON.stringify(name)}: {"rounds": 5}}`);
    expect(problemOf(values)?.words).toBe(`unknown name "${name}"`);
    expect(problemOf({ models: values })?.words).toContain(`unknown role "${name}"`);
  });

  it.each(["ANTHROPIC_API_KEY", "apiKey", "baseUrl", "ANTHROPIC_BASE_URL", "url", "env-token", "password"])(
    "%s would be a secret or an address, and its value is not repeated",
    (name) => {
      const problem = problemOf({ [name]: "sk-ant-SECRET" });
      expect(problem?.words).toBe(
        `unknown name "${name}": no credential and no address can come from this file`,
      );
      expect(JSON.stringify(checkFileValues({ [name]: "sk-ant-SECRET" }, "person"))).not.toContain("SECRET");
    },
  );
});
