// What the matrix says: a table, a sentence for every cell that is no pass, and the page for people. Pure.

const MARKS = { pass: "ok", fail: "FAIL", not_run: "-", missing: "." };

/** Counts by state. */
export function countStates(results) {
  const count = (state) => results.filter((result) => result.state === state).length;
  return { passed: count("pass"), failed: count("fail"), notRun: count("not_run") };
}

/** The table: a row a point, a column a fault. */
export function renderTable(points, faults, results) {
  const state = new Map(results.map((result) => [`${result.point} ${result.fault}`, result.state]));
  const widths = faults.map((fault) => Math.max(fault.name.length, 4));
  const first = Math.max(...points.map((point) => point.name.length));
  const line = (head, cells) =>
    [head.padEnd(first), ...cells.map((cell, index) => cell.padEnd(widths[index]))].join("  ").trimEnd();
  const rows = points.map((point) =>
    line(
      point.name,
      faults.map((fault) => MARKS[state.get(`${point.name} ${fault.name}`) ?? "missing"]),
    ),
  );
  return [
    line(
      "",
      faults.map((fault) => fault.name),
    ),
    ...rows,
  ].join("\n");
}

/** A line for every cell that is not a pass. */
export function renderReasons(results) {
  const lines = (state) =>
    results
      .filter((result) => result.state === state)
      .map(({ point, fault, why }) => `${MARKS[state]} ${point} x ${fault}: ${why.join("; ")}`);
  return [...lines("fail"), ...lines("not_run")].join("\n");
}

/** The rate in one line. */
export function renderRate(results) {
  const { passed, failed, notRun } = countStates(results);
  const ran = passed + failed;
  const rate = ran === 0 ? 0 : (100 * passed) / ran;
  return `${passed} of ${ran} cells that could be run passed (${rate.toFixed(1)} %); ${notRun} cannot be`;
}

/** The last line. */
export function renderLast(results) {
  const { passed, failed, notRun } = countStates(results);
  return `${passed} passed, ${failed} failed${notRun > 0 ? `, ${notRun} skipped` : ""}`;
}

function byFault(faults, results) {
  return faults.map((fault) => {
    const own = results.filter((result) => result.fault === fault.name);
    const { passed, failed, notRun } = countStates(own);
    return `| ${fault.says} | ${passed} of ${passed + failed} | ${notRun} |`;
  });
}

/** The table of README and of the page: what it survives. */
export function renderMarkdown(points, faults, results) {
  const why = results.filter((result) => result.state !== "pass");
  return [
    "| what goes wrong | survived at | nothing to take hold of |",
    "|---|---|---|",
    ...byFault(faults, results),
    "",
    renderRate(results),
    "",
    "```text",
    renderTable(points, faults, results),
    "```",
    "",
    "The places:",
    "",
    ...points.map((point) => `- \`${point.name}\`: ${point.says}`),
    "",
    ...(why.length === 0 ? [] : ["Cells that are no pass:", ""]),
    ...why.map(({ point, fault, state, why: reasons }) => {
      const word = state === "fail" ? "**failed**" : "not run";
      return `- \`${point}\` x \`${fault}\`: ${word}, ${reasons.join("; ")}`;
    }),
    "",
  ].join("\n");
}

/** Where it stands in its page. */
export const PART = { name: "matrix", command: "survive -- --docs" };
