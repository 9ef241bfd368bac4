// A command line from what it means to its exit code. Loads no more than help needs; every command is loaded when it is
// asked for.

import type { CommandName } from "./args/commands.ts";
import { helpText, overviewText } from "./args/help-text.ts";
import { parseCommandLine } from "./args/parse-command-line.ts";
import { usageErrorLines } from "./args/usage-text.ts";
import type { CommandFunction } from "./command-context.ts";
import { EXIT_DONE } from "./exit-codes.ts";
import type { Io } from "./io.ts";
import { packageVersion } from "./package-version.ts";
import { reportError } from "./report-error.ts";
import { usableWidth } from "./screen/layout.ts";
import { screenTranslator } from "./screen-language.ts";

const COMMANDS: Readonly<Record<CommandName, () => Promise<CommandFunction>>> = {
  go: async () => (await import("./commands/go.ts")).goCommand,
  run: async () => (await import("./commands/run.ts")).runCommand,
  once: async () => (await import("./commands/once.ts")).onceCommand,
  worktrees: async () => (await import("./commands/worktrees.ts")).worktreesCommand,
  stop: async () => (await import("./commands/stop.ts")).stopCommand,
  clean: async () => (await import("./commands/clean.ts")).cleanCommand,
  setup: async () => (await import("./commands/setup.ts")).setupCommand,
  demo: async () => (await import("./demo/demo-command.ts")).demoCommand,
  status: async () => (await import("./commands/status.ts")).statusCommand,
  logs: async () => (await import("./commands/logs.ts")).logsCommand,
  answer: async () => (await import("./commands/answer.ts")).answerCommand,
  say: async () => (await import("./commands/say.ts")).sayCommand,
  completion: async () => (await import("./commands/completion.ts")).completionCommand,
  help: async () => (await import("./commands/help.ts")).helpCommand,
};

/** Carry out a command line. @returns the exit code. */
export async function carryOut(argv: readonly string[], io: Io): Promise<number> {
  const line = parseCommandLine(argv);
  if (line.kind === "version") {
    io.out(packageVersion());
    return EXIT_DONE;
  }
  const t = screenTranslator(line, io.env);
  if (line.kind === "help") {
    const width = usableWidth(io.columns());
    io.out(line.command === undefined ? overviewText(t, width) : helpText(t, line.command, width));
    return EXIT_DONE;
  }
  if (line.kind === "usage_error") {
    for (const text of usageErrorLines(t, line)) io.err(text);
    return line.exitCode;
  }
  // Questions that the library puts itself are put in the language of the screen.
  if (line.globals.lang !== undefined) process.env.FLOWER_LANG = t.language;
  try {
    const run = await COMMANDS[line.command]();
    return await run({ command: line, io, t });
  } catch (error) {
    const report = reportError(t, error, line.globals.verbose);
    for (const text of report.lines) io.err(text);
    return report.exitCode;
  }
}
