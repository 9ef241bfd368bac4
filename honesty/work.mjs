// The words works are written in: what a worker does, and what a careful person would see at each item of the list.
import { createHash } from "node:crypto";

/** The worker writes a file. */
export function write(path, ...lines) {
  return { tool: "Write", input: { file_path: path, content: `${lines.join("\n")}\n` } };
}

/** The worker runs a command in its shell. */
export function run(command) {
  return { tool: "Bash", input: { command } };
}

function item(seen, command, expectation) {
  return { text: `\`${command}\` -> ${expectation}`, seen };
}

/** An item whose command does what is expected of it. */
export const held = (command, expectation) => item("held", command, expectation);
/** An item whose command does not. */
export const failed = (command, expectation) => item("failed", command, expectation);
/** An item whose command does so once and not twice. */
export const flaky = (command, expectation) => item("flaky", command, expectation);
/** An item nobody can decide on the machine the run is on. */
export const unverifiable = (command, expectation) => item("unverifiable", command, expectation);
/** An item without a command, for a judge to read. It names the file that shows it, which is `there` or not. */
export const prose = (text, there = true) => ({ text, seen: "prose", there });

/** What git calls a file of this content: a name nobody can move, as they can a tag. */
export function blobOf(content) {
  return createHash("sha1")
    .update(`blob ${Buffer.byteLength(content)}\0${content}`)
    .digest("hex");
}

/** Checklist items as they stand in the goal. */
export function textsOf(work) {
  return work.goal.map(({ text }) => text);
}

/** What each worker does, a list for each. */
export function workersOf(work) {
  return work.workers ?? [work.steps];
}

/** What the workers say of every item: that it passed, unless the work has other words for it. */
export function reportOf(work) {
  const lines = work.goal.map((_, index) => `${index + 1}: ${work.claims?.[index + 1] ?? "passed"}`);
  return ["**Conclusion**: done.", "**Evidence**:", ...lines, "**Unverified**: (none)"].join("\n");
}
