import { existsSync, mkdirSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
// @ts-expect-error a script without types of its own
import { ORIGINAL_NAMES } from "../../scripts/docs/pages.mjs";
import * as flower from "../../src/index.ts";
import { DUMMY_KEY } from "../../src/testing/index.ts";
import { place } from "./place.ts";

const {
  AgentSpec,
  Ask,
  Brief,
  buildOptions,
  CompactPolicy,
  clarify,
  clarifyStep,
  coordinator,
  EphemeralPolicy,
  Goal,
  Handoff,
  HandoffPolicy,
  HumanChannel,
  Lineage,
  PrunePolicy,
  PruningSessionStore,
  Resilience,
  Runtime,
  SqliteSessionStore,
  Step,
  StepAbort,
  starterFlow,
  TrimmingSessionStore,
  TrimPolicy,
  Verdict,
  Workbench,
  Workflow,
  withGoal,
  worker,
} = flower;

const workspace = place("original");
const channel = new HumanChannel({ timeoutS: 0 });
const coder = worker("写代码与测试。要动手实现的活派给它。", "你负责实现。");
const terse = new AgentSpec({
  name: "terse",
  instructions: "回答极简",
  allowedTools: ["Read", "Glob"],
  maxTurns: 4,
});
const step = new Step("取词", terse, "读 seed.txt,只回文件里那个词。");
const workbench = new Workbench({ workspace });
const path = join(workspace, "sessions.db");
const runtime = () => new Runtime({ workspace, env: { ANTHROPIC_API_KEY: DUMMY_KEY } });
const closed = <T extends { close(): unknown }>(opened: T) => {
  opened.close();
  return opened;
};

async function aListener(): Promise<boolean> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const answers = await flower.reachable("127.0.0.1", (server.address() as AddressInfo).port);
  server.close();
  return answers;
}

