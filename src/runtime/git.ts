// Asking git, never changing anything the person has: bounded, without prompts, without the person's hooks.

import { spawn, spawnSync } from "node:child_process";

/** A git command that takes longer than this on a work tree is stuck. */
const GIT_TIMEOUT_MS = 30_000;
/** Output beyond this is not looked at. */
const GIT_MAX_BYTES = 64 * 1024 * 1024;

const QUIET = ["-c", "core.fsmonitor=false", "-c", "core.quotePath=false"];

function gitEnv(env: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  return { PATH: env.PATH, HOME: env.HOME, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
}

/** What a git command gave. */
interface GitAnswer {
  readonly ok: boolean;
  readonly out: string;
  /** True when the program itself is not there. */
  readonly missing: boolean;
}

/** Asks git in one folder. */
export interface Git {
  readonly sync: (...args: string[]) => GitAnswer;
  readonly ask: (...args: string[]) => Promise<GitAnswer>;
}

/** Bind git to a folder; `env` gives PATH and HOME. */
export function createGit(folder: string, env: Readonly<Record<string, string | undefined>>): Git {
  return {
    sync(...args) {
      const done = spawnSync("git", [...QUIET, ...args], {
        cwd: folder,
        env: gitEnv(env),
        encoding: "utf8",
        timeout: GIT_TIMEOUT_MS,
        maxBuffer: GIT_MAX_BYTES,
      });
      const missing = (done.error as NodeJS.ErrnoException | undefined)?.code === "ENOENT";
      return { ok: done.status === 0, out: done.stdout ?? "", missing };
    },
    ask(...args) {
      return new Promise((resolve) => {
        const child = spawn("git", [...QUIET, ...args], {
          cwd: folder,
          env: gitEnv(env),
          stdio: ["ignore", "pipe", "ignore"],
          timeout: GIT_TIMEOUT_MS,
        });
        const parts: Buffer[] = [];
        let bytes = 0;
        child.stdout.on("data", (part: Buffer) => {
          bytes += part.length;
          if (bytes <= GIT_MAX_BYTES) parts.push(part);
        });
        child.on("error", (error: NodeJS.ErrnoException) =>
          resolve({ ok: false, out: "", missing: error.code === "ENOENT" }),
        );
        child.on("close", (code) =>
          resolve({ ok: code === 0, out: Buffer.concat(parts).toString("utf8"), missing: false }),
        );
      });
    },
  };
}
