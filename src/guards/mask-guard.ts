// The second wall behind the broker: the credential's value is replaced in whatever a tool answers.

import { isRecord } from "../core/json.ts";
import type { PostGuard } from "./decision.ts";
import { createSecretMask, MASK } from "./secret-mask.ts";

/** Options of {@link maskPostGuard}. */
export interface MaskOptions {
  /** Values to hide. */
  readonly secrets: readonly string[];
}

/** No tool nests deeper; beyond it a value is dropped rather than let through unseen. */
const MAX_DEPTH = 100;

/** A copy with every text masked, or the very same value when there was nothing to mask. */
function maskValue(value: unknown, mask: (text: string) => string, depth = 0): unknown {
  if (typeof value === "string") return mask(value);
  const isList = Array.isArray(value);
  if (!isList && !isRecord(value)) return value;
  if (depth > MAX_DEPTH) return MASK;
  let changed = false;
  const entries = Object.entries(value).map(([key, part]): [string, unknown] => {
    const masked: [string, unknown] = [mask(key), maskValue(part, mask, depth + 1)];
    changed ||= masked[0] !== key || masked[1] !== part;
    return masked;
  });
  if (!changed) return value;
  return isList ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}

/** Replaces the secrets in every text of every answer, nested fields and lists included; the shape stays. */
export function maskPostGuard(options: MaskOptions): PostGuard {
  const mask = createSecretMask(options.secrets);
  return {
    name: "mask",
    tools: undefined,
    review: (outcome) => {
      const response = maskValue(outcome.response, mask);
      return response === outcome.response ? { kind: "keep" } : { kind: "replace", response };
    },
  };
}
