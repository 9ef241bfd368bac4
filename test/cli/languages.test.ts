// What goes wrong in a run, as a person reads it in Chinese and in Portuguese: no sentence of it is English.

import { describe, expect, it } from "vitest";
import { reportError } from "../../src/cli/report-error.ts";
import { endingOfStep, endingOfWorkflow } from "../../src/cli/run/ending.ts";
import { EventPrinter } from "../../src/cli/screen/event-printer.ts";
import { createPaint } from "../../src/cli/screen/paint.ts";
import { outcomeWords } from "../../src/cli/status/outcome-words.ts";
import { summariseRuns } from "../../src/cli/status/run-summary.ts";
import type { Language } from "../../src/config/locale/catalogue.ts";
import { en } from "../../src/config/locale/en.ts";
import { createTranslator } from "../../src/config/locale/translator.ts";
import { failureOf, wordsOf } from "../../src/config/locale/words.ts";
import { DiskError } from "../../src/core/errors.ts";
import { createEvent, type Event } from "../../src/events/event.ts";
import { normalize } from "../../src/harness/normalize.ts";
import { explainFailure } from "../../src/runtime/failure.ts";
import { createNotice } from "../../src/runtime/notice.ts";
import { endDraft, startDraft, toManifestRow } from "../../src/runtime/step-result.ts";

const rejected = failureOf("credential_rejected", { status: 401, said: "invalid x-api-key" });
const overloaded = failureOf("api_failed", { status: 529, said: "Overloaded" });

const EVENTS: readonly Event[] = [
  createNotice("cut_off", wordsOf("notice.cut_off", { workers: "coder: wc.mjs" }), { agents: ["a"] }),
  createNotice(
    "worker",
    wordsOf("notice.worker_failed", { worker: "coder", reason: "API Error: 529 Overloaded" }),
  ),
  createNotice(
    "budget",
    wordsOf("budget.near", { percent: 80, spent: "$8.00", budget: wordsOf("budget.hours", { hours: 2 }) }),
  ),
  createNotice("store", wordsOf("notice.damaged_absent_kept", { path: "/w/l.json", aside: "/w/l.json.1" })),
  createNotice("credentials", wordsOf("notice.direct")),
  createNotice(
    "standing",
    wordsOf("wake.judged_first", {
      verdict: wordsOf("standing.tree_changed", { verdict: wordsOf("verdict.achieved") }),
    }),
  ),
  createNotice("progress", wordsOf("progress.blind", { why: wordsOf("blind.bytes") })),
  createNotice("frozen", wordsOf("frozen.edited", { name: "brief.md" })),
  createEvent("retry", {
    text: overloaded.error,
    payload: { phase: "failed", failure: 1, delay_s: 8, why: overloaded.failure },
  }),
  createEvent("error", { text: "API Error: 529 Overloaded", payload: {} }),
  createEvent("error", { text: "API Error: 401 invalid x-api-key", payload: {} }),
  createEvent("task", {
    text: "isolated work is on b",
    payload: {
      notice: "integration",
      stuck: [{ branch: "b", why: "git cannot read it", words: wordsOf("tree.unreadable") }],
      blocked: "git lost its HEAD",
      blockedWords: wordsOf("tree.lost_head"),
    },
  }),
  createEvent("handoff", {
    text: "",
    payload: {
      phase: "done",
      degraded: true,
      sections: { doing: "The session before could not say.", next: "Look." },
    },
  }),
  ...normalize({ type: "system", subtype: "api_retry", error_status: null, attempt: 1, max_retries: 3 }),
  ...normalize({ type: "system", subtype: "compact_boundary" }),
  ...normalize({ type: "system", subtype: "mirror_error", error: "SQLITE_FULL" }),
];

function screenOf(language: Language): string[] {
  const t = createTranslator(language);
  const view = { t, width: 400, folder: "/w", verbose: true, paint: createPaint(false) };
  const printer = new EventPrinter();
  // As `flower logs` reads them, too: what is said must survive the file.
  const events = EVENTS.map(({ kind, text, tool, payload }) =>
    createEvent(kind, { text, tool, payload: JSON.parse(JSON.stringify(payload)) }),
  );
  return events.flatMap((event) => printer.lines(event, view));
}

function endsOf(language: Language): string[] {
  const t = createTranslator(language);
  const draft = startDraft("work");
  const { error, hint, failure } = rejected;
  const result = endDraft({ ...draft, error, hint, failure });
  const budget = failureOf("budget_reached", { budget: "$10.00", option: "--budget" });
  const ends = [
    endingOfStep(t, result),
    endingOfWorkflow(t, {
      _failedAt: "work",
      _aborted: budget.error,
      _hint: budget.hint,
      _failure: budget.failure,
    }),
    endingOfWorkflow(t, { _failedAt: "work", _results: { work: result } }),
    endingOfStep(
      t,
      endDraft({
        ...draft,
        ...explainFailure({ result: undefined, fault: undefined, stderr: "", upstream: undefined }),
      }),
    ),
  ];
  const [run] = summariseRuns([toManifestRow(result, "r")]);
  const full = new DiskError("cannot write /w/x: ENOSPC", {
    code: "write_failed",
    hint: "check that the folder exists, is writable and has free space",
    values: { path: "/w/x", reason: "ENOSPC" },
  });
  return [
    ...ends.flatMap((end) => (end.kind === "stopped" ? [end.reason, end.hint] : [])),
    ...(run === undefined ? [] : [outcomeWords(t, run)]),
    ...reportError(t, full, false).lines,
  ];
}

/** The parts of the English sentences that are long enough to be nothing else. */
const ENGLISH = Object.values(en)
  .flatMap((text) => text.split(/\{\w+\}/))
  .map((part) => part.trim())
  .filter(
    (part) => part.split(/\s+/).length >= 3 && /^[\x20-\x7e]+$/.test(part) && !part.includes("`flower"),
  );

/** Names, options and what others said stand as they are. */
function ownOf(line: string): string {
  return line.replace(/[“"][^”"]*[”"]/g, "");
}

describe.each(["zh", "pt"] as const)("in %s", (language) => {
  const lines = [...screenOf(language), ...endsOf(language)].map(ownOf);

  it("everything that went wrong is told", () => {
    expect(screenOf(language).filter((line) => line.trim() !== "").length).toBeGreaterThanOrEqual(
      EVENTS.length,
    );
    expect(endsOf(language)).toHaveLength(11);
  });

  it("no sentence of the English catalogue is on the screen", () => {
    expect(lines.filter((line) => ENGLISH.some((part) => line.includes(part)))).toEqual([]);
  });
});

describe("in Chinese", () => {
  it("no line holds a run of English words, and none mixes half-width punctuation in", () => {
    const lines = [...screenOf("zh"), ...endsOf("zh")].map(ownOf);
    expect(lines.filter((line) => /[A-Za-z]+ [a-z]+ [a-z]+/.test(line))).toEqual([]);
    expect(lines.filter((line) => /[\u4e00-\u9fff][:;,?!] ?[\u4e00-\u9fff“]/.test(line))).toEqual([]);
  });
});
