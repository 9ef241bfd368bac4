// Options of a Runtime, resolved once: all defaults are here.

import { HandoffPolicy } from "../agents/handoff-policy.ts";
import { createOptionReader } from "../agents/option-reader.ts";
import { OptionError } from "../core/errors.ts";
import { rejectUnknownKeys, requireObject } from "../core/options.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { EphemeralPolicy } from "../transcript/ephemeral-policy.ts";
import type { TrimPolicy } from "../transcript/trim-policy.ts";
import { Workbench } from "../workbench/workbench.ts";
import { Resilience } from "./resilience.ts";

/**
 * Options of a Runtime.
 * @example
 * ```ts
 * import { Resilience, Runtime, Workbench } from "flower-agent";
 *
 * await using runtime = new Runtime({
 *   workspace: ".",
 *   workbench: new Workbench({ workspace: "." }),
 *   resilience: new Resilience({ maxOfflineWait: 8 * 3600 }),
 * });
 * ```
 */
export interface RuntimeOptions {
  /** Folder the agents work in; created when absent. */
  readonly workspace: string;
  /** Where the run keeps its books, resolved against the workspace. @defaultValue "runs" */
  readonly runDir?: string | undefined;
  /** True reads no settings of the project, so that a run is the same on another machine. @defaultValue true */
  readonly portable?: boolean | undefined;
  /** Put old long results of a resumed session on disk. @defaultValue false: the command turns it on */
  readonly trim?: TrimPolicy | boolean | undefined;
  /** Let results of mere looks expire when a session is resumed. @defaultValue true */
  readonly ephemeral?: EphemeralPolicy | boolean | undefined;
  /** Refused calls a resumed session still remembers. @defaultValue 1: the last one teaches, the others repeat it */
  readonly keepDenials?: number | undefined;
  /** A workbench, or true for `<runDir>/workbench`. @defaultValue false */
  readonly workbench?: Workbench | boolean | undefined;
  /**
   * Characters above which a tool's answer goes to a file at once; null or 0 for no limit.
   * @defaultValue 4000: about 1,000 tokens, what a conversation can carry for every call
   */
  readonly spillThreshold?: number | null | undefined;
  /** How outages and usage limits are waited out. @defaultValue true: the defaults of Resilience */
  readonly resilience?: Resilience | boolean | undefined;
  /** When a full context is handed over to a fresh session. @defaultValue true: the defaults of HandoffPolicy */
  readonly handoff?: HandoffPolicy | boolean | undefined;
  /** Any session store. @defaultValue SQLite at `<runDir>/sessions.db` */
  readonly store?: SessionStore | undefined;
  /** Extra environment of the harness; a credential in it wins over every other source. @defaultValue none */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Options after the door: nothing is optional any more. */
export interface ResolvedRuntimeOptions {
  readonly workspace: string;
  readonly runDir: string;
  readonly portable: boolean;
  readonly trim: TrimPolicy | boolean;
  readonly ephemeral: EphemeralPolicy | boolean;
  readonly keepDenials: number;
  readonly workbench: Workbench | boolean;
  readonly spillThreshold: number;
  readonly resilience: Resilience;
  readonly handoff: HandoffPolicy;
  readonly store: SessionStore | undefined;
  readonly env: Readonly<Record<string, string>>;
}

const DEFAULT_SPILL_CHARS = 4_000;

const KNOWN = [
  "workspace",
  "runDir",
  "portable",
  "trim",
  "ephemeral",
  "keepDenials",
  "workbench",
  "spillThreshold",
  "resilience",
  "handoff",
  "store",
  "env",
] satisfies (keyof RuntimeOptions)[];

function bad(message: string): OptionError {
  return new OptionError(`Runtime: ${message}`, { code: "bad_option", hint: "see the options of Runtime" });
}

function resolveThreshold(value: number | null | undefined): number {
  if (value === undefined) return DEFAULT_SPILL_CHARS;
  if (value === null) return 0;
  if (Number.isInteger(value) && value >= 0) return value;
  throw bad("spillThreshold must be a whole number of characters, 0 or null for none");
}

function resolveResilience(value: Resilience | boolean): Resilience {
  if (typeof value === "boolean") return new Resilience({ enabled: value });
  if (value instanceof Resilience) return value;
  throw bad("resilience must be a Resilience, true or false");
}

function resolveHandoff(value: HandoffPolicy | boolean): HandoffPolicy {
  if (typeof value === "boolean") return new HandoffPolicy({ enabled: value });
  if (value instanceof HandoffPolicy) return value;
  throw bad("handoff must be a HandoffPolicy, true or false");
}

/**
 * Check and complete the options of a Runtime.
 * @throws OptionError `unknown_option` with the nearest name, or `bad_option`.
 */
export function resolveRuntimeOptions(options: RuntimeOptions): ResolvedRuntimeOptions {
  requireObject(options, "Runtime");
  rejectUnknownKeys(options, KNOWN, "Runtime");
  if (typeof options.workspace !== "string" || options.workspace === "")
    throw bad("workspace must be a path");
  const read = createOptionReader("Runtime", options);
  const workbench = options.workbench ?? false;
  if (typeof workbench !== "boolean" && !(workbench instanceof Workbench)) {
    throw bad("workbench must be a Workbench, true or false");
  }
  return {
    workspace: options.workspace,
    runDir: read.optionalName("runDir") ?? "runs",
    portable: read.flag("portable", true),
    trim: options.trim ?? false,
    ephemeral: options.ephemeral ?? true,
    keepDenials: options.keepDenials ?? 1,
    workbench,
    spillThreshold: resolveThreshold(options.spillThreshold),
    resilience: resolveResilience(options.resilience ?? true),
    handoff: resolveHandoff(options.handoff ?? true),
    store: options.store,
    env: read.textRecord("env"),
  };
}
