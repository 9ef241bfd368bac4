// A run's command with the defaults of the project and the person, and saying which they are.

import type { CommandContext } from "../command-context.ts";
import type { RunOutput } from "../run/run-output.ts";
import { describeMerged } from "./describe-merged.ts";
import { commandWith, mergeFiles, readConfigFiles } from "./load-defaults.ts";

/**
 * The context with every default that a file gives its command. What was taken, and what was not, is said.
 * @throws OptionError `bad_config`.
 */
export function withDefaults(context: CommandContext, output: RunOutput): CommandContext {
  const { command, t } = context;
  if (command.flags.noConfig === true) return context;
  const merged = mergeFiles(command, readConfigFiles(context));
  for (const [source, values] of describeMerged(merged)) {
    output.say("plain", "- ", t("config.from", { source, values }));
  }
  for (const { name, flag, source, asked, holds } of merged.unheeded) {
    output.say("notice", "! ", t("config.unheeded", { name, flag, source, asked, holds }));
  }
  return { ...context, command: commandWith(command, merged) };
}
