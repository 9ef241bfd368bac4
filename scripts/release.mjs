// Publishes the version in package.json: refuses what is not ready, checks everything, then npm. How and what a version
// promises: docs/releasing.md. Usage: npm run release [-- --dry-run]
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { refusals } from "./release/refusals.mjs";

/** Where a reader learns how to install it. */
const INSTALLING = ["README.md", "docs/quick-start.md"];

const root = join(import.meta.dirname, "..");
const extra = process.argv.slice(2).filter((word) => word !== "--dry-run");
const publishes = !process.argv.includes("--dry-run");

function fail(...lines) {
  for (const line of lines) process.stderr.write(`${line}\n`);
  process.exit(1);
}

function git(...args) {
  const done = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (done.status !== 0) fail(`git ${args.join(" ")}: ${done.error ?? done.stderr}`);
  return done.stdout.split("\n").filter((line) => line !== "");
}

function run(command, ...args) {
  process.stderr.write(`\n=== ${[command, ...args].join(" ")}\n`);
  const done = spawnSync(command, args, { cwd: root, stdio: "inherit", shell: process.platform === "win32" });
  if (done.status !== 0) fail(`${command} ${args.join(" ")} failed: nothing was published`);
}

if (extra.length > 0) fail(`unknown: ${extra.join(" ")}. Usage: npm run release [-- --dry-run]`);
const read = (name) => readFileSync(join(root, name), "utf8");
const manifest = JSON.parse(read("package.json"));
const found = refusals({
  manifest,
  changelog: read("CHANGELOG.md"),
  documents: Object.fromEntries(INSTALLING.map((name) => [name, read(name)])),
  branch: git("branch", "--show-current").join(""),
  dirty: git("status", "--porcelain"),
  tags: git("tag", "--list"),
  publishes,
  // Set by GitHub for a job with `id-token: write`, and by GitLab for one that asks for SIGSTORE_ID_TOKEN.
  hasIdToken: Boolean(process.env.ACTIONS_ID_TOKEN_REQUEST_URL || process.env.SIGSTORE_ID_TOKEN),
});
if (found.length > 0) fail("not released:", ...found.map((line) => `- ${line}`));

run(join(root, ".ci", "run"));
if (publishes) run("npm", "publish", "--provenance", "--access", "public", "--ignore-scripts");
else run("npm", "publish", "--dry-run", "--ignore-scripts");
process.stderr.write(
  publishes
    ? `\n${manifest.name} ${manifest.version} is published: git tag v${manifest.version} && git push --tags\n`
    : `\n${manifest.name} ${manifest.version} would be published\n`,
);
