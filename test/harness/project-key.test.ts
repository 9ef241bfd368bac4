import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toProjectKey } from "../../src/harness/project-key.ts";

describe("the store's name for a workspace", () => {
  it.each([
    ["/tmp/lab.ws_x/y", "-tmp-lab-ws-x-y"],
    ["/srv/Größe und/日本", "-srv-Gr--e-und---"],
    ["/a/🌷", "-a---"],
    ["/", "-"],
  ])("turns every unit but letters and digits into a dash: %s", (path, key) => {
    expect(toProjectKey(path)).toBe(key);
  });

  it("follows links, as the harness does", () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "flower-key-")));
    mkdirSync(join(folder, "real"));
    symlinkSync(join(folder, "real"), join(folder, "link"));
    expect(toProjectKey(join(folder, "link"))).toBe(toProjectKey(join(folder, "real")));
  });

  it("cuts a long one and keeps two long paths apart", () => {
    const base = `/nowhere/${"x".repeat(250)}`;
    const [a, b] = [toProjectKey(`${base}/a`), toProjectKey(`${base}/b`)];
    expect(a).toMatch(/^-nowhere-x{191}-[a-z0-9]+$/);
    expect(a).not.toBe(b);
  });
});
