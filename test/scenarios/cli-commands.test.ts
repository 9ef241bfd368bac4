import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { always, httpError, text } from "../../src/testing/index.ts";
import { cliStage, MAIN, startFlower } from "./cli-stage.ts";
import { filesBelow, temporaryFolder } from "./stage.ts";

describe("flower once", () => {
  it("runs one agent, prints what it says and the total, and goes on with its session", async () => {
    const play = await cliStage({ main: [text("Forty-two."), text("Second.")] });
    const end = await play.flower(["once", "what", "is", "it", "-i", "Be brief."]);
    expect(end).toMatchObject({ code: 0, stderr: "" });
    expect(end.stdout).toMatch(/Forty-two\.\n- context 100 · \$0\.0008 · 0:\d\d\ntotal /);
    expect(JSON.stringify(play.api.requests.find((r) => r.role === "main")?.body)).toContain("Be brief.");
    expect(play.manifest()).toMatchObject([{ step: "once", ok: true }]);
    const session = play.manifest()[0]?.session_id ?? "";
    expect(await play.flower(["once", "two", "--resume", session])).toMatchObject({ code: 0 });
    expect(JSON.stringify(play.api.requests.at(-1)?.body)).toContain("Forty-two.");
  });

  it("loses no row when three run at the same time", async () => {
    const play = await cliStage({ main: [always(text("Done."))] });
    const ends = await Promise.all(["a", "b", "c"].map((word) => play.flower(["once", word, "please"])));
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(new Set(play.manifest().map((row) => row.run)).size).toBe(3);
  });

  it("says what stopped it and what to do next, on standard error and in the summary", async () => {
    const play = await cliStage({ main: [always(httpError(404, { message: "no such model" }))] });
    const end = await play.flower(["--json", "once", "hello"]);
    expect(end.code).toBe(1);
    expect(end.stderr).toMatch(/^x stopped: .*\n {2}next: /);
    const last = JSON.parse(end.stdout.trimEnd().split("\n").at(-1) ?? "");
    expect(last.payload).toMatchObject({ notice: "summary", exit: 1 });
  });

  it("is a usage error without a prompt", async () => {
    const play = await cliStage({});
    expect(await play.flower(["once"])).toMatchObject({ code: 2, stdout: "" });
  });
});

describe("flower run", () => {
  const step = (name: string, more = "") =>
    `new Step("${name}", new AgentSpec({ name: "a", instructions: "" }), "Say hello."${more})`;
  /** A step that needs no agent: what is tested is how its workflow is found. */
  const skipped = (name: string) => step(name, ", { when: () => false }");
  const head = 'import { AgentSpec, HumanChannel, Step, Workflow } from "flower-agent";\n';
  const files: Record<string, string> = {
    "flow.ts": `${head}import { text } from "flower-agent/testing";
type Input = { ask: string; workspace: string; runDir: string; channel: HumanChannel; flags: { asks?: number } };
export const greet = async ({ ask, workspace, runDir, channel, flags }: Input): Promise<Workflow> => {
  if (!(channel instanceof HumanChannel) || text("x").kind !== "text") throw new Error("another flower-agent");
  const words = [ask, runDir.startsWith(workspace), channel.remaining, flags.asks].join(" ");
  return new Workflow([new Step("greet", new AgentSpec({ name: "a", instructions: "" }), words)], { channel });
};
export const nothing = 3;
export const throwing = () => { throw new Error("my own fault"); };
export default new Workflow([${skipped("only")}]);\n`,
    "twice.mjs": `${head}export default () => new Workflow([${step("x")}, ${step("x")}]);\n`,
    "broken.ts": "export const = 1;\n",
    "plain.js": `${head}export default new Workflow([${skipped("only")}]);\n`,
  };

  async function stage() {
    const play = await cliStage({ main: [always(text("Hello."))] });
    for (const [name, content] of Object.entries(files)) writeFileSync(join(play.workspace, name), content);
    return play;
  }

  it("calls an async function of a TypeScript file with the ask, the folders, the channel and the flags", async () => {
    const play = await stage();
    const end = await play.flower(["run", "flow.ts:greet", "--asks", "2", "good", "morning"]);
    expect(end).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.stringify(play.api.requests.find((r) => r.role === "main")?.body)).toContain(
      "good morning true 2 2",
    );
    expect(play.manifest()).toMatchObject([{ step: "greet", ok: true }]);
  });

  it("takes the default export of a file, and finds a package from the folder it is started in", async () => {
    const play = await stage();
    const home = join(play.workspace, "node_modules", "my-flows");
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "package.json"), '{"name":"my-flows","type":"module","exports":"./index.mjs"}');
    writeFileSync(
      join(home, "index.mjs"),
      `${head}export const nightly = new Workflow([${skipped("only")}]);\n`,
    );
    for (const target of ["flow.ts", "./plain.js", "my-flows:nightly"]) {
      const end = await play.flower(["run", target]);
      expect(end).toMatchObject({ code: 0, stderr: "" });
      expect(end.stdout).toContain(". only skipped");
    }
  });

  it.each([
    ["gone.ts", 1, /gone\.ts does not exist/],
    ["flow.ts:gret", 1, /no export "gret"[\s\S]*did you mean "greet"/],
    ["flow.ts:nothing", 1, /a number, not a Workflow/],
    ["flow.ts:throwing", 1, /my own fault/],
    ["twice.mjs", 1, /two steps are called "x"/],
    ["broken.ts", 1, /broken\.ts cannot be loaded/],
    ["no-such-package:x", 1, /cannot be loaded/],
  ])("explains %s", async (target, code, words) => {
    const play = await stage();
    const end = await play.flower(["run", target]);
    expect(end.code).toBe(code);
    expect(end.stderr).toMatch(words);
    expect(end.stderr).not.toMatch(/\n\s+at /);
    expect(play.api.requests).toEqual([]);
  });

  it("refuses flags that the workflow gives no meaning to", async () => {
    const play = await stage();
    expect(await play.flower(["run", "plain.js", "--asks", "2"])).toMatchObject({ code: 2 });
    expect(await play.flower(["run", "plain.js", "--rounds", "2"])).toMatchObject({ code: 2 });
  });
});

