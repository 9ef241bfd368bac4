// The command as a person meets it: on a terminal of its own, whose screen can be read and whose keys can be pressed.

import { type IPty, spawn } from "@lydell/node-pty";
import { ScreenModel } from "../cli/terminal/screen-model.ts";
import { type CliStage, MAIN } from "./cli-stage.ts";
import { atEnd } from "./stage.ts";

/** A process of the command on a terminal. */
export interface Sitting {
  readonly pty: IPty;
  readonly screen: ScreenModel;
  /** Resolves with the exit code once the process has ended. */
  readonly ended: Promise<number>;
  /** Press keys. */
  type(keys: string): void;
  resize(columns: number, rows: number): void;
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
  } = {},
): Sitting {
  const { columns = 80, rows = 30, extra = {} } = settings;
  const screen = new ScreenModel(columns, rows);
  const pty = spawn(process.execPath, [MAIN, ...args], {
    name: "xterm-256color",
    cols: columns,
    rows,
    cwd: play.workspace,
    env: { ...play.env, TERM: "xterm-256color", ...extra },
  });
  const watchers = new Set<() => void>();
  let over = false;
  pty.onData((bytes) => {
    screen.write(bytes);
    for (const watch of watchers) watch();
  });
  const ended = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      over = true;
      resolve(signal === undefined || signal === 0 ? exitCode : 128 + signal);
    });
  });
  atEnd(() => {
    if (!over) process.kill(pty.pid, "SIGKILL");
  });
  const has = (words: string | RegExp) => {
    const text = screen.unfolded.join("\n");
    return typeof words === "string" ? text.includes(words) : words.test(text);
  };
  return {
    pty,
    screen,
    ended,
    type: (keys) => pty.write(keys),
    resize: (wide, high) => {
      screen.resize(wide, high);
      pty.resize(wide, high);
    },
    shown: (words) =>
      new Promise((resolve, reject) => {
        const watch = () => {
          if (!has(words)) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        void ended.then((code) =>
          reject(new Error(`ended (${code}) before ${words}:\n${screen.all.join("\n")}`)),
        );
        watch();
      }),
  };
}
