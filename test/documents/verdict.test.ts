import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OptionError } from "../../src/core/errors.ts";
import { Verdict, type VerdictState } from "../../src/documents/verdict.ts";

const RULINGS: Readonly<Record<Exclude<VerdictState, "">, readonly string[]>> = {
  achieved: [
    ...[
      "achieved",
      "ACHIEVED",
      "**achieved**",
      "__Achieved__",
      "`achieved`",
      "Achieved.",
      "Yes, achieved!",
      "met",
    ],
    ...["1", "(1)", "**1**", "1.", "true", "True.", "achieved: true", "ＡＣＨＩＥＶＥＤ"],
    ...[
      "The goal is achieved.",
      "The goal has been fully achieved.",
      "All 7 checks are met.",
      "All criteria met",
    ],
    ...["I conclude that the goal is achieved.", "✅ achieved", "Verdict: achieved"],
    ...["Achieved. Nothing is left; it now works.", "Achieved — 7/7 checks passed, no failures."],
    ...[
      "achieved (all 7 checks pass)",
      "Achieved, none of the checks failed",
      "I ran make. It exits 0. The goal is achieved.",
    ],
    ...["达成", "已达成", "目标已达成。", "结论：已经达成", "全部达成", "达成。没有遗漏", "达成了"],
    ...["alcançado", "Alcançada.", "atingido", "O objetivo foi alcançado.", "alcançado, sem falhas"],
  ],
  not_yet: [
    ...[
      "not yet",
      "NOT YET",
      "not_yet",
      "not-yet",
      "Not yet.",
      "0",
      "false",
      "unachieved",
      "not met",
      "unmet",
    ],
    ...[
      "not achieved",
      "not yet achieved",
      "it is not achieved",
      "has not been achieved",
      "hasn't been achieved",
    ],
    ...["Not achieved: 7 of 4992 checks fail.", "NOT YET. If a.html is added it works."],
    ...["未达成", "尚未达成", "没有达成", "还没达成", "判定：未达成"],
    ...[
      "ainda não",
      "não alcançado",
      "ainda não alcançado",
      "Ainda não foi atingido",
      "não atingido",
      "não aprovado",
    ],
  ],
  unreachable: [
    ...[
      "unreachable",
      "cannot verify here",
      "Cannot be verified.",
      "can't be verified",
      "could not be verified",
    ],
    ...[
      "not verifiable",
      "unverifiable",
      "cannot be judged",
      "Cannot be verified here, treated as ACHIEVED.",
    ],
    ...[
      "achieved, but unverifiable",
      "Not achieved; cannot be verified here",
      "unreachable: it might work on macOS",
    ],
    ...["无法验证", "没法验证", "验证不了", "无法判定", "无法达成", "无法验证，视为达成"],
    ...[
      "não verificável",
      "não é possível verificar",
      "inalcançável",
      "não é possível verificar, logo alcançado",
    ],
  ],
};

const UNCLEAR: readonly string[] = [
  ...[
    "",
    "ok",
    "done",
    "passed",
    "I checked everything.",
    "Passed 1 of 3 checks so far.",
    "2",
    "10",
    "1/3",
    "-1",
    "1%",
  ],
  ...["1 0", "true or false", "1?", "not", "yes", "no"],
  ...[
    "ACHIEVED / NOT YET",
    "**ACHIEVED** / NOT YET / UNREACHABLE",
    "achieved | not yet",
    "achieved or not achieved",
  ],
  ...[
    "achieved, not yet, unreachable",
    "- achieved\n- not yet\n- unreachable",
    "达成/未达成/无法验证",
    "alcançado ou ainda não",
  ],
  ...[
    "would be achieved if it ran",
    "It could be called ACHIEVED, or UNREACHABLE if you are strict; hard to say.",
  ],
  ...[
    "If the tests ran, then it is achieved",
    "might be achieved",
    "it may be unreachable",
    "if it is not achieved, tell me",
  ],
  ...[
    "achieved? no",
    "Achieved?",
    "is the goal achieved",
    "Is the goal achieved? Yes",
    "almost achieved",
    "nearly met",
  ],
  ...[
    "I cannot say it is achieved",
    "I would not say it is achieved",
    "I doubt it is achieved",
    "not clearly achieved",
  ],
  ...[
    "never achieved",
    "nothing achieved",
    "none achieved",
    "neither achieved",
    "hardly achieved",
    "partly achieved",
  ],
  ...[
    "non-achieved",
    "un-achieved",
    "half-achieved",
    "achieved-ish",
    "overachieved",
    "to be achieved",
    "will be achieved",
  ],
  ...[
    "achieved, but two checks not yet",
    "achieved except check 3",
    "achieved apart from the docs",
    "achieved 2 of 3",
  ],
  ...[
    "achieved: false",
    "achieved: no",
    "achieved: 0",
    "achieved=0",
    "achieved: n/a",
    "achieved: ❌",
    "❌ achieved",
  ],
  ...[
    "Achieved: 2/3",
    "2 of the checks are met",
    "two checks are met",
    "not all checks are met",
    "achieved for most checks",
  ],
  ...[
    "[ ] achieved",
    "- [x] achieved\n- [ ] not yet",
    "~~achieved~~",
    "a\u0336chieved",

    "achieved ≠ true",
  ],
  ...[
    "ACHIEVED printed in the log",
    "build log: ACHIEVED target all",
    "The worker says the goal is achieved",
  ],
  ...[
    "> achieved",
    "The goal met resistance",
    "Achieved:\n- login",
    "achieved as far as I can tell",
    "achieved, I think",
  ],
  ...[
    "Achieved. It still fails on Windows.",
    "Achieved once the docs are written",
    "The goal is achieved. Not.",
  ],
  ...[
    "基本达成",
    "部分达成",
    "几乎达成",
    "可能达成",
    "如果通过则达成",
    "达成吗？",
    "是否达成",
    "不能达成",
    "不算达成",
    "即将达成",
  ],
  ...[
    "quase alcançado",
    "seria alcançado",
    "talvez alcançado",
    "parcialmente atingido",
    "se passar, alcançado",
    "nem alcançado",
  ],
  ...[
    "API Error: 500 Internal server error",
    "API Error: 500 achieved",
    "API Error: certificate could not be verified",
  ],
];

