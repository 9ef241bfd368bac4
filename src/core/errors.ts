// The errors flower throws: one base with a stable code and a next step, subclasses made from data.
// Expected ends of a run (a failed step, a refused verdict) are values, never one of these.

import type { WordValues } from "./words.ts";

/** What every flower error carries besides its message. */
export interface FlowerErrorInit {
  /** Stable snake_case name of the fault; part of the public contract, unlike the message. */
  readonly code: string;
  /** What the person can do next, one sentence. */
  readonly hint: string;
  /** What message and hint are about, by name: from these the command says them in other languages. @defaultValue none */
  readonly values?: WordValues;
  /** What was underneath, when something was. */
  readonly cause?: unknown;
}

/** Base of everything flower throws on purpose. */
export class FlowerError extends Error {
  /** Stable snake_case name of the fault. */
  readonly code: string;
  /** What the person can do next, one sentence. */
  readonly hint: string;
  /** What message and hint are about, by name: paths, numbers, the words of others. */
  readonly values: WordValues;

  /** @param message - what happened, one sentence */
  constructor(message: string, init: FlowerErrorInit) {
    super(message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = new.target.name;
    this.code = init.code;
    this.hint = init.hint;
    this.values = init.values ?? {};
  }
}

/** No usable credential, or one that must not be used where it points. */
export class CredentialsError extends FlowerError {}

/** An option or argument that cannot be: unknown key, wrong type, out of range. */
export class OptionError extends FlowerError {}

/** A workflow that cannot be run as declared. */
export class WorkflowError extends FlowerError {}

/** The disk, a file or a folder is not what the run needs it to be. */
export class DiskError extends FlowerError {}

/** The session store cannot be opened or written. */
export class StoreError extends FlowerError {}

/** Another live run holds this folder. */
export class LeaseError extends FlowerError {}

/** The harness binary is missing or cannot be started. */
export class HarnessError extends FlowerError {}

/** Isolation asked for where it cannot be given. */
export class IsolationError extends FlowerError {}

/** Text of anything thrown, for a person. */
export function errorText(error: unknown): string {
  if (error instanceof Error) return error.message;
  try {
    return String(error);
  } catch {
    // An object without a usable toString, thrown by code that is not ours.
    return "something that cannot be shown was thrown";
  }
}

/** That a path could not be written, and what to look at. */
export function cannotWrite(path: string, error: unknown): DiskError {
  return new DiskError(`cannot write ${path}: ${errorText(error)}`, {
    code: "write_failed",
    values: { path, reason: errorText(error) },
    hint: "check that the folder exists, is writable and has free space",
    cause: error,
  });
}
