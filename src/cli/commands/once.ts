// `flower once`: one agent, no workflow.

import { AgentSpec } from "../../agents/agent-spec.ts";
import type { RunOptions } from "../../runtime/run-options.ts";
import { Runtime } from "../../runtime/runtime.ts";
import type { RunFlags } from "../args/command-line.ts";
import type { CommandContext } from "../command-context.ts";
import { withDefaults } from "../defaults/with-defaults.ts";
import { checkCredentials } from "../run/check-credentials.ts";
import { endingOfStep } from "../run/ending.ts";
import { oracleOptions } from "../run/oracle-desk.ts";
import { readRequest } from "../run/read-request.ts";
import { refuseUsage } from "../run/refuse-usage.ts";
import { runJob } from "../run/run-job.ts";
import type { RunOutput } from "../run/run-output.ts";
import { survivalOptions } from "../run/run-settings.ts";
import { withSummary } from "../run/with-summary.ts";

function specOf(flags: RunFlags): AgentSpec {
  return new AgentSpec({
    name: "once",
    instructions: flags.instructions ?? "",
    allowedTools: flags.tools,
    permissionMode: flags.permission,
    maxBudgetUsd: flags.spend,
    model: flags.model,
    effort: flags.effort,
  });
}

function startOf(flags: RunFlags): RunOptions {
  return {
    ...(flags.resume === undefined ? {} : { resume: flags.resume }),
    ...(flags.fork === undefined ? {} : { fork: flags.fork }),
    ...(flags.at === undefined ? {} : { resumeAt: flags.at }),
  };
}

async function once(context: CommandContext, output: RunOutput): Promise<number> {
  const { command, io, t } = context;
  const { flags, globals } = command;
  const spec = specOf(flags);
  const read = await readRequest(context, false);
  if (read.kind === "unusable") return refuseUsage(context, read.words);
  // Nobody is asked anything: only a person at a terminal has something to say meanwhile.
  const lines = io.inIsTty ? read.lines : undefined;
  if (lines === undefined) read.lines?.close();
  await checkCredentials({ context, output, lines, models: [flags.model] });
  const runtime = new Runtime({
    workspace: globals.workspace,
    runDir: globals.runDir,
    portable: flags.projectSettings !== true,
    workbench: globals.workbench,
    ...survivalOptions(command),
  });
  const work = async (signal: AbortSignal) =>
    endingOfStep(t, await runtime.run(spec, read.request, { ...startOf(flags), signal }));
  return await runJob({
    context,
    output,
    runtime,
    channel: undefined,
    lines,
    work,
    aside: oracleOptions(command),
  });
}

/** Carry out `flower once`. */
export function onceCommand(context: CommandContext): Promise<number> {
  return withSummary(context, (output) => once(withDefaults(context, output), output));
}
