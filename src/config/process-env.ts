// The one place of this room that reads the process environment, and the folders it leads to.

import { homedir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { type Environment, givenValue } from "./variables.ts";

/** A frozen copy of the process environment, without a prototype: `toString` is not a variable. */
export function readProcessEnv(): Readonly<Record<string, string>> {
  return Object.freeze(Object.assign(Object.create(null), process.env));
}

/** The person's home folder: `HOME`, else what the system says. */
export function homeFolder(env: Environment): string {
  // An empty HOME would make every path under it relative: a key would be written into the project.
  return givenValue(env, "HOME") ?? (homedir() || userInfo().homedir);
}

/** `$XDG_CONFIG_HOME`, else `~/.config`; a relative value is ignored, as its specification demands. */
export function configHome(env: Environment, home: string = homeFolder(env)): string {
  const given = givenValue(env, "XDG_CONFIG_HOME");
  return given !== undefined && isAbsolute(given) ? given : join(home, ".config");
}

/** The file `flower setup` writes. */
export function userEnvPath(env: Environment, home: string = homeFolder(env)): string {
  return join(configHome(env, home), "flower", ".env");
}
