// What flower saw of a goal's commands -> lines. Pure.

import type { EventOf } from "../../events/event.ts";
import { marked, withoutFolder } from "./layout.ts";
import { word } from "./payload.ts";
import { toned } from "./toned.ts";
import type { View } from "./view.ts";

type Notice = EventOf<"task">;

/** Characters of one command, and of why it did not hold. */
const COMMAND_CHARS = 160;
const WHY_CHARS = 300;

const OUTCOMES = ["held", "ran", "failed", "flaky", "timed_out", "not_run", "unverifiable"] as const;
/** Of those that nobody has to look into. */
const MARKS: Readonly<Partial<Record<(typeof OUTCOMES)[number], string>>> = { held: "+ ", ran: "* " };

/** The commands flower is going to run itself, once the goal is set. */
export function renderCommands(event: Notice, view: View): string[] {
  const { commands, folder } = event.payload;
  const list = Array.isArray(commands) ? commands : [];
  const head = view.t("evidence.commands", { folder: word(folder, COMMAND_CHARS) });
  return [
    ...marked("* ", head, view.width),
    ...list.flatMap((command) => marked("    ", word(command, COMMAND_CHARS), view.width)),
  ];
}

/** A command of the goal: that it runs, only in verbose mode; and what came of it. */
export function renderEvidence(event: Notice, view: View): string[] {
  const { phase, number, total, command, outcome, why } = event.payload;
  const { t, width } = view;
  if (phase === "begin")
    return marked("* ", t("evidence.begin", { count: Number(event.payload.commands) }), width);
  const what = word(command, COMMAND_CHARS);
  const place = { number: String(number), total: String(total), what };
  if (phase === "start") {
    if (!view.verbose) return [];
    const line = t("evidence.line", { ...place, outcome: "" }).trimEnd();
    return toned(view, "faint", "* ", line);
  }
  const known = OUTCOMES.find((each) => each === outcome);
  if (known === undefined) return [];
  const because = word(why, WHY_CHARS);
  const words = `${t(`evidence.${known}`)}${because === "" ? "" : t("progress.because", { why: because })}`;
  const line = t("evidence.line", { ...place, outcome: words });
  const mark = MARKS[known];
  if (mark !== undefined) return toned(view, "faint", mark, line);
  const output = word(event.payload.path, 1_000);
  const path = withoutFolder(output, view.folder);
  const where = output === "" ? [] : toned(view, "notice", "  ", t("evidence.output", { path }));
  return [...toned(view, "notice", "! ", line), ...where];
}
