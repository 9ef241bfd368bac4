// A stage for one story: a throw-away workspace, the scripted API, and a Runtime that reaches nothing else.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";
import { sleep } from "../../src/core/clock.ts";
import { isAlive, processStart } from "../../src/core/processes.ts";
import type { Event } from "../../src/events/event.ts";
import { Runtime } from "../../src/runtime/runtime.ts";
import type { RuntimeOptions } from "../../src/runtime/runtime-options.ts";
import type { ManifestRow } from "../../src/runtime/step-result.ts";
import {
  DUMMY_KEY,
  type Script,
  ScriptedApi,
  type ScriptedApiOptions,
  scriptedEnv,
} from "../../src/testing/index.ts";
import type { Ctx } from "../../src/workflow/context.ts";
import { type StarterFlowOptions, starterFlow } from "../../src/workflow/starter-flow.ts";

const closing: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Run at the end of the test, last first. */
export function atEnd(close: () => Promise<void> | void): void {
  closing.push(close);
}

/** A throw-away folder, as a real path. */
export function temporaryFolder(prefix: string, base = tmpdir()): string {
  const path = realpathSync(mkdtempSync(join(base, prefix)));
  // A harness that is just leaving may write a last line while its folder is being removed.
  atEnd(() => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return path;
}

/** Every file below a folder, with its text. */
export function filesBelow(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    files.map((e) => [join(e.parentPath, e.name), readFileSync(join(e.parentPath, e.name), "latin1")]),
  );
}

/** Run git in a folder and return what it printed. */
export function git(folder: string, ...args: string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "commit.gpgsign=false"];
  const done = spawnSync("git", [...identity, ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: process.env.HOME, GIT_CONFIG_NOSYSTEM: "1" },
  });
  if (done.status !== 0) throw new Error(`git ${args.join(" ")}: ${done.stderr}`);
  return done.stdout;
}

/** Make a folder a repository with one commit of the given files. */
export function repository(
  folder: string,
  files: Record<string, string> = { "README.md": "# work\n" },
): void {
  git(folder, "init", "-q", "-b", "main");
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  git(folder, "add", "-A");
  git(folder, "commit", "-q", "-m", "start");
}

/** Wait until a file is there. */
export async function fileAppears(path: string): Promise<void> {
  const folder = watch(dirname(path));
  try {
    await new Promise<void>((resolve, reject) => {
      folder.on("change", () => existsSync(path) && resolve());
      folder.on("error", reject);
      if (existsSync(path)) resolve();
    });
  } finally {
    folder.close();
  }
}

/** A process of its own and how it ended. */
export interface Child {
  readonly process: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>;
}

/** Start a script of `children/` on an API, with a complete environment of its own; killed when the test ends. */
export function startChild(script: string, args: readonly string[], api: ScriptedApi): Child {
  const env = scriptedEnv({
    home: temporaryFolder("flower-home-"),
    apiUrl: api.url,
    path: process.env.PATH ?? "",
  });
  const path = fileURLToPath(new URL(`children/${script}`, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let err = "";
  child.stdout.on("data", (part) => {
    out += part;
  });
  child.stderr.on("data", (part) => {
    err += part;
  });
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, out, err }));
  });
  atEnd(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return { process: child, ended };
}

/** Processes that a process has started and that still run. */
export function childrenOf(pid: number | undefined): number[] {
  const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return listed.split(" ").filter(Boolean).map(Number);
}

/** Wait until none of these processes runs any more. @returns those that still did after `patienceMs`. */
export async function allGone(pids: readonly number[], patienceMs = 20_000): Promise<number[]> {
  const marks = pids.map((pid) => ({ pid, start: processStart(pid) }));
  const until = Date.now() + patienceMs;
  const left = () => marks.filter(isAlive).map((mark) => mark.pid);
  while (left().length > 0 && Date.now() < until) await sleep(50);
  return left();
}

/** One story's props. */
export interface Stage {
  readonly workspace: string;
  readonly runDir: string;
  readonly api: ScriptedApi;
  readonly events: Event[];
  runtime(options?: Partial<RuntimeOptions>): Runtime;
  /** Run the three-step flow as the command does and close its Runtime. */
  flow(ask: string, options?: StarterFlowOptions): Promise<{ ctx: Ctx; runtime: Runtime }>;
  manifest(): ManifestRow[];
  lineage(): { woke: number; steps: Record<string, string> };
}

/** Set the stage; the script may be a function of the workspace's path. */
export async function stage(
  script: Script | ((workspace: string) => Script),
  options: Partial<ScriptedApiOptions> & { readonly workspace?: string } = {},
): Promise<Stage> {
  const { workspace = temporaryFolder("flower-ws-"), ...apiOptions } = options;
  const api = await ScriptedApi.start({
    script: typeof script === "function" ? script(workspace) : script,
    ...apiOptions,
  });
  atEnd(() => api.close());
  const events: Event[] = [];
  const runDir = join(workspace, "runs");
  const runtime = (more: Partial<RuntimeOptions> = {}) => {
    const made = new Runtime({
      workspace,
      env: { ANTHROPIC_API_KEY: DUMMY_KEY, ANTHROPIC_BASE_URL: api.url },
      ...more,
    });
    made.listen((event) => events.push(event));
    atEnd(() => made.close());
    return made;
  };
  const read = (name: string) => JSON.parse(readFileSync(join(runDir, name), "utf8"));
  return {
    workspace,
    runDir,
    api,
    events,
    runtime,
    async flow(ask, flowOptions = {}) {
      const flow = starterFlow(ask, { workspace, timeoutS: 0, ...flowOptions });
      const made = runtime(flow.workbench === undefined ? {} : { workbench: flow.workbench });
      const ctx = await flow.run(made);
      await made.close();
      return { ctx, runtime: made };
    },
    manifest: () => read("manifest.json"),
    lineage: () => read("lineage.json"),
  };
}
