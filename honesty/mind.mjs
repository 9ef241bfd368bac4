// Coordinator and workers of a work: the coordinator sends them all at once and passes their words on, a worker does
// its steps one after another. What each says is worked out from its request alone.
import { allText, always, dispatch, text, toolResults, toolUse } from "../dist/testing/index.js";
import { reportOf, workersOf } from "./work.mjs";

const partName = (index) => `Part ${index + 1}:`;

/** Its part, told from the words it was sent with. */
function partOf(work, request) {
  const known = allText(request);
  return workersOf(work).find((_, index) => known.includes(partName(index))) ?? [];
}

/** The script of a run for the scripted API; `refused` collects what a tool would not do for a worker. */
export function scriptOf({ work, judge, refused }) {
  const parts = workersOf(work).map((_, index) => dispatch("coder", `${partName(index)} ${work.says}`));
  const report = text(reportOf(work));
  return {
    coordinator: [always((request) => (toolResults(request, "Agent").length === 0 ? parts : report))],
    workers: {
      coder: [
        always((request) => {
          const results = toolResults(request);
          refused.push(
            ...results
              .slice(-1)
              .filter(({ isError }) => isError)
              .map(({ text: words }) => words),
          );
          const step = partOf(work, request)[results.length];
          return step === undefined ? report : toolUse(step.tool, step.input);
        }),
      ],
    },
    judge: [always(judge)],
  };
}
