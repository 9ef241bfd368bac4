import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { composePre } from "../../src/guards/compose.ts";
import { isolatePreGuard } from "../../src/guards/isolate-guard.ts";
import { rosterPreGuard } from "../../src/guards/roster-guard.ts";
import { byWorker, call, coder, inputAfter, loner, reader, reasonOf, temporaryFolder } from "./calls.ts";

describe("the roster guard", () => {
  const one = rosterPreGuard({ coder });
  const two = rosterPreGuard({ coder, reader });
  const task = { description: "d", prompt: "p" };

  it.each(["Agent", "Task"])("makes a dispatch by %s wait for its report", (tool) => {
    const decision = two.decide(call(tool, { ...task, subagent_type: "reader" }));
    expect(inputAfter(decision)).toEqual({ ...task, subagent_type: "reader", run_in_background: false });
    const background = { ...task, subagent_type: "reader", run_in_background: true };
    expect(inputAfter(two.decide(call(tool, background))).run_in_background).toBe(false);
  });

  it.each([undefined, "general-purpose", "fork", "Explore", "constructor", "__proto__", 7, null])(
    "sends type %j to the only worker, and refuses it where there are two",
    (type) => {
      const input = { ...task, subagent_type: type };
      expect(inputAfter(one.decide(call("Agent", input))).subagent_type).toBe("coder");
      const reason = reasonOf(two.decide(call("Agent", input)));
      expect(reason).toContain("coder, reader");
    },
  );

  it("keeps isolation for a marked role and takes it from any other", () => {
    const mixed = rosterPreGuard({ coder, loner });
    const wanting = (subagent_type: string, isolation: string) =>
      inputAfter(mixed.decide(call("Agent", { ...task, subagent_type, isolation }))).isolation;
    expect(wanting("loner", "worktree")).toBe("worktree");
    expect(wanting("loner", "remote")).toBeUndefined();
    expect(wanting("coder", "worktree")).toBeUndefined();
  });

  it("refuses subagents, sessions without workers, and input that is no object", () => {
    expect(reasonOf(one.decide(byWorker("Agent", task)))).toContain("Workers do not delegate");
    expect(reasonOf(rosterPreGuard({}).decide(call("Agent", task)))).toContain("no workers");
    expect(reasonOf(one.decide(call("Agent", "go")))).toContain("malformed");
    expect(reasonOf(one.decide(call("Agent", undefined)))).toContain("malformed");
  });
});

describe("the isolate guard", () => {
  const task = { prompt: "p", subagent_type: "loner" };
  const workspaceWith = (shape: (workspace: string) => void = () => {}) => {
    const workspace = temporaryFolder("isolate");
    mkdirSync(join(workspace, ".git"));
    shape(workspace);
    return workspace;
  };

  it.each(["Agent", "Task"])(
    "asks for a worktree when a marked role is dispatched by %s, and says so",
    (tool) => {
      const told: string[] = [];
      const guard = isolatePreGuard({ coder, loner }, { onInject: (role) => told.push(role) });
      const cwd = workspaceWith();
      expect(inputAfter(guard.decide(call(tool, task, { cwd })))).toEqual({ ...task, isolation: "worktree" });
      expect(told).toEqual(["loner"]);
      expect(composePre([guard])(call(tool, task, { cwd })).kind).toBe("rewrite");
    },
  );

  it("leaves unmarked roles, unknown ones and workers alone", () => {
    const guard = isolatePreGuard({ coder, loner });
    const cwd = workspaceWith();
    for (const subagent_type of ["coder", "nobody", "constructor", undefined]) {
      expect(guard.decide(call("Agent", { prompt: "p", subagent_type }, { cwd })).kind).toBe("pass");
    }
    expect(guard.decide(byWorker("Agent", task, { cwd })).kind).toBe("pass");
    expect(guard.decide(call("Agent", "go", { cwd })).kind).toBe("deny");
  });

  it("does not ask twice, and does not accept another kind of isolation", () => {
    const told: string[] = [];
    const guard = isolatePreGuard({ loner }, { onInject: (role) => told.push(role) });
    const cwd = workspaceWith();
    expect(guard.decide(call("Agent", { ...task, isolation: "worktree" }, { cwd })).kind).toBe("pass");
    expect(told).toEqual([]);
    const remote = guard.decide(call("Agent", { ...task, isolation: "remote" }, { cwd }));
    expect(inputAfter(remote).isolation).toBe("worktree");
  });

  it("respects a folder of the repository and refuses any other", () => {
    const workspace = workspaceWith((folder) => {
      mkdirSync(join(folder, "sub"));
      symlinkSync(temporaryFolder("elsewhere"), join(folder, "away"));
    });
    const guard = isolatePreGuard({ loner }, { workspace });
    const decide = (cwd: unknown) => guard.decide(call("Agent", { ...task, cwd }, { cwd: "/" })).kind;
    expect(decide(join(workspace, "sub"))).toBe("pass");
    expect(decide("sub")).toBe("pass");
    expect(decide(join(workspace, "away"))).toBe("deny");
    expect(decide(join(workspace, ".."))).toBe("deny");
    expect(decide("/etc")).toBe("deny");
    expect(decide(5)).toBe("deny");
    expect(decide("")).toBe("rewrite");
  });

  it("refuses when worktrees would be made outside the repository", () => {
    const workspace = workspaceWith((folder) => {
      mkdirSync(join(folder, ".claude"));
      symlinkSync(temporaryFolder("home"), join(folder, ".claude", "worktrees"));
    });
    const reason = reasonOf(isolatePreGuard({ loner }, { workspace }).decide(call("Agent", task)));
    expect(reason).toContain("outside the repository");
    const linked = workspaceWith((folder) => symlinkSync(temporaryFolder("home"), join(folder, ".claude")));
    expect(isolatePreGuard({ loner }, { workspace: linked }).decide(call("Agent", task)).kind).toBe("deny");
  });

  it("looks at the repository's own folder when the workspace is a part of it", () => {
    const top = workspaceWith((folder) => {
      mkdirSync(join(folder, "part"));
      symlinkSync(temporaryFolder("home"), join(folder, ".claude"));
    });
    expect(
      isolatePreGuard({ loner }, { workspace: join(top, "part") }).decide(call("Agent", task)).kind,
    ).toBe("deny");
  });

  it("refuses inside another worktree", () => {
    const inner = join(temporaryFolder("outer"), ".claude", "worktrees", "a1");
    mkdirSync(inner, { recursive: true });
    writeFileSync(join(inner, ".git"), "gitdir: /nowhere\n");
    const reason = reasonOf(isolatePreGuard({ loner }, { workspace: inner }).decide(call("Agent", task)));
    expect(reason).toContain("already runs inside a worktree");
  });

  it("works after the roster, which may have chosen the role", () => {
    const agents = { loner };
    const cwd = workspaceWith();
    const decide = composePre([rosterPreGuard(agents), isolatePreGuard(agents)]);
    expect(inputAfter(decide(call("Agent", { prompt: "p" }, { cwd })))).toEqual({
      prompt: "p",
      subagent_type: "loner",
      run_in_background: false,
      isolation: "worktree",
    });
  });
});
