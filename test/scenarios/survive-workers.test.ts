import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { coordinator } from "../../src/agents/roles/coordinator.ts";
import { worker } from "../../src/agents/roles/worker.ts";
import {
  type ApiRequest,
  allText,
  always,
  dispatch,
  httpError,
  lastToolResult,
  lastUserText,
  text,
  toolNames,
  toolResults,
  toolUse,
} from "../../src/testing/index.ts";
import { bodyOf, requestsOf, smoothScript } from "./documents.ts";
import {
  allGone,
  atEnd,
  childrenOf,
  fileAppears,
  repository,
  type Stage,
  stage,
  startChild,
  temporaryFolder,
} from "./stage.ts";

const coder = worker("Writes code.", "You implement.");
const scout = worker("Looks around.", "You look.");

/** The worker named in the request for going on, as the coordinator would read it. */
function namedIn(request: ApiRequest, type: string): string {
  return new RegExp(`- ${type}, agent id (\\w+)`).exec(bodyOf(request))?.[1] ?? "nobody";
}

function goOnWith(request: ApiRequest, type: string) {
  return toolUse("SendMessage", {
    to: namedIn(request, type),
    summary: "go on",
    message: "Go on where you were.",
  });
}

/** Payloads of the notices of one kind. */
function noticesOf(play: Stage, notice: string): Record<string, unknown>[] {
  return play.events
    .map((event) => event.payload as Record<string, unknown>)
    .filter((payload) => payload.notice === notice);
}

const NAMES_SEND_MESSAGE = (request: ApiRequest) => toolNames(request).includes("SendMessage");

describe("workers that a person's interruption cuts off", () => {
  it("are named to the coordinator and go on with their own transcript, with the rights they had", async () => {
    const outside = temporaryFolder("flower-outside-");
    const play = await stage((workspace) => ({
      coordinator: [
        [dispatch("coder", "write the parser"), dispatch("scout", "find the tests")],
        (request) => goOnWith(request, "coder"),
        (request) => text(`Reported: ${lastToolResult(request, "SendMessage")}`),
      ],
      workers: {
        coder: [
          toolUse("Bash", { command: `touch ${workspace}/a; sleep 120` }),
          [
            toolUse("Write", { file_path: join(workspace, "parser.mjs"), content: "export {};\n" }),
            toolUse("Write", { file_path: join(outside, "stray.txt"), content: "x" }),
            toolUse("SendMessage", { to: "main", summary: "hello", message: "hello" }),
          ],
          text("Conclusion: the parser stands."),
        ],
        scout: [toolUse("Bash", { command: `touch ${workspace}/b; sleep 120` })],
      },
    }));
    const runtime = play.runtime();
    const running = runtime.run(coordinator("lead", "", { coder, scout }), "build it");
    await Promise.all([fileAppears(join(play.workspace, "a")), fileAppears(join(play.workspace, "b"))]);
    runtime.interrupt("use tabs");
    const result = await running;
    expect(result).toMatchObject({ ok: true, attempts: 1, error: null });
    expect(result.text).toContain("the parser stands");

    const [first, second] = requestsOf(play.api.requests, "coordinator") as [ApiRequest, ApiRequest];
    expect(NAMES_SEND_MESSAGE(first)).toBe(false);
    expect(NAMES_SEND_MESSAGE(second)).toBe(true);
    expect(second.sessionId).toBe(first.sessionId);
    const said = lastUserText(second);
    expect(said).toContain("use tabs");
    expect(said).toMatch(/- coder, agent id \w+: coder task/);
    expect(said).toMatch(/- scout, agent id \w+: scout task/);

    const coderRequests = requestsOf(play.api.requests, "worker").filter((r) => r.agent === "coder");
    const continued = coderRequests[1] as ApiRequest;
    expect(allText(continued)).toContain("write the parser");
    expect(bodyOf(continued)).toContain("sleep 120");
    expect(lastUserText(continued)).toContain("Go on where you were.");
    for (const request of requestsOf(play.api.requests, "worker"))
      expect(NAMES_SEND_MESSAGE(request)).toBe(false);

    expect(existsSync(join(play.workspace, "parser.mjs"))).toBe(true);
    expect(existsSync(join(outside, "stray.txt"))).toBe(false);
    const answers = toolResults(coderRequests[2] as ApiRequest, "Write").map((answer) => answer.text);
    expect(answers.join("\n")).toContain("outside the places you may write");
    expect(lastToolResult(coderRequests[2] as ApiRequest, "SendMessage")).toMatch(
      /No such tool|does not have/,
    );
    expect(noticesOf(play, "cut_off")).toHaveLength(1);
    play.api.verify();
  });

  it("go on in their own worktree where they are isolated", async () => {
    const marks = temporaryFolder("flower-marks-");
    const play = await stage({
      coordinator: [
        dispatch("coder", "write the parser"),
        (request) => goOnWith(request, "coder"),
        (request) => text(`Reported: ${lastToolResult(request, "SendMessage")}`),
      ],
      workers: {
        coder: [
          toolUse("Bash", {
            command: `pwd > ${marks}/first; echo x > mine.txt; touch ${marks}/a; sleep 120`,
          }),
          toolUse("Bash", { command: `pwd > ${marks}/second; ls >> ${marks}/second` }),
          text("Conclusion: it goes on."),
        ],
      },
    });
    repository(play.workspace);
    const runtime = play.runtime();
    const isolated = worker("Writes code.", "You implement.", { isolate: true });
    const running = runtime.run(coordinator("lead", "", { coder: isolated }), "build it");
    await Promise.race([
      fileAppears(join(marks, "a")),
      running.then(() => Promise.reject(new Error("over"))),
    ]);
    runtime.interrupt("use tabs");
    expect(await running).toMatchObject({ ok: true });
    const first = readFileSync(join(marks, "first"), "utf8").trim();
    expect(first).toContain("/.claude/worktrees/agent-");
    const second = readFileSync(join(marks, "second"), "utf8").split("\n");
    expect(second[0]).toBe(first);
    expect(second).toContain("mine.txt");
  });
});

