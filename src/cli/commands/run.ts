// `flower run`: a workflow of the person's own.

import { join } from "node:path";
import { HumanChannel } from "../../people/human-channel.ts";
import { Runtime } from "../../runtime/runtime.ts";
import { openRunDir, openWorkspace } from "../../runtime/workspace.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import type { CommandContext } from "../command-context.ts";
import { withDefaults } from "../defaults/with-defaults.ts";
import { checkCredentials } from "../run/check-credentials.ts";
import { endingOfWorkflow } from "../run/ending.ts";
import { loadWorkflow } from "../run/load-workflow.ts";
import { openLines } from "../run/open-lines.ts";
import { oracleOptions } from "../run/oracle-desk.ts";
import { lookForPerson } from "../run/presence.ts";
import { refuseUsage } from "../run/refuse-usage.ts";
import { runJob } from "../run/run-job.ts";
import type { RunOutput } from "../run/run-output.ts";
import { limitsOf, limitWords, survivalOptions } from "../run/run-settings.ts";
import { withSummary } from "../run/with-summary.ts";

/** Model and effort of a run of one's own: what its agents use unless they name their own. */
function modelVariables({ command }: CommandContext): Record<string, string> {
  const { model, effort } = command.flags;
  return {
    ...(model === undefined ? {} : { ANTHROPIC_MODEL: model }),
    ...(effort === undefined ? {} : { CLAUDE_CODE_EFFORT_LEVEL: effort }),
  };
}

/** The first flag about questions that was typed, when the workflow has no channel that it could hold for. */
function idleFlag(
  { command, t }: CommandContext,
  workflow: Workflow,
  channel: HumanChannel,
): string | undefined {
  if (workflow.channel === channel) return undefined;
  const { flags, fromFiles } = command;
  const typed = (key: "asks" | "timeout") => flags[key] !== undefined && fromFiles[key] === undefined;
  const flag = typed("asks") ? "--asks" : typed("timeout") ? "--timeout" : undefined;
  return flag && t("usage.no_effect", { flag, reason: t("reason.no_channel") });
}

async function run(context: CommandContext, output: RunOutput): Promise<number> {
  const { command, io, t } = context;
  const { flags, globals } = command;
  const lines = openLines(context);
  try {
    const there = await lookForPerson(lines, { isTty: io.inIsTty, timeout: flags.timeout });
    const workspace = openWorkspace(globals.workspace);
    const runDir = openRunDir(workspace, globals.runDir);
    const channel = new HumanChannel({
      logPath: join(runDir, "qa.md"),
      maxAsks: flags.asks,
      timeoutS: there.timeoutS,
    });
    const input = { ask: command.request, workspace, runDir, channel, flags };
    const loaded = await loadWorkflow(command.target, input, process.cwd());
    const idle = idleFlag(context, loaded, channel);
    if (idle !== undefined) return refuseUsage(context, idle);
    await checkCredentials({ context, output, lines: io.inIsTty ? lines : undefined, models: [flags.model] });
    const runtime = new Runtime({
      workspace,
      runDir,
      portable: flags.projectSettings !== true,
      ...survivalOptions(command),
      workbench: loaded.workbench ?? globals.workbench,
      env: modelVariables(context),
    });
    const limits = limitsOf(command, loaded.budget);
    output.say("plain", "- ", limitWords(t, flags, limits));
    if (there.nobody && loaded.channel !== undefined) output.say("notice", "! ", t("nobody.notice"));
    if (globals.workbench && loaded.workbench !== undefined) {
      output.say("notice", "! ", t("usage.no_effect", { flag: "-W", reason: t("reason.workbench_own") }));
    }
    const workflow = flags.parallel === true ? loaded.withoutContinuity() : loaded;
    const work = async (signal: AbortSignal) =>
      endingOfWorkflow(t, await workflow.run(runtime, { signal, ...limits }));
    return await runJob({
      context,
      output,
      runtime,
      channel: loaded.channel,
      lines,
      work,
      aside: oracleOptions(command),
    });
  } finally {
    lines.close();
  }
}

/** Carry out `flower run`. */
export function runCommand(context: CommandContext): Promise<number> {
  return withSummary(context, (output) => run(withDefaults(context, output), output));
}
