import { describe, expect, it } from "vitest";
import { CLARIFIER_RULES } from "../../src/agents/roles/clarifier.ts";
import { COORDINATOR_RULES } from "../../src/agents/roles/coordinator.ts";
import { JUDGE_RULES } from "../../src/agents/roles/judge.ts";
import { ORACLE_RULES } from "../../src/agents/roles/oracle.ts";
import { WORKER_RULES } from "../../src/agents/roles/worker.ts";
import type { IncomingRequest } from "../../src/testing/api-request.ts";
import { Recogniser } from "../../src/testing/recogniser.ts";
import { type CustomSpeaker, speaker } from "../../src/testing/script.ts";
import { requestOf } from "./request-of.ts";

function who(request: IncomingRequest, custom: readonly CustomSpeaker[] = []): string {
  return told(new Recogniser(custom), request);
}

function told(recogniser: Recogniser, request: IncomingRequest): string {
  const found = recogniser.recognise(request);
  if (found.kind === "ambiguous") return found.reason;
  return [found.speaker.role, found.speaker.agent].filter((part) => part !== undefined).join(":");
}

const system = (...texts: string[]) => texts.map((words) => ({ type: "text", text: words }));
const agent = (worker: string, prompt: string, id: string) => ({
  type: "tool_use",
  id,
  name: "Agent",
  input: { subagent_type: worker, prompt },
});
const from = (agentId: string, prompt: string) =>
  requestOf({
    agentId,
    system: system("billing; cc_is_subagent=true;", WORKER_RULES),
    messages: [{ role: "user", content: prompt }],
  });

describe("who is asking", () => {
  it.each([
    ["coordinator", COORDINATOR_RULES],
    ["clarifier", CLARIFIER_RULES],
    ["judge", JUDGE_RULES],
    ["oracle", ORACLE_RULES],
    ["main", "You grow tulips, like a coordinator or a judge."],
  ])("is the %s by the rules in its system prompt", (role, rules) => {
    const preset = "You are an agent.\n\n";
    expect(who(requestOf({ system: system("billing", "Claude Code", `${preset}${rules}\n\nmore`) }))).toBe(
      role,
    );
    expect(who(requestOf({ system: `${preset}${rules}` }))).toBe(role);
  });

  it("is the worker that was dispatched with its prompt, then and in every further request", () => {
    const recogniser = new Recogniser([]);
    recogniser.learn([agent("coder", "write it", "t1"), agent("scout", "write it all", "t2")]);
    expect(told(recogniser, from("a1", "<system-reminder>x</system-reminder> write it"))).toBe(
      "worker:coder",
    );
    expect(told(recogniser, from("a2", "write it all"))).toBe("worker:scout");
    expect(told(recogniser, from("a1", "something else now"))).toBe("worker:coder");
  });

  it("is a worker known from the history of the main thread, as after a resume", () => {
    const recogniser = new Recogniser([]);
    const history = [
      { role: "user", content: "go" },
      { role: "assistant", content: [agent("coder", "write it", "t1")] },
    ];
    told(recogniser, requestOf({ system: COORDINATOR_RULES, messages: history }));
    expect(told(recogniser, from("a1", "write it"))).toBe("worker:coder");
  });

  it("is a worker even where a proxy dropped the header", () => {
    const recogniser = new Recogniser([]);
    recogniser.learn([agent("coder", "write it", "t1")]);
    expect(told(recogniser, { ...from("a1", "write it"), agentId: undefined })).toBe("worker:coder");
  });

  it("is not guessed when two names were dispatched with one prompt, or none with this one", () => {
    const recogniser = new Recogniser([]);
    expect(told(recogniser, from("a1", "write it"))).toMatch(/no worker was dispatched with its prompt/);
    recogniser.learn([agent("coder", "write it", "t1"), agent("scout", "write it", "t2")]);
    expect(told(recogniser, from("a1", "write it"))).toMatch(
      /coder and scout were dispatched with its prompt/,
    );
  });

  it("is a speaker of the test's own before anyone else, by text, pattern or function", () => {
    const judge = requestOf({
      system: JUDGE_RULES,
      messages: [{ role: "user", content: "rule on round 2" }],
    });
    for (const match of ["round 2", /round \d/, (request: IncomingRequest) => request.bytes > 0]) {
      expect(who(judge, [speaker("second", match, [])])).toBe("custom:second");
    }
    expect(who(judge, [speaker("second", "round 3", [])])).toBe("judge");
    expect(who(from("a1", "x"), [speaker("any worker", WORKER_RULES, [])])).toBe("custom:any worker");
  });

  it("is the harness itself for titles, searches, summaries and chores, whatever words they carry", () => {
    const words = `rule on round 2\n${JUDGE_RULES}`;
    const custom = [speaker("second", "round 2", [])];
    const bare = { context_management: undefined, tools: [] };
    const messages = [{ role: "user", content: words }];
    const title = "You are naming a coding session so the user can find it.";
    expect(who(requestOf({ ...bare, messages, system: system(title) }), custom)).toBe("side:title");
    expect(who(requestOf({ ...bare, messages }), custom)).toBe("side:other");
    expect(who(requestOf({ ...bare, messages, tools: [{ name: "web_search" }] }), custom)).toBe(
      "side:web_search",
    );
    const summary = "plain text: an <analysis> block followed by a <summary> block.";
    const compaction = requestOf({
      system: JUDGE_RULES,
      messages: [...messages, { role: "user", content: summary }],
    });
    expect(who(compaction, custom)).toBe("side:compaction");
  });
});
