// How the workbench is shown: INDEX.md with everything, and the short form for a system prompt. Pure.

import { oneLine } from "../core/text.ts";

/** A file as it is listed. */
export interface IndexEntry {
  /** As an agent can use it: relative inside the workspace, else absolute. */
  readonly path: string;
  /** What the file says of itself in its first lines; empty when it says nothing. */
  readonly description: string;
  /** Size of the file. */
  readonly bytes: number;
}

/** One folder of the index. */
export interface IndexSection {
  readonly title: string;
  /** The folder, shown like an entry's path. */
  readonly folder: string;
  readonly entries: readonly IndexEntry[];
}

const MAX_PATH_CHARS = 400;
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern exists to show control characters
const HIDDEN = /[\x00-\x1f\x7f-\x9f`\\]|[\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu;

/** A path on one line of Markdown code: whatever could break out of it or hide is written as an escape. */
export function visiblePath(path: string): string {
  const shown = path.replace(HIDDEN, (char) => {
    const code = (char.codePointAt(0) ?? 0).toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u{${code}}`;
  });
  return shown.length <= MAX_PATH_CHARS ? shown : `${shown.slice(0, MAX_PATH_CHARS)}…`;
}

/** Bytes for a person. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ["KB", "MB", "GB", "TB"];
  let size = bytes / 1000;
  let unit = 0;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${size < 9.95 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}

/** Lines of entries already rendered: an index of ten thousand files is written again after each new one. */
const lines = new WeakMap<IndexEntry, string>();

function line(entry: IndexEntry): string {
  const known = lines.get(entry);
  if (known !== undefined) return known;
  const about = entry.description === "" ? "" : `: ${oneLine(entry.description)}`;
  const text = `- \`${visiblePath(entry.path)}\` (${sizeText(entry.bytes)})${about}`;
  lines.set(entry, text);
  return text;
}

/** INDEX.md: every file of every folder. */
export function renderIndex(sections: readonly IndexSection[]): string {
  const parts = sections.map(({ title, folder, entries }) => {
    const body = entries.length === 0 ? "(empty)" : entries.map(line).join("\n");
    return `## ${title}: \`${visiblePath(folder)}/\` (${entries.length})\n\n${body}\n`;
  });
  return `# Workbench index\n\nWritten by flower; changes made here are lost.\n\n${parts.join("\n")}`;
}

/** What the short form needs to know of the workbench. */
export interface PromptBlockInput {
  readonly root: string;
  readonly index: string;
  readonly scripts: string;
  readonly artifacts: string;
  readonly notes: string;
  /** The folder lies outside the workspace. */
  readonly external: boolean;
  /** Entries are the ones to show; `total` counts all there are. */
  readonly sections: readonly (IndexSection & { readonly total: number })[];
}

/** The short form for a system prompt: where it is, three rules, what is there. */
export function renderPromptBlock(input: PromptBlockInput): string {
  const code = (path: string) => `\`${visiblePath(path)}\``;
  const external = input.external ? " It lies outside the workspace: use absolute paths." : "";
  const block = [
    "# Workbench",
    "",
    `${code(input.root)} outlives this conversation. All files are listed in ${code(input.index)}.${external}`,
    "",
    `1. A script that will run twice goes into ${code(input.scripts)}, its first line \`# desc: <one sentence>\`.`,
    `2. Output over 2,000 characters goes into ${code(input.artifacts)}; only its path and the conclusion go into the conversation.`,
    `3. Key decisions go into ${code(input.notes)}, one file each.`,
  ];
  for (const { title, entries, total } of input.sections) {
    if (total === 0) continue;
    block.push("", `## ${title} (${total})`, "", ...entries.map(line));
    if (total > entries.length) block.push(`- … and ${total - entries.length} more`);
  }
  return block.join("\n");
}
