import { describe, expect, it } from "vitest";
import type { RoleModels } from "../../../src/agents/role-models.ts";
import type { Values } from "../../../src/cli/args/check-values.ts";
import type { CommandName } from "../../../src/cli/args/commands.ts";
import { describeMerged } from "../../../src/cli/defaults/describe-merged.ts";
import { type ConfigLayer, mergeDefaults } from "../../../src/cli/defaults/merge-defaults.ts";

interface Given {
  readonly typed?: Values;
  readonly project?: Values;
  readonly person?: Values;
  readonly projectModels?: RoleModels;
  readonly personModels?: RoleModels;
}

function merge(given: Given, command: CommandName = "go") {
  const { typed = {}, project = {}, person = {}, projectModels = {}, personModels = {} } = given;
  const layers: ConfigLayer[] = [
    { owner: "project", source: "P", values: project, models: projectModels },
    { owner: "person", source: "U", values: person, models: personModels },
  ];
  return mergeDefaults(command, typed, layers);
}

describe("mergeDefaults", () => {
  it("takes what was typed, else the project's value, else the person's", () => {
    const person = { rounds: 1, window: 10, effort: "low" };
    const project = { rounds: 2, window: 20 };
    expect(merge({ typed: { rounds: 3 }, project, person })).toMatchObject({
      values: { rounds: 3, window: 20, effort: "low" },
      fromFiles: { window: "P", effort: "U" },
      unheeded: [],
    });
  });

  it("gives a command only what it takes", () => {
    const person = { rounds: 1, spend: 2, tools: ["Read"], asks: 3, model: "m" };
    expect(merge({ person }, "go").values).toEqual({ rounds: 1, asks: 3, model: "m" });
    expect(merge({ person }, "run").values).toEqual({ asks: 3, model: "m" });
    expect(merge({ person }, "once").values).toEqual({ spend: 2, tools: ["Read"], model: "m" });
  });

  it.each([
    // asked by the project, the person's own, typed -> in effect, not heeded
    [20, undefined, undefined, 20, []],
    [50, undefined, undefined, 50, []],
    [51, undefined, undefined, undefined, ["51 > 50"]],
    ["none", undefined, undefined, undefined, ["none > 50"]],
    [80, 100, undefined, 80, []],
    [120, 100, undefined, 100, ["120 > 100"]],
    [30, 10, undefined, 10, ["30 > 10"]],
    [500, "none", undefined, 500, []],
    ["none", "none", undefined, "none", []],
    [120, 100, 300, 300, []],
    [undefined, 300, undefined, 300, []],
  ])(
    "a project's budget of %j beside the person's %j and a typed %j makes %j",
    (asked, own, typed, holds, no) => {
      const { values, unheeded } = merge({
        project: { budget: asked },
        person: { budget: own },
        typed: typed === undefined ? {} : { budget: typed },
      });
      expect(values.budget).toBe(holds);
      expect(unheeded.map((each) => `${each.asked} > ${each.holds}`)).toEqual(no);
    },
  );

  it.each([
    [2, undefined, 2],
    [2, 1, 1],
    [1, 2, 1],
  ])("a project's deadline of %j beside the person's %j makes %j", (asked, own, holds) => {
    expect(merge({ project: { deadline: asked }, person: { deadline: own } }).values.deadline).toBe(holds);
    expect(merge({ project: { spend: asked }, person: { spend: own } }, "once").values.spend).toBe(holds);
  });

  it("lets a project turn a switch on, and not off what the person turned on", () => {
    expect(merge({ project: { isolate: true }, person: { isolate: false } }).values).toEqual({
      isolate: true,
    });
    const { values, fromFiles, unheeded } = merge({ project: { isolate: false }, person: { isolate: true } });
    expect({ values, fromFiles }).toEqual({ values: { isolate: true }, fromFiles: { isolate: "U" } });
    expect(unheeded).toEqual([
      { name: "isolate", flag: "--isolate", source: "P", asked: "false", holds: "true" },
    ]);
  });

  it("leaves out what would do nothing beside something higher", () => {
    const person = { rounds: 5, window: 10, judgeCanRun: true };
    expect(merge({ typed: { noGoal: true }, person }).values).toEqual({ noGoal: true, window: 10 });
    expect(merge({ project: { noHandoff: true }, person }).values).toEqual({
      noHandoff: true,
      rounds: 5,
      judgeCanRun: true,
    });
    expect(merge({ project: { noHandoff: false }, person }).values).toEqual(person);
    expect(merge({ typed: { clarifyOnly: true }, person }).values).toEqual({ clarifyOnly: true, window: 10 });
  });

  it.each<[string, Given, Values]>([
    ["a typed option", { typed: { sandbox: true }, person: { evidence: "off" } }, { sandbox: true }],
    ["a typed value", { typed: { evidence: "off" }, person: { sandbox: true } }, { evidence: "off" }],
    ["a typed value", { typed: { evidence: "off" }, project: { sandbox: true } }, { evidence: "off" }],
    [
      "no other value",
      { typed: { evidence: "on" }, project: { sandbox: true } },
      { evidence: "on", sandbox: true },
    ],
    [
      "no other value",
      { project: { sandbox: true }, person: { evidence: "on" } },
      { evidence: "on", sandbox: true },
    ],
    ["the person's word", { project: { sandbox: true }, person: { evidence: "off" } }, { evidence: "off" }],
    ["the person's word", { project: { rounds: 2 }, person: { noGoal: true } }, { noGoal: true }],
    [
      "not what typing silenced",
      { typed: { evidence: "on" }, project: { rounds: 2 }, person: { noGoal: true } },
      { evidence: "on", rounds: 2 },
    ],
    ["not what was switched off", { project: { rounds: 2 }, person: { noGoal: false } }, { rounds: 2 }],
    [
      "the project, in what is anyone's",
      { project: { window: 9 }, person: { noHandoff: true } },
      { window: 9 },
    ],
  ])("silences by %s: %j makes %j", (_name, given, values) => {
    expect(merge(given).values).toEqual(values);
  });

  it.each([
    [{ person: { model: "a" } }, { model: "a" }, {}],
    [{ personModels: { judge: "j" } }, {}, { judge: "j" }],
    [{ person: { model: "a" }, personModels: { judge: "j" } }, { model: "a" }, { judge: "j" }],
    [{ person: { model: "a" }, personModels: { judge: "a" } }, { model: "a" }, {}],
    [
      { projectModels: { judge: "p" }, personModels: { judge: "u", worker: "w" } },
      {},
      { judge: "p", worker: "w" },
    ],
    // One for all in a higher file goes before one for a role in a lower one.
    [{ project: { model: "p" }, personModels: { judge: "u" } }, { model: "p" }, {}],
    [{ projectModels: { judge: "p" }, person: { model: "u" } }, { model: "u" }, { judge: "p" }],
    [
      { typed: { model: "t" }, projectModels: { judge: "p" }, personModels: { judge: "u" } },
      { model: "t" },
      {},
    ],
  ] as [Given, object, object][])("of %j it makes %j and for roles %j", (given, values, models) => {
    expect(merge(given)).toMatchObject({ values, models });
    expect(merge(given).models).toEqual(models);
  });

  it("has no roles for a single agent", () => {
    expect(merge({ personModels: { judge: "u" }, person: { model: "m" } }, "once")).toMatchObject({
      values: { model: "m" },
      models: {},
    });
  });

  it("is told in one line for each file", () => {
    const merged = merge({
      project: { rounds: 5, isolate: true },
      person: { model: "m", noHandoff: false },
      personModels: { judge: "j" },
    });
    expect([...describeMerged(merged)]).toEqual([
      ["P", "rounds 5 · isolate"],
      ["U", "no-handoff false · model m · models.judge j"],
    ]);
  });
});
