// A folder for one test file's stores, and children that use the built store with an environment of their own.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { SqliteSessionStore } from "../../src/sessions/sqlite-session-store.ts";
import type { SqliteSessionStoreOptions } from "../../src/sessions/store-options.ts";

const here = dirname(fileURLToPath(import.meta.url));

export class StoreFolder {
  readonly path = mkdtempSync(join(tmpdir(), "flower-store-"));
  readonly #opened: SqliteSessionStore[] = [];
  readonly #children: ChildProcess[] = [];
  #count = 0;

  constructor() {
    afterAll(() => {
      for (const store of this.#opened) store.close();
      for (const child of this.#children) child.kill("SIGKILL");
      rmSync(this.path, { recursive: true, force: true });
    });
  }

  /** A path nothing is at. */
  file(): string {
    this.#count += 1;
    return join(this.path, `${this.#count}.db`);
  }

  open(options: Partial<SqliteSessionStoreOptions> = {}): SqliteSessionStore {
    const store = new SqliteSessionStore({ path: this.file(), ...options });
    this.#opened.push(store);
    return store;
  }

  /** Start `children/<name>.mjs`; `shell` goes before it, for limits that only a shell can set. */
  child(name: string, args: readonly string[], options: { shell?: string; uid?: number } = {}): Child {
    const script = join(here, "children", `${name}.mjs`);
    const line = [process.execPath, script, ...args];
    const [command = "", ...rest] =
      options.shell === undefined ? line : ["bash", "-c", `${options.shell}; exec "$@"`, "bash", ...line];
    const child = spawn(command, rest, {
      env: { PATH: process.env.PATH ?? "", HOME: this.path },
      stdio: ["pipe", "pipe", "pipe"],
      ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
    });
    this.#children.push(child);
    return new Child(child);
  }
}

/** A child that speaks in lines. */
export class Child {
  readonly #child: ChildProcess;
  readonly lines: string[] = [];
  #rest = "";
  #errors = "";
  #waiting: Array<() => void> = [];
  readonly ended: Promise<void>;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const parts = (this.#rest + text).split("\n");
      this.#rest = parts.pop() ?? "";
      this.lines.push(...parts);
      this.#wake();
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#errors += text;
    });
    this.ended = new Promise((resolve) => {
      child.on("close", () => {
        resolve();
        this.#wake();
      });
    });
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Wait until it has said that many lines. */
  async said(count: number): Promise<void> {
    while (this.lines.length < count) {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
        throw new Error(`child ended early: ${this.lines.join("\n")}\n${this.#errors}`);
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** The last line it said, as JSON, once it has ended. */
  async answer<T>(): Promise<T> {
    await this.ended;
    const last = this.lines.at(-1);
    if (last === undefined) throw new Error(`child said nothing: ${this.#errors}`);
    return JSON.parse(last) as T;
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** Let a child that waits for its input go on. */
  release(): void {
    this.#child.stdin?.end();
  }
}
