import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createTranslator } from "../../src/config/locale/translator.ts";
import type { Evidence } from "../../src/evidence/evidence.ts";
import { type EvidenceInput, gatherEvidence } from "../../src/evidence/gather-evidence.ts";
import { EVIDENCE_LIMITS } from "../../src/evidence/limits.ts";
import { readProcesses } from "../../src/evidence/process-table.ts";

const made: string[] = [];
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "flower-evidence-")));
  made.push(path);
  return path;
}

/** A workspace with files; those that begin with `#!` can be executed. */
function workspace(files: Readonly<Record<string, string>> = {}): string {
  const root = folder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
    if (text.startsWith("#!")) chmodSync(join(root, name), 0o755);
  }
  return root;
}

/** Whether the process whose number a command wrote to a file still runs. */
function isRunning(where: string, name: string): boolean {
  const text = readFileSync(join(where, name), "utf8").trim();
  expect(text).toMatch(/^\d+$/);
  return readProcesses().some(({ pid }) => pid === Number(text));
}

const PATH = process.env.PATH ?? "";
const KILLED = fileURLToPath(new URL("children/gather.mjs", import.meta.url));

function gather(where: string, checks: readonly string[], more: Partial<EvidenceInput> = {}) {
  const home = folder();
  return gatherEvidence({
    checks,
    round: 1,
    folder: join(folder(), "evidence", "run"),
    tree: { folder: where, workspace: where, exclude: [], isIsolated: false },
    env: { PATH, HOME: home },
    say: createTranslator("en"),
    ...more,
    limits: { graceS: 0.3, rerunBelowS: 0, ...more.limits },
  });
}

function outcomes(evidence: Evidence): readonly string[] {
  return evidence.items.map(({ outcome }) => outcome);
}

async function first(where: string, check: string, more: Partial<EvidenceInput> = {}) {
  const evidence = await gather(where, [check], more);
  const [item] = evidence.items;
  if (item === undefined) expect.unreachable("no item");
  return item;
}

