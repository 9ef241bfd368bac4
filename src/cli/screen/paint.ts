// Colours, only where a person sees them and did not refuse them.

import { styleText } from "node:util";

/** What a line is, as far as its colour goes. */
export type Tone = "plain" | "strong" | "faint" | "good" | "bad" | "notice";

/** Colours a text that holds no escape sequence of its own. */
export type Paint = (tone: Tone, text: string) => string;

const STYLES = {
  strong: "bold",
  faint: "dim",
  good: "green",
  bad: "red",
  notice: "yellow",
} as const;

/** A painter; without colours it gives texts back as they are. */
export function createPaint(colours: boolean): Paint {
  return (tone, text) =>
    !colours || tone === "plain" ? text : styleText(STYLES[tone], text, { validateStream: false });
}

/** Whether to colour: a terminal that knows how, no `--no-color`, no `NO_COLOR`. */
export function wantsColours(input: {
  readonly isTty: boolean;
  readonly noColor: boolean;
  readonly env: Readonly<Record<string, string>>;
}): boolean {
  const { isTty, noColor, env } = input;
  return isTty && !noColor && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb";
}
