import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lastUserText, text } from "../../src/testing/index.ts";
import { bodyOf, requestsOf, smoothScript } from "./documents.ts";
import { stage } from "./stage.ts";

describe("what a person writes", () => {
  it.each([
    ["a mention of a file", "Check @/etc/hostname and @secret.txt please"],
    ["a command of the harness", "/help"],
    ["a path at the beginning", "/etc/hosts should be checked"],
  ])("reaches the model as it was written: %s", async (_what, request) => {
    const play = await stage(smoothScript());
    writeFileSync(join(play.workspace, "secret.txt"), "the-content-of-the-file");
    await play.flow(request, { clarifyOnly: true });
    const asked = requestsOf(play.api.requests, "clarifier");
    expect(asked).toHaveLength(1);
    expect(bodyOf(asked[0]!)).toContain(request);
    expect(bodyOf(asked[0]!)).not.toContain("the-content-of-the-file");
    expect(bodyOf(asked[0]!)).not.toContain(
      JSON.stringify(readFileSync("/etc/hostname", "utf8")).slice(1, -1),
    );
  });

  it("stays text in the middle of work too: on a wake, at the very beginning of the prompt", async () => {
    const play = await stage(smoothScript({ coordinator: [text("Done."), text("Seen.")] }));
    await play.flow("count", { goal: false });
    await play.flow("/help", { goal: false });
    const [, woken] = requestsOf(play.api.requests, "coordinator");
    expect(lastUserText(woken!)).toMatch(/^\/help/);
  });
});
