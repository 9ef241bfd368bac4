// Runs one command of a goal in a fresh shell, in a session of its own, for a bounded time, and leaves nothing running.

import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { epochS, timerMs, within } from "../core/clock.ts";
import { errorText } from "../core/errors.ts";
import { type Output, type OutputBounds, OutputFile } from "./output-file.ts";
import { followProcesses, MARKER, type Reaper } from "./process-reaper.ts";

/** What starts a shell: a program and the arguments before the command's text. */
export interface Launcher {
  readonly program: string;
  readonly args: readonly string[];
}

/** A command to run. */
export interface CommandInput {
  readonly command: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly launcher: Launcher;
  /** File the output goes to; it must not be there yet. */
  readonly path: string;
  readonly timeoutS: number;
  /** Seconds between asking a process to end and ending it. */
  readonly graceS: number;
  readonly bounds: OutputBounds;
  readonly signal?: AbortSignal | undefined;
  /** Told the group that is to die with flower; 0 when there is none any more. */
  readonly onGroup?: ((group: number) => void) | undefined;
}

/** Why a command was ended before it ended by itself. */
type Cut = "time" | "output" | "stopped";

/** What a command did. */
export interface CommandRun extends Output {
  /** Undefined when a signal ended it or it could not be started. */
  readonly exitCode: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  readonly cut: Cut | undefined;
  /** Why it could not be started. */
  readonly startError: string | undefined;
  readonly durationS: number;
  /** Hash of the file as flower wrote it. */
  readonly sha256: string;
}

/** A process outside the group may hold the output open; its last words are not waited for longer. */
const LAST_WORDS_MS = 500;

interface Ending {
  readonly exitCode: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  readonly startError: string | undefined;
}

function endingOf(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve) => {
    child.once("error", (error) =>
      resolve({ exitCode: undefined, signal: undefined, startError: errorText(error) }),
    );
    child.once("exit", (code, signal) =>
      resolve({ exitCode: code ?? undefined, signal: signal ?? undefined, startError: undefined }),
    );
  });
}

function start({ launcher, command, folder, env }: CommandInput, marker: string): ChildProcess {
  return spawn(launcher.program, [...launcher.args, command], {
    cwd: folder,
    env: { ...env, [MARKER]: marker },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
}

/** Resolves with the first reason to end the command early; never when it ends by itself. */
function earlyEnd(input: CommandInput, child: ChildProcess, output: OutputFile) {
  let tell: (cut: Cut) => void = () => {};
  const reason = new Promise<Cut>((resolve) => {
    tell = resolve;
  });
  const stop = () => tell("stopped");
  const timer = setTimeout(() => tell("time"), timerMs(input.timeoutS));
  input.signal?.addEventListener("abort", stop, { once: true });
  if (input.signal?.aborted === true) stop();
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream]?.on("data", (part: Buffer) => {
      output.add(stream, part);
      if (output.isCut) tell("output");
    });
    child[stream]?.on("error", () => {});
  }
  const forget = () => {
    clearTimeout(timer);
    input.signal?.removeEventListener("abort", stop);
  };
  return { reason, forget };
}

async function lastWords(child: ChildProcess): Promise<void> {
  // Where the system had no descriptor left, there are none.
  const given: readonly (Readable | null | undefined)[] = [child.stdout, child.stderr];
  const streams = given.filter((stream) => stream?.closed === false);
  const closed = streams.map(
    (stream) => new Promise<void>((resolve) => stream?.once("close", () => resolve())),
  );
  await within(LAST_WORDS_MS, Promise.all(closed), () => {});
  for (const stream of streams) stream?.destroy();
}

/** A process that not even SIGKILL ends (another user's, or one the kernel holds) is waited for no longer. */
const GIVEN_UP: Ending = { exitCode: undefined, signal: "SIGKILL", startError: undefined };

function footOf({ exitCode, signal, startError }: Ending, durationS: number): string {
  const end = startError ?? (signal === undefined ? `exit code ${exitCode}` : `ended by ${signal}`);
  return `[flower: ${end}, after ${durationS.toFixed(1)} s]`;
}

/** Run a command to its end, or end it. Never throws for what the command does; throws when its file cannot be written. */
export async function runCommand(input: CommandInput): Promise<CommandRun> {
  const output = new OutputFile(input.path, `$ ${input.command}\n`, input.bounds);
  const startedAt = epochS();
  const marker = randomBytes(8).toString("hex");
  const child = start(input, marker);
  // Before anything else: whoever ends flower in the next moment must find it said.
  if (child.pid !== undefined) input.onGroup?.(child.pid);
  const ended = endingOf(child);
  const reaper: Reaper | undefined = child.pid === undefined ? undefined : followProcesses(child.pid, marker);
  const { reason, forget } = earlyEnd(input, child, output);
  const cut = await Promise.race([ended.then(() => undefined), reason]);
  const durationS = epochS() - startedAt;
  forget();
  await reaper?.endAll(input.graceS * 1000);
  const ending = await within(Math.max(1, input.graceS) * 1000, ended, () => GIVEN_UP);
  await lastWords(child);
  input.onGroup?.(0);
  return { ...ending, ...output.close(footOf(ending, durationS)), cut, durationS };
}
