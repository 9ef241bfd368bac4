import { describe, expect, it } from "vitest";
import { resolveRoleModels } from "../../src/agents/role-models.ts";
import { OptionError } from "../../src/core/errors.ts";

describe("resolveRoleModels", () => {
  it("gives every role its own model, else the one for all, else none", () => {
    expect(resolveRoleModels({ judge: "opus", worker: undefined }, "sonnet", "x")).toEqual({
      coordinator: "sonnet",
      worker: "sonnet",
      clarifier: "sonnet",
      judge: "opus",
      oracle: "sonnet",
    });
    expect(resolveRoleModels({ worker: "haiku" }, undefined, "x")).toEqual({ worker: "haiku" });
  });

  it.each([
    [{ judgge: "a" }, "unknown_option", 'did you mean "judge"?'],
    [{ judge: "" }, "bad_option", "non-empty"],
    [{ judge: 4 }, "bad_option", "non-empty"],
    [["a"], "bad_options", ""],
    ["opus", "bad_options", ""],
  ])("refuses %j", (models, code, hint) => {
    const resolve = () => resolveRoleModels(models as never, undefined, "starterFlow models");
    expect(resolve).toThrow(OptionError);
    expect(resolve).toThrow(expect.objectContaining({ code, hint: expect.stringContaining(hint) }));
  });
});
