import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { COORDINATOR_RULES } from "../../src/agents/roles/coordinator.ts";
import { JUDGE_RULES } from "../../src/agents/roles/judge.ts";
import {
  allText,
  dispatch,
  lastToolResult,
  lastUserText,
  type Script,
  ScriptedApi,
  type ScriptedApiOptions,
  speaker,
  systemText,
  text,
  thinking,
  toolNames,
  toolResults,
  toolUse,
  turn,
} from "../../src/testing/index.ts";
import { createGate } from "../testing/gate.ts";
import { startHarness } from "../testing/start-harness.ts";

const open: ScriptedApi[] = [];

async function play(script: Script, options: Partial<ScriptedApiOptions> = {}): Promise<ScriptedApi> {
  const api = await ScriptedApi.start({ script, ...options });
  open.push(api);
  return api;
}

afterEach(async () => {
  for (const api of open.splice(0)) await api.close();
});

function preset(append: string) {
  return { systemPrompt: { type: "preset" as const, preset: "claude_code" as const, append } };
}

const WORKERS = {
  coder: { description: "writes code", prompt: "You write code.", tools: ["Read", "Bash"] },
  scout: { description: "looks around", prompt: "You look around.", tools: ["Read"] },
};

describe("the real harness on a scripted API", () => {
  it("gets one turn of text, and the figures of the script become its costs", async () => {
    const api = await play({
      main: [turn(text("good day"), { usage: { inputTokens: 1_000_000, outputTokens: 100_000 } })],
    });
    const { result } = await startHarness(api, { prompt: "say hello" });
    expect(result).toMatchObject({ subtype: "success", is_error: false, result: "good day" });
    expect(result.total_cost_usd).toBeCloseTo(6, 9);
    expect(api.requests.map(({ role }) => role)).toEqual(["main"]);
    expect(lastUserText(api.requests[0]!)).toContain("say hello");
    api.verify();
  });

  it("runs the tools a turn calls and brings their results to the next, thoughts and all", async () => {
    const api = await play({
      main: [
        (request) => [
          thinking("I had better look, with care: ünïcode 🌷"),
          toolUse("Read", { file_path: `${cwd(systemText(request) + allText(request))}/note.txt` }),
          toolUse("Bash", { command: "echo from-the-shell", description: "say" }),
        ],
        (request) => text(`read: ${lastToolResult(request, "Read")} ran: ${lastToolResult(request, "Bash")}`),
      ],
    });
    const { result } = await startHarness(api, {
      prepare: (workspace) => writeFileSync(join(workspace, "note.txt"), "tulips"),
    });
    expect(result).toMatchObject({ subtype: "success" });
    expect("result" in result && result.result).toMatch(/read: .*tulips.* ran: from-the-shell/s);
    expect(toolResults(api.requests[1]!).map(({ tool }) => tool)).toEqual(["Read", "Bash"]);
    api.verify();
  });

  it("tells a role by its rules, and a speaker of the test's own by a text", async () => {
    const api = await play({
      judge: [text("achieved")],
      coordinator: [text("dispatched")],
      speakers: [speaker("gardener", "You grow tulips.", [text("watered")])],
    });
    const said: unknown[] = [];
    for (const rules of [JUDGE_RULES, COORDINATOR_RULES, "You grow tulips."]) {
      const { result } = await startHarness(api, { options: preset(rules) });
      said.push("result" in result && result.result);
    }
    expect(said).toEqual(["achieved", "dispatched", "watered"]);
    expect(api.requests.map(({ role, agent }) => [role, agent])).toEqual([
      ["judge", undefined],
      ["coordinator", undefined],
      ["custom", "gardener"],
    ]);
    api.verify();
  });

  it("lets the named worker answer the dispatch that names it", async () => {
    const api = await play({
      coordinator: [
        dispatch("coder", "write the parser"),
        (request) => text(`reported: ${lastToolResult(request, "Agent")}`),
      ],
      workers: {
        coder: [toolUse("Bash", { command: "echo compiled", description: "build" }), text("parser written")],
      },
    });
    const { result } = await startHarness(api, {
      options: { ...preset(COORDINATOR_RULES), agents: WORKERS },
    });
    expect("result" in result && result.result).toContain("parser written");
    expect(api.requests.map(({ role, agent }) => agent ?? role)).toEqual([
      "coordinator",
      "coder",
      "coder",
      "coordinator",
    ]);
    expect(toolNames(api.requests[1]!)).not.toContain("Agent");
    expect(api.requests[1]?.agentId).toBe(api.requests[2]?.agentId);
    api.verify();
  });

  it("keeps two workers apart that talk at the same time", async () => {
    const bothAsked = createGate();
    let asked = 0;
    const meet = async () => {
      asked += 1;
      if (asked === 2) bothAsked.open();
      await bothAsked.opened;
    };
    const api = await play({
      coordinator: [
        [dispatch("coder", "part one"), dispatch("scout", "part two")],
        (request) =>
          text(
            toolResults(request, "Agent")
              .map(({ text: words }) => words)
              .join("\n"),
          ),
      ],
      workers: {
        coder: [
          async () => {
            await meet();
            return toolUse("Bash", { command: "echo 1", description: "one" });
          },
          (request) => text(`coder did ${lastToolResult(request)}`),
        ],
        scout: [
          async () => {
            await meet();
            return text("scout saw 2");
          },
        ],
      },
    });
    const { result } = await startHarness(api, {
      options: { ...preset(COORDINATOR_RULES), agents: WORKERS },
    });
    expect("result" in result && result.result).toContain("coder did 1");
    expect("result" in result && result.result).toContain("scout saw 2");
    const workers = api.requests.filter(({ role }) => role === "worker");
    expect(new Set(workers.map(({ agentId }) => agentId)).size).toBe(2);
    api.verify();
  });

  it("answers the harness's own requests without a script for them", async () => {
    const api = await play({ main: [text("done")] });
    const { result } = await startHarness(api, {
      prompt: "name the tulips of the garden",
      env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "" },
    });
    expect(result).toMatchObject({ subtype: "success", result: "done" });
    const title = await api.seen(({ agent }) => agent === "title", AbortSignal.timeout(20_000));
    expect(title?.role).toBe("side");
    api.verify();
  });
});

function cwd(words: string): string {
  return /Primary working directory: (\S+)/.exec(words)?.[1] ?? "";
}
