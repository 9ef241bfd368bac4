// Makes a clone ready to run: installs what package-lock.json names when it is missing or stale, and builds
// `dist/` when the sources are newer. Needs nothing but Node and npm. Usage: node scripts/ready.mjs [--build]
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(`flower needs Node 20.19 or newer; this is ${process.versions.node}`);
}

function run(command, args) {
  const done = spawnSync(command, args, { cwd: root, stdio: "inherit", shell: process.platform === "win32" });
  if (done.error) fail(`cannot start ${command}: ${done.error.message}`);
  if (done.status !== 0) process.exit(done.status ?? 1);
}

function install() {
  const lock = readFileSync(join(root, "package-lock.json"));
  const wanted = createHash("sha256").update(lock).update(process.version).digest("hex");
  const mark = join(root, "node_modules", ".flower-ready");
  if (existsSync(mark) && readFileSync(mark, "utf8") === wanted) return;
  process.stderr.write("installing dependencies (once) …\n");
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
  writeFileSync(mark, wanted);
}

checkNode();
install();
if (process.argv.includes("--build")) run(process.execPath, [join(root, "scripts", "build.mjs")]);
