import { readFileSync } from "node:fs";
import { validate } from "dockerfile-utils";
import { describe, expect, it } from "vitest";

const text = readFileSync("Dockerfile", "utf8");
const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));

describe("the container", () => {
  it("has a Dockerfile without a fault a linter knows", () => {
    expect(validate(text)).toEqual([]);
    expect(validate("FORM node\nRUN").length).toBeGreaterThan(0);
  });

  it("runs as a user who is not root, on a named version, with a command that is flower", () => {
    const last = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM")));
    expect(
      lines.filter((line) => line.startsWith("FROM")).every((line) => /^FROM node:\d+-/.test(line)),
    ).toBe(true);
    expect(last.findLast((line) => line.startsWith("USER"))).toBe("USER node");
    expect(last.at(-1)).toBe('ENTRYPOINT ["flower"]');
  });

  it("takes along only what the build reads, and no optional package is left out", () => {
    const kept = readFileSync(".dockerignore", "utf8").split("\n").filter(Boolean);
    expect(kept[0]).toBe("*");
    const copied = lines
      .filter((line) => line.startsWith("COPY") && !line.includes("--from"))
      .flatMap((line) => line.split(" ").slice(1, -1));
    expect(
      kept
        .slice(1)
        .map((name) => name.slice(1))
        .sort(),
    ).toEqual(copied.sort());
    expect(text).not.toContain("omit=optional");
  });
});
