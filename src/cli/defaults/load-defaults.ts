// Reads the two `flower.config.json` and puts what holds for a run into its command.

import {
  type ConfigFileRead,
  type ConfigPlace,
  configPlaces,
  readFlowerConfig,
} from "../../config/flower-config.ts";
import type { Translator } from "../../config/locale/translator.ts";
import { homeFolder } from "../../config/process-env.ts";
import { saySource } from "../../config/source-words.ts";
import { OptionError } from "../../core/errors.ts";
import type { Command } from "../args/command-line.ts";
import { problemWords } from "../args/usage-text.ts";
import type { CommandContext } from "../command-context.ts";
import { homePath } from "../screen/layout.ts";
import { checkFileValues, type FileProblem } from "./check-file-values.ts";
import { type ConfigLayer, type Merged, mergeDefaults } from "./merge-defaults.ts";

/** One of the two files, as it was found. `source` is for people: `~` stands for the home folder. */
export type ConfigFile =
  | { readonly kind: "absent"; readonly source: string }
  | { readonly kind: "read"; readonly source: string; readonly layer: ConfigLayer }
  /** Refused with OptionError `bad_config`, naming the file and what is wrong in it. */
  | { readonly kind: "wrong"; readonly source: string; readonly error: OptionError };

/** The smallest file that says something. */
const EXAMPLE = '{ "rounds": 5 }';

/** How people know the file that is read, and the person's own. */
interface Names {
  readonly source: string;
  readonly ownFile: string;
}

function refused(t: Translator, source: string, words: string, hint: string): OptionError {
  return new OptionError(`${source}: ${words}`, { code: "bad_config", hint: hint || t("config.hint") });
}

function unread(t: Translator, source: string, read: Exclude<ConfigFileRead, { kind: "absent" | "values" }>) {
  switch (read.kind) {
    case "unreadable":
      return refused(t, source, t("config.unreadable", { reason: saySource(t, read.reason) }), "");
    case "not_an_object":
      return refused(t, source, t("config.not_an_object"), t("config.example", { example: EXAMPLE }));
    case "not_json": {
      const { line, column, reason } = read.fault;
      const words = t("config.not_json", { line, column, reason: t(`config.fault.${reason}`) });
      return refused(t, source, words, "");
    }
  }
}

function hintOf(t: Translator, { problem, near }: FileProblem, ownFile: string): string {
  if (near !== undefined) return t("usage.did_you_mean", { command: near });
  const flag = problem.parameters.flag ?? "";
  if (problem.key === "config.each_run") return t("config.each_run_hint", { flag });
  if (problem.key === "config.person_only") return t("config.person_only_hint", { flag, path: ownFile });
  return problem.key === "config.secret" ? t("config.secret_hint") : "";
}

function readPlace(t: Translator, { owner, path }: ConfigPlace, names: Names): ConfigFile {
  const { source, ownFile } = names;
  const read = readFlowerConfig(path);
  if (read.kind === "absent") return { kind: "absent", source };
  if (read.kind !== "values") return { kind: "wrong", source, error: unread(t, source, read) };
  const checked = checkFileValues(read.values, owner);
  if (checked.kind === "problem") {
    const error = refused(t, source, problemWords(t, checked.problem), hintOf(t, checked, ownFile));
    return { kind: "wrong", source, error };
  }
  const { values, models } = checked;
  return { kind: "read", source, layer: { owner, source, values, models } };
}

/** The files that hold for a workspace, the project's first. */
export function readConfigFiles({ command, io, t }: CommandContext): readonly ConfigFile[] {
  const home = homeFolder(io.env);
  const places = configPlaces(io.env, command.workspace);
  const ownFile = homePath(places.at(-1)?.path ?? "", home);
  return places.map((place) => readPlace(t, place, { source: homePath(place.path, home), ownFile }));
}

/** The values of the files that are there. */
export function layersOf(files: readonly ConfigFile[]): readonly ConfigLayer[] {
  return files.flatMap((file) => (file.kind === "read" ? file.layer : []));
}

/**
 * What the files give a command.
 * @throws OptionError `bad_config` for a file that cannot be.
 */
export function mergeFiles(command: Command, files: readonly ConfigFile[]): Merged {
  for (const file of files) if (file.kind === "wrong") throw file.error;
  return mergeDefaults(command.command, { ...command.flags }, layersOf(files));
}

/** The command with what these files give it. */
export function commandWith(command: Command, { values, models, fromFiles }: Merged): Command {
  const flags = { ...values, ...(Object.keys(models).length === 0 ? {} : { models }) };
  return { ...command, flags, fromFiles };
}
