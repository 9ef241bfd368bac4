// The books of one Runtime: results, the steps in flight, what is charged, and the manifest they are written to.

import { join } from "node:path";
import { failureOf, reasonOf, wordsOf } from "../config/locale/words.ts";
import { errorText } from "../core/errors.ts";
import type { Json } from "../core/json.ts";
import type { Words } from "../core/words.ts";
import type { TurnResult } from "../harness/turn-result.ts";
import { chargeFor } from "./charge.ts";
import { bookedUsd, recordTotal } from "./costs.ts";
import { manifestPath, readManifest, writeManifest } from "./manifest.ts";
import type { StartPoint } from "./run-step.ts";
import { endDraft, type StepDraft, type StepResult, toManifestRow } from "./step-result.ts";

/** Error of a step whose process was told to end while it ran. */
const KILLED = failureOf("killed");
/** Error of a step that is still running: what a row says when the process was killed without warning. */
const UNFINISHED = "unfinished";

/** Keeps the books. Faults of the disk are told once each and never end a step. */
export class Books {
  readonly manifestPath: string;
  readonly results: StepResult[] = [];
  readonly #costsPath: string;
  readonly #run: string;
  readonly #inFlight = new Set<StepDraft>();
  /** What others know of a result beyond what it says itself. */
  readonly #notes = new Map<StepResult, Readonly<Record<string, Json>>>();
  readonly #onFault: (words: Words) => void;
  #lastFault = "";
  /** True once a signal told this process to end: what is stopped from then on was killed by it. */
  #rescued = false;

  constructor(runDir: string, run: string, onFault: (words: Words) => void) {
    this.manifestPath = manifestPath(runDir);
    this.#costsPath = join(runDir, "costs.json");
    this.#run = run;
    this.#onFault = onFault;
  }

  /** A step begins. */
  open(draft: StepDraft): void {
    this.#inFlight.add(draft);
  }

  /**
   * Charge a result to its step and write both books, so that a kill loses at most the turn in flight.
   * @returns what this process spent, in US dollars: without what an earlier one left unbooked.
   */
  charge(draft: StepDraft, result: TurnResult, start: StartPoint): number {
    const id = result.sessionId;
    if (id === "") return 0;
    const known = draft.totals.get(id);
    const booked = known ?? this.#bookedBefore(id, start);
    const owed = chargeFor(result.totalCostUsd, booked, result.incrementUsd);
    draft.costUsd += owed;
    draft.totals.set(id, Math.max(result.totalCostUsd, booked));
    this.write();
    this.#guard(() => recordTotal(this.#costsPath, id, draft.totals.get(id) ?? 0));
    const isFirst = known === undefined && start.resume !== undefined && result.incrementUsd > 0;
    return isFirst ? Math.min(owed, result.incrementUsd) : owed;
  }

  /** A step is over. */
  close(draft: StepDraft): StepResult {
    this.#inFlight.delete(draft);
    if (this.#rescued && !draft.ok) Object.assign(draft, { error: KILLED.error, failure: KILLED.failure });
    const result = endDraft(draft);
    this.results.push(result);
    this.write();
    return result;
  }

  /**
   * Add facts to the row of the last result of a step.
   * @returns whether there is one.
   */
  note(step: string, facts: Readonly<Record<string, Json>>): boolean {
    const result = this.results.findLast((each) => each.step === step);
    if (result === undefined) return false;
    this.#notes.set(result, { ...this.#notes.get(result), ...facts });
    this.write();
    return true;
  }

  /** Write the manifest: finished steps, then those in flight. Synchronous. */
  write(inFlightError: string = UNFINISHED): void {
    const running = [...this.#inFlight].map((draft) => ({ ...draft, error: draft.error ?? inFlightError }));
    const rows = [
      ...this.results.map((result) => ({ ...toManifestRow(result, this.#run), ...this.#notes.get(result) })),
      ...running.map((draft) => toManifestRow(draft, this.#run)),
    ];
    this.#guard(() => {
      const aside = writeManifest(this.manifestPath, this.#run, rows);
      if (aside !== undefined) this.#onFault(wordsOf("notice.manifest_damaged", { aside }));
    });
  }

  /** Write the books from a signal handler: the step in flight is marked as killed. */
  rescue(): void {
    this.#rescued = true;
    this.write(KILLED.error);
  }

  /** Cost of this process's results and of what is in flight, 4 decimals. */
  totalCost(): number {
    const all = [...this.results, ...this.#inFlight];
    return Math.round(all.reduce((sum, result) => sum + result.costUsd, 0) * 10_000) / 10_000;
  }

  #bookedBefore(sessionId: string, start: StartPoint): number {
    const rows = readManifest(this.manifestPath).rows;
    const own = bookedUsd(this.#costsPath, rows, sessionId);
    // A fork's total begins at what its parent's stood at.
    if (own > 0 || !start.fork || start.resume === undefined) return own;
    return bookedUsd(this.#costsPath, rows, start.resume);
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      const text = errorText(error);
      if (text !== this.#lastFault) this.#onFault(wordsOf("notice.books", { reason: reasonOf(error) }));
      this.#lastFault = text;
    }
  }
}
