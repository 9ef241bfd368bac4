// `npm run survive`: every fault at every place of a run on the real harness. Keeps each cell's result in `.results/`,
// so that a matrix that was stopped goes on; prints the table, the rate, and `N passed, N failed` as its last line.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { replaceMarked } from "../scripts/marked-part.mjs";
import { chooseCells, parseArguments, USAGE } from "./arguments.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const resultsFolder = join(here, ".results");

function fail(message) {
  process.stderr.write(`${message}\n\n${USAGE}\n`);
  process.exit(2);
}

/** Mounts need a namespace of their own, in which they vanish with it; not every system lets one be made. */
function enterNamespace() {
  if (process.env.SURVIVE_NAMESPACE !== undefined) return;
  for (const how of [["--mount"], ["--map-root-user", "--mount"]]) {
    const flags = [...how, "--propagation", "private"];
    const probe = spawnSync("unshare", [...flags, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], {
      stdio: "ignore",
    });
    if (probe.status !== 0) continue;
    const args = [...flags, process.execPath, ...process.argv.slice(1)];
    const env = { ...process.env, SURVIVE_NAMESPACE: "1" };
    const done = spawnSync("unshare", args, { stdio: "inherit", env });
    process.exit(done.status ?? 1);
  }
  process.env.SURVIVE_NAMESPACE = "0";
}

function readArguments() {
  try {
    return parseArguments(process.argv.slice(2));
  } catch (error) {
    return fail(error.message);
  }
}

const wanted = readArguments();
if (wanted.help) {
  process.stdout.write(`${USAGE}\n`);
  process.exit(0);
}
enterNamespace();

const { runCell } = await import("./cell.mjs");
const { faultsOf } = await import("./checks.mjs");
const { FAULTS, NotBound, unavailable } = await import("./faults.mjs");
const { POINTS } = await import("./points.mjs");
const report = await import("./report.mjs");

if (wanted.list) {
  const list = (all) => all.map(({ name, says }) => `  ${name.padEnd(16)}${says}`).join("\n");
  process.stdout.write(`places\n${list(POINTS)}\n\nfaults\n${list(FAULTS)}\n`);
  process.exit(0);
}

const build = readFileSync(new URL("../dist/.sources", import.meta.url), "utf8").trim();

function load(name) {
  const path = join(resultsFolder, `${name}.json`);
  if (!existsSync(path)) return undefined;
  try {
    const result = JSON.parse(readFileSync(path, "utf8"));
    return result.build === build ? result : undefined;
  } catch {
    return undefined;
  }
}

function save(name, result) {
  mkdirSync(resultsFolder, { recursive: true });
  writeFileSync(join(resultsFolder, `${name}.json`), `${JSON.stringify({ ...result, build }, null, 1)}\n`);
}

/** What turns cost when nothing goes wrong: measured once a build. */
async function measureReference(handoff) {
  const name = handoff ? "reference-handoff" : "reference";
  const known = load(name);
  if (known !== undefined) return known;
  const record = await runCell({ name, handoff }, undefined, { limitMs: wanted.limitS * 1000 });
  if (record.ends.at(-1)?.code !== 0) {
    throw new Error(`a run without any fault does not end well: ${JSON.stringify(record, null, 1)}`);
  }
  const usd = record.rows.reduce((sum, row) => sum + row.cost_usd, 0);
  const reference = { turns: record.turns.length, usd };
  save(name, reference);
  return reference;
}

async function reference(cells) {
  const plain = await measureReference(false);
  const turnUsd = plain.usd / plain.turns;
  if (!cells.some(({ point }) => point.handoff)) return { turnUsd, lookUsd: turnUsd };
  const { usd, turns } = await measureReference(true);
  return { turnUsd, lookUsd: usd - turnUsd * (turns - 1) };
}

async function judge({ point, fault }, costs) {
  const impossible = unavailable(fault);
  if (impossible !== undefined) return { state: "not_run", why: [impossible] };
  try {
    const record = await runCell(point, fault, { limitMs: wanted.limitS * 1000 });
    const why = faultsOf(record, costs);
    return why.length === 0 ? { state: "pass", why } : { state: "fail", why, record };
  } catch (error) {
    if (error instanceof NotBound) return { state: "not_run", why: [error.message] };
    return { state: "fail", why: [`the cell itself broke: ${error.stack ?? error}`] };
  }
}

async function runOne(cell, costs, progress) {
  const known = wanted.fresh ? undefined : load(cell.name);
  if (known !== undefined) return { ...known, isKnown: true };
  const startedAt = Date.now();
  const judged = await judge(cell, costs);
  const seconds = (Date.now() - startedAt) / 1000;
  const result = { point: cell.point.name, fault: cell.fault.name, ...judged, seconds };
  save(cell.name, result);
  progress(cell, result);
  return result;
}

async function runAll(cells, costs) {
  const results = [];
  let next = 0;
  let done = 0;
  const progress = ({ point, fault }, { state, why, seconds }) => {
    done += 1;
    const words = why.length === 0 ? "" : `: ${why.join("; ")}`;
    process.stdout.write(
      `[${done}/${cells.length}] ${state.padEnd(7)} ${point.name} x ${fault.name} (${seconds.toFixed(0)} s)${words}\n`,
    );
  };
  const work = async () => {
    for (let at = next++; at < cells.length; at = next++)
      results[at] = await runOne(cells[at], costs, progress);
  };
  await Promise.all(Array.from({ length: wanted.jobs }, work));
  return results;
}

function chosen() {
  try {
    return chooseCells(wanted, POINTS, FAULTS);
  } catch (error) {
    return fail(error.message);
  }
}

const cells = chosen();
const startedAt = Date.now();
const results = await runAll(cells, await reference(cells));
const { passed, failed, notRun } = report.countStates(results);
const tested = {
  points: POINTS.filter((point) => cells.some((cell) => cell.point === point)),
  faults: FAULTS.filter((fault) => cells.some((cell) => cell.fault === fault)),
};
save("summary", {
  passed,
  failed,
  notRun,
  seconds: (Date.now() - startedAt) / 1000,
  cells: results.map(({ point, fault, state, why, seconds }) => ({ point, fault, state, why, seconds })),
});
if (wanted.docs) {
  const page = fileURLToPath(new URL("../docs/survival.md", import.meta.url));
  const text = report.renderMarkdown(tested.points, tested.faults, results);
  writeFileSync(page, replaceMarked(readFileSync(page, "utf8"), report.PART, text));
}
const known = results.filter((result) => result.isKnown).length;
const took = `${((Date.now() - startedAt) / 60_000).toFixed(1)} min${known > 0 ? `, ${known} cells from before` : ""}`;
process.stdout.write(
  `\n${report.renderTable(tested.points, tested.faults, results)}\n\n${report.renderReasons(results)}\n`,
);
process.stdout.write(`${report.renderRate(results)} (${took})\n${report.renderLast(results)}\n`);
process.exit(failed > 0 ? 1 : 0);
