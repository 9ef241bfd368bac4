// Running git: bounded, without prompts, without the person's hooks. `Git` only asks; what changes something is in
// worktrees/git-work.ts.

import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** A git command that takes longer than this on a work tree is stuck. */
const GIT_TIMEOUT_MS = 30_000;
/** Output beyond this is not looked at. */
const GIT_MAX_BYTES = 64 * 1024 * 1024;
/** Of an error message. */
const GIT_MAX_ERROR_BYTES = 16 * 1024;

const QUIET = ["-c", "core.fsmonitor=false", "-c", "core.quotePath=false"];

type Environment = Readonly<Record<string, string | undefined>>;

function gitEnv(env: Environment): NodeJS.ProcessEnv {
  return {
    PATH: env.PATH,
    HOME: env.HOME,
    XDG_CONFIG_HOME: env.XDG_CONFIG_HOME,
    GIT_CONFIG_NOSYSTEM: env.GIT_CONFIG_NOSYSTEM,
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
  };
}

/** What a git command gave. */
interface GitAnswer {
  readonly ok: boolean;
  readonly out: string;
  /** True when the program itself is not there. */
  readonly missing: boolean;
}

/** A git command that ran to its end. */
export interface GitDone extends GitAnswer {
  /** Undefined when a signal ended it, or when it never started. */
  readonly code: number | undefined;
  readonly err: string;
}

/** One git command. */
export interface GitCall {
  readonly folder: string;
  /** Gives PATH, HOME and where the person's configuration of git is. */
  readonly env: Environment;
  readonly args: readonly string[];
  /** Added to the environment. */
  readonly more?: Readonly<Record<string, string>>;
  /** Given on standard input. */
  readonly input?: string | undefined;
  /** @defaultValue 30,000 */
  readonly timeoutMs?: number;
}

/** Asks git in one folder. */
export interface Git {
  readonly sync: (...args: string[]) => GitAnswer;
  readonly ask: (...args: string[]) => Promise<GitAnswer>;
}

/** Collects what a stream gives, up to a bound. */
function collect(stream: NodeJS.ReadableStream, maxBytes: number): () => string {
  const parts: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (part: Buffer) => {
    bytes += part.length;
    if (bytes <= maxBytes) parts.push(part);
  });
  return () => Buffer.concat(parts).toString("utf8");
}

/** Run git. Never throws; what it wrote beyond 64 MiB is not kept. */
export function runGit(call: GitCall): Promise<GitDone> {
  return new Promise((resolve) => {
    const child = spawn("git", [...QUIET, ...call.args], {
      cwd: call.folder,
      env: { ...gitEnv(call.env), ...call.more },
      stdio: [call.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      timeout: call.timeoutMs ?? GIT_TIMEOUT_MS,
    });
    const { stdin, stdout, stderr } = child;
    const out = stdout === null ? () => "" : collect(stdout, GIT_MAX_BYTES);
    const err = stderr === null ? () => "" : collect(stderr, GIT_MAX_ERROR_BYTES);
    // One that ends before it has read everything says so by its exit code.
    stdin?.on("error", () => {});
    stdin?.end(call.input);
    child.on("error", (error: NodeJS.ErrnoException) =>
      resolve({
        ok: false,
        code: undefined,
        out: "",
        err: error.message,
        // A folder that is gone fails in the same way as a program that is not there.
        missing: error.code === "ENOENT" && existsSync(call.folder),
      }),
    );
    child.on("close", (code) =>
      resolve({ ok: code === 0, code: code ?? undefined, out: out(), err: err(), missing: false }),
    );
  });
}

/** Bind git to a folder; `env` gives PATH and HOME. */
export function createGit(folder: string, env: Environment): Git {
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
    ask: (...args) => runGit({ folder, env, args }),
  };
}
