import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answerCommand } from "../../src/cli/commands/answer.ts";
import { helpCommand } from "../../src/cli/commands/help.ts";
import { sayCommand } from "../../src/cli/commands/say.ts";
import { selfMark } from "../../src/core/processes.ts";
import { type } from "./screen-io.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "flower-beside-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function ask(id: string): void {
  const asks = join(folder, "runs", "asks");
  mkdirSync(asks, { recursive: true });
  const question = {
    id,
    question: "Which?",
    options: [],
    askedAt: 1,
    host: hostname(),
    ...selfMark(),
    run: "R",
  };
  writeFileSync(join(asks, `${id}.json`), JSON.stringify(question));
}

const answer = (...argv: string[]) => type(answerCommand, ["answer", "-w", folder, ...argv]);

describe("what could not be delivered", () => {
  it("says so with the next step, on standard error, and writes nothing", async () => {
    const none = await answer("q1", "yes");
    expect(none).toMatchObject({ code: 1, out: "" });
    expect(none.err).toMatch(/^x .*q1.*\n {2}next: `flower status` /);
    const said = await type(sayCommand, ["say", "-w", folder, "hello"]);
    expect(said).toMatchObject({ code: 1, out: "" });
    expect(said.err).toMatch(/\n {2}next: start one with `flower go`/);
  });

  it("names the questions that wait, and wants the whole id where several could be meant", async () => {
    ask("q1-aaaa");
    expect((await answer("q2", "yes")).err).toMatch(/\n {2}next: answer one that waits: q1-aaaa$/);
    ask("q1-bbbb");
    const two = await answer("q1", "yes");
    expect(two.err).toMatch(/q1-aaaa, q1-bbbb\n {2}next: give the whole id/);
    const json = await answer("q1", "yes", "--json");
    expect(JSON.parse(json.out)).toEqual({ id: "q1", receipt: "ambiguous", exit: 1 });
  });
});

describe("flower help", () => {
  it("is one screen, or one command, as wide as the terminal", async () => {
    expect((await type(helpCommand, ["help"])).out.split("\n").length).toBeLessThanOrEqual(24);
    const { code, out } = await type(helpCommand, ["help", "logs"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^usage: flower logs [\s\S]*\n {2}flower logs -f [\s\S]*-f, --follow/);
  });
});
