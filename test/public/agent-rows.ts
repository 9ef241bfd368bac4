// Agents, roles, guards and what the harness is told: their options and defaults.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  AgentSpec,
  type AgentSpecOptions,
  type BuildOptions,
  buildOptions,
  type CallGuardOptions,
  CLARIFIER_RULES,
  type ClarifyOptions,
  CompactPolicy,
  type CompactPolicyOptions,
  type CoordinatorOptions,
  callGuard,
  clarify,
  coordinator,
  type DelegateOptions,
  delegateGuard,
  type GrantOptions,
  grantGuard,
  HandoffPolicy,
  type HandoffPolicyOptions,
  type HookMatcher,
  type HookOutput,
  HumanChannel,
  type IsolateOptions,
  isolateGuard,
  JUDGE_RULES,
  type JudgeOptions,
  judge,
  ORACLE_RULES,
  type OracleOptions,
  oracle,
  type SpillOptions,
  spillGuard,
  type WhitelistOptions,
  WORKER_RULES,
  Workbench,
  type WorkbenchHooksOptions,
  type WorkerOptions,
  whitelistGuard,
  workbenchHooks,
  worker,
} from "../../src/index.ts";
import { place } from "./place.ts";
import { nothing, type Row, row } from "./row.ts";

const channel = new HumanChannel({ timeoutS: 0 });
const coder = worker("codes", "You code.");
const spec = new AgentSpec({ name: "x", instructions: "i" });
const workbench = new Workbench({ workspace: place("guards") });
const OWN_LANGUAGE = "what a model or a person reads is English here; the screen has three languages";

/** Rules without a person's own words below them. */
const own = (made: AgentSpec, rules: string) => made.instructions.slice(rules.length);
const limits = ({ model, effort, maxTurns, maxBudgetUsd }: AgentSpec) => ({
  model,
  effort,
  maxTurns,
  maxBudgetUsd,
});
const NO_LIMITS = nothing("model", "effort", "maxTurns", "maxBudgetUsd");

async function answer(matcher: HookMatcher | undefined, input: object): Promise<Record<string, unknown>> {
  const call = { hook_event_name: "PreToolUse", session_id: "s", cwd: place("cwd"), ...input };
  const output: HookOutput =
    (await matcher?.hooks[0]?.(call, "t", { signal: new AbortController().signal })) ?? {};
  return { ...(output.hookSpecificOutput as object | undefined) };
}

/** The longest text that stays whole, of 3,999, 4,000 and 4,001 characters. */
async function threshold(matcher: HookMatcher | undefined, more: object = {}): Promise<number> {
  let longest = 0;
  for (const size of [3_999, 4_000, 4_001]) {
    const response = { stdout: "x".repeat(size) };
    const done = {
      hook_event_name: "PostToolUse",
      tool_name: "Bash",
      tool_input: {},
      tool_response: response,
      ...more,
    };
    if ((await answer(matcher, done)).updatedToolOutput === undefined) longest = size;
  }
  return longest;
}

const bash = (command: string) => ({ tool_name: "Bash", tool_input: { command } });

function pluginFolder(): string {
  const folder = place("with-plugin");
  mkdirSync(join(folder, "plugin", ".claude-plugin"), { recursive: true });
  writeFileSync(join(folder, "plugin", ".claude-plugin", "plugin.json"), '{"name": "p"}');
  return folder;
}

const store = { append: async () => {}, load: async () => null };

