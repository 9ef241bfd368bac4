// The tests on other versions of Node, taken from npm: unit tests and the stories with the real harness.
// Usage: npm run matrix -- [--only 22] [test files…]. Prints a table, and `N passed, N failed` as its last line.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Every major version the package promises to work on, the lowest it names first. */
const VERSIONS = ["20", "22", "24"];
const PLATFORMS = { linux: "linux", darwin: "darwin", win32: "win" };

function readArguments(args) {
  const only = args.indexOf("--only");
  if (only === -1) return { versions: VERSIONS, files: args };
  const version = args[only + 1] ?? "";
  if (!/^\d+(?:\.\d+){0,2}$/.test(version)) {
    process.stderr.write("--only wants a version of Node, e.g. --only 22\n");
    process.exit(2);
  }
  return { versions: [version], files: args.filter((_, index) => index !== only && index !== only + 1) };
}

/** Path of that version's binary: this one where it fits, else the package npm has of it. */
function nodeOf(version, folder) {
  if (process.versions.node.split(".")[0] === version) return process.execPath;
  const name = `node-${PLATFORMS[process.platform] ?? process.platform}-${process.arch}`;
  const home = join(folder, version);
  mkdirSync(home, { recursive: true });
  const args = ["install", "--prefix", home, "--no-save", "--no-audit", "--no-fund", `${name}@${version}`];
  const done = spawnSync("npm", args, { cwd: home, encoding: "utf8", shell: process.platform === "win32" });
  const path = join(home, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
  if (done.status === 0 && existsSync(path)) return path;
  process.stderr.write(`npm has no ${name}@${version} for this machine:\n${done.stderr}\n`);
  process.exit(1);
}

/** What one version makes of the tests. `node` in a child's PATH is that version as well. */
function runTests(node, folder, files) {
  const bin = mkdtempSync(join(folder, "bin-"));
  symlinkSync(node, join(bin, "node"));
  const report = join(bin, "report.json");
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const args = [
    vitest,
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...files,
  ];
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  spawnSync(node, args, { cwd: root, env, stdio: ["ignore", "inherit", "inherit"] });
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numFailedTestSuites, success } = JSON.parse(
    readFileSync(report, "utf8"),
  );
  const failed = numFailedTests === 0 && !success ? Math.max(1, numFailedTestSuites) : numFailedTests;
  return { passed: numPassedTests, failed };
}

const { versions, files } = readArguments(process.argv.slice(2));
const folder = mkdtempSync(join(tmpdir(), "flower-matrix-"));
const rows = [];
try {
  for (const version of versions) {
    const node = nodeOf(version, folder);
    const exact = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim();
    process.stdout.write(`\n=== Node ${exact}\n`);
    const startedAt = Date.now();
    rows.push({
      exact,
      ...runTests(node, folder, files),
      seconds: Math.round((Date.now() - startedAt) / 1000),
    });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write("\n");
for (const { exact, passed, failed, seconds } of rows) {
  process.stdout.write(
    `${exact.padEnd(10)} ${String(passed).padStart(6)} passed ${String(failed).padStart(4)} failed  ${seconds} s\n`,
  );
}
const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
process.stdout.write(`${sum("passed")} passed, ${sum("failed")} failed\n`);
process.exitCode = sum("failed") === 0 ? 0 : 1;
