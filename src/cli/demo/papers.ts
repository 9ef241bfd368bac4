// What the demo's scripted model writes: brief, goal, verdicts, in the form the roles ask for.

import { EMPTY, PROGRAM, SAMPLE, TRICKY } from "./program.ts";

/** What the person of the demo asks for. */
export const REQUEST = "build me a small program that counts the words in a text file";

const CHECKS = [
  `\`node ${PROGRAM} ${SAMPLE}\` -> prints exactly 9`,
  `\`node ${PROGRAM} ${TRICKY}\` -> prints exactly 5`,
  `\`node ${PROGRAM} ${EMPTY}\` -> prints exactly 0`,
  `${PROGRAM} imports nothing that would have to be installed`,
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

/** The first verdict: the judge believes what it reads, and the commands say otherwise. */
export const TOO_EARLY = `## Conclusion
achieved

## Reason
1: the worker saw 9.
2: ${PROGRAM} splits the text into words.
3: the same line.
4: ${PROGRAM} imports node:fs alone.

## Not passed
(none)
`;

/** The verdict on the mended program. */
export const ACHIEVED = `## Conclusion
achieved

## Reason
1: flower saw 9.
2: flower saw 5; ${PROGRAM} now matches runs of characters that are no white space.
3: flower saw 0.
4: ${PROGRAM} imports node:fs alone.

## Not passed
(none)
`;
