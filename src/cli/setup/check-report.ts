// What is in effect, as data: for `flower setup --check`, on a screen and as JSON. Pure.

import type { Credentials } from "../../config/credentials.ts";
import { type ConfigRow, describeCredentials } from "../../config/describe-credentials.ts";
import { RUNTIME_SOURCE, type Source } from "../../config/sources.ts";
import { DEFAULT_BUDGET_USD } from "../args/flags.ts";
import { type DefaultRow, defaultRows } from "../defaults/describe-merged.ts";
import { type ConfigLayer, mergeDefaults, type Unheeded } from "../defaults/merge-defaults.ts";
import type { CredentialTest } from "./test-credential.ts";

/** A file of defaults as it was found. */
interface CheckedConfigFile {
  readonly source: string;
  readonly status: "read" | "absent" | "wrong";
}

/** Something that keeps a run from beginning, and what to do. */
interface CheckProblem {
  readonly message: string;
  readonly hint: string;
}

/** Everything that holds, each with where it comes from. No secret is in it. */
export interface CheckReport {
  /** Credential, address, models; then the credentials that were found and are not used. */
  readonly credentials: readonly ConfigRow[];
  /** Places that were asked for credentials, highest first. */
  readonly sources: readonly Pick<Source, "name" | "status" | "notes">[];
  /** Whether the harness gets the credential itself. */
  readonly isDirect: boolean;
  readonly files: readonly CheckedConfigFile[];
  readonly defaults: readonly DefaultRow[];
  readonly unheeded: readonly Unheeded[];
  readonly problems: readonly CheckProblem[];
  /** One a model. Empty when nothing was tested: offline, no credential, or a cloud's. */
  readonly tests: readonly CredentialTest[];
}

/** What a report is made from. */
export interface CheckInput {
  readonly credentials: Credentials | undefined;
  readonly sources: readonly Source[];
  readonly isDirect: boolean;
  readonly files: readonly CheckedConfigFile[];
  readonly layers: readonly ConfigLayer[];
  readonly problems: readonly CheckProblem[];
  readonly tests: readonly CredentialTest[];
}

/** What files give to any command of a run, each once. */
function mergedRows(layers: readonly ConfigLayer[]): Pick<CheckReport, "defaults" | "unheeded"> {
  const merged = (["go", "run", "once"] as const).map((command) => mergeDefaults(command, {}, layers));
  const defaults = new Map<string, DefaultRow>();
  const unheeded = new Map<string, Unheeded>();
  for (const each of merged) {
    for (const row of defaultRows(each)) defaults.set(row.name, row);
    for (const row of each.unheeded) unheeded.set(row.name, row);
  }
  const budget: DefaultRow = { name: "budget", value: DEFAULT_BUDGET_USD, source: "default" };
  return {
    defaults: [...(defaults.has("budget") ? [] : [budget]), ...defaults.values()],
    unheeded: [...unheeded.values()],
  };
}

/** Put a report together. */
export function checkReport(input: CheckInput): CheckReport {
  const { credentials, sources, isDirect, files, layers, problems, tests } = input;
  return {
    credentials: credentials === undefined ? [] : describeCredentials(credentials),
    // The library's own source is empty in a command.
    sources: sources
      .filter(({ name }) => name !== RUNTIME_SOURCE)
      .map(({ name, status, notes }) => ({ name, status, notes })),
    isDirect: isDirect || credentials?.kind === "cloud",
    files,
    ...mergedRows(layers),
    problems,
    tests,
  };
}
