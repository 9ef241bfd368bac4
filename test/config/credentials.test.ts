import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { childEnvironment, credentialVariables } from "../../src/config/child-environment.ts";
import { type Credentials, resolveCredentials } from "../../src/config/credentials.ts";
import { gatherSources, type Source } from "../../src/config/sources.ts";
import type { Trust } from "../../src/config/variables.ts";
import { CredentialsError } from "../../src/core/errors.ts";
import { caseOf, places, write, writeFiles } from "./cases.ts";

function source(name: string, trust: Trust, values: Record<string, string>): Source {
  return { name, trust, status: "read", values, notes: [] };
}

const KEY = "ANTHROPIC_API_KEY";
const TOKEN = "ANTHROPIC_AUTH_TOKEN";
const OAUTH = "CLAUDE_CODE_OAUTH_TOKEN";
const BASE = "ANTHROPIC_BASE_URL";

function refusal(sources: readonly Source[]): CredentialsError {
  try {
    resolveCredentials(sources);
  } catch (error) {
    if (error instanceof CredentialsError) return error;
    throw error;
  }
  throw new Error("was not refused");
}

describe("the published cases", () => {
  it("D-env-03: an empty value does not hide a real one lower down", () => {
    const { input, expected } = caseOf("D-env-03");
    const where = places();
    writeFiles(where, input as Record<string, string>);
    const found = resolveCredentials(gatherSources(where));
    expect(found).toMatchObject({ kind: "auth_token", value: expected[TOKEN], source: expected.from });
  });

  it("D-env-07: the higher source's credential goes to the child, the other does not", () => {
    const { input, expected } = caseOf("D-env-07");
    const where = places({ processEnv: { PATH: "/bin", [KEY]: "" } });
    writeFiles(where, input as Record<string, string>);
    const found = resolveCredentials(gatherSources(where));
    if (found.kind === "cloud") throw new Error("not a cloud");
    const child = {
      ...childEnvironment({ processEnv: where.processEnv, credentials: found }),
      ...credentialVariables(found.kind, found.value, found.baseUrl),
    };
    expect(child).toEqual({ PATH: "/bin", ...(expected.childEnv as object) });
    expect(found.ignored).toEqual([{ name: KEY, source: "~/.config/flower/.env" }]);
  });

  it("D-env-08: a cloned repository cannot send the user's key elsewhere, nor set what runs", () => {
    const { input, expected } = caseOf("D-env-08");
    const names = expected.processEnvUnchanged as readonly string[];
    const before = names.map((name) => process.env[name]);
    const where = places({ processEnv: { PATH: "/bin" } });
    writeFiles(where, input as Record<string, string>);
    const sources = gatherSources(where);
    const error = refusal(sources);
    expect(error.code).toBe("untrusted_base_url");
    expect(error.message).toContain("~/project/.env");
    expect(error.message).toContain("~/.config/flower/.env");
    expect(error.message).toContain("collector.example");
    expect(error.hint).toContain("export ANTHROPIC_BASE_URL");
    expect(JSON.stringify([error.message, error.hint])).not.toContain("sk-ant-x");
    expect(names.map((name) => process.env[name])).toEqual(before);
    expect(
      sources.flatMap((each) => Object.keys(each.values).filter((name) => names.includes(name))),
    ).toEqual([]);
  });

  it("D-env-09: broken files do not take the run down", () => {
    const where = places({ processEnv: { [KEY]: "k" } });
    mkdirSync(join(where.workspace, ".env"));
    chmodSync(write(join(where.home, ".config/flower/.env"), `${KEY}=other\n`), 0o000);
    expect(resolveCredentials(gatherSources(where))).toMatchObject({
      kind: "api_key",
      value: caseOf("D-env-09").expected[KEY],
      source: "process environment",
    });
  });

  it("D-env-10: with nothing anywhere the message names every source tried and two ways out", () => {
    const where = places();
    const sources = gatherSources(where);
    const error = refusal(sources);
    expect(error.code).toBe("no_credentials");
    for (const { name } of sources) expect(error.message).toContain(name);
    expect(error.hint.match(/`flower \w+`/g)).toEqual(["`flower setup`", "`flower demo`"]);
  });
});

describe("which credential", () => {
  it.each([
    ["the auth token before the key", { [KEY]: "k", [TOKEN]: "t", [OAUTH]: "o" }, "auth_token", "t"],
    ["the key before the OAuth token", { [KEY]: "k", [OAUTH]: "o" }, "api_key", "k"],
    ["the OAuth token alone", { [OAUTH]: "o" }, "oauth_token", "o"],
  ])("within one source takes %s, as the harness does", (_name, values, kind, value) => {
    expect(resolveCredentials([source("s", 2, values)])).toMatchObject({
      kind,
      value,
      source: "s",
      trust: 2,
    });
  });

  it("takes a weaker kind from a higher source", () => {
    const found = resolveCredentials([source("a", 3, { [OAUTH]: "o" }), source("b", 2, { [TOKEN]: "t" })]);
    expect(found).toMatchObject({ kind: "oauth_token", value: "o", ignored: [{ name: TOKEN, source: "b" }] });
  });

  it("always takes the first source that has any, and names every other", () => {
    const values = fc.dictionary(fc.constantFrom(KEY, TOKEN, OAUTH), fc.constantFrom("", " ", "v1", "v2"));
    fc.assert(
      fc.property(fc.array(values, { maxLength: 5 }), (all) => {
        const sources = all.map((each, i) => source(`s${i}`, 2, each));
        const claimed = all.flatMap((each, i) =>
          Object.entries(each).flatMap(([name, value]) =>
            value.trim() === "" ? [] : [{ name, source: `s${i}` }],
          ),
        );
        if (claimed.length === 0) {
          expect(refusal(sources).code).toBe("no_credentials");
          return;
        }
        const found = resolveCredentials(sources);
        expect(found.source).toBe(claimed[0]?.source);
        expect(found.ignored).toHaveLength(claimed.length - 1);
      }),
    );
  });

  it.each([
    ["a line break inside", "sk-a\nX-Evil: 1"],
    ["a control character", "sk-a\u0007b"],
    ["typographic quotes", "\u201csk-ab\u201d"],
  ])("refuses a value with %s and does not repeat it", (_name, value) => {
    const error = refusal([source("~/.config/flower/.env", 2, { [TOKEN]: value })]);
    expect(error.code).toBe("bad_credential_value");
    expect(error.message).toContain(`${TOKEN} from ~/.config/flower/.env`);
    expect(error.message + error.hint).not.toContain("sk-a");
  });
});

