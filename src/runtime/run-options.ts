// What one step of a Runtime can be told beside its agent and its prompt.

import { AgentSpec } from "../agents/agent-spec.ts";
import { OptionError } from "../core/errors.ts";
import { type OptionKind, rejectUnknownKeys, requireKinds } from "../core/options.ts";
import type { EventListener } from "../events/event.ts";
import type { Interrupter } from "./interrupter.ts";
import type { StepWatch } from "./step-watch.ts";

/** Options of one step. */
export interface RunOptions {
  /** Name in the books. @defaultValue the spec's name */
  readonly stepName?: string | undefined;
  /** Session to go on with. */
  readonly resume?: string | undefined;
  /** Go on in a copy of that session. @defaultValue false */
  readonly fork?: boolean | undefined;
  /** Go on from that message. */
  readonly resumeAt?: string | undefined;
  /** Hears this step's events. */
  readonly onEvent?: EventListener | undefined;
  /** Told once the store has accepted the first entry of a session of this step. */
  readonly onStored?: ((sessionId: string) => void) | undefined;
  /** Ends the step: the process is stopped and the result says so. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of a step that is run: their signal also ends it with its Runtime. */
export type EndableOptions = RunOptions & { readonly signal: AbortSignal };

/** One step as it is run: its options, who may interrupt it, and who stands around it. */
export interface StepCall {
  readonly options: EndableOptions;
  readonly interrupter: Interrupter;
  readonly watch: StepWatch;
}

const KINDS = {
  stepName: "text",
  resume: "text",
  fork: "flag",
  resumeAt: "text",
  onEvent: "function",
  onStored: "function",
  signal: "signal",
} satisfies { readonly [K in keyof Required<RunOptions>]: OptionKind };

/**
 * Refuse what cannot be run.
 * @throws OptionError `unknown_option`, `bad_option`.
 */
export function checkRun(spec: unknown, prompt: unknown, options: RunOptions): void {
  rejectUnknownKeys(options, Object.keys(KINDS), "Runtime.run");
  requireKinds(options, KINDS, "Runtime.run");
  if (!(spec instanceof AgentSpec)) {
    throw new OptionError("Runtime.run needs an AgentSpec", {
      code: "bad_option",
      hint: "runtime.run(new AgentSpec({ … }), prompt)",
    });
  }
  requireKinds({ prompt: prompt ?? null }, { prompt: "text" }, "Runtime.run");
}
