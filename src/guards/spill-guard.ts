// An oversized answer goes to disk at once; a pointer and its beginning stay in the context.

import { readFileSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { createOptionReader } from "../agents/option-reader.ts";
import { shortHash } from "../core/ids.ts";
import { isRecord, readText, writeAtomic } from "../core/json.ts";
import { rejectUnknownKeys } from "../core/options.ts";
import { cut } from "../core/text.ts";
import { inputOf, isMainThread } from "./call.ts";
import type { OutcomeDecision, PostGuard, ToolOutcome } from "./decision.ts";
import { isInside, physicalPath } from "./physical-path.ts";
import { replaceLongTexts } from "./replace-long-texts.ts";
import type { WorkbenchPort } from "./workbench-port.ts";

/** Characters an answer may have before it is spilled: about a thousand tokens. */
const THRESHOLD = 4_000;
/** Tools whose answers grow without bound. */
const TOOLS = "Bash|Read|Grep|Glob|WebFetch|WebSearch";
/** Characters of the beginning that stay: enough to see what it is. */
const HEAD = 400;
/** Characters one look into a spilled file may bring back: it must be readable, but not undo the spill. */
const READ_BACK = 20_000;
/** Output the harness kept on its own is taken over up to this size; beyond it the harness's pointer stays. */
const MAX_TAKEN_BYTES = 64 * 1024 * 1024;

const KEYS = ["threshold", "tools", "mainOnly", "toolsOf", "mask", "onFault"] as const;

/** Options of the spill guard. */
export interface SpillOptions {
  /** Characters. @defaultValue 4000 */
  readonly threshold?: number | undefined;
  /** Tools it looks at, joined by `|`. @defaultValue "Bash|Read|Grep|Glob|WebFetch|WebSearch" */
  readonly tools?: string | undefined;
  /** Leave workers' answers alone. @defaultValue false */
  readonly mainOnly?: boolean | undefined;
  /** Tools of whoever reads the answer, so that the pointer names none that are missing. @defaultValue names none */
  readonly toolsOf?: ((outcome: ToolOutcome) => readonly string[] | undefined) | undefined;
  /** Applied to output the harness had put on disk itself, which no guard has seen yet. @defaultValue nothing */
  readonly mask?: ((text: string) => string) | undefined;
  /** Told when a spill file could not be written; the answer then stays whole. Must not throw. */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

interface Spill {
  readonly workbench: WorkbenchPort;
  readonly threshold: number;
  readonly tools: readonly string[];
  readonly options: SpillOptions;
}

/** Content-addressed: the same answer twice is one file. */
function writeSpill(workbench: WorkbenchPort, text: string): string {
  const path = join(workbench.spill, `${shortHash(text)}.txt`);
  if (readText(path) !== text) writeAtomic(path, text);
  return path;
}

/** The path as its reader can use it: short only where it means the same from the reader's own folder. */
function shownPath(spill: Spill, path: string, outcome: ToolOutcome): string {
  const shown = spill.workbench.show(path);
  return isAbsolute(outcome.cwd) && resolve(outcome.cwd, shown) === resolve(path) ? shown : path;
}

function howToRead(tools: readonly string[]): string {
  const read = tools.includes("Read") ? " Read it with offset and limit." : "";
  return tools.includes("Grep") ? `${read} Search it with Grep.` : read;
}

function pointTo(spill: Spill, outcome: ToolOutcome, text: string): string {
  const path = shownPath(spill, writeSpill(spill.workbench, text), outcome);
  const how = howToRead(spill.options.toolsOf?.(outcome) ?? []);
  return `[${text.length} characters, all in ${path}.${how} They begin:]\n${cut(text, HEAD)}`;
}

/** Whether the call looked into the spill folder itself; compared by whole segments, links followed. */
function isReadBack(spill: Spill, outcome: ToolOutcome): boolean {
  const input = inputOf(outcome);
  const path = outcome.tool === "Read" ? input?.file_path : outcome.tool === "Grep" ? input?.path : undefined;
  if (typeof path !== "string") return false;
  const place = physicalPath(resolve(outcome.cwd || "/", path));
  const folder = physicalPath(resolve(spill.workbench.spill));
  return place !== undefined && folder !== undefined && isInside(place, folder);
}

function bound(text: string): string {
  const note = `\n[cut here: ${READ_BACK} of ${text.length} characters; ask for fewer lines at a time]`;
  return `${cut(text, READ_BACK - note.length - 1)}${note}`;
}

/** What the harness kept of a long Bash output: the answer itself then holds only its first 30,000 characters. */
function keptOutput(response: Readonly<Record<string, unknown>>): string | undefined {
  const path = response.persistedOutputPath;
  if (typeof path !== "string") return undefined;
  try {
    return statSync(path).size > MAX_TAKEN_BYTES ? undefined : readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Take over what the harness kept, so that one pointer leads to all of it instead of two to parts. */
function takeOver(spill: Spill, outcome: ToolOutcome): unknown {
  const { response } = outcome;
  if (outcome.tool !== "Bash" || !isRecord(response)) return undefined;
  const whole = keptOutput(response);
  if (whole === undefined || whole.length <= spill.threshold) return undefined;
  const { persistedOutputPath: _path, persistedOutputSize: _size, ...rest } = response;
  const text = spill.options.mask?.(whole) ?? whole;
  return { ...rest, stdout: pointTo(spill, outcome, text) };
}

function reviewOutcome(spill: Spill, outcome: ToolOutcome): OutcomeDecision {
  if (!spill.tools.includes(outcome.tool)) return { kind: "keep" };
  if (spill.options.mainOnly === true && !isMainThread(outcome)) return { kind: "keep" };
  const replace = (text: string) => pointTo(spill, outcome, text);
  const subject = isReadBack(spill, outcome)
    ? replaceLongTexts(outcome.response, { limit: READ_BACK, replace: bound })
    : replaceLongTexts(takeOver(spill, outcome) ?? outcome.response, { limit: spill.threshold, replace });
  return subject === outcome.response ? { kind: "keep" } : { kind: "replace", response: subject };
}

/**
 * Replaces every text over the threshold by a line that says where all of it is, and its first 400 characters. The
 * answer's shape stays; lists, and images in any form, are not touched. Looking into a spilled file is let through,
 * at most 20,000 characters at a time.
 * @throws OptionError `bad_option` for a threshold that is no positive whole number; `unknown_option`.
 */
export function spillPostGuard(workbench: WorkbenchPort, options: SpillOptions = {}): PostGuard {
  rejectUnknownKeys(options, KEYS, "spillGuard");
  const threshold = createOptionReader("spillGuard", options).optionalCount("threshold", 1) ?? THRESHOLD;
  const tools = (options.tools ?? TOOLS).split("|").map((tool) => tool.trim());
  const spill: Spill = { workbench, threshold, tools, options };
  return {
    name: "spill",
    tools,
    review: (outcome) => {
      try {
        return reviewOutcome(spill, outcome);
      } catch (error) {
        options.onFault?.(error);
        return { kind: "keep" };
      }
    },
  };
}
