// Cases known from the field, each as it was reported. What was expected is read from the fixture, not repeated here.

import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { coordinator } from "../../src/agents/roles/coordinator.ts";
import { worker } from "../../src/agents/roles/worker.ts";
import { composePre } from "../../src/guards/compose.ts";
import type { PreGuard } from "../../src/guards/decision.ts";
import { delegatePreGuard } from "../../src/guards/delegate-guard.ts";
import { grantPreGuard } from "../../src/guards/grant-guard.ts";
import { isolatePreGuard } from "../../src/guards/isolate-guard.ts";
import { questionPreGuard } from "../../src/guards/question-guard.ts";
import { rosterPreGuard } from "../../src/guards/roster-guard.ts";
import { spillPostGuard } from "../../src/guards/spill-guard.ts";
import cases from "../fixtures/guards/cases.json" with { type: "json" };
import {
  byWorker,
  call,
  coder,
  inputAfter,
  loner,
  outcome,
  reasonOf,
  seen,
  temporaryFolder,
} from "./calls.ts";

const done = new Set<string>();
function known<T>(id: string): T {
  const found = cases.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no case ${id}`);
  done.add(id);
  return found as T;
}

function bench(root = join(temporaryFolder("case"), ".flower")) {
  mkdirSync(join(root, "spill"), { recursive: true });
  return { root, spill: join(root, "spill"), show: (path: string) => path, refresh: () => {} };
}

function repository(): string {
  const top = temporaryFolder("case-repo");
  mkdirSync(join(top, ".git"));
  return top;
}

describe("known cases", () => {
  afterAll(() => {
    expect([...done].sort()).toEqual(cases.map((one) => one.id).sort());
  });

  it("D-hook-01: a rewrite survives whatever stands before or after it", () => {
    const { input, expected } = known<{
      input: { tool: string };
      expected: { "effectiveInput.isolation": string };
    }>("D-hook-01");
    const silent: PreGuard = { name: "silent", tools: undefined, decide: () => ({ kind: "pass" }) };
    const isolate = isolatePreGuard({ loner });
    const dispatch = call(input.tool, { subagent_type: "loner", prompt: "p" }, { cwd: repository() });
    for (const guards of [
      [silent, isolate],
      [isolate, silent],
    ]) {
      expect(inputAfter(composePre(guards)(dispatch)).isolation).toBe(expected["effectiveInput.isolation"]);
    }
  });

  it("D-hook-03: both names of the dispatching tool are treated alike", () => {
    const { input } = known<{ input: { tool_name: string }[] }>("D-hook-03");
    const agents = { coder, loner };
    const decide = composePre([
      rosterPreGuard(agents),
      isolatePreGuard(agents),
      grantPreGuard(agents, { roots: ["/w"] }),
    ]);
    const cwd = repository();
    const [first, second] = input.map(({ tool_name }) => [
      decide(call(tool_name, { subagent_type: "loner" }, { cwd })),
      decide(call(tool_name, { subagent_type: "fork" }, { cwd })),
      decide(byWorker(tool_name, {}, { cwd })),
    ]);
    expect(first).toEqual(second);
    expect(first?.map((decision) => decision.kind)).toEqual(["rewrite", "deny", "deny"]);
  });

  it("D-hook-04: a worker's write is granted before the call, where background workers are seen too", () => {
    const { input, expected } = known<{
      input: { tool_name: string; agent_id: string };
      expected: { decision: string };
    }>("D-hook-04");
    const ws = temporaryFolder("case");
    const write = byWorker(
      input.tool_name,
      { file_path: join(ws, "a") },
      { agentId: input.agent_id, cwd: ws },
    );
    expect(grantPreGuard({ coder }, { roots: [ws] }).decide(write).kind).toBe(expected.decision);
  });

  it("D-hook-05: the coordinator's wall needs no workbench", () => {
    const { input, expected } = known<{
      input: { tool_name: string; agent_id: null };
      expected: { decision: string };
    }>("D-hook-05");
    const edit = call(input.tool_name, { file_path: "/w/a" }, { agentId: input.agent_id ?? undefined });
    expect(delegatePreGuard().decide(edit).kind).toBe(expected.decision);
  });

  it("D-hook-06: the file is written even if the harness should ignore the replacement", () => {
    const { input } = known<{ input: { resultChars: number } }>("D-hook-06");
    const folder = bench();
    const text = "x".repeat(input.resultChars);
    spillPostGuard(folder).review(outcome("Bash", {}, { stdout: text }));
    const [name] = readdirSync(folder.spill);
    expect(readFileSync(join(folder.spill, name ?? ""), "utf8")).toBe(text);
  });

  it("D-hook-07: a guard that throws denies", () => {
    const { input, expected } = known<{
      input: { tool_name: string; tool_input: unknown };
      expected: { decision: string; reasonMentions: string };
    }>("D-hook-07");
    const broken: PreGuard = {
      name: "broken",
      tools: undefined,
      decide: () => {
        throw new Error("boom");
      },
    };
    const decision = composePre([broken])(call(input.tool_name, input.tool_input));
    expect(decision.kind).toBe(expected.decision);
    expect(reasonOf(decision).toLowerCase()).toContain(expected.reasonMentions);
  });

  it("D-hook-08: a command that is no text is refused without a throw", () => {
    const { input, expected } = known<{
      input: { tool_name: string; tool_input: unknown };
      expected: { decision: string };
    }>("D-hook-08");
    const decision = delegatePreGuard({ allowGlance: true }).decide(call(input.tool_name, input.tool_input));
    expect(decision.kind).toBe(expected.decision);
  });

  it("D-sub-04: a worker that dispatches is refused by either guard", () => {
    const { input, expected } = known<{
      input: { agent_id: string; tool_name: string };
      expected: { decision: string; reason: string };
    }>("D-sub-04");
    const dispatch = byWorker(input.tool_name, { subagent_type: "coder" }, { agentId: input.agent_id });
    for (const guard of [rosterPreGuard({ coder }), grantPreGuard({ coder }, { roots: ["/w"] })]) {
      expect(guard.decide(dispatch).kind).toBe(expected.decision);
      expect(reasonOf(guard.decide(dispatch)).toLowerCase()).toContain(expected.reason);
    }
  });

  it("D-sub-05: a worker's web tool is approved for the session and granted at the call", () => {
    const { input, expected } = known<{
      input: { "worker.tools": string[] };
      expected: { sessionAllowedContains: string };
    }>("D-sub-05");
    const agents = { fetcher: worker("fetches", "p", { tools: input["worker.tools"] }) };
    const tool = expected.sessionAllowedContains;
    expect(coordinator("lead", "", agents).allowedTools).toContain(tool);
    const fetch = byWorker(tool, { url: "https://x" }, { agentType: "fetcher" });
    expect(grantPreGuard(agents, { roots: ["/w"] }).decide(fetch).kind).toBe("allow");
  });

  it("D-ask-08: the harness's own question is refused and the ask tool named", () => {
    const { input, expected } = known<{
      input: { tool_name: string };
      expected: { decision: string };
    }>("D-ask-08");
    const decision = questionPreGuard({ askTool: "mcp__human__ask" }).decide(call(input.tool_name, {}));
    expect(decision.kind).toBe(expected.decision);
    expect(reasonOf(decision)).toContain("mcp__human__ask");
  });

  it("D-wt-04: isolation inside a worktree is refused with a reason", () => {
    const { input } = known<{ input: { cwd: string } }>("D-wt-04");
    const cwd = join(temporaryFolder("case"), input.cwd);
    mkdirSync(cwd, { recursive: true });
    const decision = isolatePreGuard({ loner }).decide(call("Agent", { subagent_type: "loner" }, { cwd }));
    expect(reasonOf(decision)).toContain("worktree");
  });

  it("D-wt-05: worktrees that would lie elsewhere are refused", () => {
    const { expected } = known<{ expected: { refused: boolean } }>("D-wt-05");
    const cwd = repository();
    mkdirSync(join(cwd, ".claude"));
    symlinkSync(temporaryFolder("case-home"), join(cwd, ".claude/worktrees"));
    const decision = isolatePreGuard({ loner }).decide(call("Agent", { subagent_type: "loner" }, { cwd }));
    expect(decision.kind === "deny").toBe(expected.refused);
  });

  it("D-spill-01: reading a spilled file back is bounded and not spilled again", () => {
    const { input, expected } = known<{
      input: { lines: number; chars: number };
      expected: { readBackSpilledAgain: boolean; boundedPerRead: boolean };
    }>("D-spill-01");
    const folder = bench();
    const guard = spillPostGuard(folder);
    const line = `${"x".repeat(input.chars / input.lines - 1)}\n`;
    guard.review(outcome("Bash", {}, { stdout: line.repeat(input.lines) }));
    const files = readdirSync(folder.spill);
    const file_path = join(folder.spill, files[0] ?? "");
    const content = readFileSync(file_path, "utf8");
    expect(content).toHaveLength(input.chars);
    const back = outcome("Read", { file_path }, { type: "text", file: { filePath: file_path, content } });
    const result = seen(guard, back) as { file: { content: string } };
    expect(readdirSync(folder.spill).length > files.length).toBe(expected.readBackSpilledAgain);
    expect(result.file.content.length <= 20_000).toBe(expected.boundedPerRead);
    const oneLine = { type: "text", file: { filePath: file_path, content: line } };
    expect(guard.review(outcome("Read", { file_path, offset: 2, limit: 1 }, oneLine)).kind).toBe("keep");
  });

  it("D-spill-02: only the spill folder itself is exempt", () => {
    const { input, expected } = known<{ input: string[]; expected: { exempt: boolean[] } }>("D-spill-02");
    const top = temporaryFolder("case");
    const guard = spillPostGuard(bench(join(top, "w/.flower")));
    const exempt = input.map((path) => {
      const file_path = join(top, path);
      const response = { type: "text", file: { filePath: file_path, content: "x".repeat(9_000) } };
      return guard.review(outcome("Read", { file_path }, response)).kind === "keep";
    });
    expect(exempt).toEqual(expected.exempt);
  });

  it("D-spill-03: a list of text and picture stays as it is", () => {
    const { input } = known<{ input: { type: string; text?: string }[] }>("D-spill-03");
    const blocks = input.map((block) =>
      block.type === "text" ? { ...block, text: "x".repeat(9_000) } : block,
    );
    const guard = spillPostGuard(bench(), { tools: "Bash|mcp__x__y" });
    expect(seen(guard, outcome("mcp__x__y", {}, blocks))).toBe(blocks);
    const wrapped = { stdout: "", structuredContent: blocks };
    expect(seen(guard, outcome("Bash", {}, wrapped))).toBe(wrapped);
  });

  it("D-spill-04: the pointer names only tools its reader has", () => {
    known("D-spill-04");
    const pointer = (tools: readonly string[] | undefined) => {
      const guard = spillPostGuard(bench(), { toolsOf: () => tools });
      return (seen(guard, outcome("Bash", {}, { stdout: "x".repeat(9_000) })) as { stdout: string }).stdout;
    };
    const named = (text: string) => ["Read", "Glob", "Grep", "Bash"].filter((tool) => text.includes(tool));
    expect(named(pointer(["Read", "Glob", "Grep"]))).toEqual(["Read", "Grep"]);
    expect(named(pointer(["Bash", "Grep"]))).toEqual(["Grep"]);
    expect(named(pointer(["Bash"]))).toEqual([]);
    expect(named(pointer(undefined))).toEqual([]);
  });
});