describe("the commands of a goal", () => {
  it("run one after another in the folder, each in a shell of its own, and are compared", async () => {
    const where = workspace({ "a.txt": "one two three\n" });
    const started: number[] = [];
    const evidence = await gather(
      where,
      [
        "`wc -w < a.txt` -> prints 3",
        "`X=1; cd /; echo once > /dev/null` -> prints nothing",
        `\`echo "$X-$PWD"\` -> prints exactly \`-${where}\``,
        "`echo 4; echo 3 >&2` -> prints 3",
        "`printf '\\033[31mred\\033[0m\\r\\n'` -> matches /^red$/",
        "`exit 3` -> exits 3",
        "`exit 3` -> exits non-zero",
        "`exit 3`-> says that it is an error",
        "`exit 3` -> shows the list",
        "`echo a; exit 1` -> prints a",
        "`echo bad` -> does not print bad",
        "It is well written.",
        "Run `true`.",
      ],
      { onCommand: (number) => started.push(number) },
    );
    expect(evidence.items.map(({ outcome, why }) => [outcome, why])).toEqual([
      ["held", ""],
      ["held", ""],
      ["held", ""],
      ["failed", 'on standard error, not on standard output: prints "3"'],
      ["held", ""],
      ["held", ""],
      ["held", ""],
      ["ran", ""],
      ["failed", "exit code 3, not 0"],
      ["failed", "exit code 1, not 0"],
      ["failed", 'standard output is not as expected: does not print "bad"'],
      ["prose", ""],
      ["held", ""],
    ]);
    expect(started).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13]);
    expect(evidence.items.map(({ exitCode }) => exitCode).slice(9)).toEqual([1, 0, undefined, 0]);
    expect(evidence).toMatchObject({ round: 1, where, changed: [], isSandboxed: false });
    expect(evidence.before).toEqual(evidence.after);
  });

  it("are filed: the whole output of each, a record and a page, over what was there", async () => {
    const where = workspace();
    const parent = join(folder(), "run");
    mkdirSync(join(parent, "round-2"), { recursive: true });
    mkdirSync(join(parent, ".round-2-left"));
    writeFileSync(join(parent, "round-2", "evidence.json"), "forged");
    writeFileSync(join(parent, "round-2", "item-99.txt"), "forged");
    const evidence = await gather(where, ["`seq 1 5000` -> prints 4999", "Read it."], {
      folder: parent,
      round: 2,
      limits: { rerunBelowS: 60 },
    });
    expect(readdirSync(parent)).toEqual(["round-2"]);
    expect(readdirSync(join(parent, "round-2"))).toEqual(["evidence.json", "evidence.md", "item-01.txt"]);
    const [item, prose] = evidence.items;
    const text = readFileSync(item?.path ?? "", "utf8");
    expect(item?.path).toBe(join(evidence.folder, "item-01.txt"));
    expect(text).toMatch(/^\$ seq 1 5000\n1\n2\n[\s\S]*\n4999\n5000\n\n\[flower: exit code 0, after /);
    expect(item?.sha256).toBe(createHash("sha256").update(text).digest("hex"));
    expect(item?.tail.split("\n")).toHaveLength(20);
    expect(prose).toMatchObject({ path: undefined, exitCode: undefined, tail: "" });
    const record = JSON.parse(readFileSync(join(evidence.folder, "evidence.json"), "utf8"));
    expect(record).toMatchObject({
      version: 1,
      round: 2,
      where,
      items: [{ number: 1, outcome: "held" }, { number: 2 }],
    });
    expect(record.host.shell).toMatch(/\/(?:ba)?sh$/);
    expect(readFileSync(join(evidence.folder, "evidence.md"), "utf8")).toContain("1. held, exit 0");
  });

  it("get an environment without anything that is or leads to a credential", async () => {
    const where = workspace({
      "node_modules/.bin/node": "#!/bin/sh\necho shadow\n",
      "e.sh": "echo sourced\n",
    });
    const secrets = {
      ANTHROPIC_API_KEY: "secret-1",
      CLAUDE_CODE_OAUTH_TOKEN: "secret-2",
      FLOWER_PASS_ENV: "secret-3",
      AWS_SECRET_ACCESS_KEY: "secret-4",
      GITHUB_TOKEN: "secret-5",
      NPM_CONFIG__AUTH: "secret-6",
      SSH_AUTH_SOCK: "secret-7",
      HTTPS_PROXY: "http://user:secret-8@127.0.0.1:1",
      DATABASE_URL: "secret-9",
      BASH_ENV: join(where, "e.sh"),
      ENV: join(where, "e.sh"),
    };
    const evidence = await gather(
      where,
      ["`env` -> prints `PATH=`", "`node -p 1` -> prints exactly 1", "`cat` -> prints nothing"],
      {
        env: {
          ...secrets,
          PATH: `${where}/node_modules/.bin:.::${PATH}`,
          HOME: "/nonexistent",
          LANG: "pt_BR",
        },
      },
    );
    expect(outcomes(evidence)).toEqual(["held", "held", "held"]);
    const text = readFileSync(evidence.items[0]?.path ?? "", "utf8");
    expect(text).not.toMatch(/secret|sourced/);
    const names = text.match(/^\w+(?==)/gm)?.sort();
    expect(names).toEqual(["FLOWER_COMMAND", "HOME", "LANG", "LC_ALL", "PATH", "PWD", "SHLVL", "TERM", "_"]);
    expect(text).toContain("TERM=dumb");
  });
});

