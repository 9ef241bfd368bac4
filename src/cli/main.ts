#!/usr/bin/env node
// The command: argv -> exit code. The question for the version alone is answered before anything else is loaded.

import { packageVersion } from "./package-version.ts";

async function main(argv: readonly string[]): Promise<number> {
  const [first, ...others] = argv;
  if (others.length === 0 && (first === "--version" || first === "-V")) {
    process.stdout.write(`${packageVersion()}\n`);
    return 0;
  }
  const [{ carryOut }, { processIo }] = await Promise.all([import("./carry-out.ts"), import("./io.ts")]);
  return await carryOut(argv, processIo());
}

const code = await main(process.argv.slice(2));
// Standard input may still be open: what has been written is flushed, then nothing is waited for.
process.stdout.write("", () => process.exit(code));
process.exitCode = code;
