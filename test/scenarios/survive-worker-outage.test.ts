import { describe, expect, it } from "vitest";
import { coordinator } from "../../src/agents/roles/coordinator.ts";
import { worker } from "../../src/agents/roles/worker.ts";
import { Resilience } from "../../src/runtime/resilience.ts";
import { allText, dispatch, httpError, lastUserText, text, toolUse } from "../../src/testing/index.ts";
import { requestsOf } from "./documents.ts";
import { stage } from "./stage.ts";

const lead = coordinator("lead", "", { coder: worker("codes", "You code.") });
const QUICK = new Resilience({ baseDelay: 0.05, maxDelay: 0.1, probeInterval: 0.2, maxOfflineWait: 60 });

describe("a worker that an outage kills", () => {
  it("is continued with its own transcript once the API answers; the error is no report to anyone", async () => {
    const play = await stage({
      coordinator: [
        dispatch("coder", "Do it."),
        (request) => {
          const id = /agent id (\S+):/.exec(lastUserText(request))?.[1] ?? "none was named";
          return toolUse("SendMessage", { to: id, summary: "go on", message: "Go on." });
        },
        text("All done."),
      ],
      workers: {
        coder: [
          toolUse("Bash", { command: "echo once >> done.txt" }),
          httpError(529),
          httpError(529),
          httpError(529),
          text("Conclusion: done."),
        ],
      },
    });
    const result = await play.runtime({ resilience: QUICK }).run(lead, "go");
    expect(result).toMatchObject({ ok: true, text: "All done.", resumed: true });
    expect(play.events.filter((event) => event.kind === "retry").length).toBeGreaterThan(0);
    const last = requestsOf(play.api.requests, "coordinator").at(-1)!;
    expect(allText(last)).toContain("Conclusion: done.");
    const workers = requestsOf(play.api.requests, "worker");
    expect(new Set(workers.map((request) => request.agentId)).size).toBe(1);
    expect(allText(workers.at(-1)!)).toContain("echo once >> done.txt");
    play.api.verify();
  });

  it("does not cut off another one that still works", async () => {
    const play = await stage({
      coordinator: [
        [dispatch("coder", "Do it."), dispatch("tester", "Test it.")],
        dispatch("coder", "Do it again."),
        text("All done."),
      ],
      workers: {
        coder: [httpError(529), httpError(529), httpError(529), text("Conclusion: done.")],
        tester: [toolUse("Bash", { command: "sleep 6" }), text("Conclusion: tested.")],
      },
    });
    const pair = coordinator("lead", "", {
      coder: worker("codes", "You code."),
      tester: worker("tests", "You test."),
    });
    const result = await play.runtime({ resilience: QUICK }).run(pair, "go");
    expect(result).toMatchObject({ ok: true, attempts: 1 });
    expect(allText(requestsOf(play.api.requests, "coordinator")[1]!)).toContain("FAILED");
    play.api.verify();
  });
});
