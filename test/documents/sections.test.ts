import { describe, expect, it } from "vitest";
import { Brief } from "../../src/documents/brief.ts";
import { Handoff } from "../../src/documents/handoff.ts";
import { HEADINGS, LANGUAGES } from "./headings.ts";

const FORMS: readonly (readonly [string, (label: string, text: string) => string])[] = [
  ["marks", (label, text) => `## ${label}\n${text}\n`],
  ["marks without a space", (label, text) => `###${label}\n${text}\n`],
  ["closing marks", (label, text) => `## ${label} ##\n${text}\n`],
  ["marks and text on the line", (label, text) => `## ${label} ${text}\n`],
  ["marks and a colon", (label, text) => `# ${label}: ${text}\n`],
  ["marks and a remark", (label, text) => `## ${label} (say it all)\n${text}\n`],
  ["marks and a dash", (label, text) => `## ${label} — ${text}\n`],
  ["bold", (label, text) => `**${label}**\n${text}\n`],
  ["bold with the colon inside", (label, text) => `**${label}:** ${text}\n`],
  ["bold with the colon behind", (label, text) => `**${label}**： ${text}\n`],
  ["bold underscores", (label, text) => `__${label}__\n\n${text}\n`],
  ["bold in marks", (label, text) => `## **${label}**\n${text}\n`],
  ["brackets", (label, text) => `【${label}】${text}\n`],
  ["a colon", (label, text) => `${label}: ${text}\n`],
  ["a full-width colon", (label, text) => `${label}：${text}\n`],
  ["a number", (label, text) => `\n3. ${label}\n${text}\n`],
  ["a number in marks", (label, text) => `## 3) ${label}\n${text}\n`],
  ["a Chinese number", (label, text) => `## 三、${label}\n${text}\n`],
  ["a number in bold", (label, text) => `**3. ${label}**\n${text}\n`],
  ["standing alone", (label, text) => `\n${label}\n${text}\n`],
  ["capitals", (label, text) => `## ${label.toUpperCase()}\n${text}\n`],
  ["decomposed accents", (label, text) => `## ${label.normalize("NFD")}\n${text}\n`],
  ["a twin behind a slash", (label, text) => `## ${label} / Next\n${text}\n`],
];

describe.each(LANGUAGES)("headings in %s", (language) => {
  it.each(FORMS)("are read when written with %s", (_, write) => {
    const handoff = Handoff.parse(write(HEADINGS[language].next ?? "", "Run the tests."));
    expect(handoff.next).toBe("Run the tests.");
  });
});

const ALIASES: readonly (readonly [keyof Brief & string, readonly string[]])[] = [
  ["goal", ["Goal", "目标", "Objetivo", "Meta"]],
  [
    "accept",
    [
      "Acceptance",
      "Acceptance criteria",
      "验收标准",
      "验收条件",
      "Critérios de aceitação",
      "criterios de aceitacao",
    ],
  ],
  ["bounds", ["Boundaries", "Out of scope", "out-of-scope", "边界", "不做什么", "Limites", "Fronteiras"]],
  [
    "unknowns",
    [
      ...["Unknowns", "Assumptions", "Unknowns & assumptions", "未知与假设", "未知项与假设", "未知"],
      ...["Incógnitas e suposições", "Desconhecidos e suposições"],
    ],
  ],
];

describe("aliases", () => {
  it.each(ALIASES)("of %s are all read", (field, labels) => {
    for (const label of labels) expect(Brief.parse(`## ${label}\nX`)[field], label).toBe("X");
  });

  it("lets the longest alias win", () => {
    expect(Brief.parse("未知与假设：没有").unknowns).toBe("没有");
    expect(Brief.parse("## Unknowns and assumptions: nothing").unknowns).toBe("nothing");
  });
});

describe("what is no heading", () => {
  it.each([
    ["a sentence", "Next we go home."],
    ["a longer word", "## Nextcloud\nX"],
    ["a compound", "## Next-level plans\nX"],
    ["a Chinese compound", "## 下一步骤\nX"],
    ["a possessive", "## Next's problem\nX"],
    ["a list item", "- Next: X"],
    ["a bold list item", "- **Next**: X"],
    ["a quote", "> ## Next\n> X"],
    ["indented code", "    ## Next\n    X"],
    ["bold that goes on", "**Next week** X"],
    ["unclosed bold", "**Next: X"],
    ["a word alone inside a paragraph", "We shall see what comes\nnext\nand then go."],
    ["seven marks", "####### Next\nX"],
  ])("%s", (_, text) => {
    expect(Handoff.parse(`## Doing\nA\n${text}`).next).toBe("");
  });
});

