import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AgentSpec } from "../../src/agents/agent-spec.ts";
import { HumanChannel } from "../../src/people/human-channel.ts";
import { dispatch, lastUserText, text, toolResults, toolUse } from "../../src/testing/index.ts";
import { starterFlow } from "../../src/workflow/starter-flow.ts";
import { Step } from "../../src/workflow/step.ts";
import { withGoal } from "../../src/workflow/with-goal.ts";
import { Workflow } from "../../src/workflow/workflow.ts";
import { goalText, requestsOf, smoothScript, verdictText } from "./documents.ts";
import { git, repository, stage } from "./stage.ts";

const CHECKS = ["`node wc.mjs` -> prints 3", "The tests pass."];
/** A program that does what it should, and makes its goal easier whenever it is run. */
const SLY = `import { readFileSync, writeFileSync } from "node:fs";
const goal = readFileSync("GOAL.md", "utf8");
writeFileSync("GOAL.md", goal.replace("- The tests pass.", ""));
console.log(3);
`;

describe("a worker that makes its goal easier", () => {
  it("is refused by every tool that writes, found out where a command did it, and judged by what was frozen", async () => {
    const seen: string[] = [];
    let say = (_words: string) => {};
    const play = await stage((workspace) => {
      const goal = join(workspace, ".flower", "notes", "goal.md");
      return smoothScript({
        judge: [
          text(goalText("A word counter.", CHECKS)),
          (request) => {
            seen.push(lastUserText(request), readFileSync(goal, "utf8"));
            return text(verdictText("achieved", "1: it prints 3\n2: wc.mjs tests itself"));
          },
        ],
        coordinator: [
          () => {
            say("Lines are to be counted too.");
            return dispatch("coder", "Write wc.mjs.");
          },
          text("Done."),
        ],
        workers: {
          coder: [
            toolUse("Write", { file_path: goal, content: "## Goal\nx\n## Checklist\n- done\n" }),
            (request) => {
              seen.push(
                toolResults(request)
                  .map((result) => result.text)
                  .join("\n"),
              );
              const weaken = `sed -i '/tests pass/d' ${goal}; rm ${workspace}/.flower/notes/brief.md`;
              return toolUse("Bash", { command: `echo 'console.log(3)' > wc.mjs; ${weaken}` });
            },
            text("Conclusion: written."),
          ],
        },
      });
    });
    const notes = join(play.workspace, ".flower", "notes");
    const flow = starterFlow("count the words", { workspace: play.workspace, timeoutS: 0 });
    say = (words) => void flow.channel?.send(words);
    const ctx = await flow.run(play.runtime({ workbench: flow.workbench! }));
    expect(ctx._failedAt).toBeUndefined();
    const [refused, asked, onDisk] = seen;
    expect(refused).toContain("It is frozen: only the person changes it.");
    expect(asked).toContain("2. The tests pass.");
    expect(onDisk).toContain("2. The tests pass.");
    // What the person said meanwhile is part of the brief that is written back.
    const brief = readFileSync(join(notes, "brief.md"), "utf8");
    expect(brief).toContain("## Boundaries");
    expect(brief).toContain("> Lines are to be counted too.");

    const changed = readdirSync(join(notes, "archive")).filter((name) => name.startsWith("goal.changed-"));
    expect(changed).toHaveLength(1);
    expect(readFileSync(join(notes, "archive", changed[0]!), "utf8")).not.toContain("tests pass");
    const told = play.events.filter((event) => event.kind === "task" && event.payload.notice === "frozen");
    expect(told.map((event) => event.payload)).toMatchObject([
      { phase: "removed", step: "work" },
      { phase: "changed", step: "work" },
      { phase: "kept" },
    ]);

    // The copy for a run that is killed lies in the run folder, and lineage says what it is.
    const lineage = JSON.parse(readFileSync(join(play.runDir, "lineage.json"), "utf8"));
    expect(Object.keys(lineage.frozen).sort()).toEqual([".flower/notes/brief.md", ".flower/notes/goal.md"]);
    expect(Object.values(lineage.frozen).filter((mark) => (mark as { during?: string }).during)).toEqual([]);
    expect(readdirSync(join(play.runDir, "frozen"))).toHaveLength(2);
    expect(existsSync(join(play.runDir, ".gitignore"))).toBe(true);

    // Nothing has changed since, although the worker did change the file.
    const requests = play.api.requests.length;
    await play.flow("");
    expect(play.api.requests).toHaveLength(requests);
    expect(requestsOf(play.api.requests, "coordinator")).toHaveLength(2);
    play.api.verify();
  });

  it("gains nothing in a workflow of one's own either, by committing it or by a program that does it when it is judged", async () => {
    const goal = goalText("A word counter.", CHECKS);
    const judged: string[] = [];
    const play = await stage({
      main: [
        toolUse("Write", { file_path: "wc.mjs", content: SLY }),
        toolUse("Bash", {
          command:
            "sed -i '/tests pass/d' GOAL.md && git -c user.name=w -c user.email=w@x.invalid commit -qam easier",
        }),
        text("Done."),
      ],
      judge: [
        (request) => {
          judged.push(lastUserText(request));
          return text(verdictText("not yet", "No tests.", ["2. The tests pass."]));
        },
      ],
    });
    repository(play.workspace, { "GOAL.md": goal });
    const goalPath = join(play.workspace, "GOAL.md");
    const channel = new HumanChannel({ timeoutS: 0 });
    const spec = new AgentSpec({ name: "plain", instructions: "", allowedTools: ["Bash", "Write"] });
    const work = withGoal(new Step("work", spec, "count words"), channel, { goalPath, rounds: 1 });
    const ctx = await new Workflow([work], { channel }).run(play.runtime());
    expect(ctx._failedAt).toBe("work");
    expect(judged[0]).toContain("2. The tests pass.");
    // Found out after the command of the worker, and after the work itself was run to see what it does.
    const told = play.events.filter((event) => event.kind === "task" && event.payload.notice === "frozen");
    expect(told.map((event) => event.payload)).toMatchObject([
      { phase: "changed", step: "work" },
      { phase: "kept" },
      { phase: "changed", step: "work:verdict#1" },
      { phase: "kept" },
    ]);
    expect(readFileSync(goalPath, "utf8")).toBe(goal);
    expect(git(play.workspace, "show", "HEAD:GOAL.md")).not.toContain("tests pass");
    // Without a workbench the verdict is in the run folder.
    expect(readdirSync(join(play.runDir, "verdicts"))).toHaveLength(1);
    play.api.verify();
  });
});

