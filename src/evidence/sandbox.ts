// The fence bubblewrap puts round a command: no network, a system that can only be read, nothing running on behind it.

import { spawnSync } from "node:child_process";
import { inEnglish, wordsOf } from "../config/locale/words.ts";
import { IsolationError } from "../core/errors.ts";
import type { Words } from "../core/words.ts";
import { findProgram } from "./find-program.ts";
import type { Launcher } from "./run-command.ts";

const PROBE_MS = 10_000;

function fence(folder: string): readonly string[] {
  return [
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"],
    // Last, so that a folder below /tmp is there.
    ...["--bind", folder, folder, "--chdir", folder],
    ...["--unshare-all", "--die-with-parent", "--new-session"],
  ];
}

/**
 * The shell inside a sandbox in which only `folder` can be written.
 * @throws IsolationError `sandbox_unavailable` where bubblewrap is not installed or may not make one.
 */
export function sandboxed(shell: Launcher, folder: string, env: Readonly<Record<string, string>>): Launcher {
  const program = findProgram("bwrap", env.PATH);
  const args = [...fence(folder), "--"];
  const probe =
    program === undefined
      ? undefined
      : spawnSync(program, [...args, shell.program, ...shell.args, "exit 0"], {
          env: { ...env },
          timeout: PROBE_MS,
          encoding: "utf8",
        });
  if (program !== undefined && probe?.status === 0) {
    return { program, args: [...args, shell.program, ...shell.args] };
  }
  const said = probe?.stderr.trim().split("\n").at(-1) ?? "";
  throw unavailable(program === undefined ? wordsOf("said.sandbox.missing") : failedWords(said));
}

function failedWords(said: string): Words {
  return said === "" ? wordsOf("said.sandbox.failed") : wordsOf("said.sandbox.failed_but", { said });
}

function unavailable(why: Words): IsolationError {
  return new IsolationError(`the commands of the goal cannot run in a sandbox: ${inEnglish(why)}`, {
    code: "sandbox_unavailable",
    values: { why },
    hint: "install bubblewrap and allow unprivileged user namespaces, or leave the sandbox out",
  });
}
