// Whether a jq command surely ends. jq cannot write or run anything, but a filter can loop for ever.

import type { ParsedArguments } from "./verb-rule.ts";

// As words of the filter, not as field names (`.include`) or parts of longer names.
const MAY_LOOP =
  /(?<![.\w$])(?:repeat|until|while|range|recurse(?=\s*\()|combinations|def|import|include|infinite)(?!\w)/;

/** Whether no operand, the filter among them, can loop. */
export function jqEnds({ operands }: ParsedArguments): boolean {
  return operands.every((word) => {
    if (word.kind === "one" && !/^~|\//.test(word.text)) return false;
    return !MAY_LOOP.test(word.text);
  });
}