describe("time and output", () => {
  it("end a command that takes too long, with everything it started, and go on", async () => {
    const where = workspace();
    const evidence = await gather(
      where,
      [
        "`trap '' TERM; sleep 300 & echo $! > a; sh -c 'trap \"\" TERM; sleep 301' & echo $! > b; setsid sh -c 'echo $$ > c; sleep 302; :' & wait` -> exits 0",
        "`echo 3` -> prints 3",
      ],
      { limits: { commandS: 2 } },
    );
    expect(outcomes(evidence)).toEqual(["timed_out", "held"]);
    expect(evidence.items[0]?.why).toBe("still running after 2 s");
    expect(evidence.items[0]?.exitCode).toBeUndefined();
    expect(["a", "b", "c"].filter((name) => isRunning(where, name))).toEqual([]);
  });

  it("leave nothing running behind a command that ended by itself", async () => {
    const where = workspace();
    const item = await first(
      where,
      "`sleep 300 & echo $! > a; set -m; sleep 301 & echo $! > b; (setsid sleep 302 & echo $! > c); sleep 0.5; echo 3` -> prints 3",
    );
    expect(item).toMatchObject({ outcome: "held", exitCode: 0 });
    expect(["a", "b", "c"].filter((name) => isRunning(where, name))).toEqual([]);
  });

  it("find what went to the background of the system at once, wherever it works from then on", async () => {
    const where = workspace();
    const command =
      'node -e \'require("child_process").spawn("sleep", ["304"], {cwd: "/", detached: true, stdio: "ignore"}).unref()\'';
    await first(where, `\`${command}\` -> exits 0`);
    const left = spawnSync("ps", ["-eo", "args"], { encoding: "utf8", env: { PATH } });
    expect(left.stdout).not.toContain("sleep 304");
  });

  it("leave alone what somebody else sent to the background of the system meanwhile, in the same folder", async () => {
    const where = workspace();
    const gathering = first(where, "`echo > up; until test -e go; do sleep 0.05; done` -> exits 0");
    await vi.waitFor(() => expect(existsSync(join(where, "up"))).toBe(true), { timeout: 20_000 });
    const script =
      'const { spawn } = require("child_process"); const it = spawn("sleep", ["306"], { detached: true, stdio: "ignore" });' +
      "it.unref(); process.stdout.write(String(it.pid));";
    const away = spawnSync(process.execPath, ["-e", script], { cwd: where, encoding: "utf8", env: { PATH } });
    writeFileSync(join(where, "foreign"), away.stdout);
    onTestFinished(() => {
      if (readProcesses().some(({ pid }) => pid === Number(away.stdout))) process.kill(Number(away.stdout));
    });
    writeFileSync(join(where, "go"), "");
    expect((await gathering).outcome).toBe("held");
    expect(isRunning(where, "foreign")).toBe(true);
  });

  it("leave out what the round has no time for", async () => {
    const evidence = await gather(
      workspace(),
      ["`sleep 300` -> exits 0", "`echo 3` -> prints 3", "Read it."],
      { limits: { roundS: 0.5 } },
    );
    expect(outcomes(evidence)).toEqual(["timed_out", "not_run", "prose"]);
    expect(evidence.items[1]?.why).toContain("minutes for all commands");
    expect(evidence.items[1]?.path).toBeUndefined();
  });

  it("end a command that floods, and say so in its file", async () => {
    const bounds = { fileBytes: 100_000, compareBytes: 1000 };
    const evidence = await gather(workspace(), ["`yes` -> prints y", "`seq 1 2000` -> prints 1999"], {
      limits: { bounds },
    });
    expect(outcomes(evidence)).toEqual(["failed", "failed"]);
    expect(evidence.items[1]?.why).toBe('more output than is compared: prints "1999"');
    const [flood, long] = evidence.items.map(({ path }) => readFileSync(path ?? "", "utf8"));
    expect(flood?.length).toBeLessThan(bounds.fileBytes + 300);
    expect(flood).toContain("[cut here: more than 100000 bytes]");
    expect(long).toContain("\n2000\n");
  });

  it("end when flower is killed", async () => {
    const where = workspace();
    const child = spawn(process.execPath, [KILLED, where, join(folder(), "run")], {
      env: { PATH, HOME: where },
      stdio: "ignore",
    });
    await vi.waitFor(() => expect(isRunning(where, "a")).toBe(true), { timeout: 20_000 });
    child.kill("SIGKILL");
    const group = Number(readFileSync(join(where, "a"), "utf8"));
    onTestFinished(() => {
      if (readProcesses().some(({ pid }) => pid === group)) process.kill(-group, "SIGKILL");
    });
    await vi.waitFor(() => expect(isRunning(where, "a")).toBe(false), { timeout: 20_000 });
  });

  it("end with the run: nothing is left, neither a process nor half a folder", async () => {
    const where = workspace();
    const parent = join(folder(), "run");
    const stop = new AbortController();
    const gathering = gather(
      where,
      [
        "`trap 'echo bye > bye; exit' TERM; echo $$ > a; sleep 300 & wait` -> exits 0",
        "`echo > b` -> exits 0",
      ],
      {
        folder: parent,
        signal: stop.signal,
      },
    );
    const reason = new Error("enough");
    const timer = setInterval(() => {
      if (existsSync(join(where, "a")) && readFileSync(join(where, "a"), "utf8") !== "") stop.abort(reason);
    }, 10);
    await expect(gathering).rejects.toBe(reason);
    clearInterval(timer);
    expect(isRunning(where, "a")).toBe(false);
    expect(readFileSync(join(where, "bye"), "utf8")).toBe("bye\n");
    expect(existsSync(join(where, "b"))).toBe(false);
    expect(readdirSync(parent)).toEqual([]);
  });
});

