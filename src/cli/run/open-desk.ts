// Which desk takes what is typed, and where it sends it.

import { type Translator, translateError } from "../../config/locale/translator.ts";
import { errorText, FlowerError } from "../../core/errors.ts";
import { oneLine } from "../../core/text.ts";
import type { Ask } from "../../people/ask.ts";
import type { HumanChannel } from "../../people/human-channel.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import type { CommandContext } from "../command-context.ts";
import { AnswerDesk } from "./answer-desk.ts";
import type { AskAside, Desk, Destinations } from "./desk.ts";
import type { LineSource } from "./line-source.ts";
import { LiveDesk } from "./live-desk.ts";
import { LiveLines } from "./live-lines.ts";
import type { RunOutput } from "./run-output.ts";

/** A run, as far as a desk is concerned. */
export interface DeskInput {
  readonly context: CommandContext;
  readonly output: RunOutput;
  readonly runtime: Runtime;
  readonly channel: HumanChannel | undefined;
  readonly lines: LineSource | undefined;
  /** Answers a question beside the run; without it a line that begins with `?` is a line like any other. */
  readonly oracle?: AskAside;
}

/** Open the desk of whoever is there; undefined where nobody can say anything. `onSaid` hears of words after an interruption. */
export function openDesk(job: DeskInput, onSaid: () => void): Desk | undefined {
  const { context, runtime, channel, lines, output } = job;
  if (lines === undefined) return undefined;
  const { t } = context;
  const destinations: Destinations = {
    channel,
    interrupt: (words) => {
      const isHeard = runtime.interrupt(words);
      onSaid();
      if (isHeard || channel === undefined) {
        output.said(words);
        if (isHeard) output.say("plain", "+ ", t("receipt.now"));
        else output.say("notice", "! ", t("receipt.unheard"));
        return;
      }
      // While the commands of a goal run there is no turn to say it to: the inbox is read, and its event tells so.
      channel.send(words);
    },
    answered: onSaid,
    aside: asideOf(job),
  };
  const desk =
    lines instanceof LiveLines ? liveDesk(job, lines, destinations) : plainDesk(job, lines, destinations);
  desk.open();
  return desk;
}

function asideOf({ context, oracle, output }: DeskInput): ((question: string) => void) | undefined {
  if (oracle === undefined) return undefined;
  const { t } = context;
  return (question) => {
    output.say("plain", "# ", t("oracle.asked", { question: oneLine(question, 500) }));
    void oracle(question).then(
      (answer) => output.say("plain", "# ", answer),
      (error) => sayUnanswered(error, output, t),
    );
  };
}

/** Nobody answers: why, and what to do about it. */
function sayUnanswered(error: unknown, output: RunOutput, t: Translator): void {
  const { message, hint } =
    error instanceof FlowerError ? translateError(t, error) : { message: errorText(error), hint: "" };
  output.say("notice", "! ", t("oracle.failed", { reason: oneLine(message) }));
  if (hint !== "") output.say("notice", "  ", t("error.next", { hint: oneLine(hint) }));
}

function liveDesk(
  { context, runtime, output }: DeskInput,
  lines: LiveLines,
  destinations: Destinations,
): Desk {
  const status = (width: number) => output.statusRow(runtime, width);
  const desk = new LiveDesk({ ...destinations, lines, t: context.t, status });
  output.showOn(desk);
  return desk;
}

function plainDesk({ context, output }: DeskInput, lines: LineSource, destinations: Destinations): Desk {
  const { t, io } = context;
  const showPrompt = (ask: Ask) => {
    const count = ask.options.length;
    const how = count === 0 ? t("question.prompt") : t("question.prompt_options", { count });
    output.say("faint", `  ${ask.id}: `, how);
  };
  return new AnswerDesk({ ...destinations, lines, isTty: io.inIsTty, showPrompt });
}
