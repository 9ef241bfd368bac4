// The command as a person meets it: on a terminal of its own, whose screen can be read and whose keys can be pressed.

import { spawnSync } from "node:child_process";
import { readlinkSync } from "node:fs";
import { type IPty, spawn } from "@lydell/node-pty";
import { ScreenModel } from "../cli/terminal/screen-model.ts";
import { type CliStage, MAIN } from "./cli-stage.ts";
import { atEnd } from "./stage.ts";

/**
 * A screen as it is kept beside the tests: what differs from run to run is put in one form. From the first step on: what
 * stands before it names the folder.
 */
export function keptScreen({ screen }: Sitting): string {
  const rows = screen.unfolded;
  const first = rows.findIndex((row) => row.startsWith("== "));
  return `${rows
    .slice(Math.max(0, first))
    .join("\n")
    .replaceAll(/\$\d+\.\d+/g, "$0.00")
    .replaceAll(/\b\d+:\d\d\b/g, "0:00")
    .replaceAll(/(q\d)-[0-9a-z]{4}/g, "$1-3f9a")
    .replaceAll(/\d{8}-\d{6}-[0-9a-f]{6}/g, "20260301-090000-a1b2c3")
    .replaceAll(/\S*\/runs\/manifest\.json/g, "~/project/runs/manifest.json")
    .replaceAll(/\S*\/flower-cli-\w{6}/g, "~/project")
    .replaceAll(/^[-\\|/] (?=.*\$0\.00)/gm, "- ")
    // How long a command has run is only said once it is a second.
    .replaceAll(/^(- .*\$0\.00 · 0:00 · .*) 0:00$/gm, "$1")
    .trimEnd()}\n`;
}

/** A process of the command on a terminal. */
export interface Sitting {
  readonly pty: IPty;
  readonly screen: ScreenModel;
  /** Everything that was written on the terminal. */
  bytes(): string;
  /** Whether the keyboard is the program's alone, as the terminal itself says. Ask while it runs before asking after. */
  isRaw(): boolean;
  /** Resolves with the exit code once the process has ended. */
  readonly ended: Promise<number>;
  /** Press keys. */
  type(keys: string): void;
  /** Resolves once everything at the bottom was drawn anew. */
  resize(columns: number, rows: number): Promise<void>;
  /** Resolves once a person can read this anywhere up to the top of the scrollback; rejects when it ends before. */
  shown(words: string | RegExp): Promise<void>;
}

/** Start the command on a terminal of a size. */
export function sitDown(
  play: CliStage,
  args: readonly string[],
  settings: {
    readonly columns?: number;
    readonly rows?: number;
    readonly extra?: Record<string, string>;
    /** Type the command into a shell that has the terminal. @defaultValue false */
    readonly inShell?: boolean;
  } = {},
): Sitting {
  const { columns = 80, rows = 30, extra = {}, inShell = false } = settings;
  const screen = new ScreenModel(columns, rows);
  const command = [process.execPath, MAIN, ...args];
  const [program = "", ...rest] = inShell ? ["bash", "--norc", "--noediting", "-i"] : command;
  const pty = spawn(program, rest, {
    name: extra.TERM ?? "xterm-256color",
    cols: columns,
    rows,
    cwd: play.workspace,
    env: { ...play.env, ...extra },
  });
  const watchers = new Set<() => void>();
  let tty: string | undefined;
  let over = false;
  let written = "";
  pty.onData((bytes) => {
    written += bytes;
    screen.write(bytes);
    for (const watch of watchers) watch();
  });
  const ended = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      over = true;
      resolve(signal === undefined || signal === 0 ? exitCode : 128 + signal);
    });
  });
  if (inShell) pty.write(`${command.join(" ")}\r`);
  atEnd(() => {
    if (!over) process.kill(pty.pid, "SIGKILL");
  });
  const until = (isSo: () => boolean, what: string) =>
    new Promise<void>((resolve, reject) => {
      const watch = () => {
        if (!isSo()) return;
        watchers.delete(watch);
        resolve();
      };
      watchers.add(watch);
      void ended.then((code) =>
        reject(new Error(`ended (${code}) before ${what}:\n${screen.all.join("\n")}`)),
      );
      watch();
    });
  const has = (words: string | RegExp) => {
    const text = screen.unfolded.join("\n");
    return typeof words === "string" ? text.includes(words) : words.test(text);
  };
  return {
    pty,
    screen,
    ended,
    bytes: () => written,
    isRaw: () => {
      tty ??= readlinkSync(`/proc/${pty.pid}/fd/0`);
      return spawnSync("stty", ["-a", "-F", tty], { encoding: "utf8" }).stdout.includes("-icanon");
    },
    type: (keys) => pty.write(keys),
    resize: async (wide, high) => {
      screen.resize(wide, high);
      const before = written.length;
      pty.resize(wide, high);
      await until(() => written.includes("\u001b[J", before), `drawing at ${wide} columns`);
    },
    shown: (words) => until(() => has(words), String(words)),
  };
}
