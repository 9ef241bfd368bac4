// The model of a run: what each role says, worked out from what stands in its request alone. It may be killed, woken
// and asked again at any place, and goes on as a sensible model would. Every turn it gives is counted.
import { join } from "node:path";
import {
  allText,
  ask,
  dispatch,
  lastUserText,
  text,
  toolResults,
  toolUse,
  turn,
} from "../dist/testing/index.js";

/** What the person asks for, and what they answer when asked. */
export const REQUEST = "Write wc.mjs: it prints how many words a file holds.";
export const ANSWER = "Anything between white space.";
/** The program is right when it prints this for {@link SAMPLE}. */
export const SAMPLE = "one two three\n";
export const RIGHT = "3";

const PROGRAM = [
  'import { readFileSync } from "node:fs";',
  "",
  'console.log((readFileSync(process.argv[2] ?? "", "utf8").match(/\\S+/g) ?? []).length);',
  "",
].join("\n");

const BRIEF = `## Goal\nCount the words of a file.\n\n## Acceptance criteria\n\`node wc.mjs a.txt\` prints ${RIGHT}.\n\n## Boundaries\nNothing else is changed.\n\n## Unknowns and assumptions\nFiles are UTF-8.\n`;
const GOAL = `## Goal\nA word counter.\n\n## Checklist\n- \`node wc.mjs a.txt\` -> prints ${RIGHT}\n`;
const ACHIEVED = "## Conclusion\nachieved\n\n## Reason\n1: wc.mjs counts words.\n\n## Not passed\n(none)\n";
const NOT_YET =
  "## Conclusion\nnot yet\n\n## Reason\nwc.mjs is not there.\n\n## Not passed\n- 1: it prints the number\n";

const WRITTEN = "Conclusion: the program is written.";
const CHECKED = "Conclusion: the program is checked.";
const HANDOFF = `## Doing\nHaving the word counter made.\n\n## Decided\n${WRITTEN}\n\n## Dead ends\n\n## Next\nHave it checked.\n\n## Scene\nwc.mjs\n`;

/** Tokens of the look that fills the coordinator's context. */
export const FULL_CONTEXT = 45_000;

function clarifier(request) {
  const answered = toolResults(request, "mcp__human__ask").some((result) => result.text.includes(ANSWER));
  return answered
    ? { moment: "clarify:brief", answer: text(BRIEF) }
    : { moment: "clarify:ask", answer: ask("What is a word?", [ANSWER, "Letters only."]) };
}

function judge(workspace, request) {
  if (!allText(request).includes("Rule on this round")) return { moment: "goal", answer: text(GOAL) };
  const read = toolResults(request, "Read").filter((result) => !result.isError);
  if (read.length === 0) {
    return {
      moment: "verdict:read",
      answer: toolUse("Read", { file_path: join(workspace, "wc.mjs") }),
    };
  }
  const right = read.some((result) => result.text.includes("readFileSync"));
  return { moment: "verdict:rule", answer: text(right ? ACHIEVED : NOT_YET) };
}

/** The worker that was cut off, when the last words to the coordinator name one. */
function cutOff(request) {
  return /agent id ([^\s:]+):/.exec(lastUserText(request))?.[1];
}

function coordinator(props, request) {
  const known = allText(request);
  const words = lastUserText(request);
  const continued = cutOff(request);
  if (words.includes("Your context is nearly full")) return { moment: "handoff", answer: text(HANDOFF) };
  if (continued !== undefined) {
    const input = { to: continued, summary: "go on", message: "You were interrupted. Go on." };
    return { moment: "coordinator:continue", answer: toolUse("SendMessage", input) };
  }
  if (!known.includes(WRITTEN)) {
    return { moment: "coordinator:write", answer: dispatch("coder", "Task W: write wc.mjs and try it.") };
  }
  if (props.handoff && !words.includes(WRITTEN) && !known.includes("You are taking over")) {
    const look = toolUse("Read", { file_path: join(props.workspace, "wc.mjs") });
    return { moment: "coordinator:look", answer: turn(look, { usage: { inputTokens: FULL_CONTEXT } }) };
  }
  if (!known.includes(CHECKED)) {
    return { moment: "coordinator:check", answer: dispatch("coder", "Task C: check wc.mjs.") };
  }
  return { moment: "coordinator:report", answer: text("The program is written and checked.") };
}

/** A command that says it has begun, and ends when it is let go; after five minutes in any case. */
function slowCommand({ begun, over }) {
  return `node wc.mjs a.txt; touch ${begun}; for i in $(seq 3000); do test -e ${over} && break; sleep 0.1; done`;
}

function coder(props, request) {
  const ran = toolResults(request, "Bash").some((result) => result.text.trim().startsWith(RIGHT));
  if (allText(request).includes("Task C:")) {
    return ran
      ? { moment: "check:report", answer: text(`${CHECKED}\nIt prints ${RIGHT}.`) }
      : { moment: "check:run", answer: toolUse("Bash", { command: "node wc.mjs a.txt" }) };
  }
  const wrote = toolResults(request, "Write").some((result) => !result.isError);
  if (!wrote) {
    const input = { file_path: join(props.workspace, "wc.mjs"), content: PROGRAM };
    return { moment: "write:file", answer: toolUse("Write", input) };
  }
  if (ran) return { moment: "write:report", answer: text(`${WRITTEN}\nIt prints ${RIGHT}.`) };
  const command = props.slow === undefined ? "node wc.mjs a.txt" : slowCommand(props.slow);
  return { moment: "write:run", answer: toolUse("Bash", { command }) };
}

/** The turns of a run in which nothing goes wrong, in order. */
export function smoothMoments(handoff) {
  const work = handoff ? ["coordinator:look", "handoff", "coordinator:check"] : ["coordinator:check"];
  return [
    ...["clarify:ask", "clarify:brief", "goal"],
    ...["coordinator:write", "write:file", "write:run", "write:report"],
    ...[...work, "check:run", "check:report", "coordinator:report"],
    ...["verdict:read", "verdict:rule"],
  ];
}

/** The mind of one cell; `turns` is every turn it gave, in order. */
export class Mind {
  turns = [];
  /** Called before a turn is given; may wait, and may give another reply in its place. */
  beforeTurn = async (_moment, answer) => answer;
  #props;

  /** @param props - `workspace`, `handoff`, and `slow` with the files of a command that waits. */
  constructor(props) {
    this.#props = props;
  }

  /** The script for the scripted API. */
  script(always) {
    const speak = (role) => [always((request) => this.#speak(role, request))];
    return {
      clarifier: speak(clarifier),
      judge: speak((request) => judge(this.#props.workspace, request)),
      coordinator: speak((request) => coordinator(this.#props, request)),
      workers: { coder: speak((request) => coder(this.#props, request)) },
    };
  }

  async #speak(role, request) {
    const { moment, answer } = role(request);
    const given = { moment, at: Date.now(), sessionId: request.sessionId, state: "waiting" };
    this.turns.push(given);
    const reply = await this.beforeTurn(given, answer);
    if (given.state === "waiting") given.state = reply === answer ? "given" : "failed";
    return reply;
  }
}
