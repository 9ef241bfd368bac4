// How a run ended, in words: read off the context of a workflow, or off one step's result. Pure.

import { type ErrorWords, type Translator, translateFailure } from "../../config/locale/translator.ts";
import type { StepResult } from "../../runtime/step-result.ts";
import { type Ctx, MISSING_KEY, ROUND_KEY, VERDICT_KEY } from "../../workflow/context.ts";

/** The end of a run. */
export type Ending =
  /** `passedBy` says whose word it was, where anybody had to rule. */
  | { readonly kind: "done"; readonly passedBy?: "judge" | "person" }
  | { readonly kind: "stopped"; readonly reason: string; readonly hint: string };

function stopped(reason: string, hint: string): Ending {
  return { kind: "stopped", reason, hint };
}

/** Why the gate of a step said no, as far as the context tells. */
function rejection(t: Translator, ctx: Ctx, step: string): string {
  const missing = ctx[MISSING_KEY];
  if (missing !== undefined && missing.length > 0) {
    return t("end.document_incomplete", { step, missing: missing.join(", ") });
  }
  const verdict = ctx[VERDICT_KEY];
  const rounds = ctx[ROUND_KEY];
  if (verdict === undefined || rounds === undefined) return t("end.gate", { step });
  return `${t("verdict.rounds_used", { rounds })}${t("progress.because", { why: verdict.reason })}`;
}

function wordsOfResult(t: Translator, result: StepResult): ErrorWords {
  const { error, hint, failure } = result;
  return translateFailure(t, { error: error ?? "", hint, failure: failure ?? undefined });
}

/** How a workflow ended. */
export function endingOfWorkflow(t: Translator, ctx: Ctx): Ending {
  const step = ctx._failedAt;
  if (step === undefined)
    return { kind: "done", ...(ctx._passedBy === undefined ? {} : { passedBy: ctx._passedBy }) };
  const again = t("end.continue");
  if (ctx._aborted !== undefined) {
    const { _aborted: error, _hint: hint = "", _failure: failure } = ctx;
    const words = translateFailure(t, { error, hint, failure });
    return stopped(words.message, words.hint || again);
  }
  const result = ctx._results?.[step];
  if (result?.ok === false) {
    const { message, hint } = wordsOfResult(t, result);
    return stopped(t("step.failed", { name: result.step, reason: message }), hint || again);
  }
  return stopped(rejection(t, ctx, step), again);
}

/** How a single step ended. */
export function endingOfStep(t: Translator, result: StepResult): Ending {
  if (result.ok) return { kind: "done" };
  const again = result.sessionId === null ? "" : t("end.resume_once", { id: result.sessionId });
  const { message, hint } = wordsOfResult(t, result);
  return stopped(message, hint || again);
}