describe("flower status", () => {
  it("writes not one byte, in an empty folder, after a run, and for a folder that is not there", async () => {
    const play = await cliStage({ main: [text("Hi.")] });
    expect((await play.flower(["status"])).stdout).toContain("nothing has run here yet");
    expect(readdirSync(play.workspace)).toEqual([]);
    await play.flower(["once", "hello"]);
    const before = [...filesBelow(play.workspace)];
    const end = await play.flower(["status"]);
    expect(end.stdout).toMatch(/ {4}\+ [\d: -]{16} · \d:\d\d · \$0\.0008 · done · [0-9a-f]{6} · once\n/);
    expect([...filesBelow(play.workspace)]).toEqual(before);
    expect(await play.flower(["status", "-w", "gone"])).toMatchObject({ code: 0 });
    expect(existsSync(join(play.workspace, "gone"))).toBe(false);
    expect(JSON.parse((await play.flower(["status", "--json"])).stdout)).toMatchObject({
      runs: [{ steps: ["once"], ok: true }],
      questions: [],
      worktrees: [],
      wake: { waking: false },
    });
  });
});

describe("flower demo", () => {
  it("shows everything without key or network, in the language asked for", async () => {
    const home = temporaryFolder("flower-home-");
    const tmp = temporaryFolder("flower-tmp-");
    const hostile = {
      FLOWER_ENV: "/gone",
      ANTHROPIC_MODEL: "x",
      HTTPS_PROXY: "http://127.0.0.1:9",
      CLAUDE_CODE_USE_BEDROCK: "1",
    };
    const env = { PATH: process.env.PATH ?? "", HOME: home, TMPDIR: tmp, ...hostile };
    const started = startFlower(["demo", "--lang", "pt"], { cwd: home, env });
    started.child.stdin.end();
    const end = await started.ended;
    expect(end).toMatchObject({ code: 0, stderr: "" });
    expect(end.stdout).toContain("executor");
    expect(end.stdout).toMatch(/\$ node count-words\.mjs tricky\.txt\n {2}5\n/);
    const left = join(tmp, readdirSync(tmp).find((name) => name.startsWith("flower-demo-")) ?? "", "project");
    expect(readFileSync(join(left, ".flower/notes/brief.md"), "utf8")).toContain("count-words.mjs");
    expect(JSON.parse(readFileSync(join(left, "runs/manifest.json"), "utf8"))).toHaveLength(6);
    expect(end.stdout.trimEnd().split("\n").at(-1)).toContain(join(left, "runs/manifest.json"));
    expect(readdirSync(home)).toEqual([]);
  });
});

describe("what help and version load", () => {
  it("is nothing but the option parser", () => {
    const root = temporaryFolder("flower-bare-");
    mkdirSync(join(root, "node_modules"));
    const built = dirname(dirname(dirname(MAIN)));
    cpSync(join(built, "dist"), join(root, "dist"), { recursive: true });
    cpSync(join(built, "package.json"), join(root, "package.json"));
    symlinkSync(join(built, "node_modules", "commander"), join(root, "node_modules", "commander"));
    for (const args of [["--version"], ["--help"], ["once", "--help"], ["help", "once"]]) {
      const done = spawnSync(process.execPath, [join(root, "dist/cli/main.js"), ...args], {
        encoding: "utf8",
      });
      expect(done).toMatchObject({ status: 0, stderr: "" });
      expect(done.stdout).not.toBe("");
    }
  });
});