describe("a second run", () => {
  const twice = { limits: { rerunBelowS: 60 } };

  it("finds what passes only the first time it is run", async () => {
    const where = workspace();
    const evidence = await gather(
      where,
      ["`test ! -e once && touch once && echo 3` -> prints 3", "`echo x >> n; exit $(wc -l < n)` -> fails"],
      twice,
    );
    expect(outcomes(evidence)).toEqual(["flaky", "flaky"]);
    const [once, counted] = evidence.items;
    expect(once).toMatchObject({ exitCode: 0, tail: "" });
    expect(once?.why).toMatch(/^run twice; at first as expected \(exit code 0\), then exit code 1, not 0/);
    expect(readFileSync(once?.secondPath ?? "", "utf8")).toContain("exit code 1");
    expect(counted?.why).toContain("exit code 1), then as expected (exit code 2)");
  });

  it("happens only where the first took little time, and leaves out what cannot be verified", async () => {
    const where = workspace();
    const checks = ["`echo x >> n` -> exits 0", "`no-such-program; echo x >> m` -> exits 0"];
    await gather(where, checks, twice);
    await gather(where, checks, { limits: { rerunBelowS: 0 } });
    expect(readFileSync(join(where, "n"), "utf8")).toBe("x\n".repeat(3));
    expect(readFileSync(join(where, "m"), "utf8")).toBe("x\n".repeat(2));
  });
});

