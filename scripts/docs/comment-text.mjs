// Comments of TypeDoc's JSON as Markdown; `{@link}` becomes a link where the reference has a place for it.

function partText(part, linkTo) {
  if (part.kind !== "inline-tag") return part.text;
  const place =
    typeof part.target === "number" ? linkTo(part.target, part.text) : linkTo(undefined, part.text);
  return place === undefined ? `\`${part.text}\`` : `[\`${part.text}\`](${place})`;
}

export function partsText(parts = [], linkTo = () => undefined) {
  return parts
    .map((part) => partText(part, linkTo))
    .join("")
    .trim();
}

/** A default is one line; TypeDoc puts a bare one into a code block. */
function unfenced(text) {
  return text.replace(/^```ts\n([\s\S]*)\n```$/, "$1").replaceAll("\n", " ");
}

/** @returns what a comment says, by part; each text is empty when it does not say it. */
export function readComment(comment, linkTo) {
  const tags = (name) =>
    (comment?.blockTags ?? [])
      .filter(({ tag }) => tag === name)
      .map(({ content }) => partsText(content, linkTo));
  return {
    summary: partsText(comment?.summary, linkTo),
    defaultValue: unfenced(tags("@defaultValue").join(" ")),
    returns: tags("@returns").join(" "),
    throws: tags("@throws"),
    examples: tags("@example"),
  };
}
