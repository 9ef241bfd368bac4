// After the demo: does what the worker left really work?

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Translator } from "../../config/locale/translator.ts";
import { FlowerError } from "../../core/errors.ts";
import type { RunOutput } from "../run/run-output.ts";
import { EMPTY, PROGRAM, SAMPLE, TRICKY } from "./program.ts";

function runProgram(workspace: string, file: string): string {
  const done = spawnSync(process.execPath, [join(workspace, PROGRAM), join(workspace, file)], {
    encoding: "utf8",
    timeout: 10_000,
  });
  return done.status === 0 ? done.stdout.trim() : `exit ${done.status}: ${done.stderr.trim()}`;
}

/**
 * Run the program that was left and print what it says.
 * @throws FlowerError `demo_mismatch` when it does not count right.
 */
export function runWhatIsLeft(t: Translator, output: RunOutput, workspace: string): void {
  for (const [file, wanted] of [
    [SAMPLE, "9"],
    [TRICKY, "5"],
    [EMPTY, "0"],
  ] as const) {
    const printed = runProgram(workspace, file);
    output.say("plain", "$ ", `node ${PROGRAM} ${file}`);
    output.say("strong", "  ", printed);
    if (printed === wanted) continue;
    throw new FlowerError(`${PROGRAM} ${file} should print ${wanted}`, {
      code: "demo_mismatch",
      hint: t("error.report"),
    });
  }
}
