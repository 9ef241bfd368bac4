import { describe, expect, it } from "vitest";
import { type ApiRequest, dispatch, text } from "../../src/testing/index.ts";
import { briefText, requestsOf, smoothScript } from "./documents.ts";
import { stage } from "./stage.ts";

/** How many bytes a request has, and where they go: what to look at when a limit is broken. */
function parts(request: ApiRequest) {
  const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value ?? null));
  const { tools, system, messages } = request.body;
  return { total: request.bytes, tools: size(tools), system: size(system), messages: size(messages) };
}

describe("the first request of each role", () => {
  it("stays small enough that starting is cheap", async () => {
    const filler = 1500 - briefText("Count the words in a file.").length;
    const brief = briefText(
      "Count the words in a file.",
      "Words are split at blanks. ".repeat(60).slice(0, filler),
    );
    expect(brief).toHaveLength(1500);
    const play = await stage(
      smoothScript({
        clarifier: [text(brief)],
        coordinator: [dispatch("coder", "Write wc.mjs."), text("Done.")],
        workers: { coder: [text("Conclusion: done.")] },
      }),
    );
    await play.flow("count the words in my files");
    const first = (role: ApiRequest["role"]) => parts(requestsOf(play.api.requests, role)[0]!);
    const sizes = {
      coordinator: first("coordinator"),
      clarifier: first("clarifier"),
      judge: first("judge"),
      worker: first("worker"),
    };
    const told = JSON.stringify(sizes);
    expect(sizes.coordinator.total, told).toBeLessThanOrEqual(23_000);
    expect(sizes.clarifier.total, told).toBeLessThanOrEqual(19_000);
    expect(sizes.judge.total, told).toBeLessThanOrEqual(19_000);
    expect(sizes.worker.total, told).toBeLessThanOrEqual(18_500);
  });
});
