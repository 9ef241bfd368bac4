// `flower status`: what is in this folder. Reads files only; makes nothing, opens no database.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { homeFolder } from "../../config/process-env.ts";
import { epochS } from "../../core/clock.ts";
import type { CommandContext, CommandFunction } from "../command-context.ts";
import { EXIT_DONE } from "../exit-codes.ts";
import { viewOf } from "../run/view-of.ts";
import { withObject } from "../run/with-object.ts";
import { readFolderStatus } from "../status/folder-status.ts";
import { nextStep } from "../status/next-step.ts";
import { statusLines } from "../status/status-lines.ts";

async function status(context: CommandContext): Promise<number> {
  const { command, io, t } = context;
  const workspace = resolve(command.workspace);
  const found = await readFolderStatus({ workspace, runDir: command.globals.runDir, env: io.env });
  if (command.globals.json) {
    io.out(JSON.stringify({ ...found, next: nextStep(t, found) }));
    return EXIT_DONE;
  }
  if (!existsSync(workspace)) {
    io.out(`- ${workspace}: ${t("status.no_folder")}`);
    io.out(`  ${t("error.next", { hint: t("status.name_folder") })}`);
    return EXIT_DONE;
  }
  const view = { ...viewOf(context), home: homeFolder(io.env), now: epochS() };
  for (const line of statusLines(view, found)) io.out(line);
  return EXIT_DONE;
}

/** Carry out `flower status`. */
export const statusCommand: CommandFunction = (context) => withObject(context, () => status(context));