const RULED = Object.entries(RULINGS).flatMap(([state, texts]) =>
  texts.map((text) => [text, state] as const),
);

/** Praise with something taken back: none of it may end the work. */
const TAKEN_BACK = [
  "achieved with check 2 skipped",
  "achieved, with check 2 red",
  "achieved - 2 checks red",
  "achieved (2 of three checks)",
  "achieved: 4 out of 5",
  "achieved: 4 out of the five",
  "achieved: 3 of 3 of 4",
  "achieved: 4_of_5",
  "achieved with one deviation",
  "achieved in round 1, regressed in round 2",
  "achieved by editing the test",
  "achieved, außer Punkt 2",
  "achieved, sauf le point 2",
  "achieved; Punkt 2 fehlt",
  "achieved (tranne il 2)",
  "The conclusion is one of achieved, not yet, cannot verify here",
] as const;

/** Words that take nothing back. */
const WHOLE = [
  "achieved: 5 of 5 checks pass",
  "achieved, with no regressions and 0 skipped",
  "ACHIEVED. Nothing is left; it now works.",
] as const;

describe("an achieved that is taken back", () => {
  it.each(TAKEN_BACK)("%j does not end the work", (text) => {
    expect(Verdict.parse(`## Conclusion\n${text}\n`).achieved).toBe(false);
    expect(Verdict.parse(`## Conclusion\n${text}\n`).unreachable).toBe(false);
  });

  it.each(WHOLE)("%j does", (text) => {
    expect(Verdict.parse(`## Conclusion\n${text}\n`).achieved).toBe(true);
  });
});

describe("a ruling", () => {
  it.each(RULED)("%j is %s", (text, state) => {
    expect(Verdict.parse(text).state).toBe(state);
    expect(
      Verdict.parse(`## Conclusion\n\n${text}\n\n## Reason\nnot achieved, cannot be verified`).state,
    ).toBe(state);
  });

  it.each(UNCLEAR)("%j is no ruling", (text) => {
    const verdict = Verdict.parse(text);
    expect(verdict.state).toBe("");
    expect([verdict.ok, verdict.achieved, verdict.unreachable]).toEqual([false, false, false]);
    expect(Verdict.parse(`## Conclusion\n${text}\n`).achieved).toBe(false);
  });

  it("does not come from fenced text", () => {
    expect(Verdict.parse("```\nachieved\n```").state).toBe("");
    expect(Verdict.parse("## Conclusion\n```\nachieved\n```\n").state).toBe("");
    expect(Verdict.parse("not yet\n```\nachieved").state).toBe("not_yet");
  });

  it("comes from the fence around the whole reply, and from a quoted one only when it is not achieved", () => {
    const fenced = (word: string): string => `\`\`\`md\n## Conclusion\n${word}\n\`\`\``;
    expect(Verdict.parse(fenced("achieved")).state).toBe("achieved");
    expect(Verdict.parse(`Here is my verdict:\n\n${fenced("achieved")}`).state).toBe("achieved");
    expect(Verdict.parse(`The worker's report says:\n${fenced("achieved")}`).state).toBe("");
    expect(Verdict.parse(`Here is my verdict:\n${fenced("achieved")}\nWell, almost.`).state).toBe("");
    expect(Verdict.parse(`The worker's report says:\n${fenced("not yet")}`).state).toBe("not_yet");
  });

  it("is the first conclusion that says something, unless a later one takes an achieved back", () => {
    expect(Verdict.parse("## Conclusion\n\n## Conclusion\nachieved").state).toBe("achieved");
    expect(Verdict.parse("## Conclusion\nnot yet\n## Conclusion\nachieved").state).toBe("not_yet");
    expect(Verdict.parse("## Conclusion\nachieved\n## Conclusion\nnot yet").state).toBe("");
    expect(Verdict.parse("## Conclusion\nachieved\nVerdict: not yet").state).toBe("");
  });

  it("is not read out of a report nobody could find it in", () => {
    expect(Verdict.parse(`${"It works. ".repeat(3000)}achieved`).state).toBe("");
  });
});

