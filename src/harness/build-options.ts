// AgentSpec -> options of one query. Everything a session gets is decided here, and nowhere else.

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { AgentDefinition, Options, SdkPluginConfig } from "@anthropic-ai/claude-agent-sdk";
import type { AgentSpec } from "../agents/agent-spec.ts";
import type { WorkerDefinition } from "../agents/worker-definition.ts";
import { OptionError } from "../core/errors.ts";
import { rejectUnknownKeys } from "../core/options.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import { harnessVariables } from "./child-variables.ts";
import { compileServers, longestCallMs } from "./compile-servers.ts";
import { mainThreadTools, sessionTools } from "./tool-set.ts";

/** Options of one query, as the harness takes them; rooms above carry them without looking inside. */
export type HarnessOptions = Options;

/** What a query needs besides the spec. */
export interface BuildOptions {
  /** Working directory of the harness. */
  readonly cwd?: string | undefined;
  /** Where the harness keeps transcripts. */
  readonly sessionStore?: SessionStore | undefined;
  /** Session to go on with. */
  readonly resume?: string | undefined;
  /** Go on in a copy of that session; needs `resume`. @defaultValue false */
  readonly fork?: boolean | undefined;
  /** Go on from that message of the session; needs `resume`. */
  readonly resumeAt?: string | undefined;
  /** Load `<cwd>/plugin` when it is a plugin. @defaultValue true */
  readonly usePlugin?: boolean | undefined;
  /** Further plugin folders; a missing one is an error. @defaultValue none */
  readonly plugins?: readonly string[] | undefined;
  /** True reads no settings of this machine or project, so that a run is the same elsewhere. @defaultValue true */
  readonly portable?: boolean | undefined;
  /** Further folders the session may reach. @defaultValue none */
  readonly addDirs?: readonly string[] | undefined;
  /** `eager` mirrors each entry as it is written: a killed run loses least. @defaultValue "eager" */
  readonly flush?: "eager" | "batched" | undefined;
  /** Text after the instructions, e.g. the workbench index. @defaultValue "" */
  readonly prelude?: string | undefined;
  /**
   * Complete base environment of the child: the harness gets this, flower's own switches and the spec's variables,
   * and nothing else. @defaultValue empty: the caller decides what a child process may see
   */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Claude Code binary to start. @defaultValue the one that comes with the SDK */
  readonly executable?: string | undefined;
}

const KNOWN = [
  "cwd",
  "sessionStore",
  "resume",
  "fork",
  "resumeAt",
  "usePlugin",
  "plugins",
  "portable",
  "addDirs",
  "flush",
  "prelude",
  "env",
  "executable",
] satisfies (keyof BuildOptions)[];

/** Lean settings that cost no ability; the typed form is preferred over the variables that do the same. */
const LEAN_SETTINGS = {
  includeGitInstructions: false,
  attribution: { commit: "", pr: "" },
  autoMemoryEnabled: false,
  disableWorkflows: true,
} as const;

function pluginsOf(options: BuildOptions): SdkPluginConfig[] {
  const paths: string[] = [];
  const beside = join(options.cwd ?? ".", "plugin");
  if ((options.usePlugin ?? true) && existsSync(join(beside, ".claude-plugin", "plugin.json"))) {
    paths.push(resolve(beside));
  }
  for (const path of options.plugins ?? []) {
    if (!existsSync(join(path, ".claude-plugin", "plugin.json"))) {
      throw new OptionError(`no plugin at ${path}`, {
        code: "plugin_missing",
        hint: "a plugin folder holds .claude-plugin/plugin.json",
      });
    }
    paths.push(resolve(path));
  }
  return paths.map((path) => ({ type: "local", path }));
}

/** `inherit` is left unsaid: said, it would keep `CLAUDE_CODE_SUBAGENT_MODEL` from counting (measured). */
function compileWorker(worker: WorkerDefinition): AgentDefinition {
  const { isolate: _isolate, tools, skills, model, ...rest } = worker;
  return {
    ...rest,
    ...(model === "inherit" ? {} : { model }),
    tools: [...tools],
    ...(skills === undefined ? {} : { skills: [...skills] }),
  } as AgentDefinition;
}

/** An empty prompt keeps the preset and its append; a non-empty one would replace them (measured). */
function mainThreadAgent(spec: AgentSpec): AgentDefinition {
  return { description: "the main thread of this session", prompt: "", tools: mainThreadTools(spec) };
}

