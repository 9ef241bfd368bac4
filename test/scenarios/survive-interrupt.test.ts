import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AgentSpec } from "../../src/agents/agent-spec.ts";
import { sleep } from "../../src/core/clock.ts";
import { HumanChannel } from "../../src/people/human-channel.ts";
import { Resilience } from "../../src/runtime/resilience.ts";
import { Runtime } from "../../src/runtime/runtime.ts";
import {
  type ApiRequest,
  allText,
  ask,
  hang,
  httpError,
  lastToolResult,
  lastUserText,
  text,
  toolUse,
} from "../../src/testing/index.ts";
import { atEnd, childrenOf, fileAppears, type Stage, stage } from "./stage.ts";

const spec = new AgentSpec({ name: "plain", instructions: "Work.", allowedTools: ["Bash", "Read"] });

function harnesses(): number[] {
  return childrenOf(process.pid);
}

/** A command that shows that it runs and then waits far longer than any test. */
function longCommand(workspace: string, mark: string) {
  return toolUse("Bash", { command: `touch ${workspace}/${mark}; sleep 120` });
}

function sessionsOf(play: Stage): Set<string | undefined> {
  return new Set(play.api.requests.map((request) => request.sessionId));
}

describe("a person's interruption", () => {
  it("stops the command, and the same process takes the words; three of them are no failure", async () => {
    const play = await stage((workspace) => ({
      main: [
        longCommand(workspace, "a"),
        longCommand(workspace, "b"),
        longCommand(workspace, "c"),
        text("as you say"),
      ],
    }));
    const runtime = play.runtime({ resilience: new Resilience({ maxAttempts: 2 }) });
    const running = runtime.run(spec, "do it");
    const pids: number[][] = [];
    for (const mark of ["a", "b", "c"]) {
      await fileAppears(join(play.workspace, mark));
      pids.push(harnesses());
      runtime.interrupt(`word ${mark}`);
    }
    const result = await running;
    expect(result).toMatchObject({ ok: true, text: "as you say", attempts: 1, resumed: false, error: null });
    expect(pids[0]?.length).toBeGreaterThan(0);
    expect(pids[1]).toEqual(pids[0]);
    expect(pids[2]).toEqual(pids[0]);
    expect(sessionsOf(play).size).toBe(1);
    const requests = play.api.requests;
    expect(requests).toHaveLength(4);
    for (const [i, mark] of ["a", "b", "c"].entries()) {
      expect(lastUserText(requests[i + 1] as ApiRequest)).toContain(
        `word ${mark}\n\n${Runtime.INTERRUPT_NOTE}`,
      );
    }
    // Four turns of 100 tokens in and 20 out, each paid once.
    expect(result.usage).toMatchObject({ input: 400, output: 80 });
    play.api.verify();
  });

  it("without words stops the turn and says only that it was stopped", async () => {
    const play = await stage((workspace) => ({ main: [longCommand(workspace, "a"), text("went on")] }));
    const runtime = play.runtime();
    const running = runtime.run(spec, "do it");
    await fileAppears(join(play.workspace, "a"));
    runtime.interrupt();
    expect(await running).toMatchObject({ ok: true, text: "went on", attempts: 1 });
    expect(lastUserText(play.api.requests[1] as ApiRequest)).toContain(Runtime.INTERRUPT_NOTE);
  });

  it("before there is a session goes along with the first prompt, and changes nothing without words", async () => {
    const play = await stage({ main: [text("both heard"), text("heard")] });
    const runtime = play.runtime();
    const running = runtime.run(spec, "the task");
    runtime.interrupt("and mind the tabs");
    expect(await running).toMatchObject({ ok: true, text: "both heard", attempts: 1 });
    expect(lastUserText(play.api.requests[0] as ApiRequest)).toContain("the task\n\nand mind the tabs");

    const again = runtime.run(spec, "another");
    runtime.interrupt("");
    expect(await again).toMatchObject({ ok: true, text: "heard" });
    expect(allText(play.api.requests[1] as ApiRequest)).not.toContain(Runtime.INTERRUPT_NOTE);
  });

  it("the moment the session is announced keeps the task and adds the words", async () => {
    const play = await stage({ main: [text("heard"), text("heard twice")] });
    const runtime = play.runtime();
    runtime.onSession = () => runtime.interrupt("early words");
    const result = await runtime.run(spec, "the task");
    expect(result).toMatchObject({ ok: true, attempts: 1 });
    const last = allText(play.api.requests.at(-1) as ApiRequest);
    expect(last).toContain("the task");
    expect(last).toContain("early words");
  });

  it("while the network is away is delivered with the resume", async () => {
    const play = await stage({
      main: [
        toolUse("Bash", { command: "echo begun" }),
        httpError(529),
        httpError(529),
        httpError(529),
        text("ok"),
      ],
    });
    const runtime = play.runtime({ resilience: new Resilience({ baseDelay: 0.4, maxDelay: 0.4 }) });
    runtime.listen((event) => {
      if (event.kind === "retry" && event.payload.phase === "failed") runtime.interrupt("use tabs");
    });
    const result = await runtime.run(spec, "do it");
    expect(result).toMatchObject({ ok: true, text: "ok", attempts: 2 });
    const last = lastUserText(play.api.requests.at(-1) as ApiRequest);
    expect(last).toContain("You were interrupted.");
    expect(last).toContain("use tabs");
    play.api.verify();
  });

  it("after the last answer is still taken up, in the same session", async () => {
    const play = await stage({ main: [text("done"), text("done once more")] });
    const runtime = play.runtime();
    let said = false;
    runtime.listen((event) => {
      if (event.kind !== "result" || said) return;
      said = true;
      queueMicrotask(() => runtime.interrupt("one more thing"));
    });
    const result = await runtime.run(spec, "do it");
    expect(result).toMatchObject({ ok: true, text: "done once more", attempts: 1 });
    expect(sessionsOf(play).size).toBe(1);
    expect(lastUserText(play.api.requests[1] as ApiRequest)).toContain("one more thing");
  });

  it("is harmless with nothing running, before and after", async () => {
    const play = await stage({ main: [text("x")] });
    const runtime = play.runtime();
    expect(runtime.interrupt("nobody hears this")).toBe(false);
    expect(await runtime.run(spec, "do it")).toMatchObject({ ok: true, text: "x" });
    runtime.interrupt("nor this");
    runtime.interrupt();
    expect(allText(play.api.requests[0] as ApiRequest)).not.toContain("nobody hears");
  });
});

