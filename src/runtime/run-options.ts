// What one step of a Runtime can be told beside its agent and its prompt.

import type { EventListener } from "../events/event.ts";

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

/** Their names. */
export const RUN_KEYS = ["stepName", "resume", "fork", "resumeAt", "onEvent", "onStored", "signal"] as const;
