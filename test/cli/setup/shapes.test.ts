import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addressShape,
  isReadableOnTheWay,
  kindOfSecret,
  modelShape,
  secretShape,
} from "../../../src/cli/setup/shapes.ts";

describe("a key or token as pasted", () => {
  it.each([
    ["sk-ant-api03-abc", "sk-ant-api03-abc"],
    ["  sk-ant-api03-abc\r\n", "sk-ant-api03-abc"],
    ['"sk-ant-api03-abc"', "sk-ant-api03-abc"],
    ["'ab=cd#ef'", "ab=cd#ef"],
    ["ollama", "ollama"],
    ["eyJ=", "eyJ="],
  ])("%j is %s", (text, value) => expect(secretShape(text)).toEqual({ kind: "good", value }));

  it.each([
    ["", "empty"],
    ["  \n", "empty"],
    ['""', "empty"],
    ["ANTHROPIC_API_KEY=sk-ant-api03-abc", "assignment"],
    ["export ANTHROPIC_AUTH_TOKEN=x", "assignment"],
    ["sk-ant api03", "characters"],
    ["sk-ant-api03\nabc", "characters"],
    ["sk-ant-…", "characters"],
    ["sk-ant-\u001b[0m", "characters"],
    ["https://gateway.example", "secret_is_address"],
  ])("%j is refused: %s", (text, why) => {
    expect(secretShape(text)).toEqual({ kind: "bad", key: `setup.bad.${why}` });
  });

  it("is never taken with a character that a header cannot carry", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const shape = secretShape(text);
        if (shape.kind === "good") expect(shape.value).toMatch(/^[\x21-\x7e]+$/);
      }),
    );
  });

  it.each([
    ["sk-ant-oat01-x", "oauth_token"],
    ["sk-ant-api03-x", "api_key"],
    ["sk-ant-x", "api_key"],
    ["sk-proj-x", undefined],
    ["x", undefined],
  ])("%s begins like %s", (secret, kind) => expect(kindOfSecret(secret)).toBe(kind));
});

describe("an address as pasted", () => {
  it.each([
    ["https://gw.example", "https://gw.example"],
    [" https://gw.example/v1 ", "https://gw.example/v1"],
    ["https://gw.example/anthropic/v1/messages", "https://gw.example/anthropic"],
    ["http://127.0.0.1:11434/v1/messages/", "http://127.0.0.1:11434"],
  ])("%j is %s", (text, value) => expect(addressShape(text)).toEqual({ kind: "good", value }));

  it.each([
    ["", "empty"],
    ["gw.example", "address.not_an_address"],
    ["localhost:11434", "address.scheme"],
    ["ftp://gw.example", "address.scheme"],
    ["https://me:pw@gw.example", "address.user"],
    ["https://gw.example?key=1", "address.query"],
    ["https://gw example", "address.characters"],
  ])("%j is refused: %s", (text, why) => {
    expect(addressShape(text)).toEqual({ kind: "bad", key: `setup.bad.${why}` });
  });

  it.each([
    ["http://gw.example", true],
    ["http://10.0.0.5:8080", true],
    ["https://gw.example", false],
    ["http://localhost:8080", false],
    ["http://a.localhost", false],
    ["http://127.0.0.1.gw.example", true],
    ["http://127.0.0.1:8080", false],
    ["http://[::1]:8080", false],
  ])("%s can be read on the way: %s", (address, readable) => {
    expect(isReadableOnTheWay(address)).toBe(readable);
  });
});

describe("a model's name", () => {
  it.each(["claude-opus-4-5[1m]", "qwen3-coder:30b", "org/model@v1"])("may be %s", (text) => {
    expect(modelShape(` ${text} `)).toEqual({ kind: "good", value: text });
  });
  it.each(["two words", "--resume", "a\u0007b"])("cannot be %j", (text) => {
    expect(modelShape(text)).toEqual({ kind: "bad", key: "setup.bad.model" });
  });
});
