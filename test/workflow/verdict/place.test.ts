import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AgentSpec } from "../../../src/agents/agent-spec.ts";
import { worker } from "../../../src/agents/roles/worker.ts";
import type { Integration } from "../../../src/runtime/worktrees/integration.ts";
import { integrationName } from "../../../src/runtime/worktrees/names.ts";
import { Step } from "../../../src/workflow/step.ts";
import { placeOf } from "../../../src/workflow/verdict/place.ts";
import { LATER_RUN, RUN, type Yard, yard } from "../../runtime/worktrees/yard.ts";

const coder = worker("Writes.", "You write.", { isolate: true });
const step = new Step("work", new AgentSpec({ name: "lead", instructions: "", agents: { coder } }), "go");
const SESSION = Symbol("session");

function where(it: Yard, integration: Integration) {
  return { workspace: it.root, runDir: join(it.root, "runs"), workbench: undefined, integration };
}

describe("the place of a round by isolated workers", () => {
  it("is where the run before brought its work together, when nobody has worked in this one yet", async () => {
    const it = yard();
    const first = it.integration();
    first.takeUp();
    it.write(await first.createTree("agent-1", SESSION), { "x.txt": "x" });
    await first.bringAll(SESSION);
    const integration = it.integration(LATER_RUN);
    integration.takeUp();
    const place = await placeOf(where(it, integration), step);
    expect(place).toMatchObject({
      folder: join(it.root, ".claude", "worktrees", integrationName(LATER_RUN)),
      note: expect.stringContaining(`merged into flower/${LATER_RUN}`),
      obstacles: [],
      work: { isIsolated: false },
    });
    expect(it.read(place.folder, "x.txt")).toBe("x");
    place.release();
  });

  it("is the checkout and nothing beside it, once all is in there; what others have in worktrees is not shown", async () => {
    const it = yard();
    const trees = join(it.root, ".claude", "worktrees");
    it.git(it.root, "worktree", "add", "-q", "-b", "worktree-agent-9", join(trees, "agent-9"));
    const first = it.integration();
    first.takeUp();
    it.write(await first.createTree("agent-1", SESSION), { "x.txt": "x" });
    await first.bringAll(SESSION);
    it.git(it.root, "merge", "-q", first.branch);
    const integration = it.integration(LATER_RUN);
    integration.takeUp();
    const place = await placeOf(where(it, integration), step);
    expect(place).toMatchObject({ folder: it.root, note: "", obstacles: [], work: { isIsolated: false } });
    place.release();
  });

  it("is wherever its own workers left it, when it cannot be brought together", async () => {
    const it = yard();
    const trees = join(it.root, ".claude", "worktrees");
    it.git(it.root, "worktree", "add", "-q", "-b", "worktree-agent-9", join(trees, "agent-9"));
    const integration = it.integration();
    const path = await integration.createTree("agent-1", SESSION);
    it.write(path, { "x.txt": "x" });
    it.write(trees, { [`${integrationName(RUN)}/mine.txt`]: "m" });
    await integration.bringAll(SESSION);
    const place = await placeOf(where(it, integration), step);
    expect(place).toMatchObject({ folder: it.root, work: { isIsolated: true } });
    expect(place.note).toContain("is in the way");
    expect(place.note).toContain(path);
    expect(place.note).not.toContain("agent-9");
    place.release();
  });
});
