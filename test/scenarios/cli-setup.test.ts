import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMAND_NAMES } from "../../src/cli/args/commands.ts";
import { text } from "../../src/testing/index.ts";
import { caseOf } from "../config/cases.ts";
import { type CliStage, cliStage, startFlower } from "./cli-stage.ts";
import { sitDown } from "./pty-stage.ts";
import { atEnd, temporaryFolder } from "./stage.ts";

const KEY = "sk-ant-api03-STORED-SECRET";
/** The stage's own credential would go before every file: a blank value claims nothing. */
const BLANK = { ANTHROPIC_API_KEY: "", ANTHROPIC_BASE_URL: "" };

function fileOf({ home }: Pick<CliStage, "home">): string {
  return join(home, ".config", "flower", ".env");
}

function store(play: CliStage, content: string): void {
  mkdirSync(dirname(fileOf(play)), { recursive: true });
  writeFileSync(fileOf(play), content);
}

describe("flower setup without a terminal", () => {
  it("tests what it is given, stores it for the person alone, and a run uses key, address and model from there", async () => {
    const play = await cliStage({ main: [text("Hi.")] }, { expectKey: KEY, extra: BLANK });
    store(play, "# mine\nFOO=1\nANTHROPIC_AUTH_TOKEN=stale\n");
    const args = ["setup", "--url", play.api.url, "--model", "claude-sonnet-4-5"];
    const end = await play.flower(args, `${KEY}\n`);
    expect(end).toMatchObject({ code: 0, stderr: "" });
    expect(end.stdout).toContain("+ it works: claude-sonnet-4-5 answered");
    expect(end.stdout).toContain("+ ANTHROPIC_API_KEY sk-a… saved to ~/.config/flower/.env");
    expect(end.stdout).not.toContain("SECRET");
    expect(readFileSync(fileOf(play), "utf8")).toBe(
      `# mine\nFOO=1\nANTHROPIC_API_KEY=${KEY}\nANTHROPIC_BASE_URL=${play.api.url}\nANTHROPIC_MODEL=claude-sonnet-4-5\n`,
    );
    expect(statSync(fileOf(play)).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(fileOf(play)))).toEqual([".env"]);

    expect((await play.flower(["once", "hello"])).code).toBe(0);
    expect(play.api.requests.at(-1)).toMatchObject({ role: "main", body: { model: "claude-sonnet-4-5" } });
  });

  it("stores nothing that is known not to work, and says what to do", async () => {
    const play = await cliStage({}, { expectKey: KEY, extra: BLANK });
    store(play, `ANTHROPIC_API_KEY=${KEY}\n`);
    const end = await play.flower(["setup", "--url", play.api.url], "sk-ant-api03-WRONG-SECRET\n");
    expect(end.code).toBe(1);
    expect(end.stderr).toMatch(/^x .* refused the credential \(HTTP 401/m);
    expect(end.stderr).toMatch(/^ {2}next: copy it again/m);
    expect(end.stderr).toContain("x nothing was saved");
    expect(end.stdout + end.stderr).not.toContain("SECRET");
    expect(readFileSync(fileOf(play), "utf8")).toBe(`ANTHROPIC_API_KEY=${KEY}\n`);
    // Where there is no network yet, it is stored untested.
    const offline = await play.flower(["setup", "--offline", "--json"], "sk-ant-api03-WRONG-SECRET\n");
    expect(JSON.parse(offline.stdout)).toEqual({ saved: fileOf(play), test: null, exit: 0 });
    expect(readFileSync(fileOf(play), "utf8")).toContain("WRONG");
  });

  it("sets up a server that needs no token by its address and model alone", async () => {
    // A server that speaks the Messages API, needs no token and knows one model.
    const seen: string[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += chunk));
      request.on("end", () => {
        const { model } = JSON.parse(body);
        seen.push(`${request.method} ${request.url} ${model}`);
        if (model === "qwen3") return void response.end('{"type":"message","content":[]}');
        const message = `model '${model}' not found`;
        response
          .writeHead(404)
          .end(JSON.stringify({ type: "error", error: { type: "not_found_error", message } }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    atEnd(() => new Promise<void>((resolve) => void server.close(() => resolve())));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const play = await cliStage({}, { extra: BLANK });
    const missing = await play.flower(["setup", "--kind", "local", "--url", url, "--model", "llama9"]);
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain("next: name a model that it has with `flower setup`");
    expect(missing.stderr).toContain("ollama pull llama9");
    expect(existsSync(fileOf(play))).toBe(false);
    expect(
      (await play.flower(["setup", "--kind", "local", "--url", `${url}/v1`, "--model", "qwen3"])).code,
    ).toBe(0);
    expect(seen).toEqual(["POST /v1/messages llama9", "POST /v1/messages qwen3"]);
    const check = await play.flower(["setup", "--check"]);
    expect(check).toMatchObject({ code: 0, stderr: "" });
    expect(check.stdout).toMatch(/ANTHROPIC_DEFAULT_HAIKU_MODEL +qwen3 +~\/\.config\/flower\/\.env/);
  });

  it("says how to give what is missing, and writes nothing", async () => {
    const play = await cliStage({});
    for (const [args, input, words] of [
      [[], "", "x the key or token: nothing was given"],
      [[], "1\n", "x the kind: cannot tell what it is"],
      [["--kind", "token"], "t0ken\n", "x the address: nothing was given"],
    ] as const) {
      const end = await play.flower(["setup", ...args], input);
      expect(end).toMatchObject({ code: 1, stdout: "" });
      expect(end.stderr).toContain(words);
      expect(end.stderr).toContain(`or write ${fileOf(play)} yourself`);
    }
    expect(readdirSync(play.home)).toEqual([]);
  });
});

describe("flower setup at a terminal", () => {
  it("asks, hides the secret, takes a slip, tests, and stores once it works", async () => {
    const play = await cliStage({}, { expectKey: KEY });
    const sitting = sitDown(play, ["setup"], { columns: 110, extra: BLANK });
    await sitting.shown("A login of Claude Code on this machine is not read. `claude setup-token`");
    await sitting.shown("4. a server on this machine");
    await sitting.shown("[1]");
    sitting.type("7\r");
    await sitting.shown("x type a number from 1 to 4");
    sitting.type("3\r");
    await sitting.shown("Paste it (it is not shown):");
    sitting.type("sk-ant-api03-TYPED-WRONG\r");
    await sitting.shown("! this is an API key (sk-ant-api…); it is stored as ANTHROPIC_API_KEY");
    await sitting.shown("Address [https://api.anthropic.com]");
    sitting.type("127.0.0.1\r");
    await sitting.shown("x write it with https://");
    sitting.type(`${play.api.url}\r`);
    await sitting.shown("Model, Enter for the harness's own choice");
    sitting.type("\r");
    await sitting.shown("refused the credential (HTTP 401");
    await sitting.shown("It does not work. Save it all the same? [y/n]");
    sitting.type("n\r");
    await sitting.shown("x nothing was saved");
    await sitting.shown("Set up again? [y/n]");
    sitting.type("y\r");
    await sitting.shown(/\[1\][\s\S]*\[1\][\s\S]*\[1\]/);
    sitting.type("\r");
    await sitting.shown(/not shown\):[\s\S]*not shown\):/);
    sitting.type(`\u001b[200~${KEY}\u001b[201~\r`);
    await sitting.shown(/Address \[[\s\S]*Address \[[\s\S]*Address \[/);
    sitting.type(`${play.api.url}\r`);
    await sitting.shown(/own choice[\s\S]*own choice/);
    sitting.type("claude-haiku-4-5\r");
    await sitting.shown("+ it works: claude-haiku-4-5 answered");
    await sitting.shown("+ ANTHROPIC_API_KEY sk-a… saved to ~/.config/flower/.env");
    expect(await sitting.ended).toBe(0);
    expect(sitting.screen.all.join("\n")).not.toMatch(/TYPED|SECRET/);
    expect(readFileSync(fileOf(play), "utf8")).toBe(
      `ANTHROPIC_API_KEY=${KEY}\nANTHROPIC_BASE_URL=${play.api.url}\nANTHROPIC_MODEL=claude-haiku-4-5\n`,
    );

    // Enter keeps everything, the secret too; the environment goes before the file, and it says so.
    const again = sitDown(play, ["setup", "--lang", "pt"], { columns: 110 });
    await again.shown("[1]");
    again.type("\r");
    await again.shown("ou Enter para o guardado [sk-a…]");
    again.type("\r");
    await again.shown(`Endereço [${play.api.url}]`);
    again.type("\r");
    await again.shown("[claude-haiku-4-5]");
    again.type("-\r");
    await again.shown("! ANTHROPIC_API_KEY de variáveis de ambiente vale antes deste arquivo");
    expect(await again.ended).toBe(0);
    expect(readFileSync(fileOf(play), "utf8")).toBe(
      `ANTHROPIC_API_KEY=${KEY}\nANTHROPIC_BASE_URL=${play.api.url}\n`,
    );
  });

  it("leaves everything as it was when the person leaves", async () => {
    const play = await cliStage({});
    const sitting = sitDown(play, ["setup"], { extra: BLANK });
    await sitting.shown("[1]");
    sitting.type("\r");
    await sitting.shown("not shown):");
    sitting.type("sk-ant\u0003");
    await sitting.shown("nothing is changed");
    expect(await sitting.ended).toBe(1);
    expect(readdirSync(play.home)).toEqual([]);
  });
});

describe("flower setup --check", () => {
  it("shows what holds and whence, tests every model the roles ask for, and is 1 when something is wrong", async () => {
    const play = await cliStage({}, { expectKey: KEY, extra: BLANK });
    store(play, `ANTHROPIC_API_KEY=${KEY}\nANTHROPIC_BASE_URL=${play.api.url}\n`);
    const own = join(dirname(fileOf(play)), "flower.config.json");
    writeFileSync(own, '{"rounds": 5, "model": "claude-haiku-4-5", "models": {"judge": "claude-opus-4-5"}}');
    const end = await play.flower(["setup", "--check"]);
    expect(end).toMatchObject({ code: 0, stderr: "" });
    expect(end.stdout).toMatch(/ANTHROPIC_API_KEY +sk-a… +~\/\.config\/flower\/\.env/);
    expect(end.stdout).toMatch(/rounds +5 +~\/\.config\/flower\/flower\.config\.json/);
    expect(end.stdout).toMatch(
      /\+ it works: claude-haiku-4-5 answered\n\+ it works: claude-opus-4-5 answered/,
    );
    expect(end.stdout).not.toContain("SECRET");
    writeFileSync(join(play.workspace, "flower.config.json"), "{ rounds: 5 }");
    const wrong = await play.flower(["setup", "--check", "--offline", "--json"]);
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toMatch(
      /^x .*flower\.config\.json: line 1, column 3: names and texts stand in double/m,
    );
    expect(JSON.parse(wrong.stdout)).toMatchObject({
      files: [{ status: "wrong" }, { status: "read" }],
      problems: [{ message: expect.stringContaining("line 1, column 3") }],
      tests: [],
      exit: 1,
    });
    expect(play.api.requests).toHaveLength(2);
  });

  it("refuses a project's address for the person's key, as a run does", async () => {
    const play = await cliStage({}, { extra: BLANK });
    store(play, `ANTHROPIC_API_KEY=${KEY}\n`);
    writeFileSync(join(play.workspace, ".env"), `ANTHROPIC_BASE_URL=${play.api.url}\n`);
    const end = await play.flower(["setup", "--check"]);
    expect(end.code).toBe(1);
    expect(end.stderr).toContain("that file may not decide where it is sent");
    expect(play.api.requests).toEqual([]);
  });
});

describe("no credential at all", () => {
  it("ends at once, names every place that was asked, and only commands that there are (D-env-10)", async () => {
    const { expected } = caseOf("D-env-10");
    const cwd = temporaryFolder("flower-cli-");
    const started = startFlower(["make", "it"], { cwd, env: { PATH: process.env.PATH ?? "", HOME: cwd } });
    // Standard input stays open and silent: nothing is waited for.
    const end = await started.ended;
    expect(end.code).toBe(expected.exitCode);
    for (const place of [
      "process environment",
      "~/.env",
      "~/.config/flower/.env",
      "~/.claude/settings.json",
    ]) {
      expect(end.stderr).toContain(place);
    }
    const named = [...end.stderr.matchAll(/`flower (\w+)/g)].map((match) => match[1]);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !COMMAND_NAMES.some((known) => known === name))).toEqual([]);
  });
});
