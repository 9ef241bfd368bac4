// Compiles `src/` to `dist/`, skipping when nothing changed since the last build.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
const stamp = join(dist, ".sources");

function fingerprint() {
  const hash = createHash("sha256");
  for (const name of ["tsconfig.json", "tsconfig.build.json", "package.json"]) {
    hash.update(readFileSync(join(root, name)));
  }
  const entries = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true });
  const files = entries.filter((e) => e.isFile()).map((e) => join(e.parentPath, e.name));
  for (const file of files.sort()) hash.update(file).update(readFileSync(file));
  return hash.digest("hex");
}

const wanted = fingerprint();
if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) process.exit(0);
rmSync(dist, { recursive: true, force: true });
const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
const done = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
if (done.status !== 0) process.exit(done.status ?? 1);
const main = join(dist, "cli", "main.js");
if (existsSync(main)) chmodSync(main, 0o755);
writeFileSync(stamp, wanted);
