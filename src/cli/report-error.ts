// Anything thrown, as lines for a person and an exit code. Never a stack trace, unless it was asked for.

import { type Translator, translateError } from "../config/locale/translator.ts";
import { errorText, FlowerError, OptionError } from "../core/errors.ts";
import { stripEscapes } from "../core/text.ts";
import { EXIT_STOPPED, EXIT_USAGE } from "./exit-codes.ts";

/** An error as said on standard error. */
export interface ErrorReport {
  readonly lines: readonly string[];
  readonly exitCode: number;
}

function known(t: Translator, error: FlowerError): ErrorReport {
  const { message, hint } = translateError(t, error);
  const next = hint === "" ? [] : [`  ${t("error.next", { hint })}`];
  return {
    lines: [`x ${message}`, ...next].map(stripEscapes),
    exitCode: error instanceof OptionError ? EXIT_USAGE : EXIT_STOPPED,
  };
}

/** Put anything thrown into words; `verbose` adds the stack of what nobody expected. */
export function reportError(t: Translator, error: unknown, verbose: boolean): ErrorReport {
  if (error instanceof FlowerError) {
    const report = known(t, error);
    const cause = verbose && error.cause !== undefined ? [stripEscapes(errorText(error.cause))] : [];
    return { ...report, lines: [...report.lines, ...cause] };
  }
  const line = t("error.unexpected", { message: errorText(error).split("\n", 1)[0] ?? "" });
  const stack = verbose && error instanceof Error ? [error.stack ?? ""] : [];
  return { lines: [`x ${line}`, t("error.report"), ...stack].map(stripEscapes), exitCode: EXIT_STOPPED };
}