describe("the watch over silence", () => {
  const resilience = new Resilience({ stallTimeout: 5, baseDelay: 0.05, maxDelay: 0.1 });

  it("stops a process whose API never answers, and goes on in the same session", async () => {
    const play = await stage({
      main: [toolUse("Bash", { command: "echo begun" }), hang(), text("awake again")],
    });
    const result = await play.runtime({ resilience }).run(spec, "do it");
    expect(result).toMatchObject({ ok: true, text: "awake again", resumed: true });
    expect(sessionsOf(play).size).toBe(1);
    expect(lastUserText(play.api.requests.at(-1) as ApiRequest)).toContain("You were interrupted.");
  });

  it("leaves a long command alone", async () => {
    const play = await stage({ main: [toolUse("Bash", { command: "sleep 11; echo built" }), text("built")] });
    const result = await play.runtime({ resilience }).run(spec, "do it");
    expect(result).toMatchObject({ ok: true, text: "built", attempts: 1, resumed: false });
    expect(play.api.requests).toHaveLength(2);
  });

  it("leaves a question to a person alone", async () => {
    const channel = new HumanChannel({ timeoutS: 60 });
    const asking = new AgentSpec({
      name: "asker",
      instructions: "Ask.",
      allowedTools: [channel.toolName],
      mcpServers: channel.mcpServers(),
    });
    const play = await stage({ main: [ask("Which port?"), text("noted")] });
    const running = play.runtime({ resilience }).run(asking, "do it");
    const question = await channel.nextAsk({ timeoutS: 30 });
    await sleep(11_000);
    expect(channel.answer(question?.id ?? "", "8080")).toBe(true);
    expect(await running).toMatchObject({ ok: true, text: "noted", attempts: 1, resumed: false });
    expect(lastToolResult(play.api.requests[1] as ApiRequest, "mcp__human__ask")).toContain("8080");
  });
});

describe("the process of the harness", () => {
  it("is told apart from a workspace that is gone", async () => {
    const play = await stage({ main: [] });
    const runtime = play.runtime({ runDir: join(play.workspace, "..", `${Date.now()}-runs`) });
    atEnd(() => rmSync(runtime.runDir, { recursive: true, force: true }));
    rmSync(play.workspace, { recursive: true });
    const result = await runtime.run(spec, "do it");
    expect(result).toMatchObject({ ok: false, attempts: 1 });
    expect(result.error).toContain(`${play.workspace} does not exist`);
    expect(result.error).not.toMatch(/binary/);
    expect(existsSync(play.workspace)).toBe(false);
  });

  it("starts with a whole environment and without the marks of another harness around flower", async () => {
    const marks = { CLAUDECODE: "1", CLAUDE_CODE_ENTRYPOINT: "cli", CLAUDE_CODE_SESSION_ID: "x" };
    Object.assign(process.env, marks);
    atEnd(() => {
      for (const name of Object.keys(marks)) delete process.env[name];
    });
    const play = await stage((workspace) => ({
      main: [
        toolUse("Bash", {
          command:
            `cd ${workspace}; tr '\\0' '\\n' < /proc/$PPID/environ | tee >(grep ^CLAUDE_CODE_ENTRYPOINT= > entry) | ` +
            "cut -d= -f1 > names",
        }),
        text("ok"),
      ],
    }));
    writeFileSync(join(play.workspace, "names"), "");
    expect(await play.runtime().run(spec, "do it")).toMatchObject({ ok: true });
    const names = readFileSync(join(play.workspace, "names"), "utf8").split("\n");
    expect(names).toEqual(expect.arrayContaining(["PATH", "HOME", "DISABLE_AUTO_COMPACT"]));
    expect(names).not.toContain("CLAUDECODE");
    expect(names).not.toContain("CLAUDE_CODE_SESSION_ID");
    expect(readFileSync(join(play.workspace, "entry"), "utf8")).not.toContain("=cli\n");
  });
});
