import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  childEnvironment,
  credentialVariables,
  withoutCredentials,
} from "../../src/config/child-environment.ts";
import type { CloudCredentials, DirectCredentials } from "../../src/config/credentials.ts";

const direct: DirectCredentials = {
  kind: "api_key",
  value: "real-secret-value",
  source: "s",
  trust: 2,
  models: { ANTHROPIC_MODEL: "m" },
  modelSources: { ANTHROPIC_MODEL: "s" },
  ignored: [],
  baseUrl: "https://gw.example/v1/",
  baseUrlSource: "s",
};

const cloud: CloudCredentials = {
  kind: "cloud",
  provider: "vertex",
  variables: { ANTHROPIC_VERTEX_PROJECT_ID: "p", CLOUD_ML_REGION: "r" },
  source: "s",
  trust: 3,
  models: {},
  modelSources: {},
  ignored: [],
};

const PARENT = {
  PATH: "/bin",
  HOME: "/home/x",
  AWS_PROFILE: "mine",
  CLAUDECODE: "1",
  CLAUDE_CODE_ENTRYPOINT: "cli",
  CLAUDE_CODE_USE_BEDROCK: "1",
  CLAUDE_CODE_OAUTH_TOKEN: "o",
  ANTHROPIC_API_KEY: "k",
  ANTHROPIC_BASE_URL: "http://x",
  ANTHROPIC_MODEL: "parent-model",
  FLOWER_ENV: "/secret/path",
  FLOWER_LANG: "zh",
  UNSET: undefined,
};

describe("childEnvironment", () => {
  it("keeps the parent's environment, without harness and flower variables, and adds the models", () => {
    expect(childEnvironment({ processEnv: PARENT, credentials: direct })).toEqual({
      PATH: "/bin",
      HOME: "/home/x",
      AWS_PROFILE: "mine",
      ANTHROPIC_MODEL: "m",
    });
  });

  it("hands on what FLOWER_PASS_ENV names", () => {
    const processEnv = { ...PARENT, FLOWER_PASS_ENV: " CLAUDE_CODE_ENTRYPOINT, CLAUDECODE\tNOT_SET" };
    expect(childEnvironment({ processEnv, credentials: direct })).toMatchObject({
      CLAUDE_CODE_ENTRYPOINT: "cli",
      CLAUDECODE: "1",
    });
  });

  it("hands on no credential, address or cloud switch even when named", () => {
    const passEnv = Object.keys(PARENT);
    const child = childEnvironment({ processEnv: PARENT, credentials: direct, passEnv });
    expect(Object.keys(child).sort()).toEqual(
      [
        "ANTHROPIC_MODEL",
        "AWS_PROFILE",
        "CLAUDECODE",
        "CLAUDE_CODE_ENTRYPOINT",
        "FLOWER_ENV",
        "FLOWER_LANG",
        "HOME",
        "PATH",
      ].sort(),
    );
    expect(child.ANTHROPIC_MODEL).toBe("m");
  });

  it("never holds the secret, whatever the parent has", () => {
    const names = fc.constantFrom(
      "ANTHROPIC_API_KEY",
      "ANTHROPIC_AUTH_TOKEN",
      "CLAUDE_CODE_OAUTH_TOKEN",
      "ANTHROPIC_X",
    );
    fc.assert(
      fc.property(fc.dictionary(names, fc.constant(direct.value)), (processEnv) => {
        expect(Object.values(childEnvironment({ processEnv, credentials: direct }))).not.toContain(
          direct.value,
        );
      }),
    );
  });

  it("gives a cloud its variables and only its own switch", () => {
    expect(childEnvironment({ processEnv: PARENT, credentials: cloud })).toEqual({
      PATH: "/bin",
      HOME: "/home/x",
      AWS_PROFILE: "mine",
      CLAUDE_CODE_USE_VERTEX: "1",
      ANTHROPIC_VERTEX_PROJECT_ID: "p",
      CLOUD_ML_REGION: "r",
    });
  });

  it("behind a proxy, keeps requests to this machine off it", () => {
    const processEnv = { https_proxy: "http://proxy:3128", NO_PROXY: "intra.example,localhost" };
    expect(childEnvironment({ processEnv, credentials: direct })).toMatchObject({
      https_proxy: "http://proxy:3128",
      NO_PROXY: "intra.example,localhost,127.0.0.1,::1",
      no_proxy: "intra.example,localhost,127.0.0.1,::1",
    });
  });
});

describe("withoutCredentials", () => {
  it("lets a layer of the caller's through, except what would go round the chosen credential", () => {
    expect(
      withoutCredentials({
        A: "1",
        ANTHROPIC_AUTH_TOKEN: "t",
        ANTHROPIC_BASE_URL: "u",
        CLAUDE_CODE_USE_FOUNDRY: "1",
      }),
    ).toEqual({ A: "1" });
  });
});

describe("credentialVariables", () => {
  it.each([
    ["api_key", "ANTHROPIC_API_KEY"],
    ["auth_token", "ANTHROPIC_AUTH_TOKEN"],
    ["oauth_token", "CLAUDE_CODE_OAUTH_TOKEN"],
  ] as const)("puts a %s in %s, with the address the harness expects", (kind, name) => {
    expect(credentialVariables(kind, "v", direct.baseUrl)).toEqual({
      [name]: "v",
      ANTHROPIC_BASE_URL: "https://gw.example",
    });
  });
});
