import { describe, expect, it } from "vitest";
import { isInside } from "../../src/core/paths.ts";

describe("a path", () => {
  it.each([
    ["/w", "/w"],
    ["/w/a/b", "/w"],
    ["/w/a", "/w/"],
    ["/", "/"],
    ["/w", "/"],
  ])("%s is inside %s", (path, folder) => {
    expect(isInside(path, folder)).toBe(true);
  });

  it.each([
    ["/wide", "/w"],
    ["/", "/w"],
    ["/a/w", "/w"],
  ])("%s is not inside %s", (path, folder) => {
    expect(isInside(path, folder)).toBe(false);
  });
});
