import { describe, expect, it } from "vitest";
import type { ToolCall } from "../../src/guards/decision.ts";
import { createWorkerFailureWatch } from "../../src/runtime/worker-failure-watch.ts";

const DIED = "Agent terminated early due to an API error: API Error: 529 Overloaded.";
const call: ToolCall = {
  tool: "Agent",
  input: { subagent_type: "coder", prompt: "x" },
  agentId: undefined,
  agentType: undefined,
  cwd: "/w",
  toolUseId: "t1",
};

function watched() {
  const heard: string[] = [];
  const watch = createWorkerFailureWatch({
    onFailure: async ({ worker, diagnosis }) => {
      heard.push(`${worker} ${diagnosis.kind} ${diagnosis.cause}`);
    },
    onReport: () => heard.push("report"),
  });
  const report = (text: string) => ({
    ...call,
    response: { status: "completed", content: [{ type: "text", text }] },
  });
  return { heard, watch, report };
}

describe("a worker's hand-back", () => {
  it("that is an error of the API is told as failed, with what may be on disk, as a report and as a failure", async () => {
    const { heard, watch, report } = watched();
    const asReport = await watch.after(report(DIED));
    const asFailure = await watch.failed?.(call, DIED);
    for (const words of [asReport, asFailure]) {
      expect(words).toContain("Worker coder FAILED");
      expect(words).toContain("on disk");
      expect(words).not.toContain("529");
    }
    expect(heard).toEqual(["coder transient overloaded", "coder transient overloaded"]);
  });

  it("that speaks of errors stays a report", async () => {
    const { heard, watch, report } = watched();
    expect(
      await watch.after(report("Conclusion: the client now retries 529 and times out after 5 s.")),
    ).toBeUndefined();
    expect(heard).toEqual(["report"]);
  });

  it("of a tool that sends no worker, or inside a worker, is not looked at", async () => {
    const { heard, watch, report } = watched();
    expect(await watch.after({ ...report(DIED), tool: "Read" })).toBeUndefined();
    expect(await watch.failed?.({ ...call, agentId: "a1" }, DIED)).toBeUndefined();
    expect(heard).toEqual([]);
  });
});
