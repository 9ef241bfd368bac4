// The stage of one cell: throw-away folders, a flower process of its own group and environment, and what is left of
// it. Looks only at processes that stand in the cell's own folder; ends only those.
import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { scriptedEnv } from "../dist/testing/index.js";
import { ANSWER, REQUEST, SAMPLE } from "./mind.mjs";

const beside = (name) => fileURLToPath(new URL(name, import.meta.url));
/** Tokens: small enough that one large look fills it, large enough for everything else. */
const SMALL_WINDOW = 60_000;
/** Size of a run dir that can fill up. */
const DISK_MB = 64;
const POLL_MS = 10;

/** Wait until something is there; undefined when the time is over. */
export async function until(look, { limitMs = 30_000, everyMs = POLL_MS } = {}) {
  const end = Date.now() + limitMs;
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) return undefined;
    await sleep(everyMs);
  }
}

function readOr(path, otherwise) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return otherwise;
  }
}

function parseOr(path, otherwise) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return otherwise;
  }
}

/** Whether this process may mount file systems: it does when it runs in a mount namespace of its own. */
export const CAN_MOUNT = process.env.SURVIVE_NAMESPACE === "1";

function mount(...args) {
  const done = spawnSync("mount", args, { encoding: "utf8" });
  if (done.status !== 0) throw new Error(`mount ${args.join(" ")}: ${done.stderr.trim()}`);
}

/** One cell's folders and processes. */
export class Stage {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "flower-survive-")));
  workspace = join(this.folder, "work");
  runDir = join(this.workspace, "runs");
  notes = join(this.workspace, ".flower", "notes");
  begun = join(this.folder, "begun");
  over = join(this.folder, "over");
  reached = join(this.folder, "reached");
  release = join(this.folder, "release");
  ballast = join(this.runDir, "ballast");
  #home = join(this.folder, "home");
  #mounted = 0;
  #children = [];

  constructor() {
    for (const path of [this.workspace, this.#home]) mkdirSync(path, { recursive: true });
    writeFileSync(join(this.workspace, "a.txt"), SAMPLE);
  }

  /** Give the run dir a disk of its own, which can fill up. */
  mountDisk() {
    mkdirSync(this.runDir, { recursive: true });
    mount("-t", "tmpfs", "-o", `size=${DISK_MB}m,mode=755`, "tmpfs", this.runDir);
    this.#mounted += 1;
  }

  /** Make the run dir read-only for everything that is opened from now on. */
  mountReadOnly() {
    mount("--bind", this.runDir, this.runDir);
    this.#mounted += 1;
    mount("-o", "remount,bind,ro", this.runDir);
  }

  unmount() {
    for (; this.#mounted > 0; this.#mounted -= 1) spawnSync("umount", ["-l", this.runDir]);
  }

  /** Start flower here, as its own process group. */
  start({ url, handoff, hold }) {
    const settings = {
      workspace: this.workspace,
      runDir: this.runDir,
      request: REQUEST,
      answer: ANSWER,
      ...(handoff ? { handoffWindow: SMALL_WINDOW } : {}),
      ...(hold === undefined ? {} : { hold: { ...hold, reached: this.reached, release: this.release } }),
    };
    const env = scriptedEnv({ home: this.#home, apiUrl: url, path: process.env.PATH ?? "" });
    const child = spawn(
      process.execPath,
      ["--import", beside("hold.mjs"), beside("child.mjs"), JSON.stringify(settings)],
      { env, cwd: this.workspace, stdio: ["ignore", "pipe", "pipe"], detached: true },
    );
    const started = {
      pid: child.pid,
      startedAt: Date.now(),
      out: "",
      err: "",
      end: undefined,
      ended: undefined,
    };
    child.stdout.on("data", (part) => {
      started.out += part;
    });
    child.stderr.on("data", (part) => {
      started.err += part;
    });
    started.ended = new Promise((resolve) => {
      child.on("close", (code, signal) => {
        const last = started.out.trim().split("\n").at(-1) ?? "";
        started.end = {
          code,
          signal,
          at: Date.now(),
          said: last.startsWith("{") ? JSON.parse(last) : undefined,
        };
        resolve(started.end);
      });
    });
    started.kill = (signal) => child.kill(signal);
    this.#children.push(started);
    return started;
  }

  /** Processes that stand in the cell's folder: the harness, its tools, flower itself. */
  processes() {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return pids.flatMap((pid) => {
      try {
        const cwd = readlinkSync(`/proc/${pid}/cwd`);
        if (cwd !== this.folder && !cwd.startsWith(`${this.folder}/`)) return [];
        // A zombie has nothing but its entry; it belongs to whoever has to reap it.
        if (/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"))) return [];
        return [
          { pid: Number(pid), command: readOr(`/proc/${pid}/cmdline`, "").replaceAll("\0", " ").trim() },
        ];
      } catch {
        return [];
      }
    });
  }

  /** Wait until nothing runs here any more. @returns what still does. */
  async settle(limitMs = 30_000) {
    await until(() => this.processes().length === 0, { limitMs, everyMs: 50 });
    return this.processes();
  }

  /** Every event of every run here, in order. */
  events() {
    if (!existsSync(this.runDir)) return [];
    const logs = readdirSync(this.runDir).filter((name) => /^events-.*\.jsonl$/.test(name));
    return logs.sort().flatMap((name) =>
      readOr(join(this.runDir, name), "")
        .split("\n")
        .flatMap((line) => {
          try {
            return [JSON.parse(line)];
          } catch {
            return [];
          }
        }),
    );
  }

  /** Which of the books can be read; those that are not there are left out. */
  parses() {
    const names = ["manifest.json", "lineage.json", "costs.json"].filter((name) =>
      existsSync(join(this.runDir, name)),
    );
    return Object.fromEntries(
      names.map((name) => [name, parseOr(join(this.runDir, name), undefined) !== undefined]),
    );
  }

  rows() {
    const rows = parseOr(join(this.runDir, "manifest.json"), []);
    return Array.isArray(rows) ? rows : [];
  }

  lineage() {
    return parseOr(join(this.runDir, "lineage.json"), undefined)?.steps ?? {};
  }

  documents() {
    const read = (name) => readOr(join(this.notes, name), undefined);
    return { brief: read("brief.md"), goal: read("goal.md") };
  }

  /** Everything below the run dir that is a file of flower's own, by name. */
  bookFiles() {
    if (!existsSync(this.runDir)) return [];
    return readdirSync(this.runDir, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name);
  }

  /** What the program prints for the sample. */
  tryProgram() {
    const done = spawnSync(
      process.execPath,
      [join(this.workspace, "wc.mjs"), join(this.workspace, "a.txt")],
      {
        encoding: "utf8",
        env: { PATH: process.env.PATH },
      },
    );
    return done.stdout.trim();
  }

  /** End what is left and remove the folders. */
  async close() {
    writeFileSync(this.over, "");
    for (const { pid } of this.processes()) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It left by itself meanwhile.
      }
    }
    await Promise.all(this.#children.map((child) => child.ended));
    this.unmount();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
