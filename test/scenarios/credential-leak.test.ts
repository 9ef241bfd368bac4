import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dispatch, type Script, text, toolUse } from "../../src/testing/index.ts";
import { starterFlow } from "../../src/workflow/starter-flow.ts";
import { briefText, goalText, verdictText } from "./documents.ts";
import { filesBelow, stage } from "./stage.ts";

/** Long and unlike anything else, so that finding it anywhere is no accident. */
const SECRET = "sk-ant-leak-canary-0123456789abcdef";
const LOOKS = "env; printenv; cat /proc/$PPID/environ | tr '\\0' '\\n'";

function script(workspace: string): Script {
  return {
    clarifier: [text(briefText("Look around."))],
    judge: [
      text(
        goalText("Look around.", [
          "seen.txt exists",
          "`env; cat /proc/$PPID/environ` -> does not print leak-canary",
        ]),
      ),
      text(verdictText("achieved", "1: seen.txt is there.\n2: it prints none.")),
    ],
    coordinator: [
      toolUse("Bash", { command: "env" }),
      toolUse("Bash", { command: "printenv" }),
      toolUse("Bash", { command: "cat /proc/$PPID/environ" }),
      dispatch("coder", "look around"),
      text("done"),
    ],
    workers: {
      coder: [
        toolUse("Bash", { command: LOOKS }),
        toolUse("Bash", { command: `(${LOOKS}) > ${join(workspace, "seen.txt")}` }),
        toolUse("Read", { file_path: join(workspace, "seen.txt") }),
        text("Conclusion: seen."),
      ],
    },
  };
}

describe("the credential", () => {
  it("is in no tool's sight: not in a request, a file, an event or the books", async () => {
    const play = await stage(script, { expectKey: SECRET });
    const flow = starterFlow("look around", { workspace: play.workspace, timeoutS: 0 });
    const runtime = play.runtime({
      env: { ANTHROPIC_API_KEY: SECRET, ANTHROPIC_BASE_URL: play.api.url },
      ...(flow.workbench === undefined ? {} : { workbench: flow.workbench }),
    });
    const ctx = await flow.run(runtime);
    await runtime.close();
    expect(ctx._failedAt).toBeUndefined();
    play.api.verify();

    // The way in worked: the API accepted the real credential, in its own header and nowhere else.
    expect(play.api.requests.length).toBeGreaterThan(8);
    for (const request of play.api.requests) expect(JSON.stringify(request.body)).not.toContain(SECRET);

    // The tools did look: the environment they saw is there, with the run's token masked in what the model reads.
    const seen = readFileSync(join(play.workspace, "seen.txt"), "utf8");
    expect(seen).toMatch(/^ANTHROPIC_BASE_URL=http:\/\/127\.0\.0\.1:\d+$/m);
    expect(seen).toMatch(/^PATH=/m);

    const files = filesBelow(play.workspace);
    expect(files.size).toBeGreaterThan(10);
    expect([...files].filter(([, content]) => content.includes(SECRET)).map(([path]) => path)).toEqual([]);
    expect(JSON.stringify(play.events)).not.toContain(SECRET);
  });

  it("of another variable in the spec does not lead a child round the broker", async () => {
    const play = await stage({ main: [text("hello")] }, { expectKey: SECRET });
    const { AgentSpec } = await import("../../src/agents/agent-spec.ts");
    const runtime = play.runtime({ env: { ANTHROPIC_API_KEY: SECRET, ANTHROPIC_BASE_URL: play.api.url } });
    const spec = new AgentSpec({
      name: "plain",
      instructions: "Say hello.",
      env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9", ANTHROPIC_API_KEY: "sk-ant-other" },
    });
    const result = await runtime.run(spec, "hello");
    expect(result).toMatchObject({ ok: true, text: "hello" });
  });
});
