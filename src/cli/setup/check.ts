// `flower setup --check`: everything that holds and where it comes from, tested live unless told otherwise.

import { type Credentials, resolveCredentials } from "../../config/credentials.ts";
import { translateError } from "../../config/locale/translator.ts";
import type { Source } from "../../config/sources.ts";
import { CredentialsError, type FlowerError } from "../../core/errors.ts";
import { stripEscapes } from "../../core/text.ts";
import type { CommandContext } from "../command-context.ts";
import { type ConfigFile, layersOf, readConfigFiles } from "../defaults/load-defaults.ts";
import { mergeDefaults } from "../defaults/merge-defaults.ts";
import { EXIT_DONE, EXIT_STOPPED } from "../exit-codes.ts";
import { type CheckReport, checkReport } from "./check-report.ts";
import { sourcesHere } from "./in-effect.ts";
import { renderReport } from "./render-report.ts";
import { type CredentialTest, modelsOfRoles, testModels } from "./test-credential.ts";

/** The sources and what they come to, as far as that goes, and what keeps it from going further. */
interface Found {
  readonly sources: readonly Source[];
  readonly credentials: Credentials | undefined;
  readonly error: CredentialsError | undefined;
}

function find(context: CommandContext): Found {
  let sources: readonly Source[] = [];
  try {
    sources = sourcesHere(context);
    return { sources, credentials: resolveCredentials(sources), error: undefined };
  } catch (error) {
    if (error instanceof CredentialsError) return { sources, credentials: undefined, error };
    throw error;
  }
}

/** What the three steps would ask for here is what is tested. */
async function test(
  { io, command }: CommandContext,
  credentials: Credentials | undefined,
  files: readonly ConfigFile[],
): Promise<readonly CredentialTest[]> {
  const isTestable = credentials !== undefined && credentials.kind !== "cloud";
  if (!isTestable || command.flags.offline === true) return [];
  const { values, models } = mergeDefaults("go", {}, layersOf(files));
  const model = typeof values.model === "string" ? values.model : undefined;
  return await testModels(credentials, { io, models: modelsOfRoles(model, models) });
}

function exitCodeOf({ problems, tests }: CheckReport): number {
  const works = tests.every(({ kind }) => kind === "ok");
  return problems.length === 0 && works ? EXIT_DONE : EXIT_STOPPED;
}

/** Carry out `flower setup --check`. @returns 0 when a run could begin here, as far as can be told. */
export async function checkSetup(context: CommandContext): Promise<number> {
  const { io, t, command } = context;
  const found = find(context);
  const files = readConfigFiles(context);
  const errors: FlowerError[] = files.flatMap((file) => (file.kind === "wrong" ? file.error : []));
  if (found.error !== undefined) errors.unshift(found.error);
  const report = checkReport({
    ...found,
    isDirect: io.env.FLOWER_DIRECT === "1",
    files: files.map(({ source, kind }) => ({ source, status: kind })),
    layers: layersOf(files),
    problems: errors.map((error) => translateError(t, error)),
    tests: await test(context, found.credentials, files),
  });
  const exit = exitCodeOf(report);
  if (command.globals.json) io.out(JSON.stringify({ ...report, exit }));
  else for (const line of renderReport(t, report)) io.out(line);
  for (const { message, hint } of report.problems) {
    io.err(stripEscapes(`x ${message}`));
    if (hint !== "") io.err(stripEscapes(`  ${t("error.next", { hint })}`));
  }
  return exit;
}
