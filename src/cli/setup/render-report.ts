// A report of what is in effect as lines for a person. Pure.

import type { ConfigRow } from "../../config/describe-credentials.ts";
import type { Translator } from "../../config/locale/translator.ts";
import { saySource } from "../../config/source-words.ts";
import { displayWidth } from "../../core/cells.ts";
import { stripEscapes } from "../../core/text.ts";
import { valueText } from "../defaults/describe-merged.ts";
import type { CheckReport } from "./check-report.ts";
import { testHint, testMark, testWords } from "./test-credential.ts";

/** Cells of a column; a longer text pushes the rest of its line. */
const MAX_COLUMN = 40;

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (so, row) => row.map((cell, i) => Math.max(so[i] ?? 0, Math.min(displayWidth(cell), MAX_COLUMN))),
    [],
  );
  return rows.map((row) => {
    const cells = row.map((cell, i) => cell + " ".repeat(Math.max(0, (widths[i] ?? 0) - displayWidth(cell))));
    return `  ${cells.join("  ")}`.trimEnd();
  });
}

function credentialLines(t: Translator, rows: readonly ConfigRow[]): string[] {
  const used = rows.filter(({ kind }) => kind === "used");
  const shown = used.map(({ name, value, source }) => [name, value, saySource(t, source)]);
  const model = used.some(({ name }) => name === "ANTHROPIC_MODEL")
    ? []
    : [["ANTHROPIC_MODEL", "-", t("check.harness_model")]];
  const ignored = rows
    .filter(({ kind }) => kind === "ignored")
    .map((row) => `  ${t("credentials.ignored", { name: row.name, source: saySource(t, row.source) })}`);
  return used.length === 0 ? [`  ${t("check.none")}`] : [...columns([...shown, ...model]), ...ignored];
}

function placeLines(t: Translator, { sources }: CheckReport): string[] {
  return columns(
    sources.map(({ name, status, notes }) => [
      saySource(t, name),
      [status === "read" ? "" : t(`check.${status}`), ...notes.map((note) => saySource(t, note))]
        .filter((part) => part !== "")
        .join("; "),
    ]),
  );
}

function defaultLines(t: Translator, { files, defaults, unheeded }: CheckReport): string[] {
  return [
    ...columns(files.map(({ source, status }) => [source, t(`check.${status}`)])),
    ...columns(defaults.map(({ name, value, source }) => [name, valueText(value), saySource(t, source)])),
    ...unheeded.map(({ name, flag, source, asked, holds }) => {
      return `! ${t("config.unheeded", { name, flag, source, asked, holds })}`;
    }),
    `  ${t("check.others")}`,
  ];
}

function testLines(t: Translator, { tests }: CheckReport): string[] {
  if (tests.length === 0) return [`- ${t("check.untested")}`];
  return tests.flatMap((test) => {
    const hint = testHint(t, test);
    const next = hint === undefined ? [] : [`  ${t("error.next", { hint })}`];
    return [`${testMark(test)} ${testWords(t, test)}`, ...next];
  });
}

/** The report, a section each for what it holds. */
export function renderReport(t: Translator, report: CheckReport): string[] {
  const lines = [
    t("check.credential"),
    ...credentialLines(t, report.credentials),
    ...(report.isDirect ? [`! ${t("check.direct")}`] : []),
    t("check.places"),
    ...placeLines(t, report),
    t("check.defaults"),
    ...defaultLines(t, report),
    t("check.test"),
    ...testLines(t, report),
  ];
  return lines.map(stripEscapes);
}
