// What a process that was killed in the middle of a write leaves beside the file it wrote: temporary files and locks,
// never the file itself.

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { clearAbandoned } from "./lock.ts";
import { isAlive } from "./processes.ts";

/** `<file>.<pid>.<8 hex>.<what>`, as `json.ts` and `lock.ts` name them. */
const LEFTOVER = /\.(\d+)\.[0-9a-f]{8}\.(?:tmp|mine|dead)$/;

/** Own ones count as left behind too: writes are synchronous, so outside of one none is in use. */
function isLeft(name: string): boolean {
  const pid = Number(LEFTOVER.exec(name)?.[1]);
  return Number.isInteger(pid) && (pid === process.pid || !isAlive({ pid, start: "" }));
}

/** Remove what dead writers left in a folder. Never throws: tidying must not end a run. */
export function sweepLeftovers(folder: string): void {
  try {
    const names = readdirSync(folder);
    for (const name of names.filter(isLeft)) rmSync(join(folder, name), { force: true });
    for (const name of names.filter((name) => name.endsWith(".json.lock")))
      clearAbandoned(join(folder, name));
  } catch {
    // No such folder, or one that cannot be written now: the next run tidies up.
  }
}
