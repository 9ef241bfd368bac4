// Markdown as far as the check of the documents needs it: fences, headings, links.
import { createSlugger } from "./slugs.mjs";

/**
 * Code blocks with where they begin and the remark above them: `<!-- fragment: why -->` or `<!-- run: name -->`.
 */
export function blocksOf(text) {
  const blocks = [];
  let open;
  let remark = "";
  for (const [index, line] of text.split("\n").entries()) {
    const fence = /^( *)(`{3,})(\S*)\s*$/.exec(line);
    if (open === undefined && fence !== null) {
      open = { fence: fence[2], language: fence[3], line: index + 1, remark, lines: [] };
    } else if (open !== undefined && line.trim() === open.fence) {
      blocks.push({ ...open, code: `${open.lines.join("\n")}\n` });
      open = undefined;
    } else if (open !== undefined) {
      open.lines.push(line);
    }
    if (line.trim() !== "") remark = /^<!-- ((?:fragment|run): .*) -->$/.exec(line)?.[1] ?? "";
  }
  return blocks;
}

/** The text without fenced blocks and inline code, where nothing is a link. */
function prose(text) {
  return text
    .replaceAll(/^ *```[\s\S]*?^ *```\s*$/gm, "")
    .replaceAll(/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g, (code) => "x".repeat(code.length));
}

export function anchorsOf(text) {
  const slug = createSlugger();
  const plain = text.replaceAll(/^ *```[\s\S]*?^ *```\s*$/gm, "");
  return new Set([...plain.matchAll(/^#{1,6} +(.*)$/gm)].map(([, heading]) => slug(heading)));
}

/** Targets of relative links, `path` and `anchor` apart. */
export function linksOf(text) {
  return [...prose(text).matchAll(/\]\((?![a-z]+:)([^)\s#]*)(?:#([^)\s]*))?\)/g)].map(([, path, anchor]) => ({
    path,
    anchor,
  }));
}
