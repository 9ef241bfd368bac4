import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { grantPreGuard } from "../../src/guards/grant-guard.ts";
import { isInside, physicalPath } from "../../src/guards/physical-path.ts";
import { byWorker, call, coder, reader, reasonOf, temporaryFolder } from "./calls.ts";

const agents = { coder, reader };

describe("a worker's tools", () => {
  const guard = grantPreGuard(agents, { roots: ["/w"] });
  const asReader = (tool: string, input: unknown = {}) =>
    guard.decide(byWorker(tool, input, { agentType: "reader" })).kind;

  it.each([
    ["Read", "allow"],
    ["WebFetch", "allow"],
    ["Bash", "deny"],
    ["Write", "deny"],
    ["Skill", "deny"],
    ["mcp__db__query", "allow"],
    ["mcp__db2__query", "deny"],
    ["mcp__log__tail", "allow"],
    ["mcp__log__clear", "deny"],
    ["mcp__log__tail__all", "deny"],
    ["mcp__human__ask", "deny"],
  ])("for a role with Read, WebFetch, mcp__db and mcp__log__tail: %s -> %s", (tool, kind) => {
    expect(asReader(tool)).toBe(kind);
  });

  it("covers a whole server written with a star, and Skill for a role with skills", () => {
    const role = { ...reader, tools: ["mcp__db__*"], skills: ["pdf"] };
    const starred = grantPreGuard({ reader: role }, { roots: ["/w"] });
    const kind = (tool: string) => starred.decide(byWorker(tool, {}, { agentType: "reader" })).kind;
    expect([kind("mcp__db__query"), kind("mcp__dbx__query"), kind("Skill")]).toEqual([
      "allow",
      "deny",
      "allow",
    ]);
  });

  it("says which tools the role has", () => {
    const decision = guard.decide(byWorker("Bash", {}, { agentType: "reader" }));
    expect(reasonOf(decision)).toContain("Your role does not have Bash");
    expect(reasonOf(decision)).toContain("Read, WebFetch");
  });

  it.each([undefined, "general-purpose", "constructor", "Coder"])(
    "gives nothing to agent type %j",
    (agentType) => {
      expect(guard.decide(byWorker("Read", {}, { agentType })).kind).toBe("deny");
    },
  );

  it("has nothing to say about the main thread, and lets no worker dispatch", () => {
    expect(guard.decide(call("Write", { file_path: "/etc/x" })).kind).toBe("pass");
    expect(reasonOf(guard.decide(byWorker("Agent", {})))).toContain("Workers do not delegate");
    expect(reasonOf(guard.decide(byWorker("Task", {})))).toContain("Workers do not delegate");
  });

  it("needs a folder to fence", () => {
    expect(() => grantPreGuard(agents, { roots: [] })).toThrow(/folder/);
  });
});

describe("where a worker writes", () => {
  let ws: string;
  let bench: string;
  let outside: string;
  beforeAll(() => {
    ws = temporaryFolder("ws");
    bench = temporaryFolder("bench");
    outside = temporaryFolder("outside");
    mkdirSync(join(ws, "src"));
    symlinkSync(outside, join(ws, "away"));
    symlinkSync(join(ws, "src"), join(ws, "near"));
    symlinkSync(join(outside, "new.txt"), join(ws, "dangling"));
    symlinkSync("loop", join(ws, "loop"));
    symlinkSync(ws, join(outside, "back"));
  });
  const decide = (file_path: unknown, more: Record<string, unknown> = {}) =>
    grantPreGuard(agents, { roots: [ws, bench] }).decide(
      byWorker("Write", { file_path }, { cwd: ws, ...more }),
    );

  it.each([
    ["a file", () => join(ws, "a.txt")],
    ["a file in a folder to be made", () => join(ws, "new/deep/a.txt")],
    ["a relative file", () => "src/a.txt"],
    ["the workbench", () => join(bench, "notes/n.md")],
    ["through a link that stays inside", () => join(ws, "near/a.txt")],
    ["out and in again", () => join(ws, "src/../b.txt")],
    ["from outside through a link that leads in", () => join(outside, "back/src/a.txt")],
    ["a name that begins with dots", () => join(ws, "..hidden")],
  ])("allows %s", (_name, path) => {
    expect(decide(path()).kind).toBe("allow");
  });

  it.each([
    ["an absolute path elsewhere", () => "/etc/passwd"],
    ["a neighbour whose name begins alike", () => `${ws}-2/a.txt`],
    ["the folder above", () => join(ws, "..", "a.txt")],
    ["dots that climb out", () => `${ws}/src/../../a.txt`],
    ["a relative path that climbs out", () => "../a.txt"],
    ["a link that leads out", () => join(ws, "away/a.txt")],
    ["a new folder below a link that leads out", () => join(ws, "away/new/a.txt")],
    ["a link to a file that does not exist yet", () => join(ws, "dangling")],
    ["dots after a link that leads out", () => `${ws}/away/../a.txt`],
    ["a loop of links", () => join(ws, "loop/a.txt")],
    ["a home folder", () => "~/a.txt"],
    ["a path with a blank before it", () => ` ${outside}/a.txt`],
    ["a path with a zero byte", () => `${ws}/a\0.txt`],
    ["an empty path", () => ""],
    ["a path that is a list", () => ["a"]],
    ["no path", () => undefined],
  ])("refuses %s", (_name, path) => {
    expect(decide(path()).kind).toBe("deny");
  });

  it("names the places it may write", () => {
    const reason = reasonOf(decide("/etc/passwd"));
    expect(reason).toContain("/etc/passwd");
    expect(reason).toContain(ws);
    expect(reason).toContain(bench);
  });

  it("fences Edit and notebooks by their own fields, and needs a folder for a relative path", () => {
    const notebooks = { coder: { ...coder, tools: ["Edit", "NotebookEdit"] } };
    const guard = grantPreGuard(notebooks, { roots: [ws] });
    const kind = (tool: string, input: unknown, cwd = ws) =>
      guard.decide(byWorker(tool, input, { cwd })).kind;
    expect(kind("Edit", { file_path: join(ws, "a") })).toBe("allow");
    expect(kind("Edit", { file_path: "/etc/a" })).toBe("deny");
    expect(kind("NotebookEdit", { notebook_path: join(ws, "a.ipynb") })).toBe("allow");
    expect(kind("NotebookEdit", { notebook_path: "/etc/a.ipynb" })).toBe("deny");
    expect(kind("NotebookEdit", { file_path: join(ws, "a.ipynb") })).toBe("deny");
    expect(kind("Edit", { file_path: "a" }, "")).toBe("deny");
    expect(kind("Edit", "a")).toBe("deny");
  });

  it("accepts a root that is itself a link", () => {
    const link = join(temporaryFolder("link"), "ws");
    symlinkSync(ws, link);
    const guard = grantPreGuard(agents, { roots: [link] });
    expect(guard.decide(byWorker("Write", { file_path: join(ws, "a") }, { cwd: ws })).kind).toBe("allow");
    expect(guard.decide(byWorker("Write", { file_path: join(link, "a") }, { cwd: link })).kind).toBe("allow");
  });

  it("walks a path as the kernel does", () => {
    expect(physicalPath(join(ws, "a/b"))).toBe(join(ws, "a/b"));
    expect(physicalPath(`${ws}/src/../b/./c`)).toBe(join(ws, "b/c"));
    expect(physicalPath(`${ws}/near/x`)).toBe(join(ws, "src/x"));
    expect(physicalPath(`${ws}/away/../x`)).toBe(join(outside, "../x"));
    expect(physicalPath(join(ws, "dangling"))).toBe(join(outside, "new.txt"));
    expect(physicalPath("/..")).toBe("/");
    expect(physicalPath(join(ws, "loop"))).toBeUndefined();
  });

  it("never allows a path that tidying or walking leads outside", () => {
    const part = fc.constantFrom("..", ".", "src", "away", "near", "back", "x", "loop", "dangling");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const decision = decide(`${ws}/${parts.join("/")}`);
        const place = physicalPath(`${ws}/${parts.join("/")}`);
        return decision.kind !== "allow" || (place !== undefined && isInside(place, ws));
      }),
    );
  });
});

