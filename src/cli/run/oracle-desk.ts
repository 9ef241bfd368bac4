// Questions beside a run: a Runtime of their own in `<runDir>/aside` answers from the last events and the workbench.
// Nothing of it reaches the run, and nothing that fails there is a failure of the run.

import { join } from "node:path";
import { type OracleOptions, oracle } from "../../agents/roles/oracle.ts";
import { failureOf } from "../../config/locale/words.ts";
import { within } from "../../core/clock.ts";
import { HarnessError } from "../../core/errors.ts";
import { oneLine } from "../../core/text.ts";
import type { Event } from "../../events/event.ts";
import { Resilience } from "../../runtime/resilience.ts";
import { Runtime } from "../../runtime/runtime.ts";
import type { Workbench } from "../../workbench/workbench.ts";
import type { Command } from "../args/command-line.ts";

/** Events an answer is given from. */
const WINDOW = 60;
const EVENT_CHARS = 200;
/** How long open questions are waited for when the run is over. */
const CLOSING_S = 120;
/** A person waits for the answer: an outage is waited out as long as patience lasts, not as long as a run's work is worth. */
const OUTAGE_S = 60;
/** What an agent thought or was told is long, and says less than what it did. */
const LEFT_OUT: readonly string[] = ["thinking", "prompt", "unknown"];

/** What the oracle works with. */
export interface OracleParts {
  /** The run that is asked about. */
  readonly runtime: Runtime;
  readonly workbench: Workbench | undefined;
  readonly options?: OracleOptions;
  /** How long {@link OracleDesk.close} waits. @defaultValue 120 */
  readonly closingS?: number;
}

/** How the command makes its oracle: the model named for it, else the run's. */
export function oracleOptions({ flags }: Command): OracleOptions {
  const model = flags.models?.oracle ?? flags.model;
  const { effort } = flags;
  return {
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
  };
}

/** Answers questions about a run while it goes on. */
export class OracleDesk {
  readonly #parts: OracleParts;
  readonly #window: string[] = [];
  readonly #open = new Set<Promise<unknown>>();
  readonly #abort = new AbortController();
  readonly #stopListening: () => void;
  #step = "";
  #aside: Runtime | undefined;

  constructor(parts: OracleParts) {
    this.#parts = parts;
    this.#stopListening = parts.runtime.listen((event) => this.#see(event));
  }

  /** US dollars the answers have cost so far. */
  get costUsd(): number {
    return this.#aside?.totalCost() ?? 0;
  }

  /** Questions that are not answered yet. */
  get open(): number {
    return this.#open.size;
  }

  /**
   * Answer a question; several may be open at once.
   * @throws FlowerError saying why there is no answer.
   */
  ask = (question: string): Promise<string> => {
    const answer = this.#answer(question);
    const settled = answer.then(
      () => {},
      () => {},
    );
    this.#open.add(settled);
    void settled.then(() => this.#open.delete(settled));
    return answer;
  };

  /** Wait for open questions, then end whatever is left. `now`: do not wait. Never throws. */
  async close({ now = false }: { readonly now?: boolean } = {}): Promise<void> {
    this.#stopListening();
    if (!now) await within((this.#parts.closingS ?? CLOSING_S) * 1_000, Promise.all(this.#open), () => {});
    this.#abort.abort();
    await Promise.all(this.#open);
    await this.#aside?.close().catch(() => {});
  }

  #see(event: Event): void {
    if (LEFT_OUT.includes(event.kind)) return;
    if (event.kind === "step") this.#step = event.text;
    this.#window.push(oneLine(String(event), EVENT_CHARS));
    if (this.#window.length > WINDOW) this.#window.shift();
  }

  #runtime(): Runtime {
    const { runtime, workbench } = this.#parts;
    this.#aside ??= new Runtime({
      workspace: runtime.workspace,
      runDir: join(runtime.runDir, "aside"),
      portable: true,
      handoff: false,
      resilience: new Resilience({ maxOfflineWait: OUTAGE_S, maxLimitWaits: 0, retryUnknown: false }),
      ...(workbench === undefined ? {} : { workbench }),
    });
    return this.#aside;
  }

  async #answer(question: string): Promise<string> {
    const spec = oracle("oracle", this.#parts.options ?? {});
    const aside = this.#runtime();
    const result = await aside.run(spec, this.#prompt(question), { signal: this.#abort.signal });
    aside.note("oracle", { beside: this.#parts.runtime.runId });
    if (result.ok && result.text.trim() !== "") return result.text.trim();
    const { error, hint, failure } = result.ok ? failureOf("oracle_silent") : result;
    // Whatever failed has a name of its own by which a person is told of it.
    throw new HarnessError(error ?? "", { ...(failure ?? { code: "oracle_failed" }), hint });
  }

  #prompt(question: string): string {
    const events = this.#window.length === 0 ? "(none yet)" : this.#window.join("\n");
    return [
      `A person asks about the run ${this.#parts.runtime.runId}, which is at step "${this.#step || "(none yet)"}".`,
      `Its last events, oldest first:\n${events}`,
      `The question:\n\n${question}`,
    ].join("\n\n");
  }
}
