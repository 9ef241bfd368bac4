#!/usr/bin/env node
// The command: argv -> exit code. Its version and its overview are said before anything else is loaded: scripts and people
// ask for them often.

import { packageVersion } from "./package-version.ts";

async function main(argv: readonly string[]): Promise<number> {
  const only = argv.length === 1 ? argv[0] : undefined;
  // A reader that went away is no fault.
  const say = (text: string) => process.stdout.on("error", () => {}).write(`${text}\n`);
  if (only === "--version" || only === "-V") {
    say(packageVersion());
    return 0;
  }
  if (only === "--help" || only === "-h") {
    say(await (await import("./quick-help.ts")).quickHelp(process.stdout.columns));
    return 0;
  }
  const [{ carryOut }, { processIo }] = await Promise.all([import("./carry-out.ts"), import("./io.ts")]);
  return await carryOut(argv, processIo());
}

const code = await main(process.argv.slice(2));
// Standard input may still be open: what has been written is flushed, then nothing is waited for.
process.stdout.write("", () => process.exit(code));
process.exitCode = code;