describe("what cannot be told here", () => {
  it("is unverifiable, never held and never failed", async () => {
    const cases = [
      ["`no-such-program a` -> prints 3", "no-such-program is not installed here"],
      ["`echo 3 | no-such-program | wc -l` -> prints 0", "no-such-program is not installed here"],
      ["`env X=1 timeout 5 no-such-program` -> exits 0", "no-such-program is not installed here"],
      ["`/opt/no/such/program` -> exits 0", "/opt/no/such/program is not installed here"],
      ["`no-such-program || exit 1` -> exits 0", "no-such-program is not installed here"],
      ["`PATH=/usr/bin:/bin; no-such-program` -> exits 0", "no-such-program is not installed here"],
      ["`echo 'xterm: cannot open display: ' >&2; exit 1` -> exits 0", "it needs a display"],
      [
        "`echo 'curl: (6) Could not resolve host: example.com' >&2; exit 6` -> exits 0",
        "it needs the network (Could not resolve host: example.com)",
      ],
      ["`echo 3` -> prints 3 [cannot verify here: no phone]", "the goal says so"],
    ] as const;
    const { items } = await gather(
      workspace(),
      cases.map(([check]) => check),
    );
    expect(items.map(({ check, outcome, why }) => [check.text, outcome, why])).toEqual(
      cases.map(([check, why]) => [check, "unverifiable", why]),
    );
  });

  it("is no failure of the work: a file of it that is missing or cannot be executed, a server that is not up", async () => {
    const where = workspace({ plain: "echo 3\n" });
    writeFileSync(join(where, "foreign"), Buffer.from([0xcf, 0xfa, 0xed, 0xfe, 0x0c, 0, 0, 1, 0, 0, 0, 0]));
    chmodSync(join(where, "foreign"), 0o755);
    const checks = [
      "`./app` -> prints 3",
      "`bin/app` -> prints 3",
      `\`${where}/app\` -> prints 3`,
      "`node wc.mjs a.txt` -> prints 3",
      "`sh run.sh` -> exits 0",
      "`./plain` -> prints 3",
      "`./foreign` -> prints 3",
      "`cat /no/such/file` -> prints 3",
      "`echo 'connect ECONNREFUSED 127.0.0.1:3000' >&2; exit 1` -> exits 0",
      "`echo 'getaddrinfo ENOTFOUND x'; exit 1` -> exits 0",
      "`echo 'getaddrinfo ENOTFOUND x' >&2; seq 1 50 >&2; exit 1` -> exits 0",
    ];
    const { items } = await gather(where, checks);
    expect(items.map(({ check, outcome }) => [check.text, outcome])).toEqual(
      checks.map((check) => [check, "failed"]),
    );
  });

  it("holds where the line itself has an answer to a missing program", async () => {
    const item = await first(workspace(), "`no-such-program 2>/dev/null || echo none` -> prints none");
    expect(item.outcome).toBe("held");
  });
});

describe("a path that is to be created", () => {
  it("counts only when the command made it, and what it did not make stays as it was", async () => {
    const where = workspace({
      "old.txt": "old\n",
      "up.txt": "up\n",
      "dir/a.txt": "a\n",
      "made/a.txt": "a\n",
      Makefile: "up.txt:\n\techo new > up.txt\n",
    });
    const evidence = await gather(where, [
      "`true` -> creates `old.txt`",
      "`true` -> creates `none.txt`",
      "`make up.txt` -> creates `up.txt`",
      "`echo b > b.txt` -> creates b.txt and prints nothing",
      "`true` -> creates `dir/`",
      "`echo b > dir/b.txt` -> creates `dir/`",
      "`true` -> creates `old.txt` and creates `./old.txt`",
      "`true` -> creates `made` and creates `made/a.txt`",
    ]);
    const late = await first(where, "`sleep 300` -> creates `old.txt`", { limits: { commandS: 0.1 } });
    expect(evidence.items.map(({ outcome, why }) => `${outcome}: ${why}`)).toEqual([
      "failed: old.txt was there before, and the command did not write it",
      "failed: none.txt is not there",
      "held: ",
      "held: ",
      "failed: dir/ was there before, and the command did not write it",
      "held: ",
      "failed: old.txt was there before, and the command did not write it; ./old.txt was there before, and the command did not write it",
      "failed: made was there before, and the command did not write it; made/a.txt was there before, and the command did not write it",
    ]);
    expect(late.outcome).toBe("timed_out");
    expect(readFileSync(join(where, "old.txt"), "utf8")).toBe("old\n");
    expect(readFileSync(join(where, "up.txt"), "utf8")).toBe("new\n");
    expect(readdirSync(where).sort()).toEqual(["Makefile", "b.txt", "dir", "made", "old.txt", "up.txt"]);
  });

  it("holds a second time, and for a tool that rebuilds nothing that is up to date", async () => {
    const where = workspace({ Makefile: "up.txt:\n\techo new > up.txt\n" });
    const more = { limits: { rerunBelowS: 60 } };
    for (let round = 0; round < 2; round += 1) {
      expect((await first(where, "`make` -> creates `up.txt`", more)).outcome).toBe("held");
    }
  });

  it("is put back when flower was killed while it was aside", async () => {
    const where = workspace({ ".a.txt.flower-aside": "mine\n" });
    expect((await first(where, "`true` -> creates `a.txt`")).outcome).toBe("failed");
    expect(readFileSync(join(where, "a.txt"), "utf8")).toBe("mine\n");
    expect(readdirSync(where)).toEqual(["a.txt"]);
  });

  it("is never moved outside the folder", async () => {
    const where = workspace();
    const other = workspace({ "a.txt": "a\n" });
    const check = `\`ls ${other}\` -> prints a.txt and creates \`${other}/a.txt\``;
    expect((await first(where, check)).why).toBe(
      `${other}/a.txt was there before, and the command did not write it`,
    );
  });
});

