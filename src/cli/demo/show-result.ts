// After the demo: does what the worker left really work, and where is everything?

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Translator } from "../../config/locale/translator.ts";
import { FlowerError } from "../../core/errors.ts";
import { readManifest } from "../../runtime/manifest.ts";
import type { RunOutput } from "../run/run-output.ts";
import { money } from "../screen/layout.ts";
import { PROGRAM, SAMPLE, TRICKY } from "./program.ts";

/** Where the demo left its things. */
export interface DemoFolders {
  readonly workspace: string;
  readonly manifest: string;
}

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

/** The books, row by row, and the paths of what was left. */
export function showFolders(t: Translator, output: RunOutput, folders: DemoFolders): void {
  const { workspace, manifest } = folders;
  output.say("strong", "- ", t("demo.books"));
  for (const row of readManifest(manifest).rows) {
    output.say("plain", "    ", `${row.ok ? "+" : "x"} ${row.step.padEnd(16)} ${money(row.cost_usd)}`);
  }
  const notes = join(workspace, ".flower", "notes");
  output.say("strong", "- ", t("demo.left"));
  for (const path of [join(workspace, PROGRAM), join(notes, "brief.md"), join(notes, "goal.md"), manifest]) {
    output.say("plain", "    ", path);
  }
}
