import { describe, expect, it } from "vitest";
import { composePre } from "../../src/guards/compose.ts";
import { delegatePreGuard } from "../../src/guards/delegate-guard.ts";
import { questionPreGuard } from "../../src/guards/question-guard.ts";
import { whitelistPreGuard } from "../../src/guards/whitelist-guard.ts";
import { byWorker, call, inputAfter, reasonOf } from "./calls.ts";

const HANDS = ["Bash", "Write", "Edit", "NotebookEdit"];

describe("the whitelist guard", () => {
  it.each([
    [undefined, HANDS],
    [[], HANDS],
    [["Read", "Glob"], HANDS],
    [
      ["Read", "Bash"],
      ["Write", "Edit", "NotebookEdit"],
    ],
    [["Bash(git log *)"], ["Write", "Edit", "NotebookEdit"]],
  ])("with %j refuses exactly %j on the main thread", (allowed, banned) => {
    const guard = whitelistPreGuard(allowed);
    expect(guard?.tools).toEqual(banned);
    for (const tool of [...HANDS, "Read", "Agent"]) {
      const decision = guard?.decide(call(tool, {}));
      expect(decision?.kind).toBe(banned.includes(tool) ? "deny" : "pass");
    }
  });

  it("is no guard at all when there is nothing to refuse", () => {
    expect(whitelistPreGuard(HANDS)).toBeNull();
  });

  it("names the role and says that it is intended", () => {
    const reason = reasonOf(whitelistPreGuard([], { role: "the judge" })!.decide(call("Write", {})));
    expect(reason).toContain("the judge does not have Write");
    expect(reason).toContain("intended, not a missing setting");
    expect(reasonOf(whitelistPreGuard([])!.decide(call("Bash", {})))).toContain("this role");
  });

  it("leaves workers alone, and takes an empty id for the main thread", () => {
    const guard = whitelistPreGuard([])!;
    expect(guard.decide(byWorker("Write", {})).kind).toBe("pass");
    expect(guard.decide(call("Write", {}, { agentId: "" })).kind).toBe("deny");
  });
});

describe("the delegate guard", () => {
  it.each(HANDS)("refuses %s on the main thread and says what to do instead", (tool) => {
    const reason = reasonOf(delegatePreGuard().decide(call(tool, { command: "ls" })));
    expect(reason).toContain("Agent");
    expect(reason).toMatch(/goal/);
    expect(reason).toMatch(/accepted/);
    expect(reason).toContain("the workbench's artifacts/");
    expect(delegatePreGuard({ artifacts: ".flower/artifacts" }).decide(call(tool, {}))).toMatchObject({
      reason: expect.stringContaining(".flower/artifacts"),
    });
  });

  it("leaves workers and other tools alone", () => {
    expect(delegatePreGuard().decide(byWorker("Write", {})).kind).toBe("pass");
    expect(delegatePreGuard().decide(call("Read", {})).kind).toBe("pass");
    expect(delegatePreGuard({ tools: "Write" }).decide(call("Bash", {})).kind).toBe("pass");
  });

  const GLANCES: readonly (readonly [string, unknown, string])[] = [
    ["a look", { command: "git status -s && echo --- && git log --oneline -10" }, "allow"],
    ["a look with a short limit", { command: "ls", timeout: 5_000 }, "allow"],
    ["a look in the foreground", { command: "ls", run_in_background: false }, "allow"],
    ["a change", { command: "git commit -m x" }, "deny"],
    ["a look and a change", { command: "ls && rm -rf x" }, "deny"],
    ["an empty line", { command: "" }, "deny"],
    ["a command that is a list", { command: ["ls"] }, "deny"],
    ["no command", {}, "deny"],
    ["no object", "ls", "deny"],
    ["nothing", undefined, "deny"],
    ["a look in the background", { command: "ls", run_in_background: true }, "deny"],
    ["a look outside the sandbox", { command: "ls", dangerouslyDisableSandbox: true }, "deny"],
    ["a look that may take ten minutes", { command: "ls", timeout: 600_000 }, "rewrite"],
    ["a look with a limit that is no number", { command: "ls", timeout: "60" }, "rewrite"],
  ];
  it.each(GLANCES)("with glance, decides %s", (_name, input, kind) => {
    expect(delegatePreGuard({ allowGlance: true }).decide(call("Bash", input)).kind).toBe(kind);
  });

  it("cuts a glance's limit to two minutes and changes nothing else", () => {
    const input = { command: "ls", description: "look", timeout: 600_000 };
    const decision = delegatePreGuard({ allowGlance: true }).decide(call("Bash", input));
    expect(inputAfter(decision)).toEqual({ ...input, timeout: 120_000 });
  });

  it("with glance still refuses writing, and without it every command", () => {
    expect(delegatePreGuard({ allowGlance: true }).decide(call("Write", {})).kind).toBe("deny");
    expect(delegatePreGuard().decide(call("Bash", { command: "ls" })).kind).toBe("deny");
  });

  it("refuses options it does not know", () => {
    expect(() => delegatePreGuard({ allowGlanse: true } as never)).toThrow(/allowGlanse/);
  });
});

describe("the question guard", () => {
  it("points the main thread to the tool that reaches a person", () => {
    const guard = questionPreGuard({ askTool: "mcp__human__ask" });
    expect(reasonOf(guard.decide(call("AskUserQuestion", {})))).toContain("mcp__human__ask");
  });

  it("tells a role without one to decide, and a worker to report", () => {
    expect(reasonOf(questionPreGuard().decide(call("AskUserQuestion", {})))).toContain("decide yourself");
    const guard = questionPreGuard({ askTool: "mcp__human__ask" });
    const reason = reasonOf(guard.decide(byWorker("AskUserQuestion", {})));
    expect(reason).toContain("report");
    expect(reason).not.toContain("mcp__human__ask");
  });

  it("looks at nothing else", () => {
    expect(composePre([questionPreGuard()])(call("mcp__human__ask", {})).kind).toBe("pass");
  });
});
