// Which worker is speaking: every dispatch under way has a label, so that workers side by side can be told apart.

import { oneLine } from "../../core/text.ts";
import type { Event } from "../../events/event.ts";

const LABEL_CHARS = 40;
/** More dispatches than ever run at a time: results lost in a crash must not be remembered for days. */
const MAX_OPEN = 64;

/** Where an event belongs. */
export interface Place {
  /** Label of the worker it comes from; empty when there is no need to say: the main thread, or one worker alone. */
  readonly worker: string;
  /** Label of the dispatch that this event begins or ends; empty for all others. */
  readonly dispatch: string;
}

/** An event that belongs to nobody in particular. */
export const NO_PLACE: Place = { worker: "", dispatch: "" };

/** The role a dispatch is for, by what it was called with. */
export function roleOf(input: unknown): string {
  const given = (input as { readonly subagent_type?: unknown } | null)?.subagent_type;
  return typeof given === "string" ? oneLine(given, LABEL_CHARS) : "?";
}

/** Keeps the dispatches under way. */
export class Dispatches {
  readonly #open = new Map<string, string>();
  #sideBySide = false;

  /** Take in an event, and tell where it belongs. */
  place(event: Event): Place {
    if (event.kind === "result" || event.kind === "step") {
      this.#clear();
      return NO_PLACE;
    }
    if (event.kind === "tool_call" && event.tool === "Agent" && event.payload.subagent !== true) {
      return { worker: "", dispatch: this.#begin(event.payload.id, roleOf(event.payload.input)) };
    }
    if (event.kind === "tool_result" && event.payload.subagent !== true) {
      const { tool_use_id: id } = event.payload;
      const worker = this.#sideBySide ? (this.#open.get(id) ?? "") : "";
      return { worker, dispatch: this.#end(id) };
    }
    return { worker: this.#speaker(event), dispatch: "" };
  }

  /** Label of whoever an event comes from, said or not; empty for the main thread. */
  nameOf(event: Event): string {
    const {
      subagent,
      parent_tool_use_id: parent,
      agent,
    } = event.payload as Readonly<Record<string, unknown>>;
    if (subagent !== true) return "";
    const known = typeof parent === "string" ? this.#open.get(parent) : undefined;
    return known ?? (typeof agent === "string" ? oneLine(agent, LABEL_CHARS) : "");
  }

  #speaker(event: Event): string {
    const {
      subagent,
      parent_tool_use_id: parent,
      agent,
    } = event.payload as Readonly<Record<string, unknown>>;
    if (subagent !== true) return "";
    // A worker that goes on with an earlier dispatch was not seen to begin.
    if (typeof parent === "string" && !this.#open.has(parent)) {
      this.#begin(parent, typeof agent === "string" ? oneLine(agent, LABEL_CHARS) : "?");
    }
    return this.#sideBySide ? this.nameOf(event) : "";
  }

  #begin(id: string, role: string): string {
    const taken = new Set(this.#open.values());
    let label = role;
    for (let n = 2; taken.has(label); n += 1) label = `${role}#${n}`;
    const [oldest] = this.#open.keys();
    if (this.#open.size >= MAX_OPEN && oldest !== undefined) this.#open.delete(oldest);
    this.#open.set(id, label);
    if (this.#open.size > 1) this.#sideBySide = true;
    return label;
  }

  #end(id: string): string {
    const label = this.#open.get(id) ?? "";
    this.#open.delete(id);
    // The last of several keeps its label to the end, so that its lines can be followed.
    if (this.#open.size === 0) this.#sideBySide = false;
    return label;
  }

  #clear(): void {
    this.#open.clear();
    this.#sideBySide = false;
  }
}
