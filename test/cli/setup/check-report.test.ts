import { describe, expect, it } from "vitest";
import { type CheckInput, checkReport } from "../../../src/cli/setup/check-report.ts";
import { renderReport } from "../../../src/cli/setup/render-report.ts";
import { modelsOfRoles } from "../../../src/cli/setup/test-credential.ts";
import { resolveCredentials } from "../../../src/config/credentials.ts";
import { createTranslator } from "../../../src/config/locale/translator.ts";
import { gatherSources } from "../../../src/config/sources.ts";
import { places } from "../../config/cases.ts";

const SECRET = "sk-ant-api03-SECRETSECRET";

function report(env: Record<string, string>, more: Partial<CheckInput> = {}) {
  const sources = gatherSources(places({ processEnv: env }));
  const credentials = Object.keys(env).length === 0 ? undefined : resolveCredentials(sources);
  return checkReport({
    credentials,
    sources,
    isDirect: false,
    files: [
      { source: "P", status: "read" },
      { source: "U", status: "absent" },
    ],
    layers: [],
    problems: [],
    tests: [],
    ...more,
  });
}

describe("a report of what is in effect", () => {
  it("has every value with its source, and no secret anywhere", () => {
    const made = report(
      { ANTHROPIC_API_KEY: SECRET, CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-SECRET", ANTHROPIC_MODEL: "m" },
      {
        layers: [
          { owner: "project", source: "P", values: { budget: 90, rounds: 5 }, models: { judge: "j" } },
          {
            owner: "person",
            source: "U",
            values: { tools: ["Read", "Bash"], spend: 2, asks: 1 },
            models: {},
          },
        ],
        tests: [{ kind: "ok", detail: "HTTP 200", model: "m", baseUrl: "https://api.anthropic.com" }],
      },
    );
    expect(made.defaults).toEqual([
      { name: "budget", value: 50, source: "default" },
      { name: "asks", value: 1, source: "U" },
      { name: "rounds", value: 5, source: "P" },
      { name: "models.judge", value: "j", source: "P" },
      { name: "tools", value: ["Read", "Bash"], source: "U" },
      { name: "max-cost", value: 2, source: "U" },
    ]);
    expect(made.unheeded).toMatchObject([{ name: "budget", asked: "90", holds: "50" }]);
    const lines = renderReport(createTranslator("en"), made).join("\n");
    expect(`${JSON.stringify(made)}${lines}`).not.toContain("SECRET");
    expect(lines).toMatch(/^ {2}ANTHROPIC_API_KEY +sk-a… +process environment$/m);
    expect(lines).toMatch(/^ {2}ANTHROPIC_BASE_URL +https:\/\/api\.anthropic\.com +default$/m);
    expect(lines).toContain("  CLAUDE_CODE_OAUTH_TOKEN from process environment is not used");
    expect(lines).toMatch(/^ {2}tools +Read,Bash +U$/m);
    expect(lines).toMatch(/^ {2}P {2}read$/m);
    expect(lines).toMatch(/^ {2}U {2}not there$/m);
    expect(lines).toContain("! budget 90 of P does not count, 50 holds");
    expect(lines).toContain("+ it works: m answered");
    expect(lines).not.toContain("Runtime.env");
  });

  it("says so when there is no credential, nothing was tested, or the harness gets the credential itself", () => {
    const none = renderReport(createTranslator("en"), report({})).join("\n");
    expect(none).toContain("credential, address and models\n  none\n");
    expect(none).toContain("- nothing was tested");
    const cloud = report({ CLAUDE_CODE_USE_BEDROCK: "1", AWS_SECRET_ACCESS_KEY: SECRET });
    const lines = renderReport(createTranslator("en"), cloud).join("\n");
    expect(lines).toContain("! the harness gets the credential itself");
    expect(lines).not.toContain("SECRETSECRET");
    expect(report({ ANTHROPIC_API_KEY: SECRET }, { isDirect: true }).isDirect).toBe(true);
  });

  it.each([
    ["credentials_rejected", "x", "next: copy it again"],
    ["model_unknown", "x", "ollama pull m"],
    ["not_the_api", "x", "the part before /v1/messages"],
    ["unreachable", "!", "see whether the server runs"],
    ["unsure", "!", "wait a little"],
  ] as const)("says what to do after %s", (kind, mark, words) => {
    const tests = [{ kind, detail: "D", model: "m", baseUrl: "https://b" }];
    const lines = renderReport(createTranslator("en"), report({ ANTHROPIC_API_KEY: SECRET }, { tests }));
    expect(lines.at(-2)).toMatch(new RegExp(`^${mark} .*https://b.*\\(D\\)$`));
    expect(lines.at(-1)).toContain(words);
  });
});

describe("the models to test", () => {
  it.each([
    [undefined, {}, [undefined]],
    ["m", {}, ["m"]],
    ["m", { judge: "j" }, ["m", "j"]],
    [undefined, { coordinator: "c" }, ["c", undefined]],
    [undefined, { coordinator: "c", clarifier: "q", judge: "j" }, ["c", "q", "j", undefined]],
    [undefined, { coordinator: "c", clarifier: "q", judge: "j", oracle: "q" }, ["c", "q", "j"]],
  ])("of %j and %j are %j", (model, models, expected) => {
    expect([...new Set(modelsOfRoles(model, models))]).toEqual(expected);
  });
});
