import { describe, expect, it } from "vitest";

const { replaceMarked } = await import(new URL("../../scripts/marked-part.mjs", import.meta.url).href);
const PART = { name: "table", command: "survive -- --docs" };

describe("the part of a page that a command writes", () => {
  it("comes at the end of a page without one", () => {
    expect(replaceMarked("# Page\n\nWords.\n", PART, "row\n")).toBe(
      "# Page\n\nWords.\n\n<!-- table: written by `npm run survive -- --docs` -->\n\nrow\n\n<!-- /table -->\n",
    );
  });

  it("is replaced where it stands, and nothing else is", () => {
    const page = `${replaceMarked("# Page\n\nWords.\n", PART, "row\n")}\nMore.\n`;
    const other = replaceMarked(page, { name: "other", command: "other" }, "theirs\n");
    const again = replaceMarked(other, PART, "new\n");
    expect(again).toBe(other.replace("row", "new"));
    expect(replaceMarked(again, PART, "new\n")).toBe(again);
  });
});
