import { describe, expect, it } from "vitest";
import { createTranslator, sayWords, translateFailure } from "../../src/config/locale/translator.ts";
import {
  failureOf,
  hintOfFailure,
  inEnglish,
  readFailureFacts,
  readWords,
  reasonOf,
  reasonOfFailure,
  toReason,
  wordsOf,
} from "../../src/config/locale/words.ts";
import { DiskError } from "../../src/core/errors.ts";

const zh = createTranslator("zh");
const pt = createTranslator("pt");

describe("words", () => {
  it("are one sentence in every language, with sentences inside it", () => {
    const words = wordsOf("notice.not_together", { reason: wordsOf("tree.unmerged", { files: "a.txt" }) });
    expect(inEnglish(words)).toBe(
      "isolated work could not be brought together: a merge in it is not resolved: a.txt",
    );
    expect(sayWords(zh, words)).toBe("隔离的工作无法汇总：其中有未解决的合并：a.txt");
    expect(sayWords(pt, words)).toBe(
      "o trabalho isolado não pôde ser reunido: há nela um merge não resolvido: a.txt",
    );
    expect(toReason(words)).toEqual({ why: inEnglish(words), words });
  });

  it("are checked by the compiler", () => {
    // @ts-expect-error a sentence that does not exist
    wordsOf("notice.none");
    // @ts-expect-error a value is missing
    wordsOf("tree.unmerged");
    // @ts-expect-error a value of another name
    wordsOf("tree.unmerged", { file: "a.txt" });
    // @ts-expect-error a failure that does not exist
    failureOf("no_such_failure");
    // @ts-expect-error what only the hint is about is missing
    failureOf("context_full_again", { times: 2 });
    expect(sayWords(zh, { key: "__proto__", values: {} })).toBeUndefined();
    expect(sayWords(zh, { key: "notice.of_a_later_version", values: {} })).toBeUndefined();
  });

  it("survive an event and a file, and nothing else is taken for them", () => {
    const words = wordsOf("budget.near", {
      percent: 80,
      spent: "$8",
      budget: wordsOf("budget.hours", { hours: 2 }),
    });
    expect(readWords(JSON.parse(JSON.stringify(words)))).toEqual(words);
    for (const other of [
      undefined,
      null,
      "x",
      [],
      { key: 1, values: {} },
      { key: "x" },
      { key: "x", values: { a: [] } },
    ])
      expect(readWords(other)).toBeUndefined();
    const { failure } = failureOf("context_full_again", { times: 3, at: 9 });
    expect(readFailureFacts(JSON.parse(JSON.stringify(failure)))).toEqual(failure);
    expect(readFailureFacts({ code: "x" })).toBeUndefined();
  });
});

describe("a failure", () => {
  it("is English for books and programs, and any language for a person", () => {
    const words = failureOf("context_full_again", { times: 3, at: 90 });
    expect(words.error).toBe("the context filled up 3 times in one step");
    expect(words.hint).toContain("90 tokens");
    expect(translateFailure(zh, words)).toEqual({
      message: "上下文在同一步里满了 3 次",
      hint: "阈值（90 个 token）大概低于这个角色启动时的用量：请加大窗口，或关闭交接",
    });
    expect(failureOf("stopped_on_request")).toMatchObject({ error: "stopped on request", hint: "" });
  });

  it("keeps its own words where the catalogue knows none", () => {
    const own = {
      error: "no phone here",
      hint: "plug one in",
      failure: { code: "step_aborted", values: {} },
    };
    expect(translateFailure(zh, own)).toEqual({ message: "no phone here", hint: "plug one in" });
    expect(translateFailure(zh, { ...own, failure: undefined }).message).toBe("no phone here");
    expect(reasonOfFailure({ error: "no phone here", failure: null })).toBe("no phone here");
    expect(hintOfFailure({ hint: "plug one in", failure: null })).toBe("plug one in");
  });

  it("says in another sentence why it came", () => {
    const { error, hint, failure } = failureOf("api_failed", { status: 529, said: "Overloaded" });
    const outer = failureOf("judge_failed", {
      reason: reasonOfFailure({ error, failure }),
      next: hintOfFailure({ hint, failure }),
    });
    expect(outer.error).toBe("the judge could not rule: the API failed (HTTP 529): Overloaded");
    expect(translateFailure(zh, outer)).toEqual({
      message: "裁判无法作出裁决：API 出错（HTTP 529），原话：“Overloaded”",
      hint: "在此再次运行 flower：它会从停下的地方继续",
    });
    const thrown = new DiskError("cannot write /x: ENOSPC", {
      code: "write_failed",
      hint: "",
      values: { path: "/x" },
    });
    expect(reasonOf(thrown)).toMatchObject({ key: "error.write_failed", values: { path: "/x" } });
    expect(reasonOf(new Error("two\nlines"))).toBe("two lines");
  });
});