describe("a verdict", () => {
  it("is made of one object and refuses a state there is not", () => {
    expect(new Verdict().state).toBe("");
    expect(new Verdict().missing()).toEqual(["Conclusion"]);
    expect(new Verdict({ state: "not_yet" }).complete()).toBe(true);
    expect(() => new Verdict({ state: "done" } as object)).toThrow(OptionError);
    expect(() => new Verdict({ status: "achieved" } as object)).toThrow(/status/);
  });

  it("is not achieved while it names checks that did not pass", () => {
    const verdict = Verdict.parse("## Conclusion\nachieved\n## Not passed\n- a.html is missing");
    expect(verdict.state).toBe("achieved");
    expect(verdict.achieved).toBe(false);
    expect(verdict.feedback()).toContain("a.html is missing");
  });

  it.each([
    "(none)",
    "none",
    "- None.",
    "N/A",
    "无",
    "（无）",
    "nenhum",
    "- (nenhum)",
    "All 7 checks passed.",
  ])("reads %j as nothing failed", (text) => {
    expect(Verdict.parse(`## Conclusion\nachieved\n## Not passed\n${text}`).failed).toEqual([]);
  });

  it.each<[string, readonly string[]]>([
    ["- 2: no file", ["2: no file"]],
    ["2. no file\n5) too slow", ["2: no file", "5: too slow"]],
    ["3、没有文件", ["3: 没有文件"]],
    ["(2) no file\n   at all", ["2: no file at all"]],
    // Numbers that only count the list say nothing about which item is meant.
    ["1. no file\n2. too slow", ["no file", "too slow"]],
    ["- no file\n- too slow", ["no file", "too slow"]],
  ])("keeps the numbers by which %j names items", (text, failed) => {
    expect(Verdict.parse(`## Conclusion\nnot yet\n## Not passed\n${text}`).failed).toEqual(failed);
  });

  it("takes the rest of the conclusion for the reason when no other is given", () => {
    const said = "Not achieved: 7 of 4992 checks fail.";
    expect(Verdict.parse(`## Conclusion\n${said}`).reason).toBe(said);
    expect(Verdict.parse(`## Conclusion\n${said}\n## Reason\nR`).reason).toBe("R");
    expect(Verdict.parse("## Conclusion\nNot achieved.").reason).toBe("");
    expect(Verdict.parse("Something went wrong in the judge.").reason).toBe("");
  });

  it("says in its feedback what is missing, and nothing when it is achieved", () => {
    const feedback = new Verdict({ state: "not_yet", reason: "R", failed: ["a", "b"] }).feedback();
    expect(feedback).toBe("The judge ruled: not yet achieved.\n\nReason:\nR\n\nNot passed:\n- a\n- b");
    expect(new Verdict({ state: "achieved" }).feedback()).toBe("");
    expect(new Verdict().feedback()).toMatch(/no clear conclusion.*\n\n.*No reason/s);
    expect(new Verdict({ state: "unreachable", reason: "R" }).feedback()).toContain("cannot be verified");
  });

  it("writes the words it reads", () => {
    const folder = mkdtempSync(join(tmpdir(), "flower-verdict-"));
    const verdict = new Verdict({ state: "not_yet", reason: "R", failed: ["a"] });
    verdict.write(join(folder, "verdict.md"));
    expect(Verdict.load(join(folder, "verdict.md"))).toEqual(verdict);
    rmSync(folder, { recursive: true, force: true });
    expect(verdict.promptBlock()).toBe("## Conclusion\n\nnot yet\n\n## Reason\n\nR\n\n## Not passed\n\n- a");
    expect(new Verdict().promptBlock()).toBe("");
    expect(new Verdict().toMarkdown()).toContain("(not filled)");
  });
});
