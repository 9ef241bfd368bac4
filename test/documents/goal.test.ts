import { describe, expect, it } from "vitest";
import { OptionError } from "../../src/core/errors.ts";
import { Goal } from "../../src/documents/goal.ts";

function checks(body: string): readonly string[] {
  return Goal.parse(`## Goal\nS\n## Checklist\n${body}`).checks;
}

describe("a checklist", () => {
  it.each([
    [
      "dashes, stars, numbers and boxes",
      "- a\n* b\n1. c\n2) d\n- [ ] e\n- [x] f\n[ ] g\n（8）h\n9、i\n10.构建",
      "abcdefghi构建",
    ],
    ["plain lines without any marker", "a\nb\n\nc", "abc"],
  ])("reads %s", (_, body, expected) => {
    expect(checks(body).join("")).toBe(expected);
  });

  it.each([
    ["wrapped lines", "- a\n  goes on\nand on\n- b", ["a goes on and on", "b"]],
    ["sub-items", "- a\n  - b\n    1. c\n- d", ["a; b; c", "d"]],
    ["an introduction", "The following must hold:\n- a\n- b", ["a", "b"]],
    ["an indented list", "  - a\n  - b", ["a", "b"]],
    ["numbers that are no markers", "- a\n1.5 seconds at most", ["a 1.5 seconds at most"]],
    ["emphasis that is no marker", "*a* holds\n**b** holds", ["*a* holds", "**b** holds"]],
    ["a sentence behind the list", "- a\n\nAll of it on arm64.", ["a", "All of it on arm64."]],
    ["empty markers and rules", "- a\n-\n---\n- [ ]\n- b", ["a", "b"]],
    ["a placeholder", "- (empty)", []],
  ])("keeps %s with their item", (_, body, expected) => {
    expect(checks(body)).toEqual(expected);
  });

  it.each([
    "shown [cannot verify here: no display]",
    "shown [ Cannot verify here ： no display ]",
    "shown ［cannot verify here：no [GPU] card］.",
    "shown [cannot verify here]",
    "shown [此环境无法验证:没有屏幕]",
    "显示【此环境无法验证：没有屏幕】。",
    "mostrado [não verificável aqui: sem tela]",
    "shown **[cannot verify here: no display]**",
  ])("marks %s as unverifiable", (check) => {
    expect(new Goal({ checks: ["a", check] }).unverifiable).toEqual([check]);
  });

  it.each(["cannot verify here", "a [cannot verify here: x] b", "a [verify here: x]", "[x] a"])(
    "does not mark %s",
    (check) => {
      expect(new Goal({ checks: [check] }).unverifiable).toEqual([]);
    },
  );

  it("keeps the mark at the end when the item has sub-items or is wrapped", () => {
    const marked = checks("- a [cannot verify here: x]\n  - b\n- c\n  - d [cannot verify here:\n    y]\n- e");
    expect(marked).toEqual(["a; b [cannot verify here: x]", "c; d [cannot verify here: y]", "e"]);
    expect(new Goal({ checks: marked }).unverifiable).toHaveLength(2);
  });
});

describe("a goal", () => {
  it("needs a statement and one check", () => {
    expect(new Goal().missing()).toEqual(["Goal", "Checklist"]);
    expect(new Goal({ statement: "S", checks: ["(empty)", " "] }).missing()).toEqual(["Checklist"]);
    expect(new Goal({ statement: "S", checks: ["a"] }).complete()).toBe(true);
  });

  it("refuses what it cannot be made of", () => {
    expect(() => new Goal({ check: [] } as object)).toThrow(/"check"/);
    expect(() => new Goal({ checks: "a" } as object)).toThrow(OptionError);
  });

  it("numbers its checks and says so when there are none", () => {
    const goal = new Goal({ statement: "S", checks: ["a", "b\nc"] });
    expect(goal.toMarkdown()).toBe("## Goal\n\nS\n\n## Checklist\n\n1. a\n2. b c\n");
    expect(goal.promptBlock()).toBe("## Goal\n\nS\n\n## Checklist\n\n1. a\n2. b c");
    expect(new Goal().toMarkdown()).toContain("(empty)");
    expect(new Goal().promptBlock()).toBe("");
  });

  it("is amended below its statement, which stays", () => {
    const goal = new Goal({ statement: "S", checks: ["a"], path: "/g.md" });
    const amended = goal.amend("## Checklist\nor T");
    expect(amended.statement).toBe("S\n\n(amended) ## Checklist\nor T");
    expect(amended.checks).toEqual(["a"]);
    expect(amended.path).toBe("/g.md");
    expect(goal.statement).toBe("S");
    expect(Goal.parse(amended.toMarkdown())).toEqual(amended);
    expect(goal.amend(" ")).toBe(goal);
  });
});
