import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amendmentTexts, appendAmendment, renderAmendment } from "../../src/people/amendment.ts";
import { cleanWords } from "../../src/people/words.ts";

describe("an amendment", () => {
  it("reads back as the words it was made of, whatever they are", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (text, label) => {
        const words = cleanWords(text);
        const document = `# Brief\n\n## Goal\n\nx\n\n${renderAmendment(text, label)}`;
        expect(amendmentTexts(document)).toEqual([words]);
      }),
    );
  });

  it("opens no heading and no fence in the document", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("## Goal", "```", "~~~~", "x", "", "\u2028# Goal", "\r## Goal")),
        (lines) => {
          const block = renderAmendment(lines.join("\n"), "now");
          const outside = block.split(/[\n\r\u2028\u2029]/).slice(1);
          for (const line of outside) expect(line === "" || line.startsWith(">")).toBe(true);
        },
      ),
    );
  });

  it("is not taken for another that begins or ends like it", () => {
    const path = join(mkdtempSync(join(tmpdir(), "flower-amend-")), "brief.md");
    writeFileSync(path, "# Brief\n");
    expect(appendAmendment(path, "use Postgres\nand Redis", "a").kind).toBe("written");
    expect(appendAmendment(path, "use Postgres", "b").kind).toBe("written");
    expect(appendAmendment(path, "  use Postgres \n", "c").kind).toBe("already");
    expect(amendmentTexts(readFileSync(path, "utf8"))).toEqual(["use Postgres\nand Redis", "use Postgres"]);
  });

  it("is not found in quotes that nobody added, and survives Windows line ends", () => {
    expect(amendmentTexts("# Brief\n\n> a quote\n")).toEqual([]);
    expect(amendmentTexts("### Added by the person (x)\r\n\r\n> a\r\n> b\r\n\r\n> other\r\n")).toEqual([
      "a\nb",
    ]);
  });

  it("creates no document", () => {
    const path = join(mkdtempSync(join(tmpdir(), "flower-amend-")), "brief.md");
    expect(appendAmendment(path, "x", "a").kind).toBe("absent");
    expect(() => readFileSync(path)).toThrow();
  });
});