const AGENTS: readonly Row[] = [
  row<AgentSpecOptions, AgentSpec>("AgentSpecOptions", {
    make: (options) => new AgentSpec(options),
    given: { name: "x", instructions: "" },
    see: ({ name: _name, instructions: _instructions, ...made }) => made,
    defaults: {
      ...NO_LIMITS,
      ...nothing("agents", "hooks", "compact"),
      allowedTools: ["Read", "Glob", "Grep"],
      disallowedTools: [],
      permissionMode: "default",
      mcpServers: {},
      env: {},
      glance: false,
      workbench: true,
      delegateOnly: false,
    },
    original: {
      ...NO_LIMITS,
      ...nothing("agents", "hooks", "compact"),
      allowedTools: ["Read", "Glob", "Grep"],
      disallowedTools: [],
      permissionMode: "default",
      mcpServers: {},
      env: {},
      glance: false,
      workbench: true,
      delegateOnly: false,
    },
  }),
  row("CompactPolicyOptions", {
    make: (options: CompactPolicyOptions) => new CompactPolicy(options),
    given: {},
    see: (made) => ({ ...made }),
    defaults: { mode: "auto", window: undefined },
    original: { mode: "auto", window: undefined },
  }),
  row("HandoffPolicyOptions", {
    make: (options: HandoffPolicyOptions) => new HandoffPolicy(options),
    given: {},
    see: ({ enabled, window, headroom, maxGenerations }) => ({ enabled, window, headroom, maxGenerations }),
    defaults: { enabled: true, window: 1_000_000, headroom: 50_000, maxGenerations: 8 },
    original: { enabled: true, window: 1_000_000, headroom: 50_000, maxGenerations: 8 },
  }),
  row("BuildOptions", {
    make: (options: BuildOptions) => ({
      built: buildOptions(spec, options),
      placed: buildOptions(spec, { ...options, cwd: pluginFolder(), sessionStore: store }),
    }),
    given: {},
    see: ({ built, placed }) => ({
      cwd: built.cwd,
      sessionStore: built.sessionStore,
      resume: built.resume,
      fork: built.forkSession ?? false,
      resumeAt: built.resumeSessionAt,
      usePlugin: placed.plugins?.length === 1,
      plugins: built.plugins ?? [],
      portable: built.settingSources?.length === 0,
      addDirs: built.additionalDirectories ?? [],
      flush: placed.sessionStoreFlush,
      prelude: String((built.systemPrompt as { append?: string }).append).slice(spec.instructions.length),
      env: "HOME" in (built.env ?? {}) ? "the process's" : {},
      executable: built.pathToClaudeCodeExecutable,
    }),
    defaults: {
      ...nothing("cwd", "sessionStore", "resume", "resumeAt", "executable"),
      fork: false,
      usePlugin: true,
      plugins: [],
      portable: true,
      addDirs: [],
      flush: "eager",
      prelude: "",
      env: {},
    },
    original: {
      ...nothing("cwd", "sessionStore", "resume", "resumeAt"),
      fork: false,
      usePlugin: true,
      portable: true,
      addDirs: undefined,
      flush: "eager",
      prelude: "",
    },
    differs: { addDirs: "an empty list says the same" },
  }),
];

const ROLES: readonly Row[] = [
  row("CoordinatorOptions", {
    make: (options: CoordinatorOptions) => coordinator("lead", "", { coder }, options),
    given: {},
    see: (made) => ({
      ...limits(made),
      channel: made.mcpServers.human,
      canRead: made.allowedTools.includes("Read"),
      glance: made.glance && made.allowedTools.includes("Bash"),
      permissionMode: made.permissionMode,
      compact: made.compact,
      hooks: made.hooks,
      env: made.env,
    }),
    defaults: {
      ...NO_LIMITS,
      ...nothing("channel", "compact", "hooks"),
      canRead: true,
      glance: true,
      permissionMode: "acceptEdits",
      env: {},
    },
    original: {
      ...NO_LIMITS,
      ...nothing("channel", "compact", "hooks", "env"),
      canRead: true,
      glance: true,
      permissionMode: "acceptEdits",
    },
    differs: { env: "an empty environment says the same" },
  }),
  row("WorkerOptions", {
    make: (options: WorkerOptions) => worker("codes", "You code.", options),
    given: {},
    see: (made) => ({
      tools: made.tools,
      model: made.model,
      effort: made.effort,
      maxTurns: made.maxTurns,
      permissionMode: made.permissionMode,
      skills: made.skills,
      discipline: made.prompt.includes(WORKER_RULES),
      isolate: made.isolate,
    }),
    defaults: {
      ...nothing("effort", "maxTurns", "permissionMode", "skills"),
      tools: ["Read", "Write", "Edit", "Bash", "Glob", "Grep", "WebFetch", "WebSearch"],
      model: "inherit",
      discipline: true,
      isolate: false,
    },
    original: {
      ...nothing("effort", "maxTurns", "permissionMode", "skills"),
      tools: ["Read", "Write", "Edit", "Bash", "Glob", "Grep", "WebFetch", "WebSearch"],
      model: "inherit",
      discipline: true,
      isolate: false,
    },
  }),
  row("ClarifyOptions", {
    make: (options: ClarifyOptions) => clarify("c", channel, options),
    given: {},
    see: (made) => ({
      ...limits(made),
      instructions: own(made, CLARIFIER_RULES),
      canRead: made.allowedTools.includes("Read") && made.allowedTools.includes("WebFetch"),
    }),
    defaults: { ...NO_LIMITS, instructions: "", canRead: true },
    original: { ...NO_LIMITS, instructions: "", canRead: true },
  }),
  row("JudgeOptions", {
    make: (options: JudgeOptions) => judge("j", channel, options),
    given: {},
    see: (made) => ({
      ...limits(made),
      instructions: own(made, JUDGE_RULES),
      canRun: made.allowedTools.includes("Bash"),
    }),
    defaults: { ...NO_LIMITS, instructions: "", canRun: false },
    original: { ...NO_LIMITS, instructions: "", canRun: false },
  }),
  row("OracleOptions", {
    make: (options: OracleOptions) => oracle("o", options),
    given: {},
    see: (made) => ({ ...limits(made), instructions: own(made, ORACLE_RULES) }),
    defaults: { ...NO_LIMITS, instructions: "", maxTurns: 12, maxBudgetUsd: 0.5 },
    original: { ...NO_LIMITS, instructions: "", maxTurns: 12, maxBudgetUsd: 0.5 },
  }),
];

