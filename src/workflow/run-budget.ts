// The budget of one run: counts what it uses, warns at 80 %, and asks the person once a limit is reached.

import { sayValue, type Translator } from "../config/locale/translator.ts";
import { failureOf, wordsOf } from "../config/locale/words.ts";
import { epochS, timerMs } from "../core/clock.ts";
import type { WordValue } from "../core/words.ts";
import type { Event } from "../events/event.ts";
import type { HumanChannel } from "../people/human-channel.ts";
import type { FailureWords } from "../runtime/failure.ts";
import { createNotice } from "../runtime/notice.ts";
import type { RunBrake, RunLimit } from "../runtime/run-brake.ts";
import { type BudgetAnswer, type BudgetChoices, readAmount, readBudgetAnswer } from "./budget-answer.ts";
import { type Amounts, limitReached, RUN_LIMITS } from "./budget-limits.ts";

/** Share of a limit at which the person is told, once. */
const NEAR = 0.8;
/** How often an amount that cannot be read is asked for. */
const MAX_AMOUNT_ASKS = 2;

/** What a budget needs. */
export interface RunBudgetParts {
  readonly limits: Amounts;
  readonly channel: HumanChannel | undefined;
  readonly say: Translator;
  /** Must not throw. */
  readonly emit: (event: Event) => void;
}

/** The budget of one run. */
export class RunBudget implements RunBrake {
  readonly #parts: RunBudgetParts;
  readonly #startedAt = epochS();
  readonly #used = { usd: 0, tokens: 0 };
  readonly #told = new Set<RunLimit>();
  #limits: Record<RunLimit, number>;
  #deadline = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #finishing = false;
  #stopped: FailureWords | undefined;
  /** The question that is being put: parallel steps wait for the same answer. */
  #asking: Promise<FailureWords | undefined> | undefined;

  constructor(parts: RunBudgetParts) {
    this.#parts = parts;
    this.#limits = { ...parts.limits };
    this.#watchClock();
  }

