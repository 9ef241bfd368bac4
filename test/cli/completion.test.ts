import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { COMMAND_NAMES } from "../../src/cli/args/commands.ts";
import { FLAGS, flagsOf } from "../../src/cli/args/flags.ts";
import { bashCompletion } from "../../src/cli/completion/bash.ts";
import { fishCompletion } from "../../src/cli/completion/fish.ts";
import { zshCompletion } from "../../src/cli/completion/zsh.ts";
import { createTranslator } from "../../src/config/locale/translator.ts";

const folder = mkdtempSync(join(tmpdir(), "flower-completion-"));
const env = { PATH: process.env.PATH ?? "", HOME: folder };
mkdirSync(join(folder, "runs", "asks"), { recursive: true });
writeFileSync(join(folder, "runs", "asks", "q1-3f9a.json"), "{}");
for (const end of ["a1.jsonl", "a1.older.jsonl", "b2.jsonl"]) {
  writeFileSync(join(folder, "runs", `events-${end}`), "");
}
writeFileSync(join(folder, "flower.bash"), bashCompletion());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What bash offers for the last word of a line, asked of the function that the script registers. */
function offered(line: string): string[] {
  // As readline splits them: \`=\` is a word of its own.
  const words = line.split(" ").flatMap((word) => word.split(/(=)/).filter((part) => part !== ""));
  if (/[ =]$/.test(line)) words.push("");
  const script = `
    source flower.bash
    read -r _ _ name _ < <(complete -p flower)
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    "$name" flower
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ["--norc", "--noprofile", "-c", script, "bash", ...words];
  const done = spawnSync("bash", args, { cwd: folder, env, encoding: "utf8" });
  expect(done).toMatchObject({ status: 0, stderr: "" });
  return done.stdout.split("\n").filter((word) => word !== "");
}

describe("completion in bash", () => {
  it.each([
    ["flower ", [...COMMAND_NAMES]],
    ["flower st", ["status", "stop"]],
    ["flower -v --lang pt onc", ["once"]],
    ["flower --lang ", ["en", "zh", "pt"]],
    ["flower --lang=z", ["zh"]],
    ["flower status --lang=", ["en", "zh", "pt"]],
    ["flower once --effort h", ["high"]],
    ["flower -w st", []],
    ["flower --asks st", []],
    ["flower answer ", ["q1-3f9a"]],
    ["flower answer q1-3f9a ", []],
    ["flower logs --run ", ["a1", "b2"]],
    ["flower stop --run=b", ["b2"]],
    ["flower completion ", ["bash", "zsh", "fish"]],
    ["flower completion bash fi", []],
    ["flower help de", ["demo"]],
    ["flower fix the st", []],
    ["flower fix --clar", ["--clarify-only"]],
    ["flower -- st", []],
    ["flower demo st", []],
  ])("offers for %j: %j", (line, wanted) => {
    expect(offered(line)).toEqual(wanted);
  });

  it.each(COMMAND_NAMES)("offers every option of %s, and no other", (name) => {
    const wanted = flagsOf(name).flatMap(({ long, short }) => (short === undefined ? [long] : [long, short]));
    expect(offered(`flower ${name} -`).sort()).toEqual(wanted.sort());
  });
});

describe("the scripts", () => {
  const scripts = {
    bash: () => bashCompletion(),
    zsh: () => zshCompletion(createTranslator("pt")),
    fish: () => fishCompletion(createTranslator("zh")),
  };

  it.each(Object.entries(scripts))("are of correct syntax for %s, where it is installed", (shell, script) => {
    const path = join(folder, `syntax.${shell}`);
    writeFileSync(path, script());
    const done = spawnSync(shell, ["-n", path], { env, encoding: "utf8" });
    if (done.error !== undefined) expect(done.error).toMatchObject({ code: "ENOENT" });
    else expect(done).toMatchObject({ status: 0, stderr: "" });
    for (const { long } of FLAGS)
      expect(script()).toContain(shell === "fish" ? `-l ${long.slice(2)} ` : long);
    for (const name of COMMAND_NAMES) expect(script()).toContain(name);
  });

  it("need each spelling to take a value everywhere or nowhere", () => {
    const taking = new Map<string, boolean>();
    for (const { long, short, metavar } of FLAGS) {
      for (const spelling of short === undefined ? [long] : [long, short]) {
        const takes = metavar !== undefined;
        expect(taking.get(spelling) ?? takes, spelling).toBe(takes);
        taking.set(spelling, takes);
      }
    }
  });
});