describe("the tree", () => {
  const ENV = { PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };

  function repository(): string {
    const where = workspace({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" });
    for (const args of [
      ["init", "-q"],
      ["add", "-A"],
      ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-q", "-m", "start"],
    ]) {
      expect(spawnSync("git", args, { cwd: where, env: ENV }).status).toBe(0);
    }
    return where;
  }

  it("is looked at before and after, and tracked files that a command changed are named", async () => {
    const where = repository();
    writeFileSync(join(where, "b.txt"), "changed before\n");
    const evidence = await gather(where, [
      "`echo x >> a.txt; git add -A; rm c.txt; echo n > n.txt` -> exits 0",
    ]);
    expect(evidence.items[0]?.outcome).toBe("held");
    expect(evidence.changed).toEqual(["a.txt", "c.txt"]);
    expect(evidence.before.kind).toBe("seen");
    expect(evidence.after).not.toEqual(evidence.before);
  });

  it("names no file where a command takes the repository itself away", async () => {
    expect((await gather(repository(), ["`rm -rf .git` -> exits 0"])).changed).toEqual([]);
  });

  it("is the same behind commands that only look", async () => {
    const evidence = await gather(repository(), ["`cat a.txt` -> prints a", "`git status` -> exits 0"]);
    expect(evidence.changed).toEqual([]);
    expect(evidence.after).toEqual(evidence.before);
  });
});

describe("a sandbox", () => {
  it("is refused with a reason where there is no bubblewrap, before anything runs", async () => {
    const where = workspace();
    const bin = folder();
    const parent = join(folder(), "run");
    const env = { PATH: bin, HOME: where };
    const asked = { env, isSandboxed: true, folder: parent };
    await expect(gather(where, ["`echo > ran` -> exits 0"], asked)).rejects.toMatchObject({
      code: "sandbox_unavailable",
      message: expect.stringContaining("not installed"),
    });
    writeFileSync(join(bin, "bwrap"), "#!/bin/sh\necho 'bwrap: No permissions' >&2\nexit 1\n", {
      mode: 0o755,
    });
    await expect(gather(where, ["`echo > ran` -> exits 0"], asked)).rejects.toMatchObject({
      code: "sandbox_unavailable",
      message: expect.stringContaining("No permissions"),
    });
    expect(readdirSync(where)).toEqual([]);
    expect(readdirSync(parent)).toEqual([]);
  });

  it("is asked for no network, a system that can only be read and the folder to write in", async () => {
    const where = workspace();
    const bin = workspace({
      bwrap:
        '#!/bin/sh\nfor word; do [ "$word" = -- ] && break; echo "$word"; done > "$HOME/asked"\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n',
    });
    const home = folder();
    const item = await first(where, '`echo "$TMPDIR"` -> prints exactly /tmp', {
      env: { PATH: `${bin}:${PATH}`, HOME: home, TMPDIR: "/elsewhere" },
      isSandboxed: true,
    });
    expect(item.outcome).toBe("held");
    const asked = readFileSync(join(home, "asked"), "utf8");
    expect(asked).toContain("--ro-bind\n/\n/\n");
    expect(asked).toContain(`--bind\n${where}\n${where}\n`);
    for (const flag of ["--unshare-all", "--die-with-parent", "--new-session"]) expect(asked).toContain(flag);
    expect(asked).not.toContain("--share-net");
  });
});

it("the bounds are those the documents name", () => {
  expect(EVIDENCE_LIMITS).toMatchObject({ commandS: 120, roundS: 600, rerunBelowS: 60 });
});
