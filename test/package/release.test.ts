import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const folder = mkdtempSync(join(tmpdir(), "flower-release-"));
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
};
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
const PLACE = { repository: { type: "git", url: "git+https://git.example/flower.git" } };
const INSTALLING = ["README.md", "docs/quick-start.md"];
let made = 0;

/** A repository that is ready, with its checks and npm replaced by ones that say what they were called with. */
function repository(): string {
  made += 1;
  const home = join(folder, `r${made}`);
  mkdirSync(join(home, ".ci"), { recursive: true });
  mkdirSync(join(home, "bin"));
  cpSync(join(ROOT, "scripts", "release.mjs"), join(home, "scripts", "release.mjs"));
  cpSync(join(ROOT, "scripts", "release"), join(home, "scripts", "release"), { recursive: true });
  writeFileSync(join(home, "package.json"), JSON.stringify({ name: "flower-agent", version, ...PLACE }));
  writeFileSync(
    join(home, "CHANGELOG.md"),
    `# Changelog\n\n## [Unreleased]\n\n## [${version}] - 2026-12-01\n`,
  );
  mkdirSync(join(home, "docs"));
  for (const name of INSTALLING) writeFileSync(join(home, name), "npm install flower-agent\n");
  writeFileSync(join(home, ".ci", "run"), "#!/bin/sh\necho checked\n", { mode: 0o755 });
  writeFileSync(join(home, "bin", "npm"), '#!/bin/sh\necho "npm $*"\n', { mode: 0o755 });
  git(home, "init", "-q", "-b", "main");
  commit(home);
  return home;
}

function git(home: string, ...args: readonly string[]): void {
  const who = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
  const done = spawnSync("git", [...who, ...args], { cwd: home, env, encoding: "utf8" });
  expect(done.status, done.stderr).toBe(0);
}

function commit(home: string): void {
  git(home, "add", "-A");
  git(home, "commit", "-qm", "x");
}

function release(home: string, args: readonly string[] = ["--dry-run"], more: Record<string, string> = {}) {
  const script = join(home, "scripts", "release.mjs");
  const PATH = `${join(home, "bin")}:${env.PATH}`;
  return spawnSync(process.execPath, [script, ...args], {
    cwd: home,
    env: { ...env, PATH, ...more },
    encoding: "utf8",
  });
}

function rewrite(home: string, name: string, text: string): void {
  writeFileSync(join(home, name), text);
  commit(home);
}

describe("a release", () => {
  it("is tried without publishing: checks, then npm's dry run", () => {
    const { status, stdout, stderr } = release(repository());
    expect(status, stderr).toBe(0);
    expect(stdout).toBe("checked\nnpm publish --dry-run --ignore-scripts\n");
  });

  it("is published with its origin where CI vouches for it", () => {
    const { status, stdout } = release(repository(), [], {
      ACTIONS_ID_TOKEN_REQUEST_URL: "http://127.0.0.1",
    });
    expect(status).toBe(0);
    expect(stdout).toBe("checked\nnpm publish --provenance --access public --ignore-scripts\n");
  });

  it("ends with the first check that fails", () => {
    const home = repository();
    rewrite(home, ".ci/run", "#!/bin/sh\nexit 3\n");
    const { status, stdout, stderr } = release(home);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("nothing was published");
  });

  it.each<[string, RegExp, (home: string) => unknown, (readonly string[])?]>([
    [
      "on a tree that is not clean",
      /commit or put away first:\n +\?\? b\.txt/,
      (home) => writeFileSync(join(home, "b.txt"), ""),
    ],
    ["on another branch", /on main, and this is side/, (home) => git(home, "checkout", "-qb", "side")],
    ["on no branch", /this is no branch/, (home) => git(home, "checkout", "-q", "--detach")],
    [
      "of a version the changelog does not have",
      /has no "## \[/,
      (home) => rewrite(home, "CHANGELOG.md", "# Changelog\n"),
    ],
    ["without its date", /lacks its date/, (home) => rewrite(home, "CHANGELOG.md", `## [${version}]\n`)],
    ["of a version that has its tag", /the tag v.* exists/, (home) => git(home, "tag", `v${version}`)],
    [
      "of a package that names no repository",
      /has no repository/,
      (home) => rewrite(home, "package.json", JSON.stringify({ name: "flower-agent", version })),
    ],
    [
      "with a README that sends its reader to a clone",
      /README\.md says that flower-agent is not on npm yet/,
      (home) => rewrite(home, "README.md", "flower-agent is not on npm yet.\n"),
    ],
    ["outside CI", /only in CI, with an id token/, () => {}, []],
    ["with a word nobody knows", /unknown: --force/, () => {}, ["--force"]],
  ])("is refused %s, before anything runs", (_where, says, change, args) => {
    const home = repository();
    change(home);
    const { status, stdout, stderr } = release(home, args);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(says);
  });
});
