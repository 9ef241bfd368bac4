// Runs the checks of a goal one after another, a second time where that is cheap, and says what came of each.

import { rmSync } from "node:fs";
import { resolve } from "node:path";
import type { Translator } from "../config/locale/translator.ts";
import { stripEscapes } from "../core/text.ts";
import { type Check, isLeftToJudge, partsOf } from "../documents/check.ts";
import { isUnverifiable } from "../documents/items.ts";
import { faultOf } from "./compare.ts";
import { type Creation, watchPath } from "./created-path.ts";
import type { EvidenceItem, EvidenceOutcome } from "./evidence.ts";
import { type Hindrance, hindranceOf } from "./hindrance.ts";
import type { EvidenceLimits } from "./limits.ts";
import { type CommandRun, type Launcher, runCommand } from "./run-command.ts";

/** Where and how the checks of a round run. */
export interface Bench {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly launcher: Launcher;
  readonly limits: EvidenceLimits;
  readonly say: Translator;
  readonly signal: AbortSignal | undefined;
  /** Path of a file for output, by its name, while the round runs. */
  readonly pathOf: (name: string) => string;
  readonly onCommand: ((number: number, command: string) => void) | undefined;
  readonly onGroup: (group: number) => void;
}

/** What came of one check, with the names of its files. */
export type CheckedItem = Omit<EvidenceItem, "path" | "secondPath"> & {
  readonly file: string | undefined;
  readonly secondFile: string | undefined;
};

interface Task {
  readonly number: number;
  readonly check: Check;
  readonly command: string;
}

/** One run of one check. */
interface Seen {
  readonly outcome: EvidenceOutcome;
  readonly why: string;
  readonly run: CommandRun;
  readonly file: string;
}

/** The last lines of an output. */
const TAIL_LINES = 20;
const TAIL_CHARS = 2000;

function tailOf(text: string): string {
  const lines = stripEscapes(text).trimEnd().split("\n").slice(-TAIL_LINES).join("\n");
  return [...lines].slice(-TAIL_CHARS).join("");
}

function hindranceText(hindrance: Hindrance, say: Translator): string {
  if (hindrance.kind === "program") return say("evidence.why.program", { program: hindrance.program });
  if (hindrance.kind === "display") return say("evidence.why.display");
  return say("evidence.why.network", { detail: hindrance.detail });
}

function judge(
  bench: Bench,
  task: Task,
  run: CommandRun,
  creations: ReadonlyMap<string, Creation>,
): Omit<Seen, "file" | "run"> {
  const { say, folder, env, limits } = bench;
  const fault = faultOf({ expect: task.check.expect, run, creations, say });
  const isHeld = fault === "" && run.cut === undefined;
  const hindrance = hindranceOf({ command: task.command, folder, env, run, isHeld });
  if (hindrance !== undefined) return { outcome: "unverifiable", why: hindranceText(hindrance, say) };
  if (run.cut === "time") {
    return { outcome: "timed_out", why: say("evidence.why.time", { seconds: Math.round(run.durationS) }) };
  }
  if (run.cut === "output") {
    const size = Math.round(limits.bounds.fileBytes / 1024 ** 2);
    return { outcome: "failed", why: say("evidence.why.flood", { size }) };
  }
  if (!isHeld) return { outcome: "failed", why: fault };
  return { outcome: isLeftToJudge(task.check) ? "ran" : "held", why: "" };
}

