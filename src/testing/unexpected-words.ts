// How an unexpected request is described: what went wrong, and enough of what was asked to find the place.

import { oneLine } from "../core/text.ts";
import { firstUserTexts, type IncomingRequest, lastUserText, toolResults } from "./api-request.ts";

function asked(request: IncomingRequest): string {
  const words = lastUserText(request);
  if (words !== "") return words;
  const result = toolResults(request).at(-1);
  return result === undefined
    ? (firstUserTexts(request).at(-1) ?? "")
    : `result of ${result.tool}: ${result.text}`;
}

/** `request 3: judge asked for …; it was asked: "…"` */
export function unexpectedWords(request: IncomingRequest, what: string): string {
  return `request ${request.index}: ${what}; it was asked: "${oneLine(asked(request), 160)}"`;
}
