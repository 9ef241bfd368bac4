// What stands in a `flower.config.json`, held against the table of options: the checks are those of the command line.

import { MODEL_ROLES, type ModelRole, type RoleModels } from "../../agents/role-models.ts";
import type { ConfigOwner } from "../../config/flower-config.ts";
import { isRecord } from "../../core/json.ts";
import { nearestName } from "../../core/options.ts";
import { badValue, type CheckedValue, checkTogether, checkValue, type Values } from "../args/check-values.ts";
import type { UsageProblem } from "../args/command-line.ts";
import { FLAGS, type Flag, findFlag, MODEL_FLAG } from "../args/flags.ts";

/** What is wrong with a file. */
export interface FileProblem {
  readonly kind: "problem";
  readonly problem: UsageProblem;
  /** Name that was probably meant. */
  readonly near?: string | undefined;
}

/** The values of a file by the key of their option, or the first problem. */
export type CheckedFile =
  | { readonly kind: "values"; readonly values: Values; readonly models: RoleModels }
  | FileProblem;

const MODELS = "models";

/** An option's name in a file: as it is typed, without the dashes. */
export function fileName({ long }: Flag): string {
  return long.slice(2);
}

/** Every name that may stand in a file. */
function fileNames(): readonly string[] {
  return [...FLAGS.filter(({ config }) => config !== undefined).map(fileName), MODELS];
}

function refuse(
  key: UsageProblem["key"],
  parameters: Readonly<Record<string, string>>,
  near?: string,
): FileProblem {
  return { kind: "problem", problem: { key, parameters }, near };
}

const SECRET = /key|token|secret|password|credential|auth|url|^(?:ANTHROPIC|CLAUDE|AWS)/i;

function unknownName(name: string): FileProblem {
  const plain = name.replace(/^-+/, "").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const near = nearestName(plain, fileNames()) ?? nearestName(name, fileNames());
  if (near === undefined && SECRET.test(name)) return refuse("config.secret", { name });
  return refuse("config.unknown", { name }, near);
}

/** The value as it would be typed; undefined for one of another type than the option's. A switch has nothing to type. */
function asTyped({ value: { kind } }: Flag, value: unknown): string | undefined {
  switch (kind) {
    case "number":
      return typeof value === "number" ? String(value) : undefined;
    case "limit":
      return typeof value === "number" || typeof value === "string" ? String(value) : undefined;
    case "list": {
      const isItem = (item: unknown) => typeof item === "string" && /^[^\s,]+$/.test(item);
      return Array.isArray(value) && value.every(isItem) ? value.join(",") : undefined;
    }
    case "flag":
      return undefined;
    default:
      return typeof value === "string" ? value : undefined;
  }
}

function checkOne(flag: Flag, name: string, value: unknown): CheckedValue {
  if (flag.value.kind === "flag" && typeof value === "boolean") return { kind: "value", value };
  const typed = asTyped(flag, value);
  const checked = typed === undefined ? undefined : checkValue(flag, typed, name);
  // In the file's own spelling: "5" is not 5 there.
  const problem = badValue(flag, name, JSON.stringify(value));
  return checked?.kind === "value" ? checked : { kind: "problem", problem };
}

function checkModels(value: unknown): CheckedFile {
  const roles = MODEL_ROLES.join(", ");
  if (!isRecord(value)) return refuse("config.models", { name: MODELS, roles });
  const models: Partial<Record<ModelRole, string>> = {};
  for (const [name, model] of Object.entries(value)) {
    const role = MODEL_ROLES.find((each) => each === name);
    if (role === undefined) return refuse("config.role", { name, roles }, nearestName(name, MODEL_ROLES));
    const checked = checkOne(MODEL_FLAG, `${MODELS}.${role}`, model);
    if (checked.kind === "problem") return checked;
    models[role] = String(checked.value);
  }
  return { kind: "values", values: {}, models };
}

/** Why an option cannot stand in this file at all. */
function refusal(flag: Flag, owner: ConfigOwner): FileProblem | undefined {
  const names = { name: fileName(flag), flag: flag.long };
  if (flag.config === undefined) {
    return SECRET.test(names.name)
      ? refuse("config.secret", { name: names.name })
      : refuse("config.each_run", names);
  }
  const isTheirs = flag.config.kind === "person" && owner === "project";
  return isTheirs ? refuse("config.person_only", names) : undefined;
}

function clashIn(values: Values): FileProblem | undefined {
  const on = Object.entries(values).filter(([, value]) => value !== false);
  const problem = checkTogether(Object.fromEntries(on));
  if (problem === undefined) return undefined;
  const names = Object.entries(problem.parameters).map(([key, flag]) => [key, flag.replace(/^--/, "")]);
  return { kind: "problem", problem: { ...problem, parameters: Object.fromEntries(names) } };
}

/** Check the values of one file. */
export function checkFileValues(given: Readonly<Record<string, unknown>>, owner: ConfigOwner): CheckedFile {
  const { [MODELS]: givenModels = {}, ...others } = given;
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(others)) {
    const flag = findFlag(`--${name}`);
    if (flag === undefined) return unknownName(name);
    const checked = refusal(flag, owner) ?? checkOne(flag, name, value);
    if (checked.kind === "problem") return checked;
    values[flag.key] = checked.value;
  }
  const models = checkModels(givenModels);
  if (models.kind === "problem") return models;
  return clashIn(values) ?? { kind: "values", values, models: models.models };
}
