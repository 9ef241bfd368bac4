// The two `flower.config.json`: where they are, and reading one as JSON. What may stand in them is not known here.

import { join, resolve } from "node:path";
import { isRecord } from "../core/json.ts";
import { findJsonFault, type JsonFault } from "./json-fault.ts";
import { configHome, homeFolder } from "./process-env.ts";
import { readConfigFile } from "./read-config-file.ts";
import type { Environment } from "./variables.ts";

/** Name of the file, in a project's folder and in the person's own. */
const CONFIG_FILE = "flower.config.json";

/** Whose file it is: a project's comes with its folder and is trusted less than the person's own. */
export type ConfigOwner = "project" | "person";

/** One of the two places. */
export interface ConfigPlace {
  readonly owner: ConfigOwner;
  readonly path: string;
}

/** What reading a file gave. */
export type ConfigFileRead =
  | { readonly kind: "absent" }
  /** There, and no file of text; for people. */
  | { readonly kind: "unreadable"; readonly reason: string }
  | { readonly kind: "not_json"; readonly fault: JsonFault }
  | { readonly kind: "not_an_object" }
  | { readonly kind: "values"; readonly values: Readonly<Record<string, unknown>> };

/** The person's own file. */
export function userConfigPath(env: Environment): string {
  return join(configHome(env, homeFolder(env)), "flower", CONFIG_FILE);
}

/** The places in order of precedence; a workspace that is the person's own folder has no file of a project. */
export function configPlaces(env: Environment, workspace: string): readonly ConfigPlace[] {
  const own = userConfigPath(env);
  const project = join(resolve(workspace), CONFIG_FILE);
  const person: ConfigPlace = { owner: "person", path: own };
  return project === resolve(own) ? [person] : [{ owner: "project", path: project }, person];
}

/** Read one file. Never throws. */
export function readFlowerConfig(path: string): ConfigFileRead {
  const read = readConfigFile(path);
  if (read.kind === "absent") return read;
  if (read.kind === "skipped") return { kind: "unreadable", reason: read.reason };
  const text = read.text.replace(/^\ufeff/, "");
  const fault = findJsonFault(text);
  if (fault !== undefined) return { kind: "not_json", fault };
  const values: unknown = JSON.parse(text);
  return isRecord(values) ? { kind: "values", values } : { kind: "not_an_object" };
}
