// What the runs say: the table for the screen and for the page, and every demand with what speaks against it. Pure.
import { JUDGE_NAMES } from "./arguments.mjs";
import { countOf } from "./checks.mjs";

const HEAD = [
  "judge",
  "evidence",
  "unfinished work passed",
  "finished work sent back",
  "finished: the person was asked",
  "unfinished: the person was asked",
];

/** A row for every judge, with evidence and without, as far as there are runs. */
function rowsOf(results) {
  const kinds = JUDGE_NAMES.flatMap((judge) => [true, false].map((evidence) => ({ judge, evidence })));
  return kinds.flatMap(({ judge, evidence }) => {
    const own = results.filter((result) => result.judge === judge && result.evidence === evidence);
    if (own.length === 0) return [];
    const { finished, unfinished, falseAchieved, falseRejected, askedFinished, askedUnfinished } =
      countOf(own);
    return [
      [
        judge,
        evidence ? "on" : "off",
        `${falseAchieved} of ${unfinished}`,
        `${falseRejected} of ${finished}`,
        `${askedFinished} of ${finished}`,
        `${askedUnfinished} of ${unfinished}`,
      ],
    ];
  });
}

/** The table for the screen. */
export function renderTable(results) {
  const lines = [HEAD, ...rowsOf(results)];
  const widths = HEAD.map((_, at) => Math.max(...lines.map((line) => line[at].length)));
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at]))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** A line for every demand, and below it the runs that speak against it. */
export function renderDemands(demands) {
  return demands
    .flatMap(({ says, runs, holds, wrong }) => [
      `${holds ? "ok    " : "FAILED"} ${says} (${runs} runs)`,
      ...wrong.map((line) => `         ${line}`),
    ])
    .join("\n");
}

/** The last line. */
export function renderLast(demands) {
  const passed = demands.filter(({ holds }) => holds).length;
  return `${passed} passed, ${demands.length - passed} failed`;
}

const row = (cells) => `| ${cells.join(" | ")} |`;

/** The table of the page, and every work in a line. */
export function renderMarkdown(works, results) {
  const list = (finished) =>
    works.filter((work) => work.finished === finished).map(({ name, says }) => `- \`${name}\`: ${says}`);
  return [
    row(HEAD),
    row(HEAD.map(() => "---")),
    ...rowsOf(results).map(row),
    "",
    "Finished:",
    "",
    ...list(true),
    "",
    "Only so to look at:",
    "",
    ...list(false),
    "",
  ].join("\n");
}

/** Where it stands in its page. */
export const PART = { name: "honesty", command: "honesty -- --docs" };
