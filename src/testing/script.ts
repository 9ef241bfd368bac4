// The script: who says what, one list of steps a speaker, each list used up from its front.

import { OptionError } from "../core/errors.ts";
import { rejectUnknownKeys } from "../core/options.ts";
import type { ApiRequest, IncomingRequest, SpeakerRole } from "./api-request.ts";
import type { SideKind } from "./side-request.ts";
import type { Answer, Step } from "./step.ts";

/** A speaker a test recognises by itself. */
export interface CustomSpeaker {
  /** What it is called in errors and in `request.agent`. */
  readonly name: string;
  /**
   * True for a request of this speaker. A text or pattern is looked for in the system prompt and in the first
   * message. Must not throw.
   */
  readonly match: string | RegExp | ((request: IncomingRequest) => boolean);
  /** What it says, in order. */
  readonly steps: readonly Step[];
}

/** Who says what. Speakers that are left out are not expected to speak. */
export interface Script {
  /** Who has the coordinator's rules. */
  readonly coordinator?: readonly Step[] | undefined;
  /** Who has the clarifier's rules. */
  readonly clarifier?: readonly Step[] | undefined;
  /** Who has the judge's rules: goal and verdicts, in order. */
  readonly judge?: readonly Step[] | undefined;
  /** Who has the oracle's rules. */
  readonly oracle?: readonly Step[] | undefined;
  /** A main thread that has none of the rules of the four roles above. */
  readonly main?: readonly Step[] | undefined;
  /** By name, as dispatched. Several of one name share the list in the order they ask. */
  readonly workers?: Readonly<Record<string, readonly Step[]>> | undefined;
  /** Asked before all others, in order. */
  readonly speakers?: readonly CustomSpeaker[] | undefined;
  /** Answers the harness's own requests; undefined leaves one to the automatic answer. */
  readonly side?: ((request: ApiRequest, kind: SideKind) => Answer | undefined) | undefined;
}

/**
 * A speaker recognised by a text, a pattern or a function, with its steps.
 * @param name - what it is called in errors
 * @param match - a text or pattern in its system prompt or first message, or a function of the request
 * @param steps - what it says, in order
 */
export function speaker(name: string, match: CustomSpeaker["match"], steps: readonly Step[]): CustomSpeaker {
  return { name, match, steps };
}

const MAIN_ROLES = ["coordinator", "clarifier", "judge", "oracle", "main"] as const;

/** Who speaks, as recognised. */
export interface Speaker {
  readonly role: SpeakerRole;
  readonly agent: string | undefined;
}

/** A speaker as messages name it. */
export function speakerLabel({ role, agent }: Speaker): string {
  if (agent === undefined) return role;
  return role === "custom" ? `speaker "${agent}"` : `${role} "${agent}"`;
}

/** What the script holds for a request. */
export type NextStep =
  | { readonly kind: "step"; readonly step: Exclude<Step, { readonly kind: "always" }> }
  /** All its steps are used. */
  | { readonly kind: "exhausted"; readonly total: number }
  /** It has none. */
  | { readonly kind: "unscripted" };

interface Lines {
  readonly label: string;
  readonly steps: readonly Step[];
  used: number;
}

function isAlways(step: Step): step is Extract<Step, { readonly kind: "always" }> {
  return typeof step === "object" && "kind" in step && step.kind === "always";
}

function checkSteps(label: string, steps: readonly Step[]): void {
  const at = steps.findIndex(isAlways);
  if (at === -1 || at === steps.length - 1) return;
  throw new OptionError(`${label}: always(…) is followed by steps that nothing can reach`, {
    code: "bad_script",
    hint: "put always(…) last",
  });
}

/** A script being played: hands out steps, knows what is left. */
export class ScriptBook {
  readonly #lines = new Map<string, Lines>();

  /** @throws OptionError `unknown_option` for a speaker's name that is none, `bad_script` for steps out of reach. */
  constructor(script: Script) {
    rejectUnknownKeys(script, [...MAIN_ROLES, "workers", "speakers", "side"], "script");
    for (const role of MAIN_ROLES) {
      const steps = script[role];
      if (steps !== undefined) this.#add({ role, agent: undefined }, steps);
    }
    for (const [agent, steps] of Object.entries(script.workers ?? {})) {
      this.#add({ role: "worker", agent }, steps);
    }
    for (const { name, steps } of script.speakers ?? []) this.#add({ role: "custom", agent: name }, steps);
  }

  #add(speaker: Speaker, steps: readonly Step[]): void {
    const label = speakerLabel(speaker);
    checkSteps(label, steps);
    if (this.#lines.has(label)) {
      throw new OptionError(`script: ${label} stands in it twice`, {
        code: "bad_script",
        hint: "give every speaker a name of its own",
      });
    }
    this.#lines.set(label, { label, steps, used: 0 });
  }

  /** Take the speaker's next step. */
  next(speaker: Speaker): NextStep {
    const lines = this.#lines.get(speakerLabel(speaker));
    if (lines === undefined) return { kind: "unscripted" };
    const step = lines.steps[lines.used];
    const last = lines.steps.at(-1);
    if (step === undefined) {
      if (last !== undefined && isAlways(last)) return { kind: "step", step: last.step };
      return { kind: "exhausted", total: lines.steps.length };
    }
    lines.used += 1;
    return { kind: "step", step: isAlways(step) ? step.step : step };
  }

  /** Labels of all speakers in the script. */
  speakers(): readonly string[] {
    return [...this.#lines.keys()];
  }

  /** A sentence for every speaker with steps nobody asked for. */
  unused(): readonly string[] {
    return [...this.#lines.values()].flatMap(({ label, steps, used }) => {
      const needed = steps.filter((step) => !isAlways(step)).length;
      return used >= needed ? [] : [`${label}: ${needed - used} of ${needed} steps were never asked for`];
    });
  }
}
