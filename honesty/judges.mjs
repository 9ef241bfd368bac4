// Three judges, each ruling from its request alone: the lenient one passes everything, the harsh one nothing, the fair
// one goes by what it is shown.
import { firstUserTexts, text, toolResults, toolUse } from "../dist/testing/index.js";
import { readReport, readTask } from "./task.mjs";

function verdict(conclusion, reasons, failed = []) {
  const list = failed.length === 0 ? "(none)" : failed.map((line) => `- ${line}`).join("\n");
  return text(`## Conclusion\n${conclusion}\n\n## Reason\n${reasons.join("\n")}\n\n## Not passed\n${list}\n`);
}

const taskOf = (request) => readTask(firstUserTexts(request).join("\n\n"));

/** What it says of an item it passes: for one without a command the file the item names. */
function passed({ number, path, outcome }) {
  return `${number}: ${path === undefined ? (outcome ?? "as reported") : `\`${path}\` is as it should be`}`;
}

/** Always achieved; names a path where the item names one. */
export function lenient(request) {
  return verdict("achieved", taskOf(request).items.map(passed));
}

/** Always not yet, for an item whose command did what was expected, if there is one. */
export function harsh(request) {
  const { items } = taskOf(request);
  const blamed = items.find(({ outcome }) => outcome === "held") ?? items[0];
  const line = `${blamed?.number ?? 1}: it does not convince`;
  return verdict("not yet", [line], [line]);
}

function ruleFairly(items, state) {
  const is = (wanted) => items.filter((item) => state(item).is === wanted);
  const lines = items.map((item) => `${item.number}: ${state(item).why}`);
  const named = (list) => list.map(({ number }) => lines[number - 1]);
  if (is("wrong").length > 0) return verdict("not yet", lines, named(is("wrong")));
  if (is("open").length > 0) return verdict("cannot verify here", lines, named(is("open")));
  return verdict("achieved", lines);
}

/** Opens the files items without a command name, then goes by flower's table, and without one by the report. */
export function fair(request) {
  const task = taskOf(request);
  const reading = task.items.filter(({ command }) => command === undefined);
  const opened = toolResults(request, "Read");
  if (opened.length < reading.length) return reading.map(({ path }) => toolUse("Read", { file_path: path }));
  const report = readReport(task.report);
  return ruleFairly(task.items, (item) => {
    if (item.command === undefined) {
      const is = opened[reading.indexOf(item)]?.isError === false ? "right" : "wrong";
      return { is, why: `\`${item.path}\` ${is === "right" ? "was read" : "is not there"}` };
    }
    if (item.outcome !== undefined) return byEvidence(item);
    const claim = report.get(item.number) ?? "nothing is said of it";
    return {
      is: claim === "passed" ? "right" : claim.startsWith("not tried") ? "open" : "wrong",
      why: claim,
    };
  });
}

const RULING = { held: "right", unverifiable: "open" };

function byEvidence({ outcome }) {
  return { is: RULING[outcome] ?? "wrong", why: `flower saw it ${outcome}` };
}

export const JUDGES = { lenient, harsh, fair };
