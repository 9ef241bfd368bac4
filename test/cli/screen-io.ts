// A screen for a command under test: keeps what was printed.

import { PassThrough } from "node:stream";
import { parseCommandLine } from "../../src/cli/args/parse-command-line.ts";
import type { CommandFunction } from "../../src/cli/command-context.ts";
import type { Io } from "../../src/cli/io.ts";
import { createTranslator } from "../../src/config/locale/translator.ts";

/** Run a command function to its end, as typed in a folder; `input` is all that standard input holds. */
export async function type(
  run: CommandFunction,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input?: string,
): Promise<{ code: number; out: string; err: string }> {
  const command = parseCommandLine(argv);
  if (command.kind !== "command") throw new Error(`${command.kind}: ${argv.join(" ")}`);
  const stdin = new PassThrough();
  if (input !== undefined) stdin.end(input);
  const [out, err]: [string[], string[]] = [[], []];
  const io: Io = {
    stdin: stdin as unknown as NodeJS.ReadStream,
    env: { PATH: process.env.PATH ?? "", ...env },
    inIsTty: false,
    outIsTty: false,
    columns: () => 80,
    out: (line) => out.push(line),
    err: (line) => err.push(line),
    flushed: async () => true,
    echo: undefined,
    printOn: () => {},
  };
  const code = await run({ command, io, t: createTranslator("en") });
  return { code, out: out.join("\n"), err: err.join("\n") };
}
