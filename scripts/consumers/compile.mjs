// The types of the installed package as its users' compilers see them, and what arethetypeswrong says of the tarball.
// Brings its own compilers: they are installed beside this file when they are missing or others.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dirname;
const root = join(here, "..", "..");
const COMPILERS = {
  5.4: join(here, "node_modules", "typescript-5.4"),
  5.9: join(here, "node_modules", "typescript-5.9"),
  7: join(root, "node_modules", "typescript"),
};
const RESOLUTIONS = {
  node16: ["--module", "node16", "--moduleResolution", "node16"],
  nodenext: ["--module", "nodenext", "--moduleResolution", "nodenext"],
  bundler: ["--module", "esnext", "--moduleResolution", "bundler"],
};
const STRICT = ["--noEmit", "--strict", "--allowImportingTsExtensions", "--target", "es2022"];
/** Declarations of others are read too. One of them, the MCP SDK's, names a type of browsers. */
const WITH_LIBRARIES = ["--exactOptionalPropertyTypes", "--lib", "es2022,dom"];
/** What most projects have, and no flag that tells `undefined` from left out. */
const USUAL = ["--skipLibCheck", "--lib", "es2022"];

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

function isInstalled() {
  const { packages } = readJson(join(here, "package-lock.json"));
  const names = Object.keys(readJson(join(here, "package.json")).devDependencies);
  return names.every((name) => {
    const path = join(here, "node_modules", name, "package.json");
    return existsSync(path) && readJson(path).version === packages[`node_modules/${name}`].version;
  });
}

/** `run(command, arguments, folder)` throws what the command printed when it fails. */
export function installCompilers(run) {
  if (isInstalled()) return;
  run("npm", ["ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"], here);
}

function compile(compiler, options, { app, files }) {
  const tsc = join(COMPILERS[compiler], "bin", "tsc");
  const typeRoots = ["--typeRoots", join(root, "node_modules", "@types"), "--types", "node"];
  const args = [tsc, ...STRICT, ...typeRoots, ...options, ...files];
  const done = spawnSync(process.execPath, args, { cwd: app, encoding: "utf8" });
  return done.status === 0
    ? []
    : [`${done.error ?? ""}${done.stdout}${done.stderr}`.split("\n").slice(0, 5).join("\n")];
}

/** @returns what does not compile, each with the compiler and how it looks for packages; `files` lie in `app`. */
export function compileEverywhere(place) {
  return Object.keys(COMPILERS).flatMap((compiler) => {
    const titled = (title, faults) => faults.map((fault) => `TypeScript ${compiler}, ${title}:\n${fault}`);
    return [
      ...Object.entries(RESOLUTIONS).flatMap(([name, options]) =>
        titled(name, compile(compiler, [...options, ...WITH_LIBRARIES], place)),
      ),
      ...titled("nodenext, usual", compile(compiler, [...RESOLUTIONS.nodenext, ...USUAL], place)),
    ];
  });
}

/**
 * The package is ESM alone, which the profile says: `require` from CommonJS gets its types by a dynamic import only, and
 * resolution as it was before `exports` finds nothing.
 */
export function askAboutTypes(tarball, run) {
  const attw = join(here, "node_modules", "@arethetypeswrong", "cli", "dist", "index.js");
  run(process.execPath, [attw, tarball, "--profile", "esm-only", "--no-color", "--no-emoji"], here);
}
