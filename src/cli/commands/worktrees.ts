// `flower worktrees`: what isolated work there is, what it holds, into the person's branch with it, and away with it.

import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { chooseEntry } from "../../runtime/worktrees/choose-entry.ts";
import { diffEntry } from "../../runtime/worktrees/entry-diff.ts";
import { type MergedEntry, mergeEntry } from "../../runtime/worktrees/merge-entry.ts";
import {
  type KeptEntry,
  type RemovedEntry,
  removeEntry,
  removeMerged,
} from "../../runtime/worktrees/remove-entry.ts";
import {
  checkedOut,
  type Survey,
  surveyWorktrees,
  type WorktreeEntry,
} from "../../runtime/worktrees/survey.ts";
import type { CommandContext, CommandFunction } from "../command-context.ts";
import { EXIT_DONE } from "../exit-codes.ts";
import { reportError } from "../report-error.ts";
import { refuseUsage } from "../run/refuse-usage.ts";
import { viewOf } from "../run/view-of.ts";
import { withObject } from "../run/with-object.ts";
import type { View } from "../screen/view.ts";
import { diffLines } from "../worktrees/diff-lines.ts";
import { listLines, plainList } from "../worktrees/list-lines.ts";
import { mergedLines, removedLines } from "../worktrees/outcome-lines.ts";
import { unfit } from "../worktrees/usage.ts";

/** One call, with what is there. */
interface Call {
  readonly context: CommandContext;
  readonly view: View;
  readonly look: () => Promise<Survey>;
}

/** For a person lines, for a program one object. */
function say({ context, view }: Call, lines: (view: View) => readonly string[], plain: object): void {
  const { io, command } = context;
  if (command.globals.json) io.out(JSON.stringify(plain));
  else for (const line of lines(view)) io.out(line);
}

async function list(call: Call): Promise<number> {
  const survey = await call.look();
  say(call, (view) => listLines(survey, view), plainList(survey));
  return EXIT_DONE;
}

async function diff(call: Call): Promise<number> {
  const { command, io } = call.context;
  const survey = await call.look();
  const entry = chooseEntry(survey.entries, command.request);
  const found = await diffEntry(survey, entry);
  const { name, branch, base = null } = entry;
  const facts = { entry, branch: checkedOut(survey), isTty: io.outIsTty };
  say(call, (view) => diffLines(found, facts, view), { name, branch, base, ...found });
  return EXIT_DONE;
}

/** Everything that may still hold something, the branches where work is together first: they hold most of it. */
function mergeable({ entries }: Survey): readonly WorktreeEntry[] {
  return entries.filter(({ kind, isMerged, state }) => {
    const loose = state.changed.length + state.untracked.length;
    return kind === "integration" ? !isMerged : kind === "worker" && (!isMerged || loose > 0);
  });
}

/** One after another, each with a fresh look: the one before may have brought it in. The first refusal ends it. */
async function mergeAll(call: Call): Promise<{ merged: readonly MergedEntry[]; error?: unknown }> {
  const merged: MergedEntry[] = [];
  const seen = new Set<string>();
  for (;;) {
    const survey = await call.look();
    const next = mergeable(survey).find(({ branch }) => !seen.has(branch));
    if (next === undefined) return { merged };
    seen.add(next.branch);
    try {
      merged.push(await mergeEntry(survey, next));
    } catch (error) {
      return { merged, error };
    }
  }
}

async function merge(call: Call): Promise<number> {
  const { command, io, t } = call.context;
  if (command.flags.all === true) {
    const { merged, error } = await mergeAll(call);
    const report = error === undefined ? undefined : reportError(t, error, command.globals.verbose);
    const exit = report?.exitCode ?? EXIT_DONE;
    const why = report === undefined ? {} : { reason: report.lines[0] ?? "" };
    say(call, ({ t }) => mergedLines(merged, t, report !== undefined), { merged, exit, ...why });
    for (const line of report?.lines ?? []) io.err(line);
    return exit;
  }
  const survey = await call.look();
  const merged = [await mergeEntry(survey, chooseEntry(survey.entries, command.request))];
  say(call, ({ t }) => mergedLines(merged, t, false), { merged, exit: EXIT_DONE });
  return EXIT_DONE;
}

async function remove(call: Call): Promise<number> {
  const { command } = call.context;
  const survey = await call.look();
  let removed: readonly RemovedEntry[];
  let kept: readonly KeptEntry[] = [];
  if (command.flags.merged === true) ({ removed, kept } = await removeMerged(survey));
  else {
    const entry = chooseEntry(survey.entries, command.request);
    removed = [await removeEntry(survey, entry, { force: command.flags.lose === true })];
  }
  say(call, ({ t }) => removedLines(removed, kept, t), { removed, kept, exit: EXIT_DONE });
  return EXIT_DONE;
}

const ACTIONS: Readonly<Record<string, (call: Call) => Promise<number>>> = { list, diff, merge, remove };

/** Carry out `flower worktrees`. */
export const worktreesCommand: CommandFunction = async (context) => {
  const { command, io, t } = context;
  const problem = unfit(command, t);
  if (problem !== undefined) return refuseUsage(context, problem);
  const named = resolve(command.workspace);
  // Looking makes no folder.
  const workspace = existsSync(named) ? realpathSync(named) : named;
  const runDir = resolve(workspace, command.globals.runDir);
  const look = () => surveyWorktrees({ workspace, runDir, env: io.env });
  const act = ACTIONS[command.target] ?? list;
  return await withObject(context, () => act({ context, view: viewOf(context), look }));
};
