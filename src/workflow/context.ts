// Ctx: the one plain object that steps pass on. Keys that begin with `_` belong to flower.

import type { FailureFacts } from "../core/words.ts";
import type { Brief } from "../documents/brief.ts";
import type { Goal } from "../documents/goal.ts";
import type { Verdict } from "../documents/verdict.ts";
import type { EventListener } from "../events/event.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { StepResult } from "../runtime/step-result.ts";
import type { FrozenPapers } from "./frozen/frozen-papers.ts";
import type { Lineage } from "./lineage.ts";

/** Key of the Brief, once it is complete. */
export const BRIEF_KEY = "_brief";
/** Key of the names of sections a brief lacks. */
export const MISSING_KEY = "_brief_missing";
/** Key of the Goal, once it is set. */
export const GOAL_KEY = "_goal";
/** Key of the last Verdict. */
export const VERDICT_KEY = "_verdict";
/** Key of how many rounds have been judged. */
export const ROUND_KEY = "_goal_rounds";

/** What flower keeps in a context. */
export interface PrivateCtx {
  /** The Runtime of this run. */
  _runtime?: Runtime;
  /** Tells the run's listeners something. */
  _onEvent?: EventListener;
  /** Session of each step that made one. */
  _sessions?: Record<string, string>;
  /** Result of each step's last attempt. */
  _results?: Record<string, StepResult>;
  /** Which session each step goes on with. */
  _lineage?: Lineage;
  /** Which wake this is; 0 in the first run. */
  _woke?: number;
  /** Ends the run. */
  _signal?: AbortSignal;
  /** Why a gate gave up; absent when none did. */
  _aborted?: string;
  /** What a person can do about `_aborted` or the failure; may be empty. */
  _hint?: string;
  /** The same as `_aborted`, for programs and other languages. */
  _failure?: FailureFacts;
  /** Name of the step that ended the workflow; absent when all went through. */
  _failedAt?: string;
  /** What each step's last rejected round left, by step name: how a round that changes nothing is noticed. */
  _fingerprints?: Record<string, string>;
  /** Brief and goal as they were frozen: what counts whatever becomes of their files. */
  _frozen?: FrozenPapers;
  /** Whose word let the last judged round pass; absent while none did. */
  _passedBy?: "judge" | "person";
  /** The brief, once it is clear. */
  _brief?: Brief;
  /** Sections the last brief lacked. */
  _brief_missing?: readonly string[];
  /** The goal, once it is set. */
  _goal?: Goal;
  /** The last verdict. */
  _verdict?: Verdict;
  /** Rounds that were judged. */
  _goal_rounds?: number;
}

/** The context of a workflow: what steps wrote under their names, and flower's own keys. */
export type Ctx = PrivateCtx & Record<string, unknown>;

/** A context of a type of one's own, as steps see it: with flower's own keys beside it. */
export type CtxOf<C extends object> = C & PrivateCtx;

/** A context by key: what a step wrote stands under its name. */
export function byKey(ctx: object): Record<string, unknown> {
  return ctx as Record<string, unknown>;
}

const PRIVATE_KEYS: readonly string[] = [
  "_runtime",
  "_onEvent",
  "_sessions",
  "_results",
  "_lineage",
  "_woke",
  "_signal",
  "_aborted",
  "_hint",
  "_failure",
  "_failedAt",
  "_fingerprints",
  "_frozen",
  "_passedBy",
  BRIEF_KEY,
  MISSING_KEY,
  GOAL_KEY,
  VERDICT_KEY,
  ROUND_KEY,
];

/** Whether a step must not be named so. */
export function isPrivateKey(name: string): boolean {
  return PRIVATE_KEYS.includes(name);
}
