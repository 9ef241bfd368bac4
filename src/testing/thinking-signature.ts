// The signature of a scripted thought: made from its text, so a changed thought is noticed, and a thought of an
// earlier server in the same test is still good.

import { shortHash } from "../core/ids.ts";

/** The signature a thought leaves with. */
export function thinkingSignature(thinking: string): string {
  return `scripted.${shortHash(thinking)}`;
}
