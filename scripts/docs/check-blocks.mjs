// TypeScript blocks of the documents, type-checked against the built package as a user's strict project would, and
// run on the scripted model where a remark says so.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf } from "./markdown.mjs";

const CONFIG = {
  compilerOptions: {
    target: "ES2023",
    module: "NodeNext",
    moduleResolution: "NodeNext",
    lib: ["ES2024", "ESNext.Disposable"],
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
  },
};

/** @returns every TypeScript block, with a name of its own that is no path. */
export function gatherBlocks(texts) {
  return [...texts].flatMap(([document, text]) =>
    blocksOf(text)
      .filter(({ language }) => language === "ts")
      .map((block) => ({
        ...block,
        document,
        file: `${document.replaceAll(/[/.]/g, "-")}-${block.line}.mts`,
        isFragment: block.remark.startsWith("fragment:"),
      })),
  );
}

/**
 * The blocks stand beside the package while they are checked, so that `flower-agent` is what a user gets.
 * @returns for each block what the compiler says of it.
 */
export function checkTypes(blocks, root) {
  const folder = mkdtempSync(join(root, ".dist-docs-"));
  try {
    for (const { file, code } of blocks) writeFileSync(join(folder, file), `${code}export {};\n`);
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ ...CONFIG, include: ["*.mts"] }));
    const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
    const done = spawnSync(process.execPath, [tsc, "-p", folder, "--pretty", "false"], {
      cwd: folder,
      encoding: "utf8",
    });
    const lines = `${done.stdout}${done.stderr}`.split("\n").filter((line) => line.trim() !== "");
    const results = blocks.map((block) => ({
      title: `types of ${block.document}:${block.line}`,
      faults: lines.filter((line) => line.startsWith(block.file)),
    }));
    const isLost = done.status !== 0 && results.every(({ faults }) => faults.length === 0);
    return isLost ? [...results, { title: "the compiler", faults: lines }] : results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What running a block must come to: exit code 0, every line of the script used, and what it must print. */
export async function runBlock(block, { root, scripts, testing }) {
  const name = block.remark.slice("run:".length).trim();
  const title = `run of ${block.document}:${block.line} (${name})`;
  const scripted = scripts[name];
  if (scripted === undefined) return { title, faults: [`no script is called "${name}"`] };
  const folder = mkdtempSync(join(root, ".dist-docs-"));
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  for (const each of [home, project]) mkdirSync(each);
  const api = await testing.ScriptedApi.start({ script: scripted.script(project) });
  try {
    const file = join(folder, "block.ts");
    writeFileSync(file, block.code);
    const env = testing.scriptedEnv({
      home,
      apiUrl: api.url,
      path: process.env.PATH ?? "",
      extra: { JITI_FS_CACHE: "false", TMPDIR: home },
    });
    const done = await start([join(root, "node_modules", "jiti", "lib", "jiti-cli.mjs"), file], project, env);
    return { title, faults: faultsOf(done, scripted.prints, api) };
  } finally {
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function start(args, cwd, env) {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk) => {
      output += chunk;
    });
  }
  const timer = setTimeout(() => child.kill("SIGKILL"), 120_000);
  const code = await new Promise((resolve) => child.on("close", resolve));
  clearTimeout(timer);
  return { code, output };
}

function faultsOf({ code, output }, prints, api) {
  const faults = prints.filter((each) => !each.test(output)).map((each) => `did not print ${each}`);
  if (code !== 0) faults.push(`exit ${code}`);
  try {
    api.verify();
  } catch (error) {
    faults.push(error.message);
  }
  return faults.length === 0 ? [] : [...faults, output];
}
