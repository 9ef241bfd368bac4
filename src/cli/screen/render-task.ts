// Notices of a run -> lines. Pure.

import { readWords } from "../../config/locale/words.ts";
import { oneLine, stripEscapes } from "../../core/text.ts";
import type { EventOf } from "../../events/event.ts";
import { marked, tokens } from "./layout.ts";
import { ownWords } from "./own-words.ts";
import type { Tone } from "./paint.ts";
import { list, number } from "./payload.ts";
import { renderCommands, renderEvidence } from "./render-evidence.ts";
import { renderIntegration, worktreeWords } from "./render-integration.ts";
import { renderLimit } from "./render-waiting.ts";
import { toned } from "./toned.ts";
import type { View } from "./view.ts";

type Notice = EventOf<"task">;

/** What is ruled, and that a person let the work pass whatever was ruled. */
const VERDICTS = ["achieved", "accepted", "not_yet", "unreachable"] as const;

/** A verdict in one line, with its mark and colour. */
export function verdictWords(
  ruled: { readonly state: unknown; readonly round: unknown; readonly rounds: unknown },
  { t }: View,
): { readonly mark: string; readonly tone: Tone; readonly words: string } {
  const known = VERDICTS.find((each) => each === ruled.state);
  const verdict = known === undefined ? t("verdict.unclear") : t(`verdict.${known}`);
  const { round, rounds } = ruled;
  const words =
    round === 0
      ? t("verdict.before_work", { verdict })
      : t("verdict.round", { round: number(round), rounds: number(rounds), verdict });
  const isDone = known === "achieved" || known === "accepted";
  return isDone ? { mark: "+ ", tone: "good", words } : { mark: "! ", tone: "notice", words };
}

function verdict(event: Notice, view: View): string[] {
  const { t, width } = view;
  const { round, rounds, state, failed } = event.payload;
  const { mark, tone, words: head } = verdictWords({ round, rounds, state }, view);
  const missing = list(failed).map((what) => t("verdict.missing", { what: oneLine(what, 300) }));
  const reason = stripEscapes(event.text).trim();
  return [
    "",
    ...toned(view, tone, mark, head),
    ...(reason === "" ? [] : marked("  ", reason, width)),
    ...missing.flatMap((line) => marked("  - ", line, width)),
  ];
}

function unverifiable(event: Notice, view: View): string[] {
  const { unverifiable: items, total, path } = event.payload;
  const count = typeof items === "number" ? items : list(items).length;
  const text = view.t("goal.unverifiable", { count, total: number(total), path: oneLine(String(path)) });
  return toned(view, "notice", "! ", text);
}

/** A warning whose words come with the event: what the library asks and says itself is in the screen's language. */
function warning(view: View, text: string): string[] {
  return text === "" ? [] : toned(view, "notice", "! ", text);
}

/** What was left out of a loaded history is as it should be: worth a line only to whoever wants them all. */
function rewritten(view: View, text: string): string[] {
  return text === "" || !view.verbose ? [] : toned(view, "faint", "- ", text);
}

function cutOff(event: Notice, view: View): string[] {
  const named = readWords(event.payload.words)?.values.workers;
  // Logs of earlier versions name the workers behind a sentence only.
  const worker = oneLine(typeof named === "string" ? named : event.text.replace(/^[^:]*: /, ""), 300);
  return worker === "" ? [] : warning(view, view.t("interrupt.worker_lost", { worker }));
}

function window(event: Notice, view: View): string[] {
  if (!view.verbose) return [];
  const { window: size, at } = event.payload;
  const text = view.t("handoff.window", { window: tokens(number(size)), at: tokens(number(at)) });
  return toned(view, "faint", "# ", text);
}

/** What became of the last verdict: that nothing is left to do, or that it is ruled on anew. */
function standing(event: Notice, view: View): string[] {
  const text = ownWords(event, view.t);
  if (event.payload.standing !== "holds") return warning(view, text);
  return toned(view, "good", "+ ", text);
}

/** What somebody must look at; the whole list of worktrees is for those who ask for more. */
function worktree(event: Notice, view: View, text: string): string[] {
  if (event.payload.worktrees === undefined) return warning(view, text);
  if (!view.verbose) return [];
  return worktreeWords(event.payload.worktrees, view).flatMap((line) => marked("# ", line, view.width));
}

/** The lines of a `task` event: verdicts, warnings, worktrees; the harness's own progress is not shown. */
export function renderTask(event: Notice, view: View): string[] {
  const text = ownWords(event, view.t);
  switch (event.payload.notice) {
    case "verdict":
      return verdict(event, view);
    case "unverifiable":
      return unverifiable(event, view);
    case "commands":
      return renderCommands(event, view);
    case "evidence":
      return event.payload.phase === "changed" ? warning(view, text) : renderEvidence(event, view);
    case "accepted":
      return toned(view, "good", "+ ", view.t("verdict.accepted"));
    case "skipped":
      return [view.paint("faint", `. ${view.t("step.skipped", { name: oneLine(event.text, 40) })}`)];
    case "limit":
      return renderLimit(event, view);
    case "cut_off":
      return cutOff(event, view);
    case "window":
      return window(event, view);
    case "worktree":
      return worktree(event, view, text);
    case "integration":
      return renderIntegration(event, view);
    case "store":
      return event.payload.rewritten === true ? rewritten(view, text) : warning(view, text);
    case "standing":
      return standing(event, view);
    case "budget":
    case "progress":
    case "frozen":
    case "judge":
    case "guard":
    case "worker":
    case "credentials":
      return warning(view, text);
    default:
      return [];
  }
}
