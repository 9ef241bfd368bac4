// ScriptError: the conversation did not go as the script says.

import { FlowerError } from "../core/errors.ts";

/** What went differently from the script. */
export type ScriptFault =
  /** Somebody spoke whom the script does not know, had no turn left, or a step of the script threw. */
  | { readonly kind: "unexpected"; readonly message: string; readonly cause?: unknown }
  /** The harness sent a history or a body that the real API would refuse. */
  | { readonly kind: "refused"; readonly message: string }
  /** A step nobody asked for. */
  | { readonly kind: "unused"; readonly message: string };

const HINTS: Readonly<Record<ScriptFault["kind"], string>> = {
  unexpected: "give that speaker a turn for it, or find out why it was asked at all",
  refused: "the history is invalid for the real API too: repair what is sent, not the script",
  unused: "remove the steps, or find out why nobody asked for them",
};

/**
 * A run that departed from its script.
 * `code` is `script_unexpected`, `script_refused` or `script_unused`, by the gravest fault.
 */
export class ScriptError extends FlowerError {
  /** Everything that went differently, in the order it was seen; unused steps last. */
  readonly faults: readonly ScriptFault[];

  /** @param faults - everything that is wrong */
  constructor(faults: readonly ScriptFault[]) {
    const kinds = (["unexpected", "refused", "unused"] as const).filter((kind) =>
      faults.some((fault) => fault.kind === kind),
    );
    const kind = kinds[0] ?? "unexpected";
    const cause = faults.find((fault) => fault.kind === "unexpected")?.cause;
    super(faults.map((fault) => fault.message).join("\n"), {
      code: `script_${kind}`,
      hint: HINTS[kind],
      ...(cause === undefined ? {} : { cause }),
    });
    this.faults = faults;
  }
}
