// The small program the demo's worker writes: first with a real defect, then right.

/** Its file name. */
export const PROGRAM = "count-words.mjs";
/** A text it is tried on. */
export const SAMPLE = "sample.txt";

/** One space between words, so the defect does not show here. */
export const SAMPLE_TEXT = "the quick brown fox jumps over the lazy dog";
/** Two spaces, a tab and line breaks: here it does. */
export const TRICKY = "tricky.txt";
/** Five words. */
export const TRICKY_TEXT = "one  two\tthree\n\nfour five\n";

/** No words at all: here as well. */
export const EMPTY = "empty.txt";

/** The line with the defect: every single space ends a word, and nothing else does. */
export const WRONG_LINE = 'const words = text.split(" ").length;';
/** The line that is right. */
export const RIGHT_LINE = "const words = (text.match(/\\S+/g) ?? []).length;";

/** The program with one of the two lines. */
export function programText(line: string): string {
  return [
    'import { readFileSync } from "node:fs";',
    "",
    'const text = readFileSync(process.argv[2] ?? "", "utf8");',
    line,
    "console.log(words);",
    "",
  ].join("\n");
}