describe("a goal that the person changes while it is judged, and lets count", () => {
  it("is not reached by what was ruled on the one before", async () => {
    const judged: string[] = [];
    const play = await stage((workspace) => ({
      main: [text("Done."), text("With a manual.")],
      judge: [
        (request) => {
          judged.push(lastUserText(request));
          writeFileSync(
            join(workspace, "GOAL.md"),
            goalText("A word counter.", ["GOAL.md is there", "a manual"]),
          );
          return text(verdictText("achieved", "1: GOAL.md is there"));
        },
        (request) => {
          judged.push(lastUserText(request));
          return text(verdictText("achieved", "1: GOAL.md is there\n2: GOAL.md"));
        },
      ],
    }));
    const goalPath = join(play.workspace, "GOAL.md");
    writeFileSync(goalPath, goalText("A word counter.", ["GOAL.md is there"]));
    const channel = new HumanChannel({ timeoutS: null });
    channel.listen((event) => {
      if (event.kind === "ask" && event.payload.state === "asked")
        channel.answer(String(event.payload.id), "1");
    });
    const spec = new AgentSpec({ name: "plain", instructions: "", allowedTools: ["Read"] });
    const work = withGoal(new Step("work", spec, "count words"), channel, { goalPath, rounds: 2 });
    const ctx = await new Workflow([work], { channel }).run(play.runtime());
    expect(ctx._failedAt).toBeUndefined();
    expect(judged).toHaveLength(2);
    expect(judged[0]).not.toContain("a manual");
    expect(judged[1]).toContain("2. a manual");
    expect(lastUserText(play.api.requests.filter((request) => request.role === "main")[1]!)).toContain(
      "a manual",
    );
    expect(
      play.manifest().map((row) => [row.step, (row.verdict as { state?: string } | undefined)?.state]),
    ).toEqual([
      ["work", undefined],
      ["work:verdict#1", "not_yet"],
      ["work#round2", undefined],
      ["work:verdict#2", "achieved"],
    ]);
    play.api.verify();
  });
});
