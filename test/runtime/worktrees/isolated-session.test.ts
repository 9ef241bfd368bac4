import { describe, expect, it } from "vitest";
import { coordinator } from "../../../src/agents/roles/coordinator.ts";
import { worker } from "../../../src/agents/roles/worker.ts";
import type { Event } from "../../../src/events/event.ts";
import { createGit } from "../../../src/runtime/git.ts";
import { openIsolatedSession } from "../../../src/runtime/worktrees/isolated-session.ts";
import { yard } from "./yard.ts";

describe("a session with isolated workers", () => {
  it("warns the person, keeps it with the step, and brings nothing together when one got no worktree", async () => {
    const it = yard();
    const events: Event[] = [];
    const degraded: string[] = [];
    const gitAt = (path: string) => createGit(path, { ...it.env, HOME: it.base });
    const session = openIsolatedSession({
      spec: coordinator("lead", "", { coder: worker("codes", "You code.", { isolate: true }) }),
      integration: it.integration(),
      git: gitAt(it.root),
      gitAt,
      emit: (event) => events.push(event),
      onDegraded: (why) => degraded.push(why),
    });
    const told = await session?.watch.after({
      tool: "Agent",
      agentId: undefined,
      agentType: undefined,
      cwd: it.root,
      toolUseId: "t1",
      input: { subagent_type: "coder", description: "Write x", isolation: "worktree" },
      response: { status: "completed", agentType: "coder", worktreePath: null },
    });
    expect(told).toContain("its changes are in the shared checkout");
    const words = "worker coder was to be isolated and got no worktree";
    expect(degraded).toEqual([words]);
    await session?.finish(true);
    expect(events.map(({ kind, text }) => [kind, text])).toEqual([["task", words]]);
    expect(it.holds("rev-parse", "--verify", "--quiet", it.integration().branch)).toBe(false);
  });
});
