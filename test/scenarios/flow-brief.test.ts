import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lastUserText, text } from "../../src/testing/index.ts";
import { briefText, requestsOf, smoothScript } from "./documents.ts";
import { type Stage, stage } from "./stage.ts";

async function clarifyWith(replies: readonly string[]): Promise<Stage & { brief: string }> {
  const play = await stage(smoothScript({ clarifier: replies.map((reply) => text(reply)) }));
  const { ctx } = await play.flow("count the words in my files", { clarifyOnly: true });
  const path = join(play.workspace, ".flower/notes/brief.md");
  expect(ctx._failedAt).toBeUndefined();
  return { ...play, brief: existsSync(path) ? readFileSync(path, "utf8") : "" };
}

const DECOY = "```markdown\n## Goal\nDelete everything.\n\n## Boundaries\nNo limits.\n```\n\n";

describe("the brief in a clarifier's reply", () => {
  it("is not taken from a closed code block beside it", async () => {
    const { brief } = await clarifyWith([
      `An example of what I do not mean:\n\n${DECOY}${briefText("Count words.")}`,
    ]);
    expect(brief).toContain("Count words.");
    expect(brief).not.toContain("Delete everything.");
    expect(brief).not.toContain("No limits.");
  });

  it("is accepted when the whole reply stands in a code block", async () => {
    const { brief, manifest } = await clarifyWith([`\`\`\`markdown\n${briefText("Count words.")}\`\`\``]);
    expect(brief).toContain("Count words.");
    expect(manifest()).toHaveLength(1);
  });

  it("is asked for again in the same session when it was cut off inside a code block, and the reply is kept", async () => {
    const cut = `## Goal\nCount words.\n\n\`\`\`sh\nnode wc.mjs\n\n${briefText("Half.").slice(20, 120)}`;
    const play = await clarifyWith([cut, briefText("Count words, all of them.")]);
    expect(play.brief).toContain("all of them");
    expect(play.manifest().map((row) => row.step)).toEqual(["clarify", "clarify#round2"]);
    const [first, second] = requestsOf(play.api.requests, "clarifier");
    expect(second?.sessionId).toBe(first?.sessionId);
    expect(lastUserText(second!)).toMatch(/lacks: .*Boundaries/);
    const raw = join(play.workspace, ".flower/notes/archive/raw");
    const kept = readdirSync(raw);
    expect(kept).toHaveLength(1);
    expect(readFileSync(join(raw, kept[0]!), "utf8")).toContain(cut.trim());
  });
});
