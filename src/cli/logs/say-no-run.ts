// Why a run that was asked for is not there, and what there is.

import type { CommandContext } from "../command-context.ts";
import { stopWith } from "../run/stop-with.ts";
import type { ChosenRun } from "./choose-run.ts";

/** Runs named to choose from. */
const SHOWN = 5;

/** Say why no run was found. @returns the exit code. */
export function sayNoRun(
  context: CommandContext,
  chosen: Exclude<ChosenRun, { readonly kind: "run" }>,
  known: readonly string[],
): number {
  const { t, command } = context;
  const typed = command.flags.run ?? "";
  switch (chosen.kind) {
    case "none":
      return stopWith(context, { words: t("logs.none"), next: t("logs.none_next") });
    case "ambiguous":
      return stopWith(context, {
        words: t("logs.ambiguous", { id: typed }),
        next: t("logs.choose", { runs: chosen.runs.slice(-SHOWN).join(", ") }),
      });
    case "unknown": {
      const { nearest } = chosen;
      const runs = known.slice(-SHOWN).join(", ");
      const next =
        nearest !== undefined
          ? t("usage.did_you_mean", { command: `flower ${command.command} --run ${nearest}` })
          : known.length === 0
            ? t("logs.none_next")
            : t("logs.choose", { runs });
      return stopWith(context, { words: t("logs.unknown", { id: typed }), next });
    }
  }
}
