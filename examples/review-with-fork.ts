// A review from three angles that reads the work once: one session reads it, copies of that session review it side by
// side, and a last step puts together what they found. The same agent throughout, so that the copies find what was
// read in the cache. A finding counts when the line it names is there.
// Run it with a credential: npx jiti examples/review-with-fork.ts (Node 24 and newer: node examples/review-with-fork.ts).
import { existsSync, readFileSync } from "node:fs";
import { AgentSpec, parallel, Runtime, Step, Workflow } from "flower-agent";

/** What the steps pass on. */
interface Review {
  readonly path: string;
  read?: string;
  /** What each angle found, in their order. */
  angles?: readonly string[];
  merged?: string;
}

const ANGLES = {
  correctness: "What gives a wrong result, and for which input?",
  safety: "What can somebody who chooses the input make it do?",
  tests: "Which behaviour could break without a test noticing?",
};
const FORM =
  "One line a finding, `path:line: severity: what`, severity high or low; `none` if there is nothing.";

const reviewer = new AgentSpec({
  name: "reviewer",
  instructions: "You review code and change nothing.", // its tools read and search, as long as it is given no others
});

const read = new Step<Review>(
  "read",
  reviewer,
  (ctx) =>
    `Read ${ctx.path}, its tests and what it uses. Say in three lines what it does; do not review it yet.`,
);
const angles = parallel(
  Object.entries(ANGLES).map(
    ([name, question]) =>
      new Step<Review>(name, reviewer, `Review what you have read from one angle only. ${question} ${FORM}`, {
        resumeFrom: "read",
        fork: true,
      }),
  ),
  { name: "angles", onFail: "skip" }, // two angles are better than none
);
const merge = new Step<Review>(
  "merged",
  reviewer,
  (ctx) => `Merge these findings: each once, the high ones first. ${FORM}\n\n${ctx.angles?.join("\n")}`,
  {
    retries: 1,
    gate: (result) => invented(result.text).length === 0,
    onReject: (result) =>
      `These lines do not exist: ${invented(result.text).join(", ")}. Correct or drop them.`,
  },
);

/** Places named by findings that are not in the files. */
function invented(findings: string): string[] {
  const places = [...findings.matchAll(/^(\S+?):(\d+): /gm)];
  return places.flatMap(([, path = "", line]) => {
    const lines = existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n").length : 0;
    return Number(line) >= 1 && Number(line) <= lines ? [] : [`${path}:${line}`];
  });
}

const workflow = new Workflow<Review>([read, angles, merge], {
  context: { path: process.argv[2] ?? "ratio.mjs" },
  continuous: false, // the next review reads the work anew: it has changed
  budgetUsd: 3,
});

await using runtime = new Runtime({ workspace: "." });
const ctx = await workflow.run(runtime);
for (const { step, costUsd, usage } of runtime.results) {
  console.log(`${step}: $${costUsd.toFixed(4)}, ${usage.cacheRead} tokens from the cache`);
}
console.log(ctx._failedAt === undefined ? `\n${ctx.merged}` : `stopped at ${ctx._failedAt}`);
process.exitCode = ctx._failedAt === undefined ? 0 : 1;
