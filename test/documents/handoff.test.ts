import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { degradedHandoff, Handoff } from "../../src/documents/handoff.ts";
import { HANDOFF_PROMPT, isOverflow } from "../../src/documents/handoff-prompt.ts";

const folder = mkdtempSync(join(tmpdir(), "flower-handoff-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a handoff", () => {
  it("requires only what is being done and what is next", () => {
    expect(new Handoff().missing()).toEqual(["Doing", "Next"]);
    expect(new Handoff({ doing: "A", next: "B" }).complete()).toBe(true);
    expect(() => new Handoff({ nex: "B" } as object)).toThrow(/nex/);
  });

  it("tells the successor that it takes over and to look for itself", () => {
    const block = new Handoff({ doing: "A", next: "B", step: "work" }).promptBlock();
    expect(block).toMatch(/^You are taking over/);
    expect(block).toMatch(/look at the scene/i);
    expect(block).toMatch(/do not ask for background/);
    expect(block).toMatch(/## Doing\n\nA\n\n## Next\n\nB$/);
  });

  it("keeps its step in the file, and takes none from a model's text", () => {
    const path = join(folder, "handoff.md");
    const handoff = new Handoff({ doing: "A", next: "B", step: "work:verdict#1" });
    handoff.write(path);
    expect(Handoff.load(path)).toEqual(handoff);
    expect(Handoff.parse("# Handoff: ../../etc/passwd\n## Doing\nA").step).toBe("");
    writeFileSync(path, "# Handoff: a\u001b[31mb\n## Doing\nA");
    expect(Handoff.load(path)?.step).toBe("ab");
  });

  it("can be edited by a person and is then what they made it", () => {
    const path = join(folder, "edited.md");
    new Handoff({ doing: "A", next: "B" }).write(path);
    writeFileSync(path, `\ufeff${readFileSync(path, "utf8").replace("B", "C").replaceAll("\n", "\r\n")}`);
    expect(Handoff.load(path)?.next).toBe("C");
  });
});

describe("a degraded handoff", () => {
  it("says what it is and holds the first 1,200 characters of the task, whole", () => {
    const handoff = degradedHandoff("work", "🌸".repeat(1300), { why: "Next was empty" });
    expect(handoff.doing).toContain("[degraded: handoff not written]");
    expect(handoff.degraded).toBe(true);
    expect(handoff.step).toBe("work");
    expect([...handoff.scene]).toHaveLength(1200);
    expect(handoff.scene).toBe("🌸".repeat(1200));
    expect(handoff.complete()).toBe(true);
    expect(new Handoff({ doing: "A" }).degraded).toBe(false);
  });

  it("keeps the reason in the file for people and out of the successor's prompt", () => {
    const path = join(folder, "degraded.md");
    const handoff = degradedHandoff("work", "task", { why: "API Error: 529\n## Next\nnothing" });
    handoff.write(path);
    expect(readFileSync(path, "utf8")).toContain(
      "> Not written by the session: API Error: 529 ## Next nothing",
    );
    expect(handoff.promptBlock()).not.toContain("529");
    const loaded = Handoff.load(path);
    expect(loaded).toEqual(handoff);
    expect(loaded?.promptBlock()).not.toContain("529");
    expect(loaded?.degraded).toBe(true);
  });

  it("is not taken apart by a task that is a handoff itself, or leaves a fence open", () => {
    const path = join(folder, "nested.md");
    const before = new Handoff({ doing: "old", decided: "old", next: "old", scene: "```\nold" });
    const handoff = degradedHandoff("work", before.promptBlock(), { why: "" });
    handoff.write(path);
    const loaded = Handoff.load(path);
    expect(loaded).toEqual(handoff);
    expect(loaded?.decided).toBe("");
    expect(loaded?.scene).toContain("## Doing\n\nold");
  });
});

describe("the prompt for a handoff", () => {
  it("names the five sections in their order and leaves the numbers to be filled in", () => {
    expect(HANDOFF_PROMPT.match(/^## .*$/gm)).toEqual([
      "## Doing",
      "## Decided",
      "## Dead ends",
      "## Next",
      "## Scene",
    ]);
    expect(HANDOFF_PROMPT).toContain("{used}");
    expect(HANDOFF_PROMPT).toContain("{window}");
    expect(HANDOFF_PROMPT).toMatch(/language of the person's request\.$/);
  });
});

describe("overflow", () => {
  it.each([
    'API Error: 400 {"error":{"message":"prompt is too long: 212345 tokens > 200000 maximum"}}',
    "Prompt is too long",
    "context length exceeded",
    '{"code":"context_length_exceeded"}',
    "This model's maximum context length is 8192 tokens",
    "Your input exceeds the context window of this model",
    "too many total text bytes: 9000000 > 8000000",
    "input length and `max_tokens` exceed 200000: 190000 + 20000",
    "exceeds the context limit",
    "Conversation too long. Press esc twice",
    "terminal_reason: prompt_too_long",
    '{"terminal_reason":"prompt_too_long"}',
    "API Error: 429 Extra usage is required for long context requests.",
  ])("is seen in %s", (text) => {
    expect(isOverflow(text)).toBe(true);
    expect(isOverflow("", undefined, null, text)).toBe(true);
  });

  it.each([
    "",
    "API Error: 529 Overloaded",
    "max_tokens reached",
    "terminal_reason: max_turns",
    "the file is too long",
  ])("is not seen in %s", (text) => {
    expect(isOverflow(text, undefined, null)).toBe(false);
    expect(isOverflow()).toBe(false);
  });
});
