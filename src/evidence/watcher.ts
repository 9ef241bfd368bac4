// Ends a command of the goal when flower dies while it runs, whatever flower dies of.

import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";

/**
 * Reads groups line by line until flower's end of the pipe closes; then ends the last one that was not taken back.
 * `kill -s` because dash takes no `--` behind `-TERM`.
 */
const SCRIPT = `
group=0
while read -r line; do group=$line; done
[ "$group" -gt 1 ] || exit 0
kill -s TERM -- "-$group"
sleep 1
kill -s KILL -- "-$group"
`;

/** A process that outlives flower by a second. */
export interface Watcher {
  /** The group to end; 0 takes the last one back. */
  readonly watch: (group: number) => void;
  readonly close: () => void;
}

/** Start the watcher; where there is no `/bin/sh` it watches nothing. */
export function startWatcher(): Watcher {
  if (process.platform === "win32") return { watch: () => {}, close: () => {} };
  const watcher: ChildProcess = spawn("/bin/sh", ["-c", SCRIPT, "flower-watch"], {
    env: { PATH: "/usr/bin:/bin" },
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watcher.on("error", () => {});
  watcher.stdin?.on("error", () => {});
  watcher.unref();
  (watcher.stdin as (Writable & { unref?: () => void }) | null)?.unref?.();
  return {
    watch: (group) => void watcher.stdin?.write(`${group}\n`),
    close: () => void watcher.kill("SIGKILL"),
  };
}
