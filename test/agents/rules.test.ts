import { describe, expect, it } from "vitest";
import { CLARIFIER_RULES } from "../../src/agents/roles/clarifier.ts";
import { COORDINATOR_RULES } from "../../src/agents/roles/coordinator.ts";
import { JUDGE_RULES } from "../../src/agents/roles/judge.ts";
import { ORACLE_RULES } from "../../src/agents/roles/oracle.ts";
import { WORKER_RULES } from "../../src/agents/roles/worker.ts";

// The first request of a session pays for its rules every time, so each text has a budget in characters.
const RULES = [
  ["coordinator", COORDINATOR_RULES, 2_600],
  ["worker", WORKER_RULES, 2_000],
  ["clarifier", CLARIFIER_RULES, 2_000],
  ["judge", JUDGE_RULES, 3_100],
  ["oracle", ORACLE_RULES, 700],
] as const;

describe("every rules text", () => {
  it.each(RULES)(
    "of the %s opens with its role, ends with the language rule and stays small",
    (role, text, budget) => {
      expect(text.split("\n")[0]).toBe(`# Role: ${role}`);
      expect(text.split("\n").at(-1)).toMatch(
        /^Answer in the language of the person's request; headings .* English\.$/,
      );
      expect(text.length).toBeLessThanOrEqual(budget);
      expect(text).toBe(text.trim());
    },
  );

  it("has a first line of its own", () => {
    expect(new Set(RULES.map(([, text]) => text.split("\n")[0])).size).toBe(RULES.length);
  });
});

// What a role that lost one of these sentences was seen to do wrong is why each is here.
const MUST_SAY: readonly (readonly [string, string, RegExp])[] = [
  ["coordinator directs", COORDINATOR_RULES, /You direct; you do not type/],
  ["coordinator: inability is intended", COORDINATOR_RULES, /cannot write, edit or run tests.*on purpose/],
  ["coordinator: glances go stale", COORDINATOR_RULES, /only glances.*stale/],
  ["coordinator: context is decisions", COORDINATOR_RULES, /record of decisions/],
  ["coordinator: lean task briefs", COORDINATOR_RULES, /holds only what is particular to this task/],
  ["coordinator: paths", COORDINATOR_RULES, /paths, not contents/],
  [
    "coordinator: where the workbench is",
    COORDINATOR_RULES,
    /path of the workbench.*`artifacts\/`.*paths and conclusions/,
  ],
  ["coordinator: together", COORDINATOR_RULES, /several Agent calls in one message/],
  ["coordinator: inbox", COORDINATOR_RULES, /`inbox`.*after every milestone/],
  ["coordinator: ask blocks", COORDINATOR_RULES, /`ask`.*only at a real fork/s],
  ["coordinator: notes", COORDINATOR_RULES, /`notes\/`, one file each/],
  ["worker: last message only", WORKER_RULES, /sees only your last message/],
  [
    "worker: four parts",
    WORKER_RULES,
    /\*\*Conclusion\*\*.*\*\*Evidence\*\*.*\*\*Output\*\*.*\*\*Unverified\*\*/s,
  ],
  ["worker: length", WORKER_RULES, /At most 30 lines/],
  ["worker: no pastes", WORKER_RULES, /No pasted files, output, logs or diffs/],
  ["worker: scripts first", WORKER_RULES, /`scripts\/` first/],
  ["worker: desc line", WORKER_RULES, /# desc:/],
  ["worker: foreground", WORKER_RULES, /foreground, with a time limit\. Leave nothing running/],
  [
    "worker: raw records",
    WORKER_RULES,
    /raw record: the command, its exit code, the tail of its output, the time/,
  ],
  ["clarifier: only questions that matter", CLARIFIER_RULES, /Only what changes the work/],
  ["clarifier: one at a time with options", CLARIFIER_RULES, /One question at a time, with options/],
  ["clarifier: no limit", CLARIFIER_RULES, /no limit on questions/],
  ["clarifier: reads", CLARIFIER_RULES, /What you can read, read/],
  ["clarifier: nobody there", CLARIFIER_RULES, /Nobody may be there.*assumption/],
  ["clarifier: nothing else", CLARIFIER_RULES, /no code, no plan/],
  ["judge: goal sections", JUDGE_RULES, /exactly two sections\.\n\n## Goal\n[^#]*## Checklist/],
  ["judge: checkable items", JUDGE_RULES, /"run this, see that"/],
  [
    "judge: a command where one decides",
    JUDGE_RULES,
    /Wherever a command can decide.*\n.*`node wc\.mjs a\.txt` -> prints exactly 3/,
  ],
  ["judge: a second input", JUDGE_RULES, /computed gets a second input the brief does not show/],
  ["judge: length from failures", JUDGE_RULES, /ways to fail, no more\. Rigour is not length/],
  ["judge: boundaries", JUDGE_RULES, /A boundary is not a check item/],
  ["judge: marker", JUDGE_RULES, /`\[cannot verify here: reason\]`/],
  ["judge: look first", JUDGE_RULES, /Look first where you are/],
  ["judge: the artefact", JUDGE_RULES, /Read the artefact itself/],
  ["judge: evidence paths", JUDGE_RULES, /Quote the path of the evidence/],
  ["judge: raw records", JUDGE_RULES, /cannot run commands.*raw record.*A claim without a record is not yet/],
  [
    "judge: flower's own table",
    JUDGE_RULES,
    /rests on the table of what flower saw.*did not hold there does not pass; what only ran is yours/,
  ],
  [
    "judge: against the table",
    JUDGE_RULES,
    /reject what held, say what the command does not show, and where/,
  ],
  [
    "judge: numbers",
    JUDGE_RULES,
    /## Reason\nOne line an item: its number.*## Not passed\nOne line an item: its number/s,
  ],
  [
    "judge: a path where no command decides",
    JUDGE_RULES,
    /where no command held, with the path you saw it in/,
  ],
  ["judge: two conclusions", JUDGE_RULES, /two conclusions, and the second never passes/],
  ["judge: not how to fix", JUDGE_RULES, /what is missing, not how to fix it/],
  ["oracle: side channel", ORACLE_RULES, /side channel to a run in progress/],
  ["oracle: cannot tell", ORACLE_RULES, /say that you cannot tell/],
  ["oracle: never steers", ORACLE_RULES, /Never steer/],
];

describe("the rules say", () => {
  it.each(MUST_SAY)("%s", (_name, text, sentence) => {
    expect(text).toMatch(sentence);
  });

  it("the clarifier's four sections in order and no others", () => {
    const sections = [...CLARIFIER_RULES.matchAll(/^## (.*)$/gm)].map((match) => match[1]);
    expect(sections).toEqual([
      "Ask",
      "Finish",
      "Goal",
      "Acceptance criteria",
      "Boundaries",
      "Unknowns and assumptions",
    ]);
  });

  it("the verdict's sections and its three conclusions", () => {
    expect(JUDGE_RULES).toMatch(
      /exactly three sections\.\n\n## Conclusion\n[^#]*## Reason\n[^#]*## Not passed\n/,
    );
    expect(JUDGE_RULES).toContain("`achieved`, `not yet`, `cannot verify here`");
  });

  it("no fixed place for a worker's output, which may run in a worktree of its own", () => {
    expect(WORKER_RULES).not.toMatch(/artifacts|\.flower|INDEX\.md/);
  });
});
