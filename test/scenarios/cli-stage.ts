// The command as a person starts it: a process of its own, an environment of its own, a scripted API.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ManifestRow } from "../../src/runtime/step-result.ts";
import { type Script, ScriptedApi, type ScriptedApiOptions, scriptedEnv } from "../../src/testing/index.ts";
import { atEnd, temporaryFolder } from "./stage.ts";

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** The built command; another build can be named where `dist/` is being rewritten. */
export const MAIN = process.env.TEST_CLI_MAIN ?? join(ROOT, "dist", "cli", "main.js");

/** What a process of the command printed and how it ended. */
interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of the command. */
export interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  /** Resolves once the text stands on one of its outputs; rejects when it ends before. */
  shown(text: string | RegExp): Promise<void>;
}

/** Start the command; its standard input stays open until it is ended. */
export function startFlower(
  args: readonly string[],
  settings: { readonly cwd: string; readonly env: Record<string, string> },
): Started {
  const child = spawn(process.execPath, [MAIN, ...args], settings);
  let stdout = "";
  let stderr = "";
  const watchers = new Set<() => void>();
  const take = (which: "out" | "err") => (chunk: string) => {
    if (which === "out") stdout += chunk;
    else stderr += chunk;
    for (const watch of watchers) watch();
  };
  child.stdout.setEncoding("utf8").on("data", take("out"));
  child.stderr.setEncoding("utf8").on("data", take("err"));
  child.stdin.on("error", () => {});
  const ended = new Promise<Ended>((resolve) => {
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
  atEnd(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
  });
  const has = (text: string | RegExp) =>
    typeof text === "string" ? `${stdout}${stderr}`.includes(text) : text.test(`${stdout}${stderr}`);
  return {
    child,
    ended,
    shown: (text) =>
      new Promise((resolve, reject) => {
        const watch = () => {
          if (!has(text)) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        void ended.then((end) => reject(new Error(`ended (${end.code}) before ${text}: ${stdout}${stderr}`)));
        watch();
      }),
  };
}

/** A folder, an API and the command. */
export interface CliStage {
  readonly workspace: string;
  readonly home: string;
  readonly api: ScriptedApi;
  readonly env: Record<string, string>;
  /** Start in the workspace. */
  start(...args: string[]): Started;
  /** Run to the end with this on standard input, which then ends. */
  flower(args: readonly string[], input?: string): Promise<Ended>;
  manifest(): ManifestRow[];
}

/** The probe before a run, and nothing else, asks without a system prompt: it is always answered. */
function withProbe(script: Script): Script {
  const probe = {
    name: "probe",
    match: (request: { readonly body: Readonly<Record<string, unknown>> }) => request.body.max_tokens === 16,
    steps: [{ kind: "always" as const, step: { kind: "text" as const, text: "pong" } }],
  };
  return { ...script, speakers: [probe, ...(script.speakers ?? [])] };
}

/** Set the stage. */
export async function cliStage(
  script: Script | ((workspace: string) => Script),
  options: Partial<ScriptedApiOptions> & { readonly extra?: Record<string, string> } = {},
): Promise<CliStage> {
  const { extra, ...apiOptions } = options;
  // Where a line is folded on a screen depends on how long the folder's name is: always as short.
  const workspace = temporaryFolder("flower-cli-", existsSync("/tmp") ? "/tmp" : undefined);
  const home = temporaryFolder("flower-cli-home-");
  const made = typeof script === "function" ? script(workspace) : script;
  const api = await ScriptedApi.start({ script: withProbe(made), ...apiOptions });
  atEnd(() => api.close());
  const env = scriptedEnv({
    home,
    apiUrl: api.url,
    path: process.env.PATH ?? "",
    ...(extra === undefined ? {} : { extra }),
  });
  const start = (...args: string[]) => startFlower(args, { cwd: workspace, env });
  return {
    workspace,
    home,
    api,
    env,
    start,
    async flower(args, input = "") {
      const started = start(...args);
      started.child.stdin.end(input);
      return await started.ended;
    },
    manifest: () => JSON.parse(readFileSync(join(workspace, "runs", "manifest.json"), "utf8")),
  };
}

/** Pids of all living descendants of a process, from /proc. */
export function descendants(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name) || !existsSync(`/proc/${name}/stat`)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      parents.set(Number(name), Number(fields[1]));
    } catch {
      // It ended while it was looked at.
    }
  }
  const below = (root: number): number[] =>
    [...parents].filter(([, parent]) => parent === root).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}

/** Whether a process lives and is no zombie. */
export function lives(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
  } catch {
    return false;
  }
}

/** Command line of a process; empty when it is gone. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\u0000", " ").trim();
  } catch {
    return "";
  }
}
