// The files the credential in use stands in: no tool may read them. A project's own `.env` stays readable otherwise.

import { join, resolve } from "node:path";
import type { Credentials } from "../config/credentials.ts";
import { homeFolder, userEnvPath } from "../config/process-env.ts";
import { type Environment, givenValue } from "../config/variables.ts";
import { readText } from "../core/json.ts";

/** Every file a credential may have been read from. */
function credentialFiles(env: Environment, workspace: string): string[] {
  const claude = givenValue(env, "CLAUDE_CONFIG_DIR") ?? join(homeFolder(env), ".claude");
  const named = givenValue(env, "FLOWER_ENV");
  return [
    userEnvPath(env),
    join(workspace, ".env"),
    join(process.cwd(), ".env"),
    join(claude, "settings.json"),
    join(claude, "settings.local.json"),
    ...(named === undefined ? [] : [resolve(named)]),
  ];
}

/** Of all the files a credential may stand in, those where this one does; all of them for a cloud's. */
export function secretFiles(credentials: Credentials, env: Environment, workspace: string): string[] {
  const paths = [...new Set(credentialFiles(env, workspace))];
  if (credentials.kind === "cloud") return paths;
  return paths.filter((path) => readText(path)?.includes(credentials.value) === true);
}