function agentsOf(spec: AgentSpec): Pick<Options, "agents" | "agent"> {
  const workers = Object.entries(spec.agents ?? {}).map(([name, w]) => [name, compileWorker(w)] as const);
  if (!spec.delegateOnly) return workers.length === 0 ? {} : { agents: Object.fromEntries(workers) };
  return { agent: spec.name, agents: Object.fromEntries([[spec.name, mainThreadAgent(spec)], ...workers]) };
}

function resumeOf(options: BuildOptions): Pick<Options, "resume" | "forkSession" | "resumeSessionAt"> {
  if (options.resume === undefined) {
    if (options.fork !== true && options.resumeAt === undefined) return {};
    throw new OptionError(`${options.fork ? "fork" : "resumeAt"} needs a session to start from`, {
      code: "resume_missing",
      hint: "give resume: <session id> as well",
    });
  }
  return {
    resume: options.resume,
    ...(options.fork === true ? { forkSession: true } : {}),
    ...(options.resumeAt === undefined ? {} : { resumeSessionAt: options.resumeAt }),
  };
}

function limitsOf(spec: AgentSpec): Partial<Options> {
  return {
    ...(spec.model === undefined ? {} : { model: spec.model }),
    ...(spec.effort === undefined ? {} : { effort: spec.effort }),
    ...(spec.maxTurns === undefined ? {} : { maxTurns: spec.maxTurns }),
    ...(spec.maxBudgetUsd === undefined ? {} : { maxBudgetUsd: spec.maxBudgetUsd }),
  };
}

function permissionsOf(spec: AgentSpec): Partial<Options> {
  return {
    tools: sessionTools(spec),
    allowedTools: [...spec.allowedTools],
    disallowedTools: [...spec.disallowedTools],
    permissionMode: spec.permissionMode,
    // Nobody is there to click: a refusal must come at once and say so.
    permissionPrompts: "none",
    ...(spec.permissionMode === "bypassPermissions" ? { allowDangerouslySkipPermissions: true } : {}),
  };
}

function environmentOf(spec: AgentSpec, options: BuildOptions): Record<string, string> {
  const base = options.env ?? {};
  return {
    ...base,
    ...harnessVariables(base, longestCallMs(spec.mcpServers)),
    ...spec.env,
    ...(spec.compact?.env() ?? {}),
  };
}

function sessionOf(options: BuildOptions): Partial<Options> {
  const plugins = pluginsOf(options);
  return {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.addDirs === undefined || options.addDirs.length === 0
      ? {}
      : { additionalDirectories: [...options.addDirs] }),
    ...(options.sessionStore === undefined
      ? {}
      : { sessionStore: options.sessionStore, sessionStoreFlush: options.flush ?? "eager" }),
    ...(plugins.length === 0 ? {} : { plugins }),
    ...(options.executable === undefined ? {} : { pathToClaudeCodeExecutable: options.executable }),
    settingSources: (options.portable ?? true) ? [] : ["project"],
  };
}

/**
 * Compile an AgentSpec into the options of one query.
 * @throws OptionError `resume_missing` for fork or resumeAt without resume, `plugin_missing`, `unknown_option`.
 * @example
 * ```ts
 * import { AgentSpec, buildOptions } from "flower-agent";
 *
 * const spec = new AgentSpec({ name: "reader", instructions: "Answer in one line.", maxTurns: 3 });
 * console.log(buildOptions(spec).maxTurns); // 3
 * ```
 */
export function buildOptions(spec: AgentSpec, options: BuildOptions = {}): Options {
  rejectUnknownKeys(options, KNOWN, "buildOptions");
  const append = [spec.instructions, options.prelude ?? ""].filter((part) => part !== "").join("\n\n");
  const servers = compileServers(spec.mcpServers);
  return {
    systemPrompt: { type: "preset", preset: "claude_code", append },
    ...permissionsOf(spec),
    ...agentsOf(spec),
    ...limitsOf(spec),
    ...sessionOf(options),
    ...resumeOf(options),
    ...(Object.keys(servers).length === 0 ? {} : { mcpServers: servers, mcpServersDelivery: "initialize" }),
    ...(spec.hooks === undefined ? {} : { hooks: spec.hooks as NonNullable<Options["hooks"]> }),
    settings: { ...LEAN_SETTINGS },
    env: environmentOf(spec, options),
    // Prompts are assembled from documents and people's words: `@path` and `/command` in them stay text.
    verbatimPrompts: true,
  };
}
