// What the demo's scripted model writes: brief, goal, verdicts, in the form the roles ask for.

import { PROGRAM, SAMPLE, TRICKY } from "./program.ts";

/** What the person of the demo asks for. */
export const REQUEST = "build me a small program that counts the words in a text file";

const CHECKS = [
  `\`node ${PROGRAM} ${SAMPLE}\` prints 9`,
  `\`node ${PROGRAM} ${TRICKY}\` prints 5: words may be separated by any white space`,
  "an empty file counts 0 words",
];

/** The brief. */
export const BRIEF = `## Goal
A program \`${PROGRAM}\` that prints how many words a text file holds.

## Acceptance criteria
${CHECKS.map((check) => `- ${check}`).join("\n")}

## Boundaries
One file, Node only, nothing to install.

## Unknowns and assumptions
Nobody answered what counts as a word. Assumed: whatever stands between white space.
`;

/** The goal. */
export const GOAL = `## Goal
\`${PROGRAM}\` counts the words of a text file correctly.

## Checklist
${CHECKS.map((check) => `- ${check}`).join("\n")}
`;

/** The verdict on the defect. */
export const NOT_YET = `## Conclusion
not yet

## Reason
${PROGRAM} splits at single spaces only: tabs, line breaks and double spaces are counted wrong, and an empty file counts 1.

## Not passed
- ${CHECKS[1]}
- ${CHECKS[2]}
`;

/** The verdict on the mended program. */
export const ACHIEVED = `## Conclusion
achieved

## Reason
${PROGRAM} matches runs of characters that are no white space, so every separator and the empty file are right.

## Not passed
(none)
`;