/** Each name, called as the original's page calls it, in the form it has here; and what must come of it. */
const CALLS: Readonly<Record<string, () => unknown>> = {
  Runtime: () => closed(runtime()).workspace === workspace,
  Step: () => step.name === "取词",
  Workflow: () =>
    new Workflow([step, new Step("造句", terse, (ctx) => `用「${ctx.取词}」造句`)]).steps.length === 2,
  StepAbort: () => new StepAbort("环境缺依赖,再跑几轮也一样").message.startsWith("环境缺依赖"),
  clarifyStep: () =>
    clarifyStep(channel, { briefPath: join(workbench.notes, "brief.md"), prompt: "帮我做一个 X" }).name ===
    "clarify",
  goalStep: () => flower.goalStep(channel, { goalPath: join(workbench.notes, "goal.md") }).name === "goal",
  withGoal: () => withGoal(step, channel, { goalPath: "goal.md", rounds: 2 }).retries === 1,
  starterFlow: () => starterFlow("帮我做一个 X", { workspace, rounds: 3, timeoutS: 1800 }).steps.length === 3,
  wakeState: () => flower.wakeState(place("untouched")).waking === false,
  coordinator: () => coordinator("协调者", "", { coder }, { channel }).delegateOnly,
  worker: () => coder.tools.includes("Write"),
  clarify: () => clarify("确认者", channel).workbench === false,
  judge: () => flower.judge("裁判", channel, { canRun: true }).allowedTools.includes("Bash"),
  oracle: () => flower.oracle().maxTurns === 12,
  AgentSpec: () => terse.with({ maxTurns: 5 }).maxTurns === 5,
  buildOptions: () => buildOptions(terse, { cwd: workspace }).cwd === workspace,
  CompactPolicy: () => new CompactPolicy({ mode: "no_summary" }).env().DISABLE_AUTO_COMPACT === "1",
  HandoffPolicy: () => new HandoffPolicy({ window: 200_000 }).warnAt === 130_000,
  defaultWindow: () => flower.defaultWindow() === 1_000_000,
  Brief: () => Brief.parse("## 目标\n数词").missing().length === 3,
  Handoff: () => new Handoff({ doing: "a", next: "b" }).complete(),
  Goal: () => Goal.parse("## 目标\n数词\n\n## 判定清单\n- 打印 3").complete(),
  Verdict: () => Verdict.parse("## 结论\n达成\n\n## 理由\n看过\n\n## 未通过\n(none)").achieved,
  whitelistGuard: () => flower.whitelistGuard(["Read"])?.matcher === "Bash|Write|Edit|NotebookEdit",
  delegateGuard: () => flower.delegateGuard({ allowGlance: true }).hooks.length === 1,
  spillGuard: () => flower.spillGuard(workbench, { threshold: 100 }).matcher?.includes("Grep"),
  indexGuard: () => flower.indexGuard(workbench).matcher?.includes("Write"),
  isolateGuard: () => flower.isolateGuard({ coder }).matcher?.includes("Agent"),
  isolated: () => flower.isolated(coder).isolate,
  wantsIsolation: () => flower.wantsIsolation(flower.isolated(coder)),
  workbenchHooks: () => flower.workbenchHooks(workbench).PostToolUse?.length === 2,
  mergeHooks: () => flower.mergeHooks(flower.workbenchHooks(workbench), null).PreToolUse?.length === 1,
  Workbench: () => workbench.notes.endsWith(join(".flower", "notes")),
  SqliteSessionStore: () => closed(new SqliteSessionStore({ path })) !== undefined && existsSync(path),
  TrimmingSessionStore: () => new TrimmingSessionStore({ path, workspace }).lastReport.expired === 0,
  PruningSessionStore: () => new PruningSessionStore({ path, workspace }).workspace === workspace,
  TrimPolicy: () => new TrimPolicy().keepRecent === 20,
  EphemeralPolicy: () => new EphemeralPolicy().keepRecent === 6,
  PrunePolicy: () => new PrunePolicy({ keepDenials: 2 }).keepDenials === 2,
  isEphemeral: () => flower.isEphemeral("git status") && !flower.isEphemeral("rm x"),
  trimReport: () => typeof flower.trimReport(new TrimmingSessionStore({ path, workspace })) === "string",
  Resilience: () => new Resilience({ maxAttempts: 2 }).delayFor(1) > 0,
  classify: () => flower.classify("API Error: 529 overloaded") === "transient",
  endpoint: () => flower.endpoint().host === "api.anthropic.com" && flower.endpoint().port === 443,
  reachable: aListener,
  normalize: () => flower.normalize({ type: "nobody knows" })[0]?.kind === "unknown",
  Ask: () => new Ask({ id: "q1", question: "?", askedAt: 0 }).state === "asked",
  HumanChannel: () => channel.toolName === "mcp__human__ask" && channel.timeoutS === 0,
  Lineage: () => Lineage.open({ runDir: workspace, workspace }).woke === 0,
};

/** Types here: what is made of them comes from a run. */
const TYPES_ONLY = ["Event", "StepResult"];

const KEYS: Readonly<Record<string, string>> = {
  BRIEF_KEY: "_brief",
  MISSING_KEY: "_brief_missing",
  GOAL_KEY: "_goal",
  VERDICT_KEY: "_verdict",
  ROUND_KEY: "_goal_rounds",
};
const TEXTS = [
  "CLARIFY_RESUME",
  "COORDINATOR_RULES",
  "WORKER_RULES",
  "CLARIFIER_RULES",
  "JUDGE_RULES",
  "ORACLE_RULES",
];

describe("the names of the original", () => {
  it("are all in this file", () => {
    const here = [...Object.keys(CALLS), ...TYPES_ONLY, ...Object.keys(KEYS), ...TEXTS];
    expect(here.sort()).toEqual([...ORIGINAL_NAMES].sort());
    expect(here).toHaveLength(62);
  });

  it.each(Object.keys(CALLS))("%s is called as the original's page calls it", async (name) => {
    mkdirSync(workspace, { recursive: true });
    expect(await CALLS[name]?.()).toBe(true);
  });

  it.each(Object.entries(KEYS))("%s is the key %s", (name, key) => {
    expect(flower).toHaveProperty(name, key);
  });

  it.each(TEXTS)("%s is text for a model, in English", (name) => {
    expect(flower).toHaveProperty(name, expect.stringMatching(/^[\p{ASCII}\p{P}\s]{80,}$/u));
  });
});
