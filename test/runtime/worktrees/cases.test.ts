// What went wrong with worktrees elsewhere, as small cases with the right answer.

import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { reportError } from "../../../src/cli/report-error.ts";
import { createTranslator } from "../../../src/config/locale/translator.ts";
import { createGit } from "../../../src/runtime/git.ts";
import { requireIsolation } from "../../../src/runtime/isolation.ts";
import { yard } from "./yard.ts";

interface Case {
  readonly id: string;
  readonly scenario: string;
  readonly input: never;
  readonly expected: Readonly<Record<string, unknown>>;
}

const cases: readonly Case[] = JSON.parse(
  readFileSync(new URL("../../fixtures/runtime/worktree.json", import.meta.url), "utf8"),
);

function known(id: string): Case {
  const found = cases.find((each) => each.id === id);
  if (found === undefined) throw new Error(id);
  return found;
}

const SESSION = Symbol("session");

describe("known failures of worktrees", () => {
  it("D-wt-01: isolation from a branch ahead of the remote's starts from that branch", async () => {
    const { expected } = known("D-wt-01");
    const it = yard();
    const upstream = join(it.base, "upstream.git");
    it.git(it.root, "clone", "-q", "--bare", ".", upstream);
    it.git(it.root, "remote", "add", "origin", upstream);
    it.git(it.root, "fetch", "-q", "origin");
    it.git(it.root, "remote", "set-head", "origin", "main");
    it.git(it.root, "checkout", "-q", "-b", "feature");
    for (const name of ["f1", "f2"]) {
      it.write(it.root, { [name]: name });
      it.git(it.root, "add", name);
      it.git(it.root, "commit", "-q", "-m", name);
    }
    const path = await it.integration().createTree("agent-1", SESSION);
    expect(it.git(path, "log", "-1", "--format=%s")).toBe(expected.workerBase);
  });

  it("D-wt-03: without a repository or a commit it is refused with what to do", () => {
    const { input, expected } = known("D-wt-03");
    const it = yard();
    const folders = (input as readonly string[]).map((state, i) => {
      const folder = join(it.base, `case-${i}`);
      mkdirSync(folder);
      if (state === "unborn HEAD") it.git(folder, "init", "-q");
      return folder;
    });
    const codes = folders.map((workspace) => {
      try {
        const git = createGit(workspace, { ...it.env, HOME: it.base });
        requireIsolation({ git, workspace, workbenchRoot: undefined });
      } catch (error) {
        const { lines, exitCode } = reportError(createTranslator("en"), error, false);
        expect(exitCode).toBe(expected.exitCode);
        expect(lines.at(-1)).toMatch(/next: .*(?:commit|git init)/);
        return (error as { code: string }).code;
      }
      return "";
    });
    expect(codes).toEqual(["no_repository", "no_commit"]);
  });

  it("D-wt-06: six at once are all made, also while another git holds the lock", async () => {
    const { input, expected } = known("D-wt-06");
    const { parallel } = input as { parallel: number };
    const it = yard();
    // The first two attempts meet the lock of somebody else.
    it.shadowGit(
      `case " $* " in *" worktree add "*) ` +
        `echo x >> "${it.base}/tries"; if [ "$(wc -l < "${it.base}/tries")" -le 2 ]; then ` +
        `echo "fatal: Unable to create '.git/config.lock': File exists." >&2; exit 128; fi;; esac`,
    );
    const integration = it.integration();
    const names = Array.from({ length: parallel }, (_, i) => `agent-${i}`);
    const paths = await Promise.all(names.map((name) => integration.createTree(name, SESSION)));
    expect(paths.every((path) => existsSync(join(path, "a.txt")))).toBe(expected.allCreated);
    expect(new Set(paths).size).toBe(parallel);
  });
});
