// Reads the two `flower.config.json` and puts what holds for a run into its command.

import {
  type ConfigFileRead,
  type ConfigPlace,
  configPlaces,
  readFlowerConfig,
} from "../../config/flower-config.ts";
import type { Translator } from "../../config/locale/translator.ts";
import { homeFolder } from "../../config/process-env.ts";
import { OptionError } from "../../core/errors.ts";
import type { Command } from "../args/command-line.ts";
import { problemWords } from "../args/usage-text.ts";
import type { CommandContext } from "../command-context.ts";
import { homePath } from "../screen/layout.ts";
import { checkFileValues, type FileProblem } from "./check-file-values.ts";
import { type ConfigLayer, type Merged, mergeDefaults } from "./merge-defaults.ts";

/** One of the two files, as it was found. */
export interface ConfigFile {
  readonly place: ConfigPlace;
  /** For people: `~` stands for the home folder. */
  readonly source: string;
  /** Undefined when there is no file. */
  readonly layer: ConfigLayer | undefined;
}

/** The smallest file that says something. */
const EXAMPLE = '{ "rounds": 5 }';

function refused(t: Translator, source: string, words: string, hint: string): OptionError {
  return new OptionError(`${source}: ${words}`, { code: "bad_config", hint: hint || t("config.hint") });
}

function unread(t: Translator, source: string, read: Exclude<ConfigFileRead, { kind: "absent" | "values" }>) {
  switch (read.kind) {
    case "unreadable":
      return refused(t, source, t("config.unreadable", { reason: read.reason }), "");
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

/**
 * The files that hold for a workspace, the project's first.
 * @throws OptionError `bad_config`, naming the file and what is wrong in it.
 */
export function readConfigFiles({ command, io, t }: CommandContext): readonly ConfigFile[] {
  const home = homeFolder(io.env);
  const places = configPlaces(io.env, command.workspace);
  const ownFile = homePath(places.at(-1)?.path ?? "", home);
  return places.map((place) => {
    const source = homePath(place.path, home);
    const read = readFlowerConfig(place.path);
    if (read.kind === "absent") return { place, source, layer: undefined };
    if (read.kind !== "values") throw unread(t, source, read);
    const checked = checkFileValues(read.values, place.owner);
    if (checked.kind === "problem") {
      throw refused(t, source, problemWords(t, checked.problem), hintOf(t, checked, ownFile));
    }
    const { values, models } = checked;
    return { place, source, layer: { owner: place.owner, source, values, models } };
  });
}

/** What these files give a command. */
export function mergeFiles(command: Command, files: readonly ConfigFile[]): Merged {
  const layers = files.flatMap(({ layer }) => layer ?? []);
  return mergeDefaults(command.command, { ...command.flags }, layers);
}

/** The command with what these files give it. */
export function commandWith(command: Command, { values, models, fromFiles }: Merged): Command {
  const flags = { ...values, ...(Object.keys(models).length === 0 ? {} : { models }) };
  return { ...command, flags, fromFiles };
}
