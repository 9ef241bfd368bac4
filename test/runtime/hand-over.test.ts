import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { HandoffPolicy } from "../../src/agents/handoff-policy.ts";
import type { Event } from "../../src/events/event.ts";
import { handOver } from "../../src/runtime/hand-over.ts";
import { HandoffKeeper } from "../../src/runtime/handoff-keeper.ts";
import { NO_BRAKE } from "../../src/runtime/run-brake.ts";
import { startHistory } from "../../src/runtime/step-history.ts";
import { startDraft } from "../../src/runtime/step-result.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const TASK = `Count the words of every file. ${"And mind the details. ".repeat(500)}`;
const WRITTEN =
  "## Doing\nCounting.\n\n## Decided\nNo cache.\n\n## Dead ends\n\n## Next\nCount b.txt.\n\n## Scene\n";

function reply(text: string, more: Record<string, unknown> = {}) {
  const usage = { input_tokens: 152_000 };
  const message = { id: "m", model: "m", usage, content: [{ type: "text", text }] };
  const result = { type: "result", subtype: "success", session_id: "s", result: text, num_turns: 1 };
  return [
    { type: "assistant", session_id: "s", message },
    { ...result, user_message_uuid: "$PROMPT", ...more },
  ];
}

/** Hand over from a session that would give this reply. */
async function handedOver(turn: readonly unknown[], how: { mechanical?: boolean; brief?: boolean } = {}) {
  const notes = mkdtempSync(join(tmpdir(), "flower-notes-"));
  folders.push(notes);
  const draft = Object.assign(startDraft("work"), { sessionId: "s", context: 152_000 });
  const history = startHistory();
  const events: Event[] = [];
  const prompt = await handOver(
    {
      draft,
      task: TASK,
      policy: () => new HandoffPolicy({ window: 200_000 }),
      learnWindow: () => {},
      keeper: new HandoffKeeper(notes, "work", (fault) => expect.unreachable(fault.key)),
      optionsFor: () => ({
        cwd: tmpdir(),
        pathToClaudeCodeExecutable: fileURLToPath(new URL("children/replay-harness.mjs", import.meta.url)),
        env: { PATH: process.env.PATH, HOME: process.env.HOME, REPLAY: JSON.stringify([turn]) },
      }),
      charge: () => {},
      brake: NO_BRAKE,
      halt: new AbortController().signal,
      stallS: 0,
      signal: new AbortController().signal,
      waitOut: async () => false,
      upstream: () => undefined,
      emit: (event) => events.push(event),
    },
    { kind: "hand_off", mechanical: how.mechanical ?? false, brief: how.brief ?? false, window: undefined },
    history,
  );
  const done = events.flatMap((event) => (event.kind === "handoff" ? [event.payload] : [])).at(-1);
  const document = readFileSync(join(notes, "handoff-work.md"), "utf8");
  return { prompt, draft, history, done, document, notes };
}

describe("a handoff", () => {
  it("is what the session writes, and a fresh session begins with it", async () => {
    const { prompt, draft, history, done } = await handedOver(reply(WRITTEN));
    expect(prompt).toContain("Count b.txt.");
    expect(prompt).not.toContain("Count the words of every file.");
    expect(done).toMatchObject({ phase: "done", degraded: false });
    expect(draft).toMatchObject({ errors: [], retired: ["s"], context: 0, attempts: 1 });
    expect(history).toMatchObject({ generations: 1, emptyOverflows: 0 });
  });

  it.each([
    ["the network fails", reply("API Error: Connection error. ECONNRESET", { is_error: true }), "ECONNRESET"],
    ["nothing is said", reply(""), "lacks Doing, Next"],
    ["a section is missing", reply("## Doing\nonly this\n"), "lacks Next"],
    ["the process dies", [3], "code 3"],
  ])("happens all the same when it is not written because %s", async (_what, turn, why) => {
    const { prompt, draft, history, done, document, notes } = await handedOver(turn);
    expect(prompt).toContain("Count the words of every file.");
    expect(prompt).not.toContain(why);
    expect(done).toMatchObject({ phase: "done", degraded: true });
    expect(document).toContain("[degraded: handoff not written]");
    expect(document).toContain(`> Not written by the session: `);
    expect(draft.errors.at(-1)).toMatch(new RegExp(`^handoff not written: .*${why}`));
    expect(draft).toMatchObject({ retired: ["s"], context: 0, attempts: 1 });
    expect(history.generations).toBe(1);
    // A reply that was no document was paid for: a person may still want it.
    const raw = readdirSync(notes, { recursive: true }).filter((path) => String(path).includes("raw/"));
    expect(raw).toHaveLength(why === "lacks Next" ? 1 : 0);
  });
});

describe("a handoff from a session that overflowed", () => {
  it("asks it nothing: another request would overflow as well", async () => {
    const { draft, history, done } = await handedOver(reply(WRITTEN), { mechanical: true });
    expect(done).toMatchObject({ degraded: true });
    expect(draft.errors).toEqual(["handoff not written: the session can no longer answer"]);
    expect(history.emptyOverflows).toBe(1);
  });

  it("is shorter when the one before was too much, and still says what there is to do", async () => {
    const whole = await handedOver([], { mechanical: true });
    const brief = await handedOver([], { mechanical: true, brief: true });
    expect(brief.prompt.length).toBeLessThan(whole.prompt.length - 500);
    expect(brief.prompt).toContain("Count the words of every file.");
  });
});