describe("where it may be sent", () => {
  const key = (trust: Trust) => source("key file", trust, { [KEY]: "k" });
  const base = (trust: Trust, url = "https://gw.example") => source("base file", trust, { [BASE]: url });

  it("goes to the official address when nobody says otherwise", () => {
    expect(resolveCredentials([key(2)])).toMatchObject({
      baseUrl: "https://api.anthropic.com",
      baseUrlSource: "default",
    });
  });

  const TRUSTS: readonly (readonly [Trust, Trust, boolean])[] = [
    [3, 3, true],
    [3, 2, false],
    [3, 1, false],
    [2, 3, true],
    [2, 2, true],
    [2, 1, false],
    [1, 3, true],
    [1, 2, true],
    [1, 1, false],
  ];

  it.each(TRUSTS)(
    "credential trust %i, address trust %i from another file: allowed %s",
    (of, to, allowed) => {
      for (const sources of [
        [key(of), base(to)],
        [base(to), key(of)],
      ]) {
        if (!allowed) expect(refusal(sources).code).toBe("untrusted_base_url");
        else
          expect(resolveCredentials(sources)).toMatchObject({
            baseUrl: "https://gw.example",
            baseUrlSource: "base file",
          });
      }
    },
  );

  it("a project's file may send its own credential to its own address", () => {
    const project = source("./.env", 1, { [KEY]: "k", [BASE]: "https://gw.example" });
    expect(resolveCredentials([project])).toMatchObject({
      baseUrl: "https://gw.example",
      baseUrlSource: "./.env",
    });
  });

  it("an address in the shell overrules a project's", () => {
    const sources = [source("shell", 3, { [BASE]: "https://api.anthropic.com" }), base(1), key(2)];
    expect(resolveCredentials(sources)).toMatchObject({ baseUrlSource: "shell" });
  });

  it.each([
    "gw.example",
    "ftp://gw.example",
    "http://",
    "https://user:hunter2@gw.example",
    "https://hunter2@gw.example",
    "https://gw.example?key=hunter2",
    "https://gw.example/#hunter2",
    "https://gw\n.example",
    "https://gw .example",
    "javascript:hunter2",
  ])("refuses the address %j, naming its source and not repeating it", (url) => {
    const error = refusal([key(2), base(3, url)]);
    expect(error.code).toBe("bad_base_url");
    expect(error.message).toContain("base file");
    expect(error.message).not.toContain("hunter2");
  });
});

describe("models", () => {
  it("takes each model variable from the highest source with a value", () => {
    const found = resolveCredentials([
      source("a", 3, { [KEY]: "k", ANTHROPIC_MODEL: " ", CLAUDE_CODE_EFFORT_LEVEL: "high" }),
      source("b", 1, { ANTHROPIC_MODEL: "m", CLAUDE_CODE_EFFORT_LEVEL: "low" }),
    ]);
    expect(found.models).toEqual({ ANTHROPIC_MODEL: "m", CLAUDE_CODE_EFFORT_LEVEL: "high" });
    expect(found.modelSources).toEqual({ ANTHROPIC_MODEL: "b", CLAUDE_CODE_EFFORT_LEVEL: "a" });
  });

  it("refuses a model with a control character, which no child could be started with", () => {
    const error = refusal([source("a", 3, { [KEY]: "k", ANTHROPIC_MODEL: "m\0x" })]);
    expect([error.code, error.message]).toEqual([
      "bad_model_value",
      expect.stringContaining("ANTHROPIC_MODEL from a"),
    ]);
  });
});

describe("clouds", () => {
  const BEDROCK = { CLAUDE_CODE_USE_BEDROCK: "1", AWS_REGION: "eu-west-1", [KEY]: "k" };

  it("goes before a key of the same source, with that cloud's own variables", () => {
    const found: Credentials = resolveCredentials([
      source("a", 3, BEDROCK),
      source("b", 2, { AWS_REGION: "other", AWS_PROFILE: "p", AZURE_TENANT_ID: "t" }),
    ]);
    expect(found).toMatchObject({
      kind: "cloud",
      provider: "bedrock",
      source: "a",
      variables: { AWS_REGION: "eu-west-1", AWS_PROFILE: "p" },
      ignored: [{ name: KEY, source: "a" }],
    });
  });

  it.each(["0", "false", "", "no"])("is off at %j", (value) => {
    const found = resolveCredentials([source("a", 3, { ...BEDROCK, CLAUDE_CODE_USE_BEDROCK: value })]);
    expect(found.kind).toBe("api_key");
  });

  it("cannot be turned on or fed by a project", () => {
    expect(resolveCredentials([source("a", 1, BEDROCK)]).kind).toBe("api_key");
    const found = resolveCredentials([
      source("a", 1, { AWS_PROFILE: "evil" }),
      source("b", 2, { CLAUDE_CODE_USE_BEDROCK: "true" }),
    ]);
    expect(found.kind === "cloud" && found.variables).toEqual({});
  });
});
