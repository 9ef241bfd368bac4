// `flower setup`: asks for a credential, tests it, stores it for the person alone; `--check` shows what holds.

import { isKnownBad } from "../../config/probe-request.ts";
import { userEnvPath } from "../../config/process-env.ts";
import type { CommandContext, CommandFunction } from "../command-context.ts";
import { EXIT_DONE, EXIT_STOPPED } from "../exit-codes.ts";
import { readWhole } from "../run/line-source.ts";
import { openLines } from "../run/open-lines.ts";
import { tooLargeWords } from "../run/read-request.ts";
import { stopWith } from "../run/stop-with.ts";
import { CHOICE_NAMES } from "../setup/answers.ts";
import { askYes } from "../setup/ask-answers.ts";
import { checkSetup } from "../setup/check.ts";
import { type GivenAnswers, needsInput, readPiped } from "../setup/read-piped.ts";
import { applyAnswers, type SetupResult, setUp, storedValues } from "../setup/set-up.ts";

const NOTHING_DONE: SetupResult = { saved: undefined, test: undefined };

function givenAnswers({ command }: CommandContext): GivenAnswers {
  const { choice, url, model } = command.flags;
  return { choice: choice && CHOICE_NAMES[choice], url, model };
}

async function atTerminal(context: CommandContext): Promise<SetupResult> {
  const lines = openLines(context);
  const dialog = { ...context, lines };
  try {
    for (;;) {
      const result = await setUp(dialog, givenAnswers(context), context.command.flags.offline);
      const isOver = result.test === undefined || result.saved !== undefined;
      if (isOver || !(await askYes(dialog, context.t("setup.again")))) return result;
    }
  } finally {
    lines.close();
  }
}

/** Without a terminal nobody is asked: what is missing or wrong ends it. */
async function fromInput(context: CommandContext): Promise<SetupResult> {
  const { io, t, command } = context;
  const given = givenAnswers(context);
  const whole = needsInput(given) ? await readWhole(io.stdin) : undefined;
  const next = t("setup.piped", { path: userEnvPath(io.env) });
  if (whole?.kind === "too_large") {
    stopWith(context, { words: tooLargeWords(t), next });
    return NOTHING_DONE;
  }
  // Of a pipe that stays silent nothing was entered.
  const text = whole?.kind === "text" ? whole.text : "";
  const read = readPiped(text, given, storedValues(context));
  if (read.kind === "answers") {
    const ways = { isOffline: command.flags.offline === true, confirm: async () => false };
    return await applyAnswers(context, read.answers, ways);
  }
  stopWith(context, {
    words: t("setup.wrong", { what: t(`setup.wrong.${read.what}`), why: t(read.key) }),
    next,
  });
  return NOTHING_DONE;
}

/** Nothing is wrong as long as it is stored and not known to be bad: a machine may be set up before it has a network. */
function exitCodeOf({ saved, test }: SetupResult): number {
  return saved !== undefined && (test === undefined || !isKnownBad(test)) ? EXIT_DONE : EXIT_STOPPED;
}

/** Carry out `flower setup`. */
export const setupCommand: CommandFunction = async (context) => {
  const { io, command } = context;
  if (command.flags.check === true) return await checkSetup(context);
  const { json } = command.globals;
  // A program reads one object on standard output; what a person reads goes out of its way.
  const talk = json ? { ...context, io: { ...io, out: io.err } } : context;
  const result = await (io.inIsTty && io.outIsTty ? atTerminal(talk) : fromInput(talk));
  const exit = exitCodeOf(result);
  if (json) io.out(JSON.stringify({ saved: result.saved ?? null, test: result.test ?? null, exit }));
  return exit;
};
