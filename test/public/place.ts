// A folder for what the table makes, gone when the process ends.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "flower-public-")));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** The real path of a folder of that name; made when it is not there. */
export function place(name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return path;
}