/** A repository with one commit and a worktree for each branch. */
function makeRepository(top: string, trees: Readonly<Record<string, string>>): void {
  const env = { PATH: process.env.PATH ?? "", HOME: temporaryFolder("home"), GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...words: string[]) => execFileSync("git", words, { cwd: top, env, stdio: "pipe" });
  git("init", "-q");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "first");
  for (const [branch, tree] of Object.entries(trees)) git("worktree", "add", "-q", tree, "-b", branch);
}

describe("an isolated worker", () => {
  let repo: string;
  let tree: string;
  let far: string;
  let stranger: string;
  let bench: string;
  beforeAll(() => {
    repo = temporaryFolder("repo");
    far = join(temporaryFolder("far"), "tree");
    bench = temporaryFolder("bench");
    tree = join(repo, ".claude/worktrees/agent-1");
    stranger = join(temporaryFolder("stranger"), "tree");
    makeRepository(repo, { one: tree, two: far });
    makeRepository(temporaryFolder("other-repo"), { one: stranger });
    mkdirSync(join(tree, "deep"));
    mkdirSync(join(repo, ".claude/worktrees/agent-2"));
  });
  const decide = (file_path: string, cwd: string, roots = [repo, bench]) =>
    grantPreGuard(agents, { roots }).decide(byWorker("Write", { file_path }, { cwd })).kind;

  it("writes in its worktree and the workbench, not in the shared checkout or another's worktree", () => {
    for (const cwd of [tree, join(tree, "deep")]) {
      expect(decide(join(tree, "a.txt"), cwd)).toBe("allow");
      expect(decide(join(bench, "artifacts/a.txt"), cwd)).toBe("allow");
      expect(decide(join(repo, "a.txt"), cwd)).toBe("deny");
      expect(decide(join(repo, ".claude/worktrees/agent-2/a.txt"), cwd)).toBe("deny");
    }
    expect(decide("a.txt", tree)).toBe("allow");
  });

  it("has its worktree too when git keeps it elsewhere", () => {
    expect(decide(join(far, "a.txt"), far)).toBe("allow");
    expect(decide(join(repo, "a.txt"), far)).toBe("deny");
    expect(decide(join(far, "a.txt"), repo)).toBe("deny");
  });

  it("has the folder the harness made even where git knows nothing of it", () => {
    const plain = temporaryFolder("plain");
    const made = join(plain, ".claude/worktrees/agent-1");
    mkdirSync(made, { recursive: true });
    expect(decide(join(made, "a.txt"), made, [plain])).toBe("allow");
    expect(decide(join(plain, "a.txt"), made, [plain])).toBe("deny");
  });

  it("gains nothing from a folder that only claims to be a worktree, or is one of another repository", () => {
    const fake = temporaryFolder("fake");
    writeFileSync(join(fake, ".git"), `gitdir: ${join(repo, ".git/worktrees/agent-1")}\n`);
    expect(decide(join(fake, "a.txt"), fake)).toBe("deny");
    const other = temporaryFolder("other");
    mkdirSync(join(other, ".git"));
    expect(decide(join(other, "a.txt"), other)).toBe("deny");
    expect(decide(join(stranger, "a.txt"), stranger)).toBe("deny");
  });
});
