// The other side of `asks/`: any process lists the waiting questions, leaves an answer or a word, and learns what
// became of it. Reading writes nothing.

import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { sleep } from "../core/clock.ts";
import { isRecord, readJson, readText, writeAtomic } from "../core/json.ts";
import { liveTags, namesIn, ownerLives, readOwner, runPath, tagOf } from "./asks-folder.ts";

/** A question that waits, as any process sees it. */
export interface PendingQuestion {
  readonly id: string;
  readonly question: string;
  readonly options: readonly string[];
  /** Epoch seconds. */
  readonly askedAt: number;
  /** Run id, or empty. */
  readonly run: string;
  readonly pid: number;
}

/** A message on its way. */
export interface Ticket {
  readonly kind: "sent";
  /** Without its ending, the path of the message and of its receipt. */
  readonly path: string;
}

/** What came of leaving an answer: on its way, no such question, or several that could be meant. */
export type AnswerDrop =
  | Ticket
  | { readonly kind: "unknown"; readonly id: string }
  | { readonly kind: "ambiguous"; readonly ids: readonly string[] };

/** What became of a message; `no_reply` means that nobody took it and it was withdrawn. */
export type Receipt = "delivered" | "late" | "unknown" | "no_reply";

const RECEIPTS: readonly string[] = ["delivered", "late", "unknown"];
/** How often a receipt is looked for. */
const LOOK_MS = 25;
/** A message already taken is answered at once; this is for a machine under load. */
const GRACE_MS = 2_000;
const DEFAULT_WAIT_S = 10;

function readPending(path: string): PendingQuestion | undefined {
  const read = readJson(path);
  if (read.kind !== "value" || !isRecord(read.value)) return undefined;
  const { id, question, options, askedAt } = read.value;
  const owner = readOwner(read.value);
  if (typeof id !== "string" || tagOf(id) === undefined || owner === undefined || !ownerLives(owner)) {
    return undefined;
  }
  if (typeof question !== "string" || typeof askedAt !== "number" || !Array.isArray(options))
    return undefined;
  const choices = options.filter((option) => typeof option === "string");
  return { id, question, options: choices, askedAt, run: owner.run, pid: owner.pid };
}

/** The questions that wait in a folder, oldest first; those of dead processes and unreadable files are left out. */
export function listQuestions(dir: string): readonly PendingQuestion[] {
  return namesIn(dir)
    .filter((name) => tagOf(name.replace(/\.json$/, "")) !== undefined)
    .map((name) => readPending(join(dir, name)))
    .filter((question) => question !== undefined)
    .sort((a, b) => a.askedAt - b.askedAt);
}

function drop(dir: string, tag: string, message: object): Ticket {
  const path = join(runPath(dir, tag), `${Date.now()}-${randomBytes(4).toString("hex")}`);
  writeAtomic(`${path}.json`, `${JSON.stringify(message)}\n`, 0o600);
  return { kind: "sent", path };
}

/**
 * Leave an answer for the run that asked. `q1` alone is enough where only one waiting question begins so.
 * @throws DiskError `write_failed`.
 */
export function writeAnswer(dir: string, id: string, text: string): AnswerDrop {
  const typed = id.trim().toLowerCase();
  const meant = /^q\d{1,9}$/.test(typed)
    ? listQuestions(dir).filter((question) => question.id.startsWith(`${typed}-`))
    : [];
  if (meant.length > 1) return { kind: "ambiguous", ids: meant.map((question) => question.id) };
  const full = meant[0]?.id ?? typed;
  const tag = tagOf(full);
  if (tag === undefined || !liveTags(dir).includes(tag)) return { kind: "unknown", id };
  return drop(dir, tag, { kind: "answer", id: full, text });
}

/**
 * Leave words for every run that listens in this folder; none listens, nothing is left.
 * @throws DiskError `write_failed`.
 */
export function writeMail(dir: string, text: string): readonly Ticket[] {
  return liveTags(dir).map((tag) => drop(dir, tag, { kind: "mail", text }));
}

async function lookFor(
  path: string,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<Receipt | undefined> {
  const until = Date.now() + ms;
  for (;;) {
    const state = readText(`${path}.receipt`)?.trim();
    if (state !== undefined && RECEIPTS.includes(state)) return state as Receipt;
    if (Date.now() >= until || signal?.aborted) return undefined;
    await sleep(LOOK_MS, signal);
  }
}

/** Take a message back; false when it has been taken already. */
function withdraw(path: string): boolean {
  try {
    rmSync(`${path}.json`);
    return true;
  } catch {
    return false;
  }
}

/**
 * Wait for what became of a message. When time is up or the signal aborts, the message is taken back, so that what
 * is reported as not delivered is not delivered later.
 */
export async function waitReceipt(
  ticket: Ticket,
  settings: {
    /** Seconds. @defaultValue 10: a listening run answers within its poll of 2 */
    readonly timeoutS?: number;
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<Receipt> {
  const ms = (settings.timeoutS ?? DEFAULT_WAIT_S) * 1000;
  let receipt = await lookFor(ticket.path, ms, settings.signal);
  if (receipt === undefined && !withdraw(ticket.path))
    receipt = await lookFor(ticket.path, GRACE_MS, undefined);
  rmSync(`${ticket.path}.receipt`, { force: true });
  return receipt ?? "no_reply";
}