  /** Whether there is any limit at all. */
  get isBounded(): boolean {
    return RUN_LIMITS.some((limit) => this.#limits[limit] !== Number.POSITIVE_INFINITY);
  }

  /** Why the run is over, once it is: the person said stop, or nobody was there. */
  get stopped(): FailureWords | undefined {
    return this.#stopped;
  }

  /** Why no further round or step begins, once that is so. */
  get isLastRound(): FailureWords | undefined {
    return this.#stopped ?? (this.#finishing ? this.#stopWords(this.#over() ?? "usd") : undefined);
  }

  leftUsd = (): number => (this.#finishing ? Number.POSITIVE_INFINITY : this.#limits.usd - this.#used.usd);

  spend = (usd: number): void => {
    this.#used.usd += usd;
    this.#tellIfNear();
  };

  countTokens = (tokens: number): void => {
    if (tokens === 0) return;
    this.#used.tokens += tokens;
    this.#tellIfNear();
  };

  reached = (): RunLimit | undefined => {
    if (this.#stopped !== undefined) return this.#over() ?? "usd";
    return this.#finishing ? undefined : this.#over();
  };

  deadline = (): AbortSignal => this.#deadline.signal;

  /**
   * Ask what now; one question for all steps that wait. Ends with the channel's time-out, the answer or the signal.
   * @returns undefined to go on, else why not.
   */
  pause = async (signal: AbortSignal): Promise<FailureWords | undefined> => {
    if (this.#stopped !== undefined) return this.#stopped;
    if (this.#finishing) return undefined;
    this.#asking ??= this.#decide(signal).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  };

  /** Stop the clock. */
  close(): void {
    clearTimeout(this.#timer);
  }

  #amounts(): Amounts {
    return { ...this.#used, deadline: epochS() - this.#startedAt };
  }

  #over(): RunLimit | undefined {
    return limitReached(this.#limits, this.#amounts());
  }

  #shown(limit: RunLimit, amount: number): string {
    return sayValue(this.#parts.say, this.#amount(limit, amount));
  }

  #amount(limit: RunLimit, amount: number): WordValue {
    switch (limit) {
      case "usd":
        return `$${amount.toFixed(2)}`;
      case "tokens":
        return wordsOf("budget.tokens", { count: Math.round(amount) });
      case "deadline":
        return wordsOf("budget.hours", { hours: Number((amount / 3_600).toFixed(2)) });
    }
  }

  #tellIfNear(): void {
    const used = this.#amounts();
    for (const limit of RUN_LIMITS) {
      const share = used[limit] / this.#limits[limit];
      if (this.#told.has(limit) || !(share >= NEAR)) continue;
      this.#told.add(limit);
      const percent = Math.floor(share * 100 + 1e-6);
      const words = wordsOf("budget.near", {
        percent,
        spent: this.#amount(limit, used[limit]),
        budget: this.#amount(limit, this.#limits[limit]),
      });
      const facts = { limit, percent, used: used[limit], budget: this.#limits[limit] };
      this.#parts.emit(createNotice("budget", words, facts));
    }
  }

  /** Wake at 80 % of the time and at its end; longer than a timer can hold is waited for in parts. */
  #watchClock(): void {
    clearTimeout(this.#timer);
    const limit = this.#limits.deadline;
    if (this.#finishing || limit === Number.POSITIVE_INFINITY || this.#deadline.signal.aborted) return;
    const passed = epochS() - this.#startedAt;
    const next = this.#told.has("deadline") ? limit : NEAR * limit;
    this.#timer = setTimeout(
      () => {
        this.#tellIfNear();
        if (this.#amounts().deadline >= limit) this.#deadline.abort();
        this.#watchClock();
      },
      Math.max(1, timerMs(next - passed)),
    );
    // A run that ends earlier must not be held open by its clock.
    this.#timer.unref();
  }

  #stopWords(limit: RunLimit): FailureWords {
    const option = {
      usd: "budgetUsd (--budget)",
      tokens: "budgetTokens",
      deadline: "deadlineS (--deadline)",
    }[limit];
    if (limit === "deadline") return failureOf("deadline_reached", { option });
    return failureOf("budget_reached", { option, budget: this.#amount(limit, this.#limits[limit]) });
  }

  #stop(limit: RunLimit): FailureWords {
    this.#stopped = this.#stopWords(limit);
    return this.#stopped;
  }

  async #decide(signal: AbortSignal): Promise<FailureWords | undefined> {
    // A process stopped by its share of the budget may have ended a rounding error below the limit.
    const limit = this.#over() ?? "usd";
    let answer: BudgetAnswer;
    try {
      answer = await this.#ask(limit, signal);
    } catch {
      // Only the signal ends a question so: the step says itself that it was stopped.
      return this.#stopWords(limit);
    }
    switch (answer.kind) {
      case "finish":
        this.#finishing = true;
        // From here on the clock ends nothing: neither the turn nor a wait for the network.
        this.#deadline = new AbortController();
        this.#watchClock();
        return undefined;
      case "raise":
        return this.#raise(limit, Math.max(this.#limits[limit], this.#amounts()[limit]) + answer.by);
      case "raise_to":
        return this.#raise(limit, answer.to);
      default:
        return this.#stop(limit);
    }
  }

  async #ask(limit: RunLimit, signal: AbortSignal): Promise<BudgetAnswer> {
    const { channel, say } = this.#parts;
    if (channel === undefined) return { kind: "stop" };
    const choices: BudgetChoices = {
      raise: say("budget.option.raise"),
      stop: say("budget.option.stop"),
      finish: say("budget.option.finish"),
    };
    const budget = this.#shown(limit, this.#limits[limit]);
    const options = [choices.raise, choices.stop, choices.finish];
    const ask = await channel.ask(say("budget.ask", { budget }), options, { signal });
    if (ask.state !== "answered") return { kind: "stop" };
    const answer = readBudgetAnswer(ask.answer, choices, limit);
    return answer.kind === "raise_unsaid" || answer.kind === "unclear"
      ? this.#askAmount(channel, limit, signal)
      : answer;
  }

  async #askAmount(channel: HumanChannel, limit: RunLimit, signal: AbortSignal): Promise<BudgetAnswer> {
    const { say } = this.#parts;
    const example = { usd: "20", tokens: "5000000", deadline: "2 h" }[limit];
    for (let asked = 0; asked < MAX_AMOUNT_ASKS; asked += 1) {
      const ask = await channel.ask(say("budget.ask_raise", { example }), [], { signal });
      if (ask.state !== "answered") return { kind: "stop" };
      const answer = readAmount(ask.answer, limit);
      if (answer.kind !== "unclear") return answer;
    }
    return { kind: "stop" };
  }

  /** A limit below what is used already would only ask again: that is a stop. */
  #raise(limit: RunLimit, to: number): FailureWords | undefined {
    if (to <= this.#amounts()[limit]) return this.#stop(limit);
    this.#limits = { ...this.#limits, [limit]: to };
    this.#told.delete(limit);
    if (limit === "deadline") this.#deadline = new AbortController();
    this.#tellIfNear();
    this.#watchClock();
    return undefined;
  }
}
