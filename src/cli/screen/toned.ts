// Lines of one colour behind a mark: what most events become. Pure.

import { marked } from "./layout.ts";
import type { Tone } from "./paint.ts";
import type { View } from "./view.ts";

/** A text as lines of one tone, with a mark before the first and the same indentation before the rest. */
export function toned(
  { width, paint }: Pick<View, "width" | "paint">,
  tone: Tone,
  mark: string,
  text: string,
): string[] {
  return marked(mark, text, width).map((line) => paint(tone, line));
}