const GUARDS: readonly Row[] = [
  row("WhitelistOptions", {
    make: (options: WhitelistOptions) => whitelistGuard(["Read"], options),
    given: {},
    see: async (made) => {
      const { permissionDecisionReason } = await answer(made ?? undefined, bash("ls"));
      return { role: String(permissionDecisionReason).split(" does not have ")[0] };
    },
    defaults: { role: "this role" },
    original: { role: "这个角色" },
    differs: { role: OWN_LANGUAGE },
  }),
  row("DelegateOptions", {
    make: (options: DelegateOptions) => delegateGuard(options),
    given: {},
    see: async (made) => {
      const { permissionDecision, permissionDecisionReason } = await answer(made, bash("ls"));
      return {
        tools: made.matcher,
        allowGlance: permissionDecision === "allow",
        artifacts: /long output goes to (.*?);/.exec(String(permissionDecisionReason))?.[1],
      };
    },
    defaults: {
      tools: "Bash|Write|Edit|NotebookEdit",
      allowGlance: false,
      artifacts: "the workbench's artifacts/",
    },
    original: { tools: "Bash|Write|Edit|NotebookEdit", allowGlance: false },
  }),
  row("SpillOptions", {
    make: (options: SpillOptions) => spillGuard(workbench, options),
    given: {},
    see: async (made) => ({
      ...nothing("toolsOf", "mask", "onFault"),
      tools: made.matcher,
      threshold: await threshold(made),
      mainOnly: (await threshold(made, { agent_id: "a", agent_type: "coder" })) > 4_000,
    }),
    defaults: {
      ...nothing("toolsOf", "mask", "onFault"),
      threshold: 4_000,
      tools: "Bash|Read|Grep|Glob|WebFetch|WebSearch",
      mainOnly: false,
    },
    original: { threshold: 4_000, tools: "Bash|Read|Grep|Glob|WebFetch|WebSearch", mainOnly: false },
  }),
  row("IsolateOptions", {
    make: (options: IsolateOptions) => isolateGuard({ coder }, options),
    given: {},
    see: () => nothing("workspace", "onInject"),
    defaults: nothing("workspace", "onInject"),
    original: { onInject: undefined },
  }),
  row<GrantOptions, HookMatcher>("GrantOptions", {
    make: (options) => grantGuard({ coder }, options),
    given: { roots: [place("granted")] },
    see: async (made) => {
      const file_path = join(place("granted"), "a.txt");
      const call = { agent_id: "a", agent_type: "coder", tool_name: "Write", tool_input: { file_path } };
      const { permissionDecision } = await answer(made, call);
      return { workspace: permissionDecision === "allow" ? "the first of roots" : "none" };
    },
    defaults: { workspace: "the first of roots" },
  }),
  row("CallGuardOptions", {
    make: (options: CallGuardOptions) =>
      callGuard(() => {
        throw new RangeError("broken");
      }, options),
    given: {},
    see: async (made) => ({
      tools: made.matcher,
      name: /guard "([^"]+)"/.exec(String((await answer(made, bash("ls"))).permissionDecisionReason))?.[1],
    }),
    defaults: { tools: undefined, name: "own guard" },
  }),
  row("WorkbenchHooksOptions", {
    make: (options: WorkbenchHooksOptions) => workbenchHooks(workbench, options),
    given: {},
    see: async ({ PreToolUse = [], PostToolUse = [] }) => ({
      delegateOnly:
        PreToolUse.length === 1 && (await answer(PreToolUse[0], bash("rm x"))).permissionDecision === "deny",
      spillThreshold: await threshold(PostToolUse[1]),
      agents: PreToolUse.some(({ matcher }) => matcher?.includes("Agent")) ? { coder } : undefined,
      allowGlance: (await answer(PreToolUse[0], bash("ls"))).permissionDecision === "allow",
    }),
    defaults: { delegateOnly: true, spillThreshold: 4_000, agents: undefined, allowGlance: false },
    original: { delegateOnly: true, spillThreshold: 4_000, agents: undefined, allowGlance: false },
  }),
];

/** Every row of this file. */
export const AGENT_ROWS: readonly Row[] = [...AGENTS, ...ROLES, ...GUARDS];
