import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maskPostGuard } from "../../src/guards/mask-guard.ts";
import { secretFilePreGuard } from "../../src/guards/secret-file-guard.ts";
import { createSecretMask, MASK } from "../../src/guards/secret-mask.ts";
import { byWorker, call, outcome, reasonOf, seen, temporaryFolder } from "./calls.ts";

const SECRET = 'not-a-real/key+with=odd"chars-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

describe("the secret mask", () => {
  const mask = createSecretMask([SECRET]);
  const bytes = Buffer.from(SECRET);

  it.each([
    ["plain", SECRET],
    ["in JSON", JSON.stringify({ key: SECRET })],
    ["in a URL", `https://h/?k=${encodeURIComponent(SECRET)}&x=1`],
    ["hex", bytes.toString("hex")],
    ["base64", bytes.toString("base64")],
    ["base64 for URLs", bytes.toString("base64url")],
    ["base64 after one byte", Buffer.from(`x${SECRET}yz`).toString("base64")],
    ["base64 after two bytes", Buffer.from(`ab${SECRET}`).toString("base64")],
    ["basic auth", Buffer.from(`user:${SECRET}`).toString("base64")],
    ["base64 in lines of 76", bytes.toString("base64").replace(/.{76}/g, "$&\n")],
  ])("hides it %s", (_name, text) => {
    const masked = mask(`before ${text} after`);
    expect(masked).toContain(MASK);
    expect(masked.startsWith("before ")).toBe(true);
    expect(masked.endsWith(" after")).toBe(true);
    expect(masked.length).toBeLessThan(80);
  });

  it("leaves nothing of a secret in any surrounding", () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9_./+=$-]{8,40}$/);
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (one, before, after) => {
        const hide = createSecretMask([one]);
        const b64 = Buffer.from(before + one + after).toString("base64");
        return (
          !hide(before + one + after)
            .replaceAll(MASK, "")
            .includes(one) &&
          !hide(JSON.stringify([before, one, after])).includes(JSON.stringify(one)) &&
          hide(b64) !== b64
        );
      }),
    );
  });

  it("never throws on any secret or text", () => {
    const any = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(fc.array(any), any, (secrets, text) => typeof createSecretMask(secrets)(text) === "string"),
    );
    expect(createSecretMask(["lone\ud800surrogate"])("a lone\ud800surrogate b")).toContain(MASK);
  });

  it("hides the longer of two secrets that begin alike, and both", () => {
    const hide = createSecretMask(["abcdefgh", "abcdefghijkl"]);
    expect(hide("abcdefghijkl abcdefgh")).toBe(`${MASK} ${MASK}`);
  });

  it("treats short secrets as words and very short ones as no secrets", () => {
    const hide = createSecretMask(["dummy", "abc", "", "  "]);
    expect(hide("key=dummy; dummyfile mydummy abc")).toBe(`key=${MASK}; dummyfile mydummy abc`);
    expect(createSecretMask([])("anything")).toBe("anything");
  });
});

describe("the mask guard", () => {
  const guard = maskPostGuard({ secrets: [SECRET] });

  it("masks every text of an answer, lists and keys included, and keeps the rest", () => {
    const image = { type: "image", source: { type: "base64", data: "AAAA" } };
    const response = {
      stdout: `K=${SECRET}`,
      stderr: "",
      n: 3,
      parts: [{ text: SECRET }, image],
      [SECRET]: null,
    };
    expect(seen(guard, outcome("Bash", {}, response))).toEqual({
      stdout: `K=${MASK}`,
      stderr: "",
      n: 3,
      parts: [{ text: MASK }, image],
      [MASK]: null,
    });
    expect(seen(guard, outcome("mcp__x__y", {}, SECRET))).toBe(MASK);
  });

  it.each([{ stdout: "clean", list: [1, { a: null }] }, "text", 5, null, undefined, []])(
    "keeps %j as it is",
    (response) => {
      expect(guard.review(outcome("Bash", {}, response))).toEqual({ kind: "keep" });
    },
  );

  it("lets nothing through by nesting it deep", () => {
    let deep: unknown = SECRET;
    for (let i = 0; i < 5_000; i += 1) deep = { deep };
    expect(JSON.stringify(seen(guard, outcome("mcp__x__y", {}, deep)))).not.toContain(SECRET.slice(0, 12));
  });
});

describe("the secret-file guard", () => {
  const home = temporaryFolder("home");
  const file = join(home, ".env");
  writeFileSync(file, "KEY=x\n");
  mkdirSync(join(home, "sub"));
  symlinkSync(file, join(home, "link.txt"));
  symlinkSync(home, join(home, "sub/up"));
  linkSync(file, join(home, "hard.txt"));
  writeFileSync(join(home, "other.env"), "");
  const later = join(home, "later.env");
  const guard = secretFilePreGuard({ files: [file, later] });

  it.each([
    ["by its name", file],
    ["through a link", join(home, "link.txt")],
    ["through a folder's link", join(home, "sub/up/.env")],
    ["under a second name", join(home, "hard.txt")],
    ["with dots", `${home}/sub/../.env`],
    ["relative", ".env"],
    ["with a blank before it", ` ${file}`],
    ["before it exists", later],
  ])("refuses reading it %s, on every thread", (_name, path) => {
    for (const make of [call, byWorker]) {
      expect(guard.decide(make("Read", { file_path: path }, { cwd: home })).kind).toBe("deny");
      expect(guard.decide(make("Grep", { pattern: "K", path }, { cwd: home })).kind).toBe("deny");
    }
  });

  it("does not repeat the path or what is in it, and says to go on", () => {
    const reason = reasonOf(guard.decide(call("Read", { file_path: file })));
    expect(reason).not.toContain(home);
    expect(reason).toContain("go on without it");
  });

  it("lets other files, folder searches and odd input pass", () => {
    const kind = (tool: string, input: unknown) => guard.decide(call(tool, input, { cwd: home })).kind;
    expect(kind("Read", { file_path: join(home, "other.env") })).toBe("pass");
    expect(kind("Grep", { pattern: "K", path: home })).toBe("pass");
    expect(kind("Grep", { pattern: "K" })).toBe("pass");
    expect(kind("Read", "x")).toBe("pass");
  });
});
