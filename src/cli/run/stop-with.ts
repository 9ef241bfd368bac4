// A command that cannot do what was asked: what is wrong and what to do next, on standard error.

import { stripEscapes } from "../../core/text.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_STOPPED } from "../exit-codes.ts";

/** What is wrong, and what to do next. */
export interface Refusal {
  readonly words: string;
  readonly next: string;
}

/** Say it. @returns the exit code. */
export function stopWith({ io, t }: Pick<CommandContext, "io" | "t">, { words, next }: Refusal): number {
  io.err(stripEscapes(`x ${words}`));
  io.err(stripEscapes(`  ${t("error.next", { hint: next })}`));
  return EXIT_STOPPED;
}
