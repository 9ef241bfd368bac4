// Anchors of headings, as GitHub makes them.

/** @returns a function that gives each heading of one page its anchor, in their order. */
export function createSlugger() {
  const seen = new Map();
  return (heading) => {
    const plain = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replaceAll("`", "")
      .trim()
      .toLowerCase();
    const slug = plain.replaceAll(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, "").replaceAll(" ", "-");
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  };
}
