// `flower completion`: prints the script that lets a shell complete flower's command line.

import type { Translator } from "../../config/locale/translator.ts";
import type { CommandFunction } from "../command-context.ts";
import { bashCompletion } from "../completion/bash.ts";
import { fishCompletion } from "../completion/fish.ts";
import { zshCompletion } from "../completion/zsh.ts";
import { EXIT_DONE } from "../exit-codes.ts";

const SCRIPTS: Readonly<Record<string, (t: Translator) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** Carry out `flower completion bash|zsh|fish`. */
export const completionCommand: CommandFunction = async ({ command: { target }, io, t }) => {
  io.out(SCRIPTS[target]?.(t) ?? "");
  return EXIT_DONE;
};
