import { createSdkMcpServer, tool } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { AgentSpec } from "../../src/agents/agent-spec.ts";
import { sleep } from "../../src/core/clock.ts";
import { HumanChannel } from "../../src/people/human-channel.ts";
import { ask, DUMMY_KEY, lastToolResult, text } from "../../src/testing/index.ts";
import { stage } from "./stage.ts";

function asking(channel: HumanChannel, env: Readonly<Record<string, string>> = {}): AgentSpec {
  return new AgentSpec({
    name: "asker",
    instructions: "",
    allowedTools: [channel.toolName],
    mcpServers: channel.mcpServers({ inbox: false }),
    env,
  });
}

/** Answer each question after so many milliseconds. */
function answerAfter(channel: HumanChannel, ms: number, answer: string): void {
  channel.listen((event) => {
    if (event.kind !== "ask" || event.payload.state !== "asked") return;
    setTimeout(() => channel.answer(String(event.payload.id), answer), ms);
  });
}

/** The harness's limits for a call, lowered to a second and a half: an answer after three seconds is late for them. */
const LOW = { MCP_TOOL_TIMEOUT: "1500", CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: "1500" };

describe("a question that waits", () => {
  it("is answered in one session while another one's waits on, and each gets its own answer", async () => {
    const channel = new HumanChannel({ timeoutS: null });
    const play = await stage({
      main: Array.from({ length: 4 }, () => (request) => {
        const answer = lastToolResult(request);
        return answer === "" ? ask(`Which colour for ${request.sessionId}?`) : text(answer);
      }),
    });
    const runtime = play.runtime();
    const running = [runtime.run(asking(channel), "a"), runtime.run(asking(channel), "b")];
    const first = await channel.nextAsk();
    const second = await channel.nextAsk();
    expect(channel.pending()).toHaveLength(2);
    channel.answer(second!.id, `for ${second!.question}`);
    channel.answer(first!.id, `for ${first!.question}`);
    for (const result of await Promise.all(running))
      expect(result.text).toContain(`for Which colour for ${result.sessionId}?`);
    play.api.verify();
  });

  it("ends when its time is up, and the model is told to decide for itself and go on", async () => {
    const channel = new HumanChannel({ timeoutS: 1 });
    const states: unknown[] = [];
    channel.listen((event) => event.kind === "ask" && states.push(event.payload.state));
    const play = await stage({ main: [ask("Which colour?"), (request) => text(lastToolResult(request))] });
    const result = await play.runtime().run(asking(channel), "go");
    expect(states).toEqual(["asked", "timeout"]);
    expect(result.text).toMatch(/assumption/i);
    expect(channel.answer(channel.asks[0]!.id, "red")).toBe(false);
    expect(channel.pendingMail()[0]?.text).toContain("red");
    play.api.verify();
  });

  it("is cut off by the harness's own limit where a server of the person's own leaves it low", async () => {
    const patient = tool("ask", "Asks.", { question: z.string() }, async () => {
      await sleep(3_000);
      return { content: [{ type: "text", text: "the late answer" }] };
    });
    const human = createSdkMcpServer({ name: "human", alwaysLoad: true, tools: [patient] });
    const spec = new AgentSpec({
      name: "asker",
      instructions: "",
      allowedTools: ["mcp__human__ask"],
      mcpServers: { human: { ...human } },
      env: LOW,
    });
    const play = await stage({ main: [ask("Which colour?"), (request) => text(lastToolResult(request))] });
    const result = await play.runtime().run(spec, "go");
    expect(result.text).toMatch(/timed out/);
    expect(result.text).not.toContain("the late answer");
    play.api.verify();
  });

  it.each(["of the agent", "of the machine"])(
    "outlives low limits %s under flower's own settings",
    async (whose) => {
      const channel = new HumanChannel({ timeoutS: null });
      answerAfter(channel, 3_000, "the late answer");
      const play = await stage({
        main: [ask("Which colour?"), (request) => text(`got: ${lastToolResult(request)}`)],
      });
      const access = { ANTHROPIC_API_KEY: DUMMY_KEY, ANTHROPIC_BASE_URL: play.api.url };
      const runtime = play.runtime(whose === "of the machine" ? { env: { ...LOW, ...access } } : {});
      const result = await runtime.run(asking(channel, whose === "of the agent" ? LOW : {}), "go");
      expect(result.text).toBe("got: the late answer");
      play.api.verify();
    },
  );
});
