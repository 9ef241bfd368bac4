// `flower go`: the three steps, clarify -> goal -> work.

import { homeFolder } from "../../config/process-env.ts";
import { oneLine } from "../../core/text.ts";
import { Runtime } from "../../runtime/runtime.ts";
import { type StarterFlowOptions, starterFlow } from "../../workflow/starter-flow.ts";
import { type WakeState, wakeState } from "../../workflow/wake-state.ts";
import type { CommandContext } from "../command-context.ts";
import { withDefaults } from "../defaults/with-defaults.ts";
import { checkCredentials } from "../run/check-credentials.ts";
import { endingOfWorkflow } from "../run/ending.ts";
import { holdFolder } from "../run/hold-folder.ts";
import { endUnspent, leavesNothing, type SeenVerdict, seeVerdict } from "../run/last-verdict.ts";
import { oracleOptions } from "../run/oracle-desk.ts";
import { lookForPerson } from "../run/presence.ts";
import { readRequest } from "../run/read-request.ts";
import { refuseUsage } from "../run/refuse-usage.ts";
import { runJob } from "../run/run-job.ts";
import type { RunOutput } from "../run/run-output.ts";
import { limitsOf, limitWords, survivalOptions } from "../run/run-settings.ts";
import { withSummary } from "../run/with-summary.ts";
import { homePath, tokens } from "../screen/layout.ts";
import { modelsOfRoles } from "../setup/test-credential.ts";
import { goalItems } from "../status/outcome-words.ts";

/** What the flags say to the starter; absent ones keep its defaults. */
function starterOptions(context: CommandContext, timeoutS: number | undefined): StarterFlowOptions {
  const { flags, globals } = context.command;
  return {
    workspace: globals.workspace,
    runDir: globals.runDir,
    fresh: flags.fresh ?? false,
    isolate: flags.isolate ?? false,
    clarifyOnly: flags.clarifyOnly ?? false,
    goal: flags.noGoal !== true,
    judgeCanRun: flags.judgeCanRun ?? false,
    evidence: flags.evidence !== "off",
    sandbox: flags.sandbox ?? false,
    ...(flags.rounds === undefined ? {} : { rounds: flags.rounds }),
    ...(flags.asks === undefined ? {} : { maxAsks: flags.asks }),
    ...(timeoutS === undefined ? {} : { timeoutS }),
    ...(flags.model === undefined ? {} : { model: flags.model }),
    ...(flags.models === undefined ? {} : { models: flags.models }),
    ...(flags.effort === undefined ? {} : { effort: flags.effort }),
  };
}

async function workContext(runtime: Runtime, state: WakeState): Promise<number> {
  const session = state.steps.work;
  return session === undefined ? 0 : await runtime.contextOf(session);
}

async function banner(
  context: CommandContext,
  output: RunOutput,
  facts: { readonly runtime: Runtime; readonly state: WakeState; readonly seen: SeenVerdict | undefined },
): Promise<void> {
  const { t, io, command } = context;
  const { runtime, state, seen } = facts;
  const folder = homePath(runtime.workspace, homeFolder(io.env));
  if (state.waking) {
    const size = await workContext(runtime, state);
    const parts = [
      state.briefReady ? t("banner.brief_confirmed") : t("banner.brief_missing"),
      ...goalItems(t, state.checks),
      ...(seen === undefined ? [] : [oneLine(seen.words)]),
      ...(size > 0 ? [t("banner.context", { step: "work", tokens: tokens(size) })] : []),
      t("banner.wake_number", { count: state.woke + 1 }),
    ];
    output.say("strong", "<- ", `${t("banner.wake", { folder })}  ${parts.join(" · ")}`);
  } else output.say("strong", "- ", t("banner.fresh", { folder }));
  output.say("plain", "- ", limitWords(t, command.flags, limitsOf(command)));
  if (command.flags.projectSettings !== true) output.say("faint", "- ", t("banner.no_project_settings"));
  if (command.globals.workbench) {
    output.say("notice", "! ", t("usage.no_effect", { flag: "-W", reason: t("reason.workbench_always") }));
  }
  if (command.globals.trim) {
    output.say("notice", "! ", t("usage.no_effect", { flag: "-T", reason: t("reason.trim_always") }));
  }
}

function stateNow({ command }: CommandContext): WakeState {
  const { runDir } = command.globals;
  return wakeState(command.workspace, { runDir, isolate: command.flags.isolate ?? false });
}

async function go(context: CommandContext, output: RunOutput): Promise<number> {
  const { command, io, t } = context;
  const { flags, globals } = command;
  const mayBeEmpty = flags.fresh !== true && stateNow(context).waking;
  const read = await readRequest(context, mayBeEmpty);
  if (read.kind === "unusable") return refuseUsage(context, read.words);
  const lines = read.lines;
  const seen = mayBeEmpty ? await seeVerdict(context, stateNow(context)) : undefined;
  if (seen !== undefined && leavesNothing(command, { request: read.request, seen })) {
    lines?.close();
    return endUnspent(context, output, seen);
  }
  await checkCredentials({
    context,
    output,
    lines: io.inIsTty ? lines : undefined,
    models: modelsOfRoles(flags.model, flags.models),
  });
  const parallel = flags.parallel ?? false;
  const folders = holdFolder({ workspace: globals.workspace, runDir: globals.runDir, parallel });
  try {
    const there = await (lines === undefined
      ? { timeoutS: flags.timeout ?? 0, nobody: (flags.timeout ?? 0) <= 0 }
      : lookForPerson(lines, { isTty: io.inIsTty, timeout: flags.timeout }));
    const state = stateNow(context);
    const flow = starterFlow(read.request, starterOptions(context, there.timeoutS));
    const workflow = parallel ? flow.withoutContinuity() : flow;
    const runtime = new Runtime({
      workspace: globals.workspace,
      runDir: globals.runDir,
      portable: flags.projectSettings !== true,
      ...survivalOptions(command),
      ...(flow.workbench === undefined ? {} : { workbench: flow.workbench }),
    });
    const facts = { runtime, state: flags.fresh ? { ...state, waking: false } : state, seen };
    await banner(context, output, facts);
    if (there.nobody) output.say("notice", "! ", t("nobody.notice"));
    const work = async (signal: AbortSignal) => {
      folders.release();
      return endingOfWorkflow(t, await workflow.run(runtime, { signal, ...limitsOf(command) }));
    };
    return await runJob({
      context,
      output,
      runtime,
      channel: flow.channel,
      lines,
      work,
      aside: oracleOptions(command),
    });
  } finally {
    folders.release();
    lines?.close();
  }
}

/** Carry out `flower go`. */
export function goCommand(context: CommandContext): Promise<number> {
  return withSummary(context, (output) => go(withDefaults(context, output), output));
}
