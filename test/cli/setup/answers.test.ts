import { describe, expect, it } from "vitest";
import {
  changesOf,
  offeredAddress,
  type SetupAnswers,
  storedChoice,
} from "../../../src/cli/setup/answers.ts";
import { readPiped } from "../../../src/cli/setup/read-piped.ts";
import { parseEnvFile } from "../../../src/config/env-file.ts";
import { mergeEnvText } from "../../../src/config/user-env.ts";

const OFFICIAL = "https://api.anthropic.com";

/** The file after the answers. */
function fileAfter(before: string, answers: Partial<SetupAnswers>): string {
  const whole = { choice: "api_key", secret: "s", baseUrl: OFFICIAL, model: "", ...answers } as SetupAnswers;
  return mergeEnvText(before, changesOf(whole, parseEnvFile(before)));
}

describe("the person's file after a set-up", () => {
  it.each([
    ["", { secret: "k" }, "ANTHROPIC_API_KEY=k\n"],
    ["", { choice: "oauth_token", secret: "o" }, "CLAUDE_CODE_OAUTH_TOKEN=o\n"],
    [
      "",
      { choice: "auth_token", baseUrl: "https://gw.example/v1", model: "m" },
      "ANTHROPIC_AUTH_TOKEN=s\nANTHROPIC_BASE_URL=https://gw.example/v1\nANTHROPIC_MODEL=m\n",
    ],
    // Every other credential goes: within one file another kind would win over the new one.
    [
      "ANTHROPIC_AUTH_TOKEN=old\nCLAUDE_CODE_USE_BEDROCK=1\nAWS_REGION=r\n",
      {},
      "AWS_REGION=r\nANTHROPIC_API_KEY=s\n",
    ],
    ["# mine\nFOO=1\nexport ANTHROPIC_API_KEY=old # c\n", {}, "# mine\nFOO=1\nexport ANTHROPIC_API_KEY=s\n"],
    // An address and a model that were given up are taken out.
    ["ANTHROPIC_BASE_URL=https://gw.example\nANTHROPIC_MODEL=m\n", {}, "ANTHROPIC_API_KEY=s\n"],
    // A person's own line for a family of models stays.
    [
      "ANTHROPIC_DEFAULT_HAIKU_MODEL=h\n",
      { model: "m" },
      "ANTHROPIC_DEFAULT_HAIKU_MODEL=h\nANTHROPIC_API_KEY=s\nANTHROPIC_MODEL=m\n",
    ],
  ] as [string, Partial<SetupAnswers>, string][])("%j and %j make it %j", (before, answers, after) => {
    expect(fileAfter(before, answers)).toBe(after);
  });

  it("has a local server's one model in every place, and in none once another credential is set up", () => {
    const local = {
      choice: "local",
      secret: "t",
      baseUrl: "http://127.0.0.1:11434",
      model: "qwen3",
    } as const;
    const with_local = fileAfter("FOO=1\n", local);
    expect(parseEnvFile(with_local)).toMatchObject({
      ANTHROPIC_AUTH_TOKEN: "t",
      ANTHROPIC_MODEL: "qwen3",
      ANTHROPIC_DEFAULT_OPUS_MODEL: "qwen3",
      ANTHROPIC_DEFAULT_SONNET_MODEL: "qwen3",
      ANTHROPIC_DEFAULT_HAIKU_MODEL: "qwen3",
    });
    expect(fileAfter(with_local, { secret: "k" })).toBe("FOO=1\nANTHROPIC_API_KEY=k\n");
  });
});

describe("what is offered", () => {
  it("is what is stored, but only for the same kind: a key must not go to a gateway it was not meant for", () => {
    const gateway = { ANTHROPIC_AUTH_TOKEN: "t", ANTHROPIC_BASE_URL: "https://gw.example" };
    expect(storedChoice(gateway)).toBe("auth_token");
    expect(offeredAddress("auth_token", gateway)).toBe("https://gw.example");
    expect(offeredAddress("api_key", gateway)).toBe(OFFICIAL);
    expect(offeredAddress("auth_token", { ANTHROPIC_API_KEY: "k" })).toBeUndefined();
    expect(offeredAddress("local", {})).toBe("http://127.0.0.1:11434");
    expect(storedChoice({ ANTHROPIC_API_KEY: "" })).toBeUndefined();
  });
});

describe("answers without a terminal", () => {
  const KEY = "sk-ant-api03-abc";
  const GW = "https://gw.example";
  it.each([
    [KEY, {}, {}, { choice: "api_key", secret: KEY, baseUrl: OFFICIAL, model: "" }],
    [`${KEY}\n`, { model: "m" }, {}, { choice: "api_key", secret: KEY, baseUrl: OFFICIAL, model: "m" }],
    [
      "sk-ant-oat01-x\r\n",
      {},
      {},
      { choice: "oauth_token", secret: "sk-ant-oat01-x", baseUrl: OFFICIAL, model: "" },
    ],
    ["t0ken\n", { url: GW }, {}, { choice: "auth_token", secret: "t0ken", baseUrl: GW, model: "" }],
    [
      `t0ken\n${GW}/v1/messages\nm\n`,
      {},
      {},
      { choice: "auth_token", secret: "t0ken", baseUrl: GW, model: "m" },
    ],
    ["t0ken\nm\n", { url: GW }, {}, { choice: "auth_token", secret: "t0ken", baseUrl: GW, model: "m" }],
    // A key that a gateway takes is still a key.
    [`${KEY}\n${GW}\n`, {}, {}, { choice: "api_key", secret: KEY, baseUrl: GW, model: "" }],
    [
      "x-key\n",
      { choice: "api_key", url: GW },
      {},
      { choice: "api_key", secret: "x-key", baseUrl: GW, model: "" },
    ],
    // A slip between the two kinds of Anthropic's own is put right.
    [
      "sk-ant-oat01-x",
      { choice: "api_key" },
      {},
      { choice: "oauth_token", secret: "sk-ant-oat01-x", baseUrl: OFFICIAL, model: "" },
    ],
    [
      "",
      { choice: "local", model: "q" },
      {},
      expect.objectContaining({ choice: "local", baseUrl: "http://127.0.0.1:11434", model: "q" }),
    ],
    // What is not given stays what it was, for the same kind.
    [
      "new\n",
      { choice: "auth_token" },
      { ANTHROPIC_AUTH_TOKEN: "old", ANTHROPIC_BASE_URL: GW, ANTHROPIC_MODEL: "m" },
      { choice: "auth_token", secret: "new", baseUrl: GW, model: "m" },
    ],
  ] as const)("%j with %j over %j are %j", (text, given, stored, answers) => {
    expect(readPiped(text, given, stored)).toEqual({ kind: "answers", answers });
  });

  it.each([
    ["", {}, "secret", "setup.bad.empty"],
    ["\nsk-ant-api03-abc\n", {}, "secret", "setup.bad.empty"],
    ["1\n", {}, "kind", "setup.kind_needed"],
    ["t0ken\n", { choice: "auth_token" }, "address", "setup.bad.empty"],
    ["t0ken\ngw.example\n", {}, "address", "setup.bad.address.not_an_address"],
    ["", { choice: "local" }, "model", "setup.bad.empty"],
    [`${KEY}\n\nmy model\n`, {}, "model", "setup.bad.model"],
    ["ANTHROPIC_API_KEY=x\n", {}, "secret", "setup.bad.assignment"],
  ] as const)("%j with %j lack the %s: %s", (text, given, what, key) => {
    expect(readPiped(text, given, {})).toEqual({ kind: "wrong", what, key });
  });
});
