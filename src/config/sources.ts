// Where configuration comes from, in order of precedence: reads the files, keeps only the keys each may set.
// Deciding between the sources is resolveCredentials'.

import { join, resolve } from "node:path";
import { CredentialsError } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";
import { envValues, normaliseEnvText, scanEnv } from "./env-file.ts";
import { userEnvPath } from "./process-env.ts";
import { type ConfigRead, readConfigFile } from "./read-config-file.ts";
import {
  type Environment,
  givenValue,
  isOwnVariable,
  PROJECT_VARIABLES,
  SETTINGS_VARIABLES,
  type Trust,
} from "./variables.ts";

/** One place that was asked, whether or not it had anything. */
export interface Source {
  /** For people: a path with `~` for the home folder, or what the place is called. */
  readonly name: string;
  readonly trust: Trust;
  /** Whether it was read, did not exist, or was there and could not be used. */
  readonly status: "read" | "absent" | "skipped";
  /** Only keys flower knows and this source may set; blank values are left out. */
  readonly values: Readonly<Record<string, string>>;
  /** For people: why it was skipped, which of its lines were not understood or not taken. */
  readonly notes: readonly string[];
}

/** Where to look. */
export interface SourcePlaces {
  /** The environment given to the Runtime by its caller. */
  readonly runtimeEnv: Environment;
  readonly processEnv: Environment;
  /** Absolute. */
  readonly workspace: string;
  /** Absolute; the folder flower was started in. */
  readonly cwd: string;
  readonly home: string;
}

/** What the environment given to a Runtime is called. */
export const RUNTIME_SOURCE = "Runtime.env";

type Allowed = (name: string) => boolean;

function take(values: Environment, allowed: Allowed): Record<string, string> {
  const taken: Record<string, string> = Object.create(null);
  for (const name of Object.keys(values)) {
    const value = allowed(name) ? givenValue(values, name) : undefined;
    if (value !== undefined) taken[name] = value;
  }
  return taken;
}

/** Names that look as if they were meant for flower and were not taken. */
function notTaken(values: Environment, allowed: Allowed): readonly string[] {
  return Object.keys(values)
    .filter((name) => /^(?:ANTHROPIC|CLAUDE)/.test(name) && !allowed(name))
    .map((name) => `${name} is not read from here`);
}

function memorySource(name: string, values: Environment): Source {
  return { name, trust: 3, status: "read", values: take(values, isOwnVariable), notes: [] };
}

interface FileSource {
  readonly name: string;
  readonly trust: Trust;
  readonly allowed: Allowed;
}

function unread(read: Exclude<ConfigRead, { kind: "text" }>, { name, trust }: FileSource): Source {
  const notes = read.kind === "skipped" ? [read.reason] : [];
  return { name, trust, status: read.kind, values: {}, notes };
}

function envFileSource(path: string, as: FileSource): Source {
  const read = readConfigFile(path);
  if (read.kind !== "text") return unread(read, as);
  const statements = scanEnv(normaliseEnvText(read.text));
  const values = envValues(statements);
  const problems = statements.flatMap((each) =>
    each.kind === "problem" ? [`line ${each.line}: ${each.key}: ${each.reason}`] : [],
  );
  return {
    name: as.name,
    trust: as.trust,
    status: "read",
    values: take(values, as.allowed),
    notes: [...problems, ...notTaken(values, as.allowed)],
  };
}

/** The strings of a settings file's `env`, or why there are none. */
function settingsEnv(text: string): Record<string, string> | string {
  let settings: unknown;
  try {
    settings = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return "not JSON";
  }
  const env = isRecord(settings) ? (settings.env ?? {}) : undefined;
  if (!isRecord(env)) return "no object of settings";
  const strings: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(env)) {
    if (typeof value === "string" || typeof value === "number") strings[name] = String(value);
  }
  return strings;
}

function settingsSource(path: string, name: string): Source {
  const as: FileSource = { name, trust: 2, allowed: (key) => SETTINGS_VARIABLES.includes(key) };
  const read = readConfigFile(path);
  if (read.kind !== "text") return unread(read, as);
  const env = settingsEnv(read.text);
  if (typeof env === "string") return unread({ kind: "skipped", reason: env }, as);
  return { name, trust: 2, status: "read", values: take(env, as.allowed), notes: [] };
}

function shown(path: string, home: string): string {
  return home !== "/" && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

function fromHome(path: string, { cwd, home }: SourcePlaces): string {
  return path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : resolve(cwd, path);
}

/** A file the person named must be there: going on without it would use another credential than asked for. */
function namedFile(places: SourcePlaces): readonly Source[] {
  const given = givenValue(places.processEnv, "FLOWER_ENV");
  if (given === undefined) return [];
  const path = fromHome(given, places);
  const name = `$FLOWER_ENV (${shown(path, places.home)})`;
  const source = envFileSource(path, { name, trust: 3, allowed: isOwnVariable });
  if (source.status === "read") return [source];
  const why = source.status === "absent" ? "it does not exist" : source.notes.join(", ");
  throw new CredentialsError(`the file named by FLOWER_ENV cannot be read: ${path}: ${why}`, {
    code: "flower_env_unreadable",
    values: { path, why },
    hint: "correct FLOWER_ENV or unset it",
  });
}

function projectFiles({ workspace, cwd, home }: SourcePlaces): readonly Source[] {
  const folders = [...new Set([resolve(workspace), resolve(cwd)])];
  return folders.map((folder) => {
    const path = join(folder, ".env");
    const allowed: Allowed = (name) => PROJECT_VARIABLES.includes(name);
    return envFileSource(path, { name: shown(path, home), trust: 1, allowed });
  });
}

function userFiles(places: SourcePlaces): readonly Source[] {
  const { processEnv, home } = places;
  const own = userEnvPath(processEnv, home);
  const given = givenValue(processEnv, "CLAUDE_CONFIG_DIR");
  const settings = given === undefined ? join(home, ".claude") : fromHome(given, places);
  return [
    envFileSource(own, { name: shown(own, home), trust: 2, allowed: isOwnVariable }),
    ...["settings.json", "settings.local.json"].map((file) => {
      const path = join(settings, file);
      return settingsSource(path, shown(path, home));
    }),
  ];
}

/**
 * Every source in order of precedence, the absent ones too, so that a message can say where flower looked.
 * A source that cannot be read is skipped with a note.
 * @throws CredentialsError `flower_env_unreadable` when the file that `FLOWER_ENV` names cannot be read.
 */
export function gatherSources(places: SourcePlaces): readonly Source[] {
  return [
    memorySource(RUNTIME_SOURCE, places.runtimeEnv),
    memorySource("process environment", places.processEnv),
    ...namedFile(places),
    ...projectFiles(places),
    ...userFiles(places),
  ];
}
