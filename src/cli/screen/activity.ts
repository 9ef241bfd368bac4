// What runs right now, read off the events: which tools of whom, or what is waited for. Bounded, for runs of days.

import type { Translator } from "../../config/locale/translator.ts";
import { oneLine } from "../../core/text.ts";
import type { Event, EventOf } from "../../events/event.ts";
import { elapsed, withoutFolder } from "./layout.ts";
import { stepOf } from "./voice.ts";

/** More calls than ever run at a time: results lost in a crash must not be remembered for days. */
const MAX_CALLS = 64;
const CALL_CHARS = 80;
/** Id of a command of the goal among the calls; the harness gives none like it. */
const EVIDENCE = "evidence";

interface Call {
  readonly what: string;
  readonly step: string;
  /** Milliseconds. */
  readonly since: number;
}

/** First from where, then how much of it: what is cut off is not needed to tell the folder. */
function shortened(text: string, folder: string): string {
  return oneLine(withoutFolder(text, folder), CALL_CHARS);
}

/** What is waited for; each is said in its own words. */
type Waiting = "retry" | "offline" | "limit" | "handoff";

/** Keeps what is running. */
export class Activity {
  readonly #now: () => number;
  readonly #calls = new Map<string, Call>();
  readonly #questions = new Set<string>();
  #waiting: Waiting | undefined;
  /** Steps whose model is at work. */
  readonly #atWork = new Set<string>();
  #thinks = "";
  #heard: number;

  /** `now` gives milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
    this.#heard = now();
  }

  /** Seconds since anything happened. */
  get silentS(): number {
    return (this.#now() - this.#heard) / 1000;
  }

  /**
   * Take in an event; `who` is the label of whoever it comes from, empty for the main thread of the only step.
   * Files of `folder` are named from there.
   */
  read(event: Event, who: string, folder: string): void {
    this.#heard = this.#now();
    const step = stepOf(event);
    switch (event.kind) {
      case "step":
        if (event.payload.group === undefined) this.#end();
        this.#atWork.add(step);
        break;
      case "result":
        this.#end(step === "" ? undefined : step);
        break;
      case "system":
        if (event.payload.subtype === "init") this.#atWork.add(step);
        break;
      case "tool_call":
        this.#call(event, who, folder);
        break;
      case "tool_result":
        this.#calls.delete(event.payload.tool_use_id);
        this.#thinks = who;
        break;
      case "text":
      case "thinking":
        this.#thinks = who;
        this.#waiting = undefined;
        break;
      case "ask":
        this.#ask(event);
        break;
      case "task":
        if (event.payload.notice === "evidence") this.#command(event, folder);
        else this.#wait(event);
        break;
      default:
        this.#wait(event);
    }
  }

  /** What runs, in a few words; empty when nothing does. */
  words(t: Translator): string {
    if (this.#questions.size > 0) return t("status.waiting_you");
    if (this.#waiting !== undefined) return t(`status.wait.${this.#waiting}`);
    const calls = [...this.#calls.values()];
    const [first] = calls;
    if (first === undefined) {
      if (this.#atWork.size === 0) return "";
      return this.#thinks === "" ? t("status.thinking") : `${this.#thinks}: ${t("status.thinking")}`;
    }
    if (calls.length > 1)
      return t("status.several", { count: calls.length, what: calls.map(({ what }) => what).join(", ") });
    const seconds = (this.#now() - first.since) / 1000;
    return seconds < 1 ? first.what : `${first.what} ${elapsed(seconds)}`;
  }

  /** A step's turn is over; without a name, everybody's. */
  #end(step?: string): void {
    for (const [id, call] of this.#calls)
      if (step === undefined || call.step === step) this.#calls.delete(id);
    if (step === undefined) this.#atWork.clear();
    else this.#atWork.delete(step);
    this.#thinks = "";
    this.#waiting = undefined;
  }

  #call(event: EventOf<"tool_call">, who: string, folder: string): void {
    this.#waiting = undefined;
    // A dispatch is seen in what its worker does, a question in itself.
    if (event.tool === "Agent" || event.tool.startsWith("mcp__human__")) return;
    const [oldest] = this.#calls.keys();
    if (this.#calls.size >= MAX_CALLS && oldest !== undefined) this.#calls.delete(oldest);
    const call = `${oneLine(event.tool, 40)} ${shortened(event.text, folder)}`.trimEnd();
    const what = who === "" ? call : `${who}: ${call}`;
    this.#calls.set(event.payload.id, { what, step: stepOf(event), since: this.#now() });
  }

  /** A command of the goal, which flower runs itself: one at a time. */
  #command({ text, payload }: EventOf<"task">, folder: string): void {
    if (payload.phase !== "start") this.#calls.delete(EVIDENCE);
    else this.#calls.set(EVIDENCE, { what: shortened(text, folder), step: "", since: this.#now() });
  }

  #ask({ payload }: EventOf<"ask">): void {
    if (payload.kind === "mail") return;
    if (payload.state === "asked") this.#questions.add(String(payload.id));
    else this.#questions.delete(String(payload.id));
  }

  #wait(event: Event): void {
    const { phase, notice } = event.payload as Readonly<Record<string, unknown>>;
    if (event.kind === "retry") {
      this.#waiting = phase === "failed" ? "retry" : phase === "waiting" ? "offline" : undefined;
    } else if (event.kind === "handoff") {
      this.#waiting = phase === "writing" ? "handoff" : undefined;
    } else if (notice === "limit") {
      this.#waiting = phase === "waiting" ? "limit" : undefined;
    }
  }
}
