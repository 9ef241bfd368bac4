// The demo's script: what each role "thinks". It answers to what really came back, and refuses to go on if that is
// not what the worker made.

import { join } from "node:path";
import { FlowerError } from "../../core/errors.ts";
import {
  type ApiRequest,
  ask,
  dispatch,
  lastToolResult,
  lastUserText,
  type Script,
  text,
  toolUse,
} from "../../testing/index.ts";
import { ACHIEVED, BRIEF, GOAL, TOO_EARLY } from "./papers.ts";
import {
  EMPTY,
  PROGRAM,
  programText,
  RIGHT_LINE,
  SAMPLE,
  SAMPLE_TEXT,
  TRICKY,
  TRICKY_TEXT,
  WRONG_LINE,
} from "./program.ts";

function mismatch(words: string): FlowerError {
  return new FlowerError(words, {
    code: "demo_mismatch",
    hint: "the demo checks what it shows; please report this",
  });
}

function expectResult(request: ApiRequest, tool: string, wanted: string): string {
  const seen = lastToolResult(request, tool) ?? "";
  if (seen.includes(wanted)) return seen;
  throw mismatch(`${tool} gave something else than the worker's "${wanted}": ${seen.slice(0, 200)}`);
}

/** What flower saw of the commands has to reach the coordinator. */
function expectSeen(words: string, command: string): void {
  if (words.includes("What flower saw") && words.includes(command)) return;
  throw mismatch(`the work was not told what "${command}" did: ${words.slice(0, 200)}`);
}

/** The judge reads the file itself; what it overlooks the first time, the commands of the goal show. */
function judgeSteps(path: string): NonNullable<Script["judge"]> {
  return [
    text(GOAL),
    toolUse("Read", { file_path: path }),
    (request) => {
      expectResult(request, "Read", WRONG_LINE);
      return text(TOO_EARLY);
    },
    toolUse("Read", { file_path: path }),
    (request) => {
      expectResult(request, "Read", RIGHT_LINE);
      return text(ACHIEVED);
    },
  ];
}

/** The coordinator first tries to do the work itself and is refused, then delegates. */
function coordinatorSteps(workspace: string): NonNullable<Script["coordinator"]> {
  const write = { file_path: join(workspace, "shortcut.mjs"), content: "console.log(9);\n" };
  return [
    toolUse("Write", write),
    toolUse("Bash", { command: `node -e 'console.log("I could just do it myself")'` }),
    dispatch(
      "coder",
      `Write ${PROGRAM}: it prints how many words the file named on its command line holds. Run it.`,
    ),
    text("The worker wrote the program and ran it on the sample: 9, as wanted."),
    (request) => {
      expectSeen(lastUserText(request), `node ${PROGRAM} ${TRICKY}`);
      return dispatch(
        "coder",
        `${PROGRAM} counts wrong where words are not separated by one space, and in an empty file. Mend it, run it on ${TRICKY}.`,
      );
    },
    text("The worker mended the program; on the tricky text it now prints 5."),
  ];
}

function coderSteps(workspace: string, path: string): NonNullable<Script["workers"]>[string] {
  const file = (name: string, content: string) =>
    toolUse("Write", { file_path: join(workspace, name), content });
  return [
    [
      file(PROGRAM, programText(WRONG_LINE)),
      file(SAMPLE, SAMPLE_TEXT),
      file(TRICKY, TRICKY_TEXT),
      file(EMPTY, ""),
    ],
    toolUse("Bash", { command: `node ${PROGRAM} ${SAMPLE}` }),
    (request) => {
      expectResult(request, "Bash", "9");
      return text(`Conclusion: ${PROGRAM} is written; \`node ${PROGRAM} ${SAMPLE}\` prints 9.`);
    },
    toolUse("Read", { file_path: path }),
    toolUse("Edit", { file_path: path, old_string: WRONG_LINE, new_string: RIGHT_LINE }),
    toolUse("Bash", { command: `node ${PROGRAM} ${SAMPLE} && node ${PROGRAM} ${TRICKY}` }),
    (request) => {
      expectResult(request, "Bash", "9\n5");
      return text(`Conclusion: mended; ${SAMPLE} still gives 9 and ${TRICKY} gives 5.`);
    },
  ];
}

/** The script for a workspace. */
export function demoScript(workspace: string): Script {
  const path = join(workspace, PROGRAM);
  return {
    clarifier: [ask("What counts as a word?", ["anything between white space", "letters only"]), text(BRIEF)],
    judge: judgeSteps(path),
    coordinator: coordinatorSteps(workspace),
    workers: { coder: coderSteps(workspace, path) },
  };
}
