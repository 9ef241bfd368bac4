// The public API as data: TypeDoc reads the sources with the TypeScript of docs/package.json, which is installed here
// when it is missing or another one.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
const docs = join(root, "docs");

function run(command, args) {
  const done = spawnSync(command, args, {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32" && command === "npm",
  });
  if (done.status === 0) return;
  process.stderr.write(
    `${command} ${args[0]} failed\n${done.error ?? ""}${done.stdout ?? ""}${done.stderr ?? ""}\n`,
  );
  process.exit(1);
}

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

function isInstalled() {
  const { packages } = readJson(join(docs, "package-lock.json"));
  return ["node_modules/typedoc", "node_modules/typescript"].every((place) => {
    const path = join(docs, place, "package.json");
    return existsSync(path) && readJson(path).version === packages[place].version;
  });
}

/** @returns the three modules TypeDoc found: the package, its `/testing`, and what the two mention besides. */
export function readApi() {
  if (!isInstalled()) {
    process.stderr.write("installing what writes the API reference (once) …\n");
    run("npm", ["ci", "--prefix", "docs", "--ignore-scripts", "--no-audit", "--no-fund"]);
  }
  const folder = mkdtempSync(join(tmpdir(), "flower-api-"));
  try {
    const json = join(folder, "api.json");
    run(process.execPath, [
      join(docs, "node_modules", "typedoc", "bin", "typedoc"),
      "--options",
      join(docs, "typedoc.json"),
      "--json",
      json,
    ]);
    const { children } = readJson(json);
    const named = (name) => children.find((module) => module.name === name).children;
    return { main: named("src"), testing: named("src/testing"), mentioned: named("docs/mentioned") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
