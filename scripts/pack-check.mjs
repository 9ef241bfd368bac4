// Checks the package as a user gets it: packs it, installs the tarball in an empty folder, and uses it from there as a
// library, with types under several compilers, and as a command. Needs a build. Every check prints one line; exits 1 when one failed.
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { askAboutTypes, compileEverywhere, installCompilers } from "./consumers/compile.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const folder = realpathSync(mkdtempSync(join(tmpdir(), "flower-pack-")));
const app = join(folder, "app");
const LIMIT_MS = 300_000;
const PACKED = /^(?:dist\/.+\.(?:js|d\.ts)|package\.json|README\.md|CHANGELOG\.md|LICENSE)$/;

/** npm's own settings of the surrounding `npm run` must not reach the npm started here; no credential either. */
function cleanEnv() {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(?:ANTHROPIC|CLAUDE|FLOWER|AWS_|GOOGLE_|AZURE_)/.test(name) &&
      (!/^npm_/i.test(name) ||
        /^npm_config_(?:cache|registry|https?_proxy|proxy|noproxy|cafile)$/i.test(name)),
  );
  return { ...Object.fromEntries(kept), HOME: join(folder, "home") };
}

function run(command, args, cwd) {
  const done = spawnSync(command, args, { cwd, env: cleanEnv(), encoding: "utf8", timeout: LIMIT_MS });
  const output = `${done.stdout ?? ""}${done.stderr ?? ""}`;
  if (done.error) throw done.error;
  if (done.status !== 0) throw new Error(`${command} ${args.join(" ")}: exit ${done.status}\n${output}`);
  return { stdout: done.stdout, output };
}

function expectThat(condition, message) {
  if (!condition) throw new Error(message);
}

let tarball;

function pack() {
  const { stdout } = run("npm", ["pack", "--json", "--pack-destination", folder], root);
  const [packed] = JSON.parse(stdout);
  const paths = packed.files.map((file) => file.path);
  const stray = paths.filter((path) => !PACKED.test(path));
  expectThat(stray.length === 0, `files that do not belong in the package: ${stray.join(", ")}`);
  for (const path of ["README.md", "CHANGELOG.md", "LICENSE", "dist/index.d.ts", manifest.bin.flower]) {
    expectThat(paths.includes(path), `the package lacks ${path}`);
  }
  tarball = join(folder, packed.filename);
}

async function lint() {
  const { messages } = await publint({ pkgDir: root, pack: false, strict: true });
  expectThat(messages.length === 0, messages.map((each) => formatMessage(each, manifest)).join("\n"));
}

function install() {
  expectThat(tarball !== undefined, "there is nothing to install");
  writeFileSync(join(app, "package.json"), '{ "private": true, "type": "module" }\n');
  run("npm", ["install", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", tarball], app);
}

function importIt() {
  writeFileSync(
    join(app, "library.mjs"),
    [
      'import { AgentSpec, Brief, SqliteSessionStore } from "flower-agent";',
      'import { ScriptedApi, text } from "flower-agent/testing";',
      'new AgentSpec({ name: "a", instructions: "b" });',
      'new SqliteSessionStore({ path: "sessions.db" }).close();',
      'const api = await ScriptedApi.start({ script: { main: [text("hi")] } });',
      "await api.close();",
      "console.log(Brief.parse('## Goal\\nx').goal);",
      "",
    ].join("\n"),
  );
  const { stdout } = run(process.execPath, ["library.mjs"], app);
  expectThat(stdout.trim() === "x", `printed ${stdout}`);
}

function types() {
  const names = [
    "minimal-agent.ts",
    "coordinator-and-worker.ts",
    "two-step-workflow.ts",
    "test-your-workflow.ts",
    "own-ui-http.ts",
    "custom-store.ts",
    "custom-judge-and-guards.ts",
  ];
  for (const name of names) copyFileSync(join(root, "examples", name), join(app, name));
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2023", "--module", "nodenext"];
  const typeRoots = ["--typeRoots", join(root, "node_modules", "@types"), "--types", "node"];
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  run(process.execPath, [tsc, ...options, ...typeRoots, ...names], app);
}

function compilers() {
  installCompilers(run);
  const files = readdirSync(join(root, "test", "types"));
  for (const name of files) copyFileSync(join(root, "test", "types", name), join(app, name));
  const faults = compileEverywhere({ app, files });
  expectThat(faults.length === 0, faults.join("\n"));
}

/** What `npx flower-agent` does where nothing is installed: the package has one command, so its own name starts it. */
function byItsName() {
  const away = join(folder, "away");
  mkdirSync(away);
  const { stdout } = run("npx", ["--yes", "--prefer-offline", `file:${tarball}`, "--version"], away);
  expectThat(stdout.includes(manifest.version), `npx printed ${stdout}`);
}

function flower(...args) {
  return run(join(app, "node_modules", ".bin", "flower"), args, app);
}

function version() {
  const { stdout } = flower("--version");
  expectThat(stdout.includes(manifest.version), `--version printed ${stdout}`);
}

function demo() {
  const { output } = flower("demo");
  expectThat(/manifest/.test(output), `the demo did not name its books:\n${output}`);
}

const CHECKS = [
  ["only what belongs there is packed", pack],
  ["publint finds nothing", lint],
  ["the tarball installs in an empty folder", install],
  ["the library is imported there", importIt],
  ["its types hold in strict mode", types],
  ["they hold for TypeScript 5.4, 5.9 and 7, node16, nodenext and bundler", compilers],
  ["arethetypeswrong finds nothing", () => askAboutTypes(tarball, run)],
  ["flower --version", version],
  ["npx starts it by the name of the package", byItsName],
  ["flower demo", demo],
];

mkdirSync(app);
mkdirSync(join(folder, "home"));
let failed = 0;
for (const [name, check] of CHECKS) {
  const startedAt = Date.now();
  let fault;
  try {
    await check();
  } catch (error) {
    fault = error;
    failed += 1;
  }
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(`${fault === undefined ? "ok    " : "FAILED"} package: ${name} (${seconds} s)`);
  if (fault !== undefined) console.log(fault.message);
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = failed === 0 ? 0 : 1;
