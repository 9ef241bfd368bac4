// Which credential, address and models hold for a workspace, as the command resolves them everywhere.

import { resolve } from "node:path";
import { type Credentials, resolveCredentials } from "../../config/credentials.ts";
import { homeFolder } from "../../config/process-env.ts";
import { gatherSources, type Source } from "../../config/sources.ts";
import type { CommandContext } from "../command-context.ts";

type Place = Pick<CommandContext, "io" | "command">;

/**
 * Every source, highest first.
 * @throws CredentialsError `flower_env_unreadable`.
 */
export function sourcesHere({ command, io }: Place): readonly Source[] {
  const home = homeFolder(io.env);
  const places = { runtimeEnv: {}, processEnv: io.env, cwd: process.cwd(), home };
  return gatherSources({ ...places, workspace: resolve(command.workspace) });
}

/**
 * What holds.
 * @throws CredentialsError as gatherSources and resolveCredentials do.
 */
export function credentialsHere(place: Place): Credentials {
  return resolveCredentials(sourcesHere(place));
}
