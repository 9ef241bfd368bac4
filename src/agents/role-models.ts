// Which model each role of the three-step flow uses, and the oracle beside it.

import { rejectUnknownKeys, requireObject } from "../core/options.ts";
import { createOptionReader } from "./option-reader.ts";

/** The roles that may have a model of their own. */
export const MODEL_ROLES = ["coordinator", "worker", "clarifier", "judge", "oracle"] as const;

/**
 * One of them.
 * @useDeclaredType
 */
export type ModelRole = (typeof MODEL_ROLES)[number];

/**
 * Models by role: a full name or an alias the harness knows (`opus`, `sonnet`, `haiku`). The oracle answers questions the
 * command is asked beside a run; a flow alone never asks it.
 */
export type RoleModels = Readonly<Partial<Record<ModelRole, string | undefined>>>;

/**
 * The model of every role that has one: its own, else `model`. A role without one takes the harness's choice, a worker
 * the coordinator's.
 * @throws OptionError `bad_options`, `unknown_option` with the nearest role, `bad_option`.
 */
export function resolveRoleModels(
  models: RoleModels,
  model: string | undefined,
  owner: string,
): Partial<Record<ModelRole, string>> {
  requireObject(models, owner);
  rejectUnknownKeys(models, MODEL_ROLES, owner);
  const read = createOptionReader(owner, models);
  const resolved: Partial<Record<ModelRole, string>> = {};
  for (const role of MODEL_ROLES) {
    const own = read.optionalName(role) ?? model;
    if (own !== undefined) resolved[role] = own;
  }
  return resolved;
}
