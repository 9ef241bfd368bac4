// The last verdict of a folder as the command sees it: what became of it, and whether that leaves anything to do.

import { resolve } from "node:path";
import { isLeaseAlive, leasePath, readLease } from "../../runtime/lease.ts";
import { manifestPath } from "../../runtime/manifest.ts";
import { isSettled, lookAtVerdict, type Standing } from "../../workflow/lapse/standing.ts";
import { describeStanding } from "../../workflow/lapse/standing-words.ts";
import type { WakeState } from "../../workflow/wake-state.ts";
import type { Command } from "../args/command-line.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_DONE } from "../exit-codes.ts";
import type { RunOutput } from "./run-output.ts";

/** The last verdict, looked at. */
export interface SeenVerdict {
  readonly standing: Standing;
  /** In one line. */
  readonly words: string;
  /** True when the work is done and nothing has changed since. */
  readonly isSettled: boolean;
}

/** Look at the last verdict of a folder; undefined where there is none. Writes nothing. */
export async function seeVerdict(
  { io, t }: CommandContext,
  state: WakeState,
): Promise<SeenVerdict | undefined> {
  const last = state.verdict;
  if (last === undefined) return undefined;
  const standing = await lookAtVerdict(last, io.env);
  return { standing, words: describeStanding(t, last, standing), isSettled: isSettled(last, standing) };
}

/** Whether a run with nothing said would find nothing to do: then it need not even start. */
export function leavesNothing(
  command: Command,
  wake: { readonly request: string; readonly seen: SeenVerdict | undefined },
): boolean {
  const { flags, workspace, globals } = command;
  if (wake.request !== "" || wake.seen?.isSettled !== true) return false;
  if (flags.fresh || flags.parallel || flags.noGoal || flags.clarifyOnly) return false;
  const holder = readLease(leasePath(resolve(workspace, globals.runDir)));
  return holder === undefined || !isLeaseAlive(holder);
}

/** Say that there is nothing to do, and end. */
export function endUnspent(context: CommandContext, output: RunOutput, seen: SeenVerdict): number {
  const { t, command } = context;
  const reason = t("wake.nothing", { verdict: seen.words });
  output.say("good", "+ ", reason);
  output.say("plain", "  ", t("wake.next"));
  const manifest = manifestPath(resolve(command.workspace, command.globals.runDir));
  output.summary({ exitCode: EXIT_DONE, manifest, costUsd: 0, reason });
  return EXIT_DONE;
}
