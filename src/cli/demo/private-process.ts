// Takes everything of the person's out of this process before the demo starts: no credential, no setting and no proxy
// of theirs may reach a run whose model is a script.

import { mkdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

const PERSONAL = /^(?:ANTHROPIC|CLAUDE|FLOWER_(?!LANG$)|AWS_|GOOGLE_|AZURE_|XDG_)|_proxy$/i;

/** Give this process a home of its own below `folder` and make `workspace` its working directory. */
export function makeProcessPrivate(folder: string, workspace: string): void {
  for (const name of Object.keys(process.env)) if (PERSONAL.test(name)) delete process.env[name];
  const home = join(folder, "home");
  mkdirSync(home);
  process.env.HOME = home;
  // The worker runs `node`: the one that runs flower will do.
  process.env.PATH = [process.env.PATH ?? "", dirname(process.execPath)]
    .filter((path) => path !== "")
    .join(delimiter);
  process.chdir(workspace);
}
