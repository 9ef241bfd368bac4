// The values that files gave, as a person reads them. Pure.

import { FLAGS } from "../args/flags.ts";
import { fileName } from "./check-file-values.ts";
import type { Merged } from "./merge-defaults.ts";

/** One value in effect. */
export interface DefaultRow {
  /** As it stands in a file. */
  readonly name: string;
  readonly value: unknown;
  readonly source: string;
}

/** Every value that came from a file. A value that was switched off is shown as false. */
export function defaultRows({ values, models, fromFiles }: Merged): readonly DefaultRow[] {
  const rows = FLAGS.flatMap((flag): DefaultRow[] => {
    const source = fromFiles[flag.key];
    return source === undefined ? [] : [{ name: fileName(flag), value: values[flag.key] ?? false, source }];
  });
  const roles = Object.entries(models).map(([role, value]) => {
    const name = `models.${role}`;
    return { name, value, source: fromFiles[name] ?? "" };
  });
  return [...rows, ...roles];
}

/** A value as it would be typed. */
export function valueText(value: unknown): string {
  return Array.isArray(value) ? value.join(",") : String(value);
}

function shown({ name, value }: DefaultRow): string {
  return value === true ? name : `${name} ${valueText(value)}`;
}

/** One line for each file that gave something. */
export function describeMerged(merged: Merged): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  for (const row of defaultRows(merged)) {
    const before = lines.get(row.source);
    lines.set(row.source, before === undefined ? shown(row) : `${before} · ${shown(row)}`);
  }
  return lines;
}
