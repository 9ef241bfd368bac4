// What must hold after a cell, judged from its record alone. Pure: every check is a sentence about what is wrong.
import { RIGHT, smoothMoments } from "./mind.mjs";

/** US dollars; the books keep six decimals. */
const CENT = 0.000_01;
/** Traces of a write that did not come to its end. */
const LEFTOVER = /\.(?:tmp|mine|lock)$/;
/** A turn that left the server was paid, whether it arrived or not. */
const PAID = ["given", "cut", "broken"];

function countOf(turns, moment, states) {
  return turns.filter((turn) => turn.moment === moment && states.includes(turn.state)).length;
}

function sum(rows) {
  return rows.reduce((total, row) => total + (row.cost_usd ?? 0), 0);
}

/** Money of some turns; a look that fills the context costs more than others. */
function costOf(turns, reference) {
  return turns.reduce(
    (total, { moment }) => total + (moment === "coordinator:look" ? reference.lookUsd : reference.turnUsd),
    0,
  );
}

function checkEnd(record) {
  const end = record.ends.at(-1);
  const wrong = [];
  if (end === undefined) wrong.push("the last process did not end in time");
  else if (end.code !== 0) wrong.push(`it did not end well: ${JSON.stringify(end.said ?? end)}`);
  else if (end.said?.verdict !== "achieved")
    wrong.push(`the verdict was ${end.said?.verdict ?? "none given"}, not achieved`);
  if (record.prints !== RIGHT) wrong.push(`the program prints "${record.prints}", not ${RIGHT}`);
  if (record.mustWait && !record.waited) wrong.push("the limit was not waited for");
  if (!record.mayNeedWake && record.ends.length > 1) {
    wrong.push(`it should have gone on by itself: ${JSON.stringify(record.ends[0]?.said ?? record.ends[0])}`);
  }
  return wrong;
}

/**
 * Nothing done is asked for again: beyond the turn in flight, a wake may cost one turn in which the woken session says
 * where it stands.
 */
function checkRepeats(record) {
  const wrong = [];
  const moments = smoothMoments(record.handoff);
  const repeated = moments.flatMap((moment) => {
    const extra = countOf(record.turns, moment, ["given"]) - 1;
    return extra > 0 ? [{ moment, extra }] : [];
  });
  const missing = moments.filter((moment) => countOf(record.turns, moment, PAID) === 0);
  if (missing.length > 0) wrong.push(`never done: ${missing.join(", ")}`);
  const wakes = record.ends.length - 1;
  const total = repeated.reduce((count, { extra }) => count + extra, 0);
  if (total > 1 + wakes || repeated.some(({ extra }) => extra > 1)) {
    const list = repeated.map(({ moment, extra }) => `${moment} x${extra}`).join(", ");
    wrong.push(`done again beyond the turn in flight and one turn a wake: ${list}`);
  }
  return wrong;
}

function checkMoney(record, reference) {
  const wrong = [];
  const booked = sum(record.rows);
  const paid = costOf(
    record.turns.filter((turn) => PAID.includes(turn.state)),
    reference,
  );
  const text = (usd) => `$${usd.toFixed(4)}`;
  if (booked > paid + CENT) wrong.push(`${text(booked)} are booked, ${text(paid)} were paid`);
  const arrived = costOf(
    record.turns.filter((turn) => turn.state === "given"),
    reference,
  );
  const isWhole = record.ends.length === 1 && !record.stoodAtEnd;
  if (isWhole && booked < arrived - CENT) wrong.push(`only ${text(booked)} of ${text(arrived)} are booked`);
  if (!record.losesManifest && booked < sum(record.before.rows) - CENT) {
    wrong.push(`${text(sum(record.before.rows))} were booked before the fault, ${text(booked)} are now`);
  }
  return wrong;
}

function checkBooks(record) {
  const wrong = [];
  const key = (row) => `${row.run} ${row.step}`;
  const now = new Set(record.rows.map(key));
  if (now.size !== record.rows.length)
    wrong.push("two rows of the manifest are the same step of the same run");
  const lost = record.losesManifest ? [] : record.before.rows.filter((row) => !now.has(key(row)));
  if (lost.length > 0) wrong.push(`rows lost from the manifest: ${lost.map((row) => row.step).join(", ")}`);
  for (const name of ["manifest.json", "lineage.json", "costs.json"]) {
    if (record.parses[name] === false && !record.stoodAtEnd) wrong.push(`${name} cannot be read`);
  }
  if (record.store.unknown.length > 0) {
    wrong.push(`the lineage names sessions nobody has: ${record.store.unknown.join(", ")}`);
  }
  if (record.store.integrity !== "ok") wrong.push(`the store says: ${record.store.integrity}`);
  // What a disk does not let be removed is removed by the next run.
  if (record.stoodAtEnd) return wrong;
  const leftovers = record.bookFiles.filter((name) => LEFTOVER.test(name));
  if (leftovers.length > 0) wrong.push(`left behind: ${leftovers.join(", ")}`);
  if (record.bookFiles.includes("active.json")) wrong.push("the folder is still held");
  return wrong;
}

function checkDocuments(record) {
  const { documents, before } = record;
  const wrong = ["brief", "goal"].filter((name) => documents[name] === undefined).map((name) => `no ${name}`);
  for (const name of ["brief", "goal"]) {
    if (before[name] !== undefined && documents[name] !== before[name]) wrong.push(`the ${name} was changed`);
  }
  return wrong;
}

function checkProcesses(record) {
  const wrong = record.left.map(({ pid, command }) => `still runs: ${pid} ${command.slice(0, 80)}`);
  if (record.orphans > 0) wrong.push(`${record.orphans} answers went to an orphan`);
  return [...wrong, ...record.faults.map((fault) => `the API refused something: ${fault}`)];
}

/**
 * Everything that is wrong with a cell's record; empty when it passes.
 * @param reference - `turnUsd` and `lookUsd`: what turns cost in a run in which nothing goes wrong.
 */
export function faultsOf(record, reference) {
  if (!record.reached) return ["the point was never reached"];
  return [
    ...checkEnd(record),
    ...checkRepeats(record),
    ...checkMoney(record, reference),
    ...checkBooks(record),
    ...checkDocuments(record),
    ...checkProcesses(record),
  ];
}
