import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { coordinator } from "../../src/agents/roles/coordinator.ts";
import { worker } from "../../src/agents/roles/worker.ts";
import {
  type ApiRequest,
  dispatch,
  lastToolResult,
  systemText,
  text,
  toolResults,
  toolUse,
} from "../../src/testing/index.ts";
import { requestsOf } from "./documents.ts";
import { stage, temporaryFolder } from "./stage.ts";

const coder = worker("Writes code.", "You implement.");
const scout = worker("Looks around.", "You look.", { tools: ["Read"] });

function reports(request: ApiRequest): string {
  return toolResults(request, "Agent")
    .map((result) => result.text)
    .join("\n---\n");
}

describe("who is dispatched", () => {
  it("is the only worker there is, whatever built-in, unknown or missing name the model calls", async () => {
    const play = await stage({
      coordinator: [
        [
          dispatch("general-purpose", "part one"),
          dispatch("developer", "part two"),
          toolUse("Agent", { description: "part three", prompt: "part three" }),
        ],
        (request) => text(reports(request)),
      ],
      // Named as the model called them: that is what stands in the coordinator's history.
      workers: {
        "general-purpose": [text("report A"), text("report B")],
        developer: [text("report C")],
      },
    });
    const result = await play.runtime().run(coordinator("lead", "", { coder }), "go");
    expect(result.ok).toBe(true);
    for (const report of ["report A", "report B", "report C"]) expect(result.text).toContain(report);
    const workers = requestsOf(play.api.requests, "worker");
    expect(workers).toHaveLength(3);
    for (const request of workers) expect(systemText(request)).toContain("You implement.");
    expect(result.subagents.map((worker) => [worker.type, worker.ok])).toEqual([
      ["coder", true],
      ["coder", true],
      ["coder", true],
    ]);
    play.api.verify();
  });

  it("is refused with the names when there are two workers and the model calls neither", async () => {
    const play = await stage({
      coordinator: [
        [
          dispatch("general-purpose", "part one"),
          dispatch("developer", "part two"),
          toolUse("Agent", { description: "part three", prompt: "part three" }),
        ],
        dispatch("scout", "look"),
        text("Done."),
      ],
      workers: { scout: [text("seen")] },
    });
    const result = await play.runtime().run(coordinator("lead", "", { coder, scout }), "go");
    const [, second] = requestsOf(play.api.requests, "coordinator");
    for (const refusal of toolResults(second!, "Agent")) {
      expect(refusal.text).toMatch(/coder.*scout/s);
      expect(refusal.isError).toBe(true);
    }
    expect(result.denials).toBe(3);
    play.api.verify();
  });
});

describe("what a worker may do", () => {
  it("is to write inside the workspace, run programs, fetch, and neither write outside nor dispatch", async () => {
    const outside = join(temporaryFolder("flower-outside-"), "note.txt");
    const play = await stage((workspace) => ({
      coordinator: [dispatch("coder", "work"), text("Done.")],
      workers: {
        coder: [
          toolUse("Write", { file_path: join(workspace, "inside.txt"), content: "in" }),
          toolUse("Write", { file_path: outside, content: "out" }),
          toolUse("Write", { file_path: join(workspace, "..", "climbed.txt"), content: "out" }),
          toolUse("Bash", { command: "node -e 'console.log(6 * 7)'" }),
          toolUse("WebFetch", { url: "http://127.0.0.1:9/", prompt: "what is there?" }),
          dispatch("coder", "do it for me"),
          text("Conclusion: tried."),
        ],
      },
    }));
    const result = await play.runtime().run(coordinator("lead", "", { coder }), "go");
    expect(result.ok).toBe(true);
    const last = requestsOf(play.api.requests, "worker").at(-1)!;
    const writes = toolResults(last, "Write");
    expect(writes.map((write) => write.isError)).toEqual([false, true, true]);
    expect(writes[1]?.text).toContain("leads outside the places you may write");
    expect(readFileSync(join(play.workspace, "inside.txt"), "utf8")).toBe("in");
    expect(existsSync(outside)).toBe(false);
    expect(existsSync(join(play.workspace, "..", "climbed.txt"))).toBe(false);
    expect(lastToolResult(last, "Bash")).toContain("42");
    // Nothing answers at that address: it fails, but nobody forbade it.
    expect(lastToolResult(last, "WebFetch")).not.toMatch(/permission|denied|not allowed|hook/i);
    // The harness does not offer it at all, and the guard would refuse it.
    expect(lastToolResult(last, "Agent")).toMatch(/No such tool|do not dispatch|not delegate/i);
    play.api.verify();
  });
});