async function runTask(bench: Bench, task: Task, file: string, timeoutS: number): Promise<Seen> {
  const { number, check, command } = task;
  bench.onCommand?.(number, command);
  const paths = partsOf(check.expect).flatMap((part) => (part.kind === "creates" ? [part.path] : []));
  // One watch a place, however often it is named: a second one would take what the first put aside for gone. What lies
  // deeper first, and back again last: putting a file aside changes the folder it is in.
  const places = [...new Set(paths.map((path) => resolve(bench.folder, path)))];
  places.sort((one, other) => other.length - one.length);
  const watched = places.map((place) => [place, watchPath(place, bench.folder)] as const).reverse();
  let creations: ReadonlyMap<string, Creation> = new Map();
  let run: CommandRun;
  try {
    run = await runCommand({
      ...{ command, timeoutS, folder: bench.folder, env: bench.env, launcher: bench.launcher },
      ...{ graceS: bench.limits.graceS, bounds: bench.limits.bounds, path: bench.pathOf(file) },
      ...{ signal: bench.signal, onGroup: bench.onGroup },
    });
  } finally {
    const settled = new Map(watched.map(([place, watch]) => [place, watch.settle()]));
    creations = new Map(paths.map((path) => [path, settled.get(resolve(bench.folder, path)) ?? "missing"]));
  }
  bench.signal?.throwIfAborted();
  return { ...judge(bench, task, run, creations), run, file };
}

function itemOf(task: Task, seen: Seen): CheckedItem {
  const { run, outcome, why, file } = seen;
  return {
    number: task.number,
    check: task.check,
    outcome,
    why,
    exitCode: run.exitCode,
    signal: run.signal,
    durationS: run.durationS,
    tail: tailOf(run.tail),
    sha256: run.sha256,
    file,
    secondFile: undefined,
  };
}

/** A check of which nothing was run. */
function idle(number: number, check: Check, outcome: EvidenceOutcome, why = ""): CheckedItem {
  return {
    ...{ number, check, outcome, why, exitCode: undefined, durationS: 0, tail: "" },
    ...{ file: undefined, secondFile: undefined },
  };
}

/** Two runs of one check; where they differ, neither can be relied on. */
function together(bench: Bench, task: Task, first: Seen, second: Seen): CheckedItem {
  const item = itemOf(task, first);
  if (first.outcome === second.outcome && first.run.exitCode === second.run.exitCode) {
    // It says nothing that the first does not.
    rmSync(bench.pathOf(second.file), { force: true });
    return item;
  }
  const words = ({ why, run }: Seen) =>
    why === "" ? bench.say("evidence.why.held", { code: run.exitCode ?? "?" }) : why;
  const worse = first.why === "" ? second : first;
  return {
    ...item,
    outcome: "flaky",
    why: bench.say("evidence.why.flaky", { first: words(first), second: words(second) }),
    tail: tailOf(worse.run.tail),
    secondFile: second.file,
  };
}

/** Run every check of a goal, in its order. @throws the signal's reason when it aborts; DiskError `write_failed`. */
export async function runChecks(bench: Bench, checks: readonly Check[]): Promise<readonly CheckedItem[]> {
  const { limits, say } = bench;
  const endsAt = performance.now() + limits.roundS * 1000;
  const leftS = () => (endsAt - performance.now()) / 1000;
  const items: CheckedItem[] = [];
  const done: { readonly task: Task; readonly seen: Seen }[] = [];
  for (const [at, check] of checks.entries()) {
    const number = at + 1;
    const { command } = check;
    bench.signal?.throwIfAborted();
    if (isUnverifiable(check.text)) {
      items.push(idle(number, check, "unverifiable", say("evidence.why.marked")));
    } else if (command === undefined) {
      items.push(idle(number, check, "prose"));
    } else if (leftS() <= 0) {
      const minutes = Math.round(limits.roundS / 60);
      items.push(idle(number, check, "not_run", say("evidence.why.round_time", { minutes })));
    } else {
      const task = { number, check, command };
      const file = `item-${String(number).padStart(2, "0")}.txt`;
      const seen = await runTask(bench, task, file, Math.min(limits.commandS, leftS()));
      done.push({ task, seen });
      items.push(itemOf(task, seen));
    }
  }
  const tookS = done.reduce((sum, { seen }) => sum + seen.run.durationS, 0);
  if (tookS >= limits.rerunBelowS) return items;
  for (const { task, seen } of done) {
    if (seen.outcome === "unverifiable" || seen.outcome === "timed_out" || leftS() <= 0) continue;
    const file = `item-${String(task.number).padStart(2, "0")}-second.txt`;
    const second = await runTask(bench, task, file, Math.min(limits.commandS, leftS()));
    items[task.number - 1] = together(bench, task, seen, second);
  }
  return items;
}
