// Relative links and anchors of the documents.
import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { anchorsOf, linksOf } from "./markdown.mjs";

/**
 * @param texts the documents by their path relative to `root`
 * @returns for each document what is broken in it.
 */
export function checkLinks(texts, root) {
  const anchors = new Map([...texts].map(([name, text]) => [name, anchorsOf(text)]));
  return [...texts].map(([name, text]) => {
    const faults = linksOf(text).flatMap(({ path, anchor }) => {
      const target = path === "" ? name : normalize(join(dirname(name), path));
      if (!existsSync(join(root, target))) return [`${path} is not there`];
      if (anchor === undefined || anchors.get(target)?.has(anchor)) return [];
      return [`${path}#${anchor}: there is no such heading`];
    });
    return { title: `links of ${name}`, faults };
  });
}
