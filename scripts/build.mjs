// Compiles `src/` to `dist/`, skipping when nothing changed since the last build. A build that fails leaves the last
// good one in place.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");

function fingerprint() {
  const hash = createHash("sha256");
  for (const name of ["tsconfig.json", "tsconfig.build.json", "package.json"]) {
    hash.update(readFileSync(join(root, name)));
  }
  const entries = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const file of files.sort()) hash.update(relative(root, file)).update(readFileSync(file));
  return hash.digest("hex");
}

function compile(outDir) {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const args = [tsc, "-p", "tsconfig.build.json", "--outDir", outDir];
  const done = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (done.status === 0) return;
  rmSync(outDir, { recursive: true, force: true });
  process.exit(done.status ?? 1);
}

function build(wanted) {
  const made = join(root, `.dist-${process.pid}`);
  compile(made);
  const main = join(made, "cli", "main.js");
  if (existsSync(main)) chmodSync(main, 0o755);
  writeFileSync(join(made, ".sources"), wanted);
  rmSync(dist, { recursive: true, force: true });
  renameSync(made, dist);
}

const stamp = join(dist, ".sources");
const wanted = fingerprint();
if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) build(wanted);
