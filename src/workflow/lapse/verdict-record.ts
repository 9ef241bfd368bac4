// A verdict as it is written down: what was ruled, by what it was ruled, and what it holds for. Pure.

import { sha256 } from "../../core/ids.ts";
import { isRecord } from "../../core/json.ts";
import { oneLine } from "../../core/text.ts";
import { Verdict, type VerdictState } from "../../documents/verdict.ts";
import type { Fingerprint } from "../../evidence/fingerprint.ts";

/** How a round ended: what the judge ruled, or that the person accepted the work whatever the judge ruled. */
export type RuledState = "achieved" | "accepted" | "not_yet" | "unreachable" | "unclear";

/** One verdict, as it is on disk. Paths are relative to the workspace. */
export interface VerdictRecord {
  readonly state: RuledState;
  /** What the judge ruled; differs from `state` where the person accepted the work. */
  readonly judged: VerdictState;
  readonly run: string;
  /** Name of the step that was judged. */
  readonly step: string;
  /** Name of the judge's row in the books. */
  readonly judge: string;
  /** 0 for what was judged before any work of its run. */
  readonly round: number;
  readonly rounds: number;
  /** Epoch seconds. */
  readonly at: number;
  readonly reason: string;
  readonly failed: readonly string[];
  /** Folder with what flower saw; null where it ran no commands. */
  readonly evidence: string | null;
  /** Hash of the documents it was ruled by, by their path. */
  readonly documents: Readonly<Record<string, string>>;
  /** The tree it holds for. */
  readonly tree: Fingerprint;
  /** What the tree is made of. */
  readonly work: {
    readonly folder: string;
    readonly exclude: readonly string[];
    readonly isolated: boolean;
  };
}

const STATES: readonly RuledState[] = ["achieved", "accepted", "not_yet", "unreachable", "unclear"];
const JUDGED: readonly VerdictState[] = ["achieved", "not_yet", "unreachable", ""];
const FRONT = /^---\n([^\n]*)\n---\n/;

/** Whether a state means that the work is done. */
export function isDone(state: RuledState): boolean {
  return state === "achieved" || state === "accepted";
}

/** The state of a round. */
export function stateOf(verdict: Verdict, passes: boolean): RuledState {
  if (passes) return verdict.achieved ? "achieved" : "accepted";
  if (verdict.state === "") return "unclear";
  // A judge that wrote achieved and named checks that did not pass has not let it pass.
  return verdict.state === "achieved" ? "not_yet" : verdict.state;
}

/** The verdict in a record. */
export function verdictIn(record: Pick<VerdictRecord, "judged" | "reason" | "failed">): Verdict {
  const { judged, reason, failed } = record;
  return new Verdict({ state: judged, reason, failed });
}

function inWords(record: VerdictRecord): string {
  const who = record.state === "accepted" ? "accepted by the person" : record.state.replace("_", " ");
  return record.round === 0
    ? `${who}, before any work of its run`
    : `${who}, round ${record.round} of ${record.rounds}`;
}

/** The file of a record: one line of JSON for programs, then the verdict for people. */
export function renderRecord(record: VerdictRecord): string {
  const { evidence, documents, tree } = record;
  const held =
    tree.kind === "seen" ? `tree ${tree.hash}` : `no tree: it could not be looked at (${oneLine(tree.why)})`;
  return [
    "---",
    JSON.stringify(record),
    "---",
    "",
    `# ${record.step}: ${inWords(record)}`,
    "",
    verdictIn(record).toMarkdown().replaceAll(/^## /gm, "### "),
    "### Holds for",
    "",
    `- ${held}`,
    ...Object.entries(documents).map(([path, hash]) => `- ${oneLine(path)} with SHA-256 ${hash}`),
    ...(evidence === null ? [] : [`- evidence in ${oneLine(evidence)}`]),
    "",
  ].join("\n");
}

function texts(value: unknown): readonly string[] | undefined {
  const isList = Array.isArray(value) && value.every((item): item is string => typeof item === "string");
  return isList ? value : undefined;
}

function toTree(value: unknown): Fingerprint | undefined {
  if (!isRecord(value)) return undefined;
  if (value.kind === "seen" && typeof value.hash === "string") return { kind: "seen", hash: value.hash };
  return value.kind === "blind" && typeof value.why === "string"
    ? { kind: "blind", why: value.why }
    : undefined;
}

function toDocuments(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isRecord(value)) return undefined;
  const entries = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(entries);
}

function toWork(value: unknown): VerdictRecord["work"] | undefined {
  if (!isRecord(value)) return undefined;
  const exclude = texts(value.exclude);
  if (typeof value.folder !== "string" || exclude === undefined) return undefined;
  return { folder: value.folder, exclude, isolated: value.isolated === true };
}

function toRecord(value: unknown): VerdictRecord | undefined {
  if (!isRecord(value)) return undefined;
  const { run, step, judge, round, rounds, at, reason, evidence } = value;
  const state = STATES.find((each) => each === value.state);
  const judged = JUDGED.find((each) => each === value.judged);
  const [failed, tree, documents, work] = [
    texts(value.failed),
    toTree(value.tree),
    toDocuments(value.documents),
    toWork(value.work),
  ];
  if (state === undefined || judged === undefined || failed === undefined || tree === undefined)
    return undefined;
  if (documents === undefined || work === undefined || typeof reason !== "string") return undefined;
  if (typeof run !== "string" || typeof step !== "string" || typeof judge !== "string") return undefined;
  if (typeof round !== "number" || typeof rounds !== "number" || typeof at !== "number") return undefined;
  const folder = typeof evidence === "string" ? evidence : null;
  return {
    state,
    judged,
    run,
    step,
    judge,
    round,
    rounds,
    at,
    reason,
    failed,
    evidence: folder,
    documents,
    tree,
    work,
  };
}

/** Read a file of a verdict; undefined when it is none. Never throws. */
export function parseRecord(text: string): VerdictRecord | undefined {
  const front = FRONT.exec(text.replaceAll("\r\n", "\n"))?.[1];
  if (front === undefined) return undefined;
  try {
    return toRecord(JSON.parse(front));
  } catch {
    return undefined;
  }
}

/** How a round ended, by what a row of the books says of it; undefined for a row that says nothing of a verdict. */
export function bookedState(row: object): RuledState | undefined {
  const verdict = "verdict" in row ? row.verdict : undefined;
  return isRecord(verdict) ? STATES.find((state) => state === verdict.state) : undefined;
}

/** What the books say of a verdict: enough to tell its file from one that anybody else wrote. */
export function bookedFacts(record: VerdictRecord, path: string) {
  const { state, judged, round, documents, tree, evidence } = record;
  return {
    state,
    judged,
    round,
    path,
    sha256: sha256(renderRecord(record)),
    documents: { ...documents },
    tree: tree.kind === "seen" ? tree.hash : null,
    evidence,
  };
}
