// Why a run that was asked for is not there, and what there is.

import type { CommandContext } from "../command-context.ts";
import type { Refusal } from "../run/stop-with.ts";
import type { ChosenRun } from "./choose-run.ts";

/** Runs named to choose from. */
const SHOWN = 5;

/** Why no run was found. */
export function whyNoRun(
  { t, command }: CommandContext,
  chosen: Exclude<ChosenRun, { readonly kind: "run" }>,
  known: readonly string[],
): Refusal {
  const typed = command.flags.run ?? "";
  switch (chosen.kind) {
    case "none":
      return { words: t("logs.none"), next: t("logs.none_next") };
    case "ambiguous":
      return {
        words: t("logs.ambiguous", { id: typed }),
        next: t("logs.choose", { runs: chosen.runs.slice(-SHOWN).join(", ") }),
      };
    case "unknown": {
      const { nearest } = chosen;
      const runs = known.slice(-SHOWN).join(", ");
      const next =
        nearest !== undefined
          ? t("usage.did_you_mean", { command: `flower ${command.command} --run ${nearest}` })
          : known.length === 0
            ? t("logs.none_next")
            : t("logs.choose", { runs });
      return { words: t("logs.unknown", { id: typed }), next };
    }
  }
}
