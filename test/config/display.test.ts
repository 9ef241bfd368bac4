import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolveCredentials } from "../../src/config/credentials.ts";
import { describeCredentials } from "../../src/config/describe-credentials.ts";
import { maskSecret } from "../../src/config/mask-secret.ts";
import { caseOf } from "./cases.ts";

describe("maskSecret", () => {
  it("D-env-11: shows four characters of a long secret and nothing of a short one", () => {
    const { input, expected } = caseOf("D-env-11");
    const short = expected.shortOnesFullyMasked as readonly string[];
    for (const secret of input as readonly string[]) {
      const masked = maskSecret(secret);
      expect(masked).toBe(short.includes(secret) ? "********" : "sk-a…");
    }
  });

  it("shows at most the first four characters and no end, for any secret", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "b", "1", "花", "🌸"), minLength: 13 }),
        (secret) => {
          expect(maskSecret(secret)).toBe(`${[...secret].slice(0, 4).join("")}…`);
        },
      ),
    );
    fc.assert(fc.property(fc.string({ maxLength: 12 }), (secret) => maskSecret(secret) === "********"));
  });

  it("passes no control character on", () => {
    expect(maskSecret("\u001b[2Jabcdefghijklm")).toBe("*[2J…");
  });
});

describe("describeCredentials", () => {
  const at = (name: string, values: Record<string, string>) =>
    ({ name, trust: 2, status: "read", values, notes: [] }) as const;

  it("lists what is used and what is not, each with its source, the secret masked", () => {
    const rows = describeCredentials(
      resolveCredentials([
        at("a", { ANTHROPIC_AUTH_TOKEN: "sk-ant-REALSECRET", ANTHROPIC_MODEL: "m" }),
        at("b", { ANTHROPIC_API_KEY: "sk-ant-OTHERSECRET" }),
      ]),
    );
    expect(rows).toEqual([
      { kind: "used", name: "ANTHROPIC_AUTH_TOKEN", value: "sk-a…", source: "a" },
      { kind: "used", name: "ANTHROPIC_BASE_URL", value: "https://api.anthropic.com", source: "default" },
      { kind: "used", name: "ANTHROPIC_MODEL", value: "m", source: "a" },
      { kind: "ignored", name: "ANTHROPIC_API_KEY", value: "", source: "b" },
    ]);
  });

  it("masks every variable of a cloud", () => {
    const values = { CLAUDE_CODE_USE_BEDROCK: "1", AWS_SECRET_ACCESS_KEY: "abcdefghijklmnop" };
    expect(describeCredentials(resolveCredentials([at("a", values)]))).toEqual([
      { kind: "used", name: "CLAUDE_CODE_USE_BEDROCK", value: "1", source: "a" },
      { kind: "used", name: "AWS_SECRET_ACCESS_KEY", value: "abcd…", source: "cloud" },
    ]);
  });
});
