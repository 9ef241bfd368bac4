// What holds for a run: what was typed, else the project's file, else the person's own. Pure.

import { MODEL_ROLES, type ModelRole, type RoleModels } from "../../agents/role-models.ts";
import type { ConfigOwner } from "../../config/flower-config.ts";
import { clash, type Given, type Values } from "../args/check-values.ts";
import type { CommandName } from "../args/commands.ts";
import { type Flag, flagsOf } from "../args/flags.ts";
import { fileName } from "./check-file-values.ts";

/** The checked values of one file. */
export interface ConfigLayer {
  readonly owner: ConfigOwner;
  /** For people: the file's path. */
  readonly source: string;
  readonly values: Values;
  readonly models: RoleModels;
}

/** A project's value that does not count, because the person did not agree to it. */
export interface Unheeded {
  readonly name: string;
  readonly flag: string;
  readonly source: string;
  readonly asked: string;
  readonly holds: string;
}

/** Values in effect beyond what was typed. */
export interface Merged {
  readonly values: Values;
  readonly models: RoleModels;
  /** The file each of them comes from: by the option's key, `models.<role>` for a role. */
  readonly fromFiles: Readonly<Record<string, string>>;
  readonly unheeded: readonly Unheeded[];
}

function toAmount(value: unknown, otherwise: number): number {
  if (typeof value === "number") return value;
  return value === undefined ? otherwise : Number.POSITIVE_INFINITY;
}

/** What a project's value may not pass: undefined where it takes no more and protects no less than the person agreed to. */
function bound(flag: Flag, asked: unknown, own: unknown): string | undefined {
  if (flag.config?.kind !== "lower") return asked === false && own === true ? String(own) : undefined;
  const { otherwise } = flag.config;
  return toAmount(asked, otherwise) > toAmount(own, otherwise) ? String(own ?? otherwise) : undefined;
}

/** What is switched on, or has a value. */
function givenIn(values: Values): readonly Given[] {
  return Object.entries(values).filter(([, value]) => value !== false);
}

/** What the person's own file says where a project has no say, as long as nothing typed silences it. */
function personsWord(command: CommandName, typed: Values, own: Values): readonly Given[] {
  const theirs = flagsOf(command).filter(({ config }) => config?.kind === "person");
  const said = givenIn(own).filter(([key]) => theirs.some((flag) => flag.key === key));
  const first = givenIn(typed);
  return said.filter((each) => typed[each[0]] === undefined && !first.some((other) => clash(each, other)));
}

/** The models of roles that are not just `model`: of the highest layer that names one for the role, or one for all. */
function mergeModels(
  layers: readonly ConfigLayer[],
  model: unknown,
  fromFiles: Record<string, string>,
): RoleModels {
  const merged: Partial<Record<ModelRole, string>> = {};
  for (const role of MODEL_ROLES) {
    const layer = layers.find(({ values, models }) => (models[role] ?? values.model) !== undefined);
    const found = layer?.models[role] ?? layer?.values.model;
    if (layer === undefined || typeof found !== "string" || found === model) continue;
    merged[role] = found;
    fromFiles[`models.${role}`] = layer.source;
  }
  return merged;
}

/**
 * The values in effect for a command, of layers from high to low. What is typed, or stands in a higher file, silences
 * what would do nothing beside it below. Only a project's value is silenced by the person's file instead, where that says
 * what a project has no say in. A typed model is that of every role.
 */
export function mergeDefaults(command: CommandName, typed: Values, layers: readonly ConfigLayer[]): Merged {
  const values: Record<string, unknown> = { ...typed };
  const fromFiles: Record<string, string> = {};
  const unheeded: Unheeded[] = [];
  const own = layers.find(({ owner }) => owner === "person")?.values ?? {};
  for (const { owner, source, values: given } of layers) {
    const word = owner === "project" ? personsWord(command, typed, own) : [];
    const higher = [...givenIn(values), ...word];
    for (const flag of flagsOf(command)) {
      const { key } = flag;
      const value = given[key];
      if (value === undefined || values[key] !== undefined) continue;
      const holds = owner === "project" ? bound(flag, value, own[key]) : undefined;
      if (holds !== undefined) {
        unheeded.push({ name: fileName(flag), flag: flag.long, source, asked: String(value), holds });
      } else if (value === false || !higher.some((other) => clash([key, value], other))) {
        values[key] = value;
        fromFiles[key] = source;
      }
    }
  }
  const models =
    command === "once" || typed.model !== undefined ? {} : mergeModels(layers, values.model, fromFiles);
  // Switched off is what an option is that nobody gave.
  for (const key of Object.keys(values)) if (values[key] === false) delete values[key];
  return { values, models, fromFiles, unheeded };
}