describe("sections", () => {
  it("keep text of a weaker heading form that repeats a filled section", () => {
    const brief = Brief.parse(
      "## Goal\nA page.\n## Acceptance criteria\nGoal: score 5\n**Goal** kept\n### Goal\nkept too",
    );
    expect(brief.goal).toBe("A page.");
    expect(brief.accept).toBe("Goal: score 5\n**Goal** kept\n### Goal\nkept too");
  });

  it("prefer a heading to a longer title that begins with the same word", () => {
    const brief = Brief.parse("# Goal and more of this project\n\n## Goal\nA page.");
    expect(brief.goal).toBe("A page.");
  });

  it("take the first occurrence that says something, over placeholders and rules", () => {
    const text = "## Doing\n(not filled)\n\n## Doing\n---\n\n## Doing\nA\n\n## Doing\nB";
    expect(Handoff.parse(text).doing).toBe("A");
  });

  it("end at an unknown heading of the same level or above, not at one below", () => {
    const handoff = Handoff.parse("## Doing\nA\n### Detail\nB\n## Weather\nC\n## Next\nD\n# End\nE");
    expect(handoff.doing).toBe("A\n### Detail\nB");
    expect(handoff.next).toBe("D");
  });

  it("do not carry a hash tag or a comment off as a heading", () => {
    expect(Handoff.parse("## Next\nA\n#tag\nB").next).toBe("A\n#tag\nB");
  });

  it("read placeholders of all three languages as empty", () => {
    const placeholders = [
      ...[
        "(not filled)",
        "(empty)",
        "（未填）",
        "(空)",
        "(não preenchido)",
        "(vazio)",
        "(none)",
        "(无)",
        "(nenhum)",
      ],
      ...["*(empty)*", "- (empty)"],
    ];
    for (const text of placeholders) expect(Handoff.parse(`## Next\n${text}`).next, text).toBe("");
  });
});

describe("fences", () => {
  const DOCUMENT = "## Doing\nA\n\n## Next\nB";

  it.each([
    ["alone", `\`\`\`markdown\n${DOCUMENT}\n\`\`\``],
    ["without an info word", `\`\`\`\n${DOCUMENT}\n\`\`\`\n`],
    ["of tildes", `~~~md\n${DOCUMENT}\n~~~`],
    ["after a sentence", `Here is the handoff:\n\n\`\`\`md\n${DOCUMENT}\n\`\`\``],
    ["between sentences", `Here it is.\n\`\`\`\n${DOCUMENT}\n\`\`\`\nGood luck!`],
    ["of four marks around three", `\`\`\`\`md\n${DOCUMENT}\n\`\`\`sh\nls\n\`\`\`\n\`\`\`\``],
    [
      "of the marks it holds, with an info word",
      `\`\`\`md\n## Doing\nA\n\`\`\`sh\nls\n\`\`\`\n\n## Next\nB\n\`\`\``,
    ],
    ["of the marks it holds, without one", `\`\`\`md\n## Doing\nA\n\`\`\`\nls\n\`\`\`\n\n## Next\nB\n\`\`\``],
  ])("a wrapper %s is taken off", (_, text) => {
    const handoff = Handoff.parse(text);
    expect([handoff.doing, handoff.next]).toEqual(["A", "B"]);
  });

  it.each([
    ["a document quoted in a long report", `${"I looked at it. ".repeat(40)}\n\`\`\`\n${DOCUMENT}\n\`\`\``],
    ["code", `\`\`\`ts\n${DOCUMENT}\n\`\`\``],
    ["a wrapper that was cut off", `\`\`\`md\n${DOCUMENT}`],
  ])("%s is no wrapper", (_, text) => {
    expect(Handoff.parse(text)).toEqual(new Handoff());
  });

  it("a decoy before the document does not win", () => {
    const handoff = Handoff.parse(`\`\`\`md\n## Next\nfake\n\`\`\`\n${DOCUMENT}\n\n\`\`\`\nlog\n\`\`\``);
    expect([handoff.doing, handoff.next]).toEqual(["A", "B"]);
  });

  it("inside a list item are fences too", () => {
    const text = "## Doing\n- ran:\n  ```sh\n  ## Next\n  ```\n- ```\n## Next\n  ```\n\n## Next\nB";
    expect(Handoff.parse(text).next).toBe("B");
  });

  it("inline code on its own line opens nothing", () => {
    expect(Handoff.parse("## Doing\n```npm test``` ran\n## Next\nB").next).toBe("B");
  });
});

describe("unsafe text", () => {
  it("loses escapes, overrides and control characters before it is read", () => {
    const handoff = Handoff.parse(
      "\u001b[1m## Doing\u001b[0m\r\nA\u001b]0;title\u0007B\u202e\u0000\u009b31m\r\n## Next\rC",
    );
    expect(handoff.doing).toBe("AB31m");
    expect(handoff.next).toBe("C");
  });

  it("loses no more than its line to an escape that never ends", () => {
    const handoff = Handoff.parse("## Doing\nA \u001b]0;oops\nB\n## Next\nC");
    expect(handoff.doing).toBe("A \nB");
    expect(handoff.next).toBe("C");
  });

  it("keeps no half of a surrogate pair", () => {
    expect(Handoff.parse("## Next\nA\ud800B").next).toBe("A\ufffdB");
  });
});
