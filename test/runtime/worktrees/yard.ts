// A real repository in a folder of its own, and what isolated workers would do in it.

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { inEnglish } from "../../../src/config/locale/words.ts";
import { createGitWork, type GitWork } from "../../../src/runtime/worktrees/git-work.ts";
import { Integration } from "../../../src/runtime/worktrees/integration.ts";
import { type Survey, surveyWorktrees } from "../../../src/runtime/worktrees/survey.ts";

const made: string[] = [];
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

/** Run ids of a first and a second run. */
export const RUN = "20260101-120000-aaaaaa";
export const LATER_RUN = "20260102-120000-bbbbbb";

/** A repository with a person in it. */
export interface Yard {
  /** Around everything: HOME, and what is put beside the repository. */
  readonly base: string;
  readonly root: string;
  readonly env: Record<string, string>;
  readonly faults: string[];
  /** Run git as the person does, and return what it printed. */
  git(folder: string, ...args: string[]): string;
  /** Whether a git command succeeds. */
  holds(...args: string[]): boolean;
  write(folder: string, files: Readonly<Record<string, string>>): void;
  read(...parts: string[]): string;
  /** The person's files, branch and commit: what nobody may change. */
  untouched(): string;
  work(folder?: string): GitWork;
  integration(run?: string): Integration;
  survey(): Promise<Survey>;
  /** Put a program before the real git. */
  shadowGit(script: string): void;
}

/** Make a repository with a commit of these files. */
export function yard(files: Readonly<Record<string, string>> = { "a.txt": "one\n" }): Yard {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "flower-yard-")));
  made.push(base);
  const root = join(base, "my repo");
  mkdirSync(root);
  const env: Record<string, string> = { PATH: process.env.PATH ?? "", HOME: base, GIT_CONFIG_NOSYSTEM: "1" };
  const faults: string[] = [];
  const attempt = (folder: string, args: readonly string[]) => {
    const who = { GIT_AUTHOR_NAME: "p", GIT_AUTHOR_EMAIL: "p@x.invalid", GIT_COMMITTER_NAME: "p" };
    const whole = { ...env, ...who, GIT_COMMITTER_EMAIL: "p@x.invalid", LC_ALL: "C" };
    return spawnSync("git", ["-c", "protocol.file.allow=always", ...args], {
      cwd: folder,
      encoding: "utf8",
      env: whole,
    });
  };
  const yard: Yard = {
    base,
    root,
    env,
    faults,
    git(folder, ...args) {
      const done = attempt(folder, args);
      if (done.status !== 0) throw new Error(`git ${args.join(" ")}: ${done.stderr}`);
      return done.stdout.trimEnd();
    },
    holds: (...args) => attempt(root, args).status === 0,
    write(folder, texts) {
      for (const [name, text] of Object.entries(texts)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
    },
    read: (...parts) => readFileSync(join(...parts), "utf8"),
    untouched() {
      const index = join(root, ".git", "index");
      return [
        yard.git(root, "symbolic-ref", "HEAD"),
        yard.git(root, "rev-parse", "HEAD"),
        yard.git(root, "status", "--porcelain", "--untracked-files=all", "--", ".", ":!.claude"),
        existsSync(index) ? readFileSync(index, "latin1") : "",
      ].join("\n");
    },
    work: (folder = root) => createGitWork(folder, { env }),
    integration: (run = RUN) =>
      new Integration({
        workspace: root,
        runDir: join(base, "runs"),
        runId: run,
        env,
        onFault: (words) => faults.push(inEnglish(words)),
      }),
    survey: () => surveyWorktrees({ workspace: root, runDir: join(base, "runs"), env }),
    shadowGit(script) {
      const real = spawnSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).stdout.trim();
      const bin = join(base, "bin");
      mkdirSync(bin, { recursive: true });
      writeFileSync(join(bin, "git"), `#!/bin/sh\nREAL=${real}\n${script}\nexec "$REAL" "$@"\n`);
      chmodSync(join(bin, "git"), 0o755);
      env.PATH = `${bin}:${process.env.PATH}`;
    },
  };
  yard.git(root, "init", "-q", "-b", "main", "--template=");
  yard.write(root, files);
  yard.git(root, "add", "-A");
  yard.git(root, "commit", "-q", "-m", "start");
  return yard;
}
