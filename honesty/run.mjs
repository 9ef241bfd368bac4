// `npm run honesty`: forty works, finished or only so to look at, with three judges, with evidence and without. Prints
// who let what pass and who sent what back, and what must hold; `N passed, N failed` is its last line.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { replaceMarked } from "../scripts/marked-part.mjs";
import { chooseRuns, parseArguments, USAGE } from "./arguments.mjs";
import { demandsOf, endOf } from "./checks.mjs";
import { PART, renderDemands, renderLast, renderMarkdown, renderTable } from "./report.mjs";
import { runWork } from "./stage.mjs";
import { WORKS } from "./works.mjs";

const PAGE = fileURLToPath(new URL("../docs/evidence.md", import.meta.url));

function choose() {
  try {
    const wanted = parseArguments(process.argv.slice(2));
    return { wanted, runs: chooseRuns(wanted, WORKS) };
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${USAGE}\n`);
    process.exit(2);
  }
}

async function runOne(run, limitMs) {
  const record = await runWork({ ...run, limitMs }).catch((error) => ({
    threw: error.stack ?? String(error),
  }));
  return { ...run, record, end: endOf(record) };
}

async function runAll(runs, { jobs, limitS }) {
  const results = [];
  let next = 0;
  let done = 0;
  const work = async () => {
    for (let at = next++; at < runs.length; at = next++) {
      const startedAt = Date.now();
      const result = await runOne(runs[at], limitS * 1000);
      results[at] = result;
      done += 1;
      const { work: what, judge, evidence, end } = result;
      const truth = what.finished ? "finished" : "unfinished";
      process.stdout.write(
        `[${done}/${runs.length}] ${truth.padEnd(10)} ${end.padEnd(8)} ${what.name} x ${judge}, evidence ${evidence ? "on" : "off"} (${((Date.now() - startedAt) / 1000).toFixed(0)} s)\n`,
      );
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return results;
}

const { wanted, runs } = choose();
if (wanted.help) {
  process.stdout.write(`${USAGE}\n`);
  process.exit(0);
}
if (wanted.list) {
  const lines = WORKS.map(
    ({ name, finished, says }) => `${finished ? "finished  " : "unfinished"} ${name.padEnd(20)} ${says}`,
  );
  process.stdout.write(`${lines.join("\n")}\n`);
  process.exit(0);
}
const startedAt = Date.now();
const results = await runAll(runs, wanted);
const demands = demandsOf(results);
if (wanted.docs) {
  writeFileSync(PAGE, replaceMarked(readFileSync(PAGE, "utf8"), PART, renderMarkdown(WORKS, results)));
}
process.stdout.write(`\n${renderTable(results)}\n\n${renderDemands(demands)}\n`);
process.stdout.write(
  `\n${runs.length} runs in ${((Date.now() - startedAt) / 60_000).toFixed(1)} min\n${renderLast(demands)}\n`,
);
process.exit(demands.every(({ holds }) => holds) ? 0 : 1);
