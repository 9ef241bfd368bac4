// Starts a process of the harness so that it never outlives flower: in a session of its own, out of reach of a
// terminal's Ctrl-C, and with a watcher beside it that ends it, and the commands its tools run, when flower is gone.

import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { SpawnedProcess, SpawnOptions } from "@anthropic-ai/claude-agent-sdk";

/**
 * Reads until flower's end of the pipe closes, whatever flower died of; then asks the harness to leave (it takes its
 * tools' commands along) and after ten seconds ends it, and what its tools had running, without asking. `$1` is the
 * harness. Each command of a tool leads a process group of its own, so the group of the harness would not be enough.
 * Only what every `/bin/sh` has: dash knows no `kill -KILL --`, slim images no `ps`, some kernels no list of children.
 */
const WATCHER = `
read -r _
kids=
for stat in /proc/[0-9]*/stat; do
  read -r line 2>/dev/null < "$stat" || continue
  pid=\${line%% *}
  rest=\${line##*) }
  rest=\${rest#* }
  [ "\${rest%% *}" = "$1" ] && kids="$kids $pid"
done
kill -s TERM "$1"
n=0
while kill -0 "$1" && [ "$n" -lt 50 ]; do sleep 0.2; n=$((n + 1)); done
kill -s KILL "$1"
for kid in $kids; do kill -s KILL -- "-$kid"; done
`;

type PipedProcess = ChildProcess & {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
};

/** The watcher of one process; ended when that process ends while flower lives. Absent where there is no shell. */
function watchOver(harness: ChildProcess): void {
  if (harness.pid === undefined || process.platform === "win32") return;
  const watcher = spawn("/bin/sh", ["-c", WATCHER, "flower-watch", String(harness.pid)], {
    env: { PATH: "/usr/bin:/bin" },
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watcher.on("error", () => {});
  watcher.stdin?.on("error", () => {});
  // It must not keep flower alive: that it outlives flower is what it is for.
  watcher.unref();
  (watcher.stdin as (Writable & { unref?: () => void }) | null)?.unref?.();
  harness.once("exit", () => watcher.kill("SIGKILL"));
}

/** Told once the process has ended and what it last said on stderr has been read. */
const ENDED = "flower-ended";
/** A command of a tool may hold stderr open after the harness: its last words are not waited for longer. */
const LAST_WORDS_MS = 500;

function announceEnd(child: PipedProcess): void {
  child.once("exit", (code, signal) => {
    let timer: NodeJS.Timeout | undefined;
    const tell = () => {
      clearTimeout(timer);
      child.stderr.off("close", tell);
      child.emit(ENDED, code, signal);
      child.stderr.destroy();
    };
    if (child.stderr.closed) return tell();
    child.stderr.once("close", tell);
    timer = setTimeout(tell, LAST_WORDS_MS);
  });
}

type Listener = (...args: never[]) => void;

function toSpawned(child: PipedProcess): SpawnedProcess {
  const named = (event: string) => (event === "exit" ? ENDED : event);
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    get killed() {
      return child.killed;
    },
    get exitCode() {
      return child.exitCode;
    },
    get signalCode() {
      return child.signalCode;
    },
    kill: (signal) => child.kill(signal),
    on: (event: string, listener: Listener) => child.on(named(event), listener as () => void),
    once: (event: string, listener: Listener) => child.once(named(event), listener as () => void),
    off: (event: string, listener: Listener) => child.off(named(event), listener as () => void),
  };
}

/** Start the command the SDK asks for. `onStderr` hears what it says beside the protocol; it must not throw. */
export function spawnHarness(options: SpawnOptions, onStderr: (text: string) => void): SpawnedProcess {
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: options.env,
    signal: options.signal,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
    windowsHide: true,
  }) as PipedProcess;
  child.stderr.setEncoding("utf8");
  child.stderr.on("data", onStderr);
  child.stderr.on("error", () => {});
  announceEnd(child);
  watchOver(child);
  return toSpawned(child);
}
