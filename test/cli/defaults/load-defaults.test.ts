import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Command } from "../../../src/cli/args/command-line.ts";
import { parseCommandLine } from "../../../src/cli/args/parse-command-line.ts";
import type { CommandContext } from "../../../src/cli/command-context.ts";
import { commandWith, mergeFiles, readConfigFiles } from "../../../src/cli/defaults/load-defaults.ts";
import { createTranslator } from "../../../src/config/locale/translator.ts";
import { OptionError } from "../../../src/core/errors.ts";
import { places, write } from "../../config/cases.ts";

interface Files {
  readonly project?: string;
  readonly person?: string;
}

/** A command in a workspace below a home folder, each with its file. */
function contextOf({ project, person }: Files, ...argv: string[]): CommandContext {
  const { home, workspace } = places();
  if (project !== undefined) write(join(workspace, "flower.config.json"), project);
  if (person !== undefined) write(join(home, ".config/flower/flower.config.json"), person);
  const command = parseCommandLine(["-w", workspace, ...argv, "--", "make", "it"]) as Command;
  const io = { env: { HOME: home } } as unknown as CommandContext["io"];
  return { command, io, t: createTranslator("en") };
}

function commandOf(files: Files, ...argv: string[]): Command {
  const context = contextOf(files, ...argv);
  return commandWith(context.command, mergeFiles(context.command, readConfigFiles(context)));
}

describe("the defaults of a run", () => {
  it("come from the workspace's file and the person's own, and go before nothing that was typed", () => {
    const project = '{"rounds": 5, "models": {"judge": "opus"}}';
    const person = '\ufeff{\n  "rounds": 1,\n  "model": "haiku", "timeout": 0\n}\n';
    const command = commandOf({ project, person }, "--model=sonnet");
    expect(command.flags).toEqual({ rounds: 5, timeout: 0, model: "sonnet" });
    expect(command.fromFiles).toEqual({
      rounds: "~/project/flower.config.json",
      timeout: "~/.config/flower/flower.config.json",
    });
    expect(commandOf({ project, person }).flags).toEqual({
      rounds: 5,
      timeout: 0,
      model: "haiku",
      models: { judge: "opus" },
    });
  });

  it("are none without files, and with empty ones", () => {
    expect(commandOf({}).flags).toEqual({});
    expect(commandOf({ project: "{}", person: "{ }\n" })).toMatchObject({ flags: {}, fromFiles: {} });
  });
});

describe("a file that cannot be", () => {
  const HINT = "correct the file, or leave both files out with --no-config";
  const OWN = "~/.config/flower/flower.config.json";
  it.each([
    ['{"rounds": 5,\n "x": }', "line 2, column 7: this is not JSON", HINT],
    ['{\n  // five\n  "rounds": 5}', "line 2, column 3: comments cannot stand in it, it is plain JSON", HINT],
    ['{"rounds": 5,}', "line 1, column 13: a comma before the closing bracket", HINT],
    ["[5]", "it holds no object", 'write it like { "rounds": 5 }'],
    ['{"round": 5}', 'unknown name "round"', "did you mean `rounds`?"],
    ['{"rounds": "5"}', 'rounds: "5" is not a whole number, 1 or more', HINT],
    ['{"resume": "x"}', "resume is decided for each run", "give --resume on the command line"],
    [
      '{"project-settings": true}',
      "project-settings cannot be set by a project's file",
      `put it into ${OWN}, or give --project-settings on the command line`,
    ],
    [
      '{"ANTHROPIC_BASE_URL": "https://x"}',
      'unknown name "ANTHROPIC_BASE_URL": no credential and no address can come from this file',
      "`flower setup` stores them where they are kept from others",
    ],
  ])("%j is refused with its name, what is wrong, and what to do", (project, words, hint) => {
    const read = () => commandOf({ project });
    expect(read).toThrow(OptionError);
    expect(read).toThrow(
      expect.objectContaining({
        message: `~/project/flower.config.json: ${words}`,
        hint,
        code: "bad_config",
      }),
    );
  });

  it("is named when it is the person's own, and when it is no file", () => {
    expect(() => commandOf({ person: '{"rounds": 0}' })).toThrow(`${OWN}: rounds: 0 is not`);
    const context = contextOf({});
    mkdirSync(join(context.command.workspace, "flower.config.json"));
    const [project] = readConfigFiles(context);
    expect(project).toMatchObject({ kind: "wrong", source: "~/project/flower.config.json" });
    const words = "~/project/flower.config.json: it cannot be read (a folder)";
    expect(() => mergeFiles(context.command, readConfigFiles(context))).toThrow(words);
  });
});
