// Makes a clone ready to run: installs what package-lock.json names when it is missing or stale, and builds
// `dist/` when the sources are newer. Needs nothing but Node and npm. Usage: node scripts/ready.mjs [--build]
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
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

/** The packages a lock file names, without the project itself; undefined when there is no such file. */
function packagesIn(path) {
  if (!existsSync(path)) return undefined;
  const { packages } = JSON.parse(readFileSync(path, "utf8"));
  return Object.entries(packages).filter(([place]) => place !== "");
}

/** npm writes its own list last, so a broken install has none. Optional packages are for other systems. */
function isInstalled() {
  const installed = packagesIn(join(root, "node_modules", ".package-lock.json"));
  if (installed === undefined) return false;
  const found = new Map(installed);
  const wanted = packagesIn(join(root, "package-lock.json")) ?? [];
  return wanted.every(([place, { version, integrity, optional }]) => {
    const has = found.get(place);
    if (has === undefined) return optional === true;
    return has.version === version && has.integrity === integrity;
  });
}

function install() {
  if (isInstalled()) return;
  process.stderr.write("installing dependencies (once) …\n");
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
}

checkNode();
install();
if (process.argv.includes("--build")) run(process.execPath, [join(root, "scripts", "build.mjs")]);
