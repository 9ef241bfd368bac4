// Words a person adds to a finished document: appended under their own heading, quoted, and only once.

import { appendFileSync } from "node:fs";
import { DiskError, errorText } from "../core/errors.ts";
import { readText } from "../core/json.ts";
import { withLock } from "../core/lock.ts";
import { oneLine } from "../core/text.ts";
import { cleanWords, quoteWords } from "./words.ts";

const HEADING = /^### Added by the person \(.*\)\s*$/;

/** What became of words meant for a document. */
export type Amended =
  | { readonly kind: "already" | "absent" }
  /** The document as it was, and what now stands behind it. */
  | { readonly kind: "written"; readonly before: string; readonly added: string };

/** The block as it is appended, without the blank line before it. */
export function renderAmendment(text: string, label: string): string {
  const name = oneLine(label, 80).replace(/[()]/g, "");
  return `### Added by the person (${name})\n\n${quoteWords(cleanWords(text))}\n`;
}

/** The words of every amendment in a document, in order. */
export function amendmentTexts(document: string): readonly string[] {
  const found: string[] = [];
  let block: string[] | undefined;
  const close = () => {
    if (block !== undefined && block.length > 0) found.push(block.join("\n"));
    block = undefined;
  };
  for (const line of document.split(/\r?\n/)) {
    if (HEADING.test(line)) {
      close();
      block = [];
    } else if (block !== undefined) {
      if (line.startsWith(">")) block.push(line.replace(/^> ?/, "").trimEnd());
      else if (block.length > 0 || line.trim() !== "") close();
    }
  }
  close();
  return found;
}

/**
 * Append words to a document unless they are already in it; never rewrites what is there.
 * @returns `absent` when there is no such document: nothing is created then.
 * @throws DiskError `write_failed` or `lock_timeout`.
 */
export function appendAmendment(path: string, text: string, label: string): Amended {
  const words = cleanWords(text);
  if (readText(path) === undefined) return { kind: "absent" };
  return withLock(path, () => {
    const before = readText(path);
    if (before === undefined) return { kind: "absent" };
    if (words === "" || amendmentTexts(before).includes(words)) return { kind: "already" };
    const gap = before === "" || before.endsWith("\n") ? "\n" : "\n\n";
    const added = gap + renderAmendment(words, label);
    try {
      appendFileSync(path, added);
    } catch (error) {
      throw new DiskError(`cannot add to ${path}: ${errorText(error)}`, {
        code: "write_failed",
        values: { path, reason: errorText(error) },
        hint: "check that the file is writable and the disk has free space",
        cause: error,
      });
    }
    return { kind: "written", before, added };
  });
}