describe("a worker that dies of the API", () => {
  it("and is not waited for is told to the coordinator as failed, is not ok in the books, and leaves the others alone", async () => {
    const play = await stage({
      coordinator: [[dispatch("coder", "part A"), dispatch("scout", "part B")], text("noted")],
      workers: { coder: [always(httpError(529))], scout: [text("part B stands")] },
    });
    const runtime = play.runtime({ resilience: false });
    const result = await runtime.run(coordinator("lead", "", { coder, scout }), "go");
    expect(result.errors).toEqual([]);
    expect(result).toMatchObject({ ok: true, text: "noted", attempts: 1 });
    const second = requestsOf(play.api.requests, "coordinator")[1] as ApiRequest;
    expect(bodyOf(second)).toContain("Worker coder FAILED");
    expect(bodyOf(second)).not.toContain("Worker scout FAILED");
    expect(bodyOf(second)).toContain("part B stands");
    const books = Object.fromEntries(result.subagents.map((record) => [record.type, record.ok]));
    expect(books).toEqual({ coder: false, scout: true });
    expect(noticesOf(play, "worker").map((payload) => payload.cause)).toEqual(["overloaded"]);
    play.api.verify();
  });
});

describe("a command left behind by a worker", () => {
  it("cannot be: the parameter for it does not exist", async () => {
    const play = await stage((workspace) => ({
      coordinator: [dispatch("coder", "build"), text("noted")],
      workers: {
        coder: [
          toolUse("Bash", { command: `touch ${workspace}/late`, run_in_background: true }),
          text("Conclusion: refused."),
        ],
      },
    }));
    await play.runtime().run(coordinator("lead", "", { coder }), "go");
    const second = requestsOf(play.api.requests, "worker")[1] as ApiRequest;
    expect(lastToolResult(second, "Bash")).toContain("run_in_background");
    expect(existsSync(join(play.workspace, "late"))).toBe(false);
  });
});

describe("workers that a kill cuts off", () => {
  it("are continued by the wake: nothing that was done is dispatched again", async () => {
    const play = await stage((workspace) =>
      smoothScript({
        coordinator: [
          dispatch("coder", "write the parser"),
          dispatch("coder", "write the printer"),
          (request) => goOnWith(request, "coder"),
          (request) => text(`Reported: ${lastToolResult(request, "SendMessage")}`),
        ],
        workers: {
          coder: [
            text("Conclusion: the parser stands."),
            toolUse("Bash", { command: "echo half-printed" }),
            toolUse("Bash", { command: `touch ${workspace}/begun; sleep 120` }),
            text("Conclusion: the printer stands."),
          ],
        },
      }),
    );
    const child = startChild("run-flow.mjs", [play.workspace, "count the words"], play.api);
    const failed = child.ended.then((end) => Promise.reject(new Error(JSON.stringify(end))));
    await Promise.race([fileAppears(join(play.workspace, "begun")), failed]);
    failed.catch(() => {});
    const left = childrenOf(child.process.pid);
    atEnd(() => {
      if (existsSync(play.workspace)) writeFileSync(join(play.workspace, "over"), "");
    });
    child.process.kill("SIGKILL");
    await child.ended;
    expect(await allGone(left)).toEqual([]);

    const { ctx } = await play.flow("");
    expect(ctx._failedAt).toBeUndefined();
    expect(String(ctx.work)).toContain("the printer stands");
    const woken = requestsOf(play.api.requests, "coordinator")[2] as ApiRequest;
    expect(lastUserText(woken)).toMatch(/- coder, agent id \w+: coder task/);
    expect(lastUserText(woken).match(/, agent id/g)).toHaveLength(1);
    const workers = requestsOf(play.api.requests, "worker");
    expect(workers.map((request) => /write the (\w+)/.exec(allText(request))?.[1])).toEqual([
      "parser",
      "printer",
      "printer",
      "printer",
    ]);
    // The command that the kill cut off is gone from its memory: the coordinator is told to have it looked at.
    expect(bodyOf(workers.at(-1) as ApiRequest)).toContain("half-printed");
    expect(lastUserText(woken)).toContain("may have run in part");
    play.api.verify();
  });
});
