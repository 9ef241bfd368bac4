// Reads the recorded transcripts.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TranscriptEntry } from "../../src/transcript/entry.ts";

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), "transcripts");

/** Every recorded transcript by name; those of workers are called `<session>.worker-N`. */
export function corpusNames(): readonly string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => name.replace(/\.jsonl$/, ""))
    .sort();
}

export function corpusText(name: string): string {
  return readFileSync(join(FOLDER, `${name}.jsonl`), "utf8");
}

export function readCorpus(name: string): TranscriptEntry[] {
  return corpusText(name)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as TranscriptEntry);
}
