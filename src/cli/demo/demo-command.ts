// `flower demo`: the whole chain on the real harness, with a script in the model's place. No key, no network.

import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Runtime } from "../../runtime/runtime.ts";
import { DUMMY_KEY, ScriptedApi } from "../../testing/index.ts";
import { starterFlow } from "../../workflow/starter-flow.ts";
import type { CommandContext } from "../command-context.ts";
import { type Ending, endingOfWorkflow } from "../run/ending.ts";
import { openLines } from "../run/open-lines.ts";
import { runJob } from "../run/run-job.ts";
import type { RunOutput } from "../run/run-output.ts";
import { withSummary } from "../run/with-summary.ts";
import { REQUEST } from "./papers.ts";
import { makeProcessPrivate } from "./private-process.ts";
import { demoScript } from "./script.ts";
import { runWhatIsLeft } from "./show-result.ts";

/** Shown for each turn; real prices of a real model, so that the books have something to add up. */
const USAGE = { inputTokens: 2_400, outputTokens: 260, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** A fresh folder that stays: what the demo made is there to be looked at. */
function makeFolder(): { folder: string; workspace: string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "flower-demo-")));
  const workspace = join(folder, "project");
  mkdirSync(workspace);
  return { folder, workspace };
}

async function play(
  context: CommandContext,
  output: RunOutput,
  stage: { readonly workspace: string; readonly api: ScriptedApi },
): Promise<number> {
  const { t } = context;
  const { workspace, api } = stage;
  const flow = starterFlow(REQUEST, { workspace, timeoutS: 0 });
  const runtime = new Runtime({
    workspace,
    env: { ANTHROPIC_API_KEY: DUMMY_KEY, ANTHROPIC_BASE_URL: api.url },
    ...(flow.workbench === undefined ? {} : { workbench: flow.workbench }),
  });
  // Only so that Ctrl-C reaches flower alone: nobody is asked anything.
  const lines = context.io.inIsTty ? openLines(context) : undefined;
  const work = async (signal: AbortSignal): Promise<Ending> => {
    const end = endingOfWorkflow(t, await flow.run(runtime, { signal }));
    if (end.kind !== "done") return end;
    api.verify();
    output.say("plain", "", " ");
    output.say("strong", "- ", t("demo.works"));
    runWhatIsLeft(t, output, workspace);
    output.say("plain", "- ", t("demo.left", { folder: workspace }));
    return end;
  };
  return await runJob({ context, output, runtime, channel: flow.channel, lines, work });
}

async function demo(context: CommandContext, output: RunOutput): Promise<number> {
  const { t } = context;
  const { folder, workspace } = makeFolder();
  makeProcessPrivate(folder, workspace);
  output.say("strong", "- ", t("banner.demo"));
  output.say("plain", "- ", t("banner.fresh", { folder: workspace }));
  output.say("plain", "> ", REQUEST);
  output.say("notice", "! ", t("demo.nobody"));
  const api = await ScriptedApi.start({ script: demoScript(workspace), usage: USAGE });
  try {
    return await play(context, output, { workspace, api });
  } finally {
    await api.close();
  }
}

/** Carry out `flower demo`. */
export function demoCommand(context: CommandContext): Promise<number> {
  return withSummary(context, (output) => demo(context, output));
}
