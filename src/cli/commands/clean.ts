// `flower clean`: removes what old runs left and nothing needs any more, and says what that freed.

import { existsSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { epochS } from "../../core/clock.ts";
import { oneLine } from "../../core/text.ts";
import { leasePath, takeLease } from "../../runtime/lease.ts";
import { liveRuns } from "../../runtime/run-presence.ts";
import { sizeText } from "../../workbench/index-text.ts";
import { type CleanReport, cleanFolder } from "../clean/clean-folder.ts";
import type { FileKind } from "../clean/old-files.ts";
import type { CommandContext, CommandFunction } from "../command-context.ts";
import { EXIT_DONE } from "../exit-codes.ts";
import { cleaningMark } from "../run/hold-folder.ts";
import { refuseWith, withObject } from "../run/with-object.ts";
import { localTime } from "../screen/layout.ts";

const DAY_S = 86_400;
/** A month back somebody may still want to look; older runs have been gone on with or will not be. */
const OLDER_THAN_S = 30 * DAY_S;
/** Entries shown of each kind with `--dry-run`; `-v` shows all. */
const SHOWN = 10;

const KINDS = [
  "sessions",
  "harness",
  "temporary",
  "events",
  "evidence",
  "spill",
  "damaged",
] as const satisfies (FileKind | "sessions")[];

/** What there is to say of a folder without books. */
const NOTHING: CleanReport = {
  sessions: [],
  files: [],
  bytesBefore: 0,
  bytesAfter: 0,
  compaction: "nothing_free",
  failed: [],
};

interface Row {
  readonly kind: (typeof KINDS)[number];
  readonly name: string;
  readonly bytes: number;
  readonly changedAt: number;
}

function rowsOf({ sessions, files }: CleanReport): readonly Row[] {
  return [
    ...sessions.map((each) => ({ ...each, kind: "sessions" as const, name: each.sessionId })),
    ...files.map((each) => ({ ...each, name: each.path })),
  ];
}

/** A path as short as it can be read: below the workspace without it. */
function shortPath({ command }: CommandContext, name: string): string {
  const way = relative(resolve(command.workspace), name);
  return !isAbsolute(name) || way.startsWith("..") ? name : way;
}

function total(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + row.bytes, 0);
}

function listed(context: CommandContext, rows: readonly Row[]): string[] {
  const { t, command } = context;
  if (command.flags.dryRun !== true) return [];
  const shown = command.globals.verbose ? rows : rows.slice(0, SHOWN);
  const more = rows.length - shown.length;
  return [
    ...shown.map(
      (row) =>
        `    ${localTime(row.changedAt)}  ${sizeText(row.bytes)}  ${oneLine(shortPath(context, row.name), 300)}`,
    ),
    ...(more === 0 ? [] : [`    ${t("clean.more", { count: more })}`]),
  ];
}

/** One line for each kind of thing, with what it is for; below it, with `--dry-run`, the things themselves. */
function foundLines(context: CommandContext, rows: readonly Row[]): string[] {
  return KINDS.flatMap((kind) => {
    const own = rows.filter((row) => row.kind === kind).sort((a, b) => b.bytes - a.bytes);
    if (own.length === 0) return [];
    const what = context.t(`clean.${kind}`, { count: own.length, size: sizeText(total(own)) });
    return [`- ${what}`, ...listed(context, own)];
  });
}

function lines(context: CommandContext, report: CleanReport): string[] {
  const { t, command } = context;
  const rows = rowsOf(report);
  const size = sizeText(report.bytesAfter);
  if (rows.length === 0 && report.compaction === "nothing_free") return [`- ${t("clean.nothing", { size })}`];
  const found = foundLines(context, rows);
  if (command.flags.dryRun === true) {
    return [...found, `- ${t("clean.would_free", { freed: sizeText(total(rows)), size })}`];
  }
  const freed = sizeText(Math.max(0, report.bytesBefore - report.bytesAfter));
  const { compaction } = report;
  return [
    ...found,
    ...(compaction === "in_use" || compaction === "no_room" ? [`! ${t(`clean.${compaction}`)}`] : []),
    `+ ${t("clean.freed", { freed, size })}`,
  ];
}

function print(context: CommandContext, report: CleanReport): number {
  const { t, io, command } = context;
  const { sessions, files, bytesBefore, bytesAfter, compaction, failed } = report;
  const { json } = command.globals;
  const dry_run = command.flags.dryRun === true;
  const sizes = { bytes_before: bytesBefore, bytes_after: bytesAfter };
  const facts = { dry_run, ...sizes, compaction, sessions, files, failed };
  if (!json) for (const line of lines(context, report)) io.out(line);
  if (failed.length > 0) {
    const paths = failed.slice(0, SHOWN).join(", ");
    return refuseWith(context, { words: t("clean.failed", { paths }), next: t("clean.failed_next") }, facts);
  }
  if (json) io.out(JSON.stringify(facts));
  return EXIT_DONE;
}

async function clean(context: CommandContext): Promise<number> {
  const { command, t } = context;
  const { flags } = command;
  const workspace = resolve(command.workspace);
  const runDir = resolve(workspace, command.globals.runDir);
  if (!existsSync(runDir)) {
    if (command.globals.json) return print(context, NOTHING);
    context.io.out(`- ${t("clean.no_books", { folder: runDir })}`);
    return EXIT_DONE;
  }
  const live = liveRuns(runDir);
  const dryRun = flags.dryRun === true;
  if (live.length > 0 && !dryRun) {
    const words = t("clean.live", { run: live.join(", ") });
    return refuseWith(context, { words, next: t("clean.live_next") }, { live });
  }
  // Held while files go: a run that takes the folder now would find half of them. One that takes none begins all the same.
  const lease = dryRun ? undefined : takeLease(leasePath(runDir), cleaningMark());
  try {
    const since = epochS() - (flags.olderThan ?? OLDER_THAN_S);
    return print(context, await cleanFolder({ workspace, runDir, since, live, dryRun }));
  } finally {
    lease?.release();
  }
}

/** Carry out `flower clean`. */
export const cleanCommand: CommandFunction = (context) => withObject(context, () => clean(context));
