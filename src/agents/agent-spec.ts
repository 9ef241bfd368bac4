// AgentSpec: an agent as declared, checked once and frozen. Compiling it for the harness is `harness/`'s part.

import { isRecord } from "../core/json.ts";
import { rejectUnknownKeys, requireObject } from "../core/options.ts";
import type { InProcessServer } from "../core/tool-server.ts";
import { CompactPolicy } from "./compact-policy.ts";
import { checkHooks } from "./hook-check.ts";
import type { Hooks } from "./hooks.ts";
import { createOptionReader, type OptionReader } from "./option-reader.ts";
import { SEARCH_TOOLS } from "./tool-groups.ts";
import { EFFORTS, type Effort, PERMISSION_MODES, type PermissionMode } from "./worker-definition.ts";
import { checkWorkers, type Workers } from "./worker-roster.ts";

/** Servers by name: flower's own in-process ones, or configurations as the harness takes them. */
export type McpServers = Readonly<Record<string, InProcessServer | { readonly [key: string]: unknown }>>;

/** Options of {@link AgentSpec}; an explicit `undefined` means the default. */
export interface AgentSpecOptions {
  /** What it is called in the books, when a step does not name it. */
  readonly name: string;
  /** Appended to the harness's own system prompt, never in its place. */
  readonly instructions: string;
  /** Tools that need no approval, for the whole session, subagents included. @defaultValue Read, Glob, Grep */
  readonly allowedTools?: readonly string[] | undefined;
  /** Tools nobody in the session may use, subagents included. @defaultValue none */
  readonly disallowedTools?: readonly string[] | undefined;
  /** Model id or alias. Left out: the harness's own choice. */
  readonly model?: string | undefined;
  /** Reasoning effort. Left out: the model's own. */
  readonly effort?: Effort | undefined;
  /** Turns one process may take. Left out: no limit. */
  readonly maxTurns?: number | undefined;
  /** US dollars one step may cost. */
  readonly maxBudgetUsd?: number | undefined;
  /** What becomes of a tool call nobody granted; nobody is asked while a run goes on. @defaultValue "default" */
  readonly permissionMode?: PermissionMode | undefined;
  /** Workers by the name they are called with. */
  readonly agents?: Workers | undefined;
  /** Servers whose tools it gets, by name; grant the tools in `allowedTools`. */
  readonly mcpServers?: McpServers | undefined;
  /** Hooks of its own, which run before flower's. */
  readonly hooks?: Hooks | undefined;
  /** Extra environment of the harness process. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** When given, no other part of a run changes what the harness does to a filling context. */
  readonly compact?: CompactPolicy | undefined;
  /** The main thread may run read-only commands itself. @defaultValue false */
  readonly glance?: boolean | undefined;
  /** Put the workbench's index into the system prompt. @defaultValue true */
  readonly workbench?: boolean | undefined;
  /** The main thread directs and touches nothing. @defaultValue false */
  readonly delegateOnly?: boolean | undefined;
}

const KEYS = [
  "name",
  "instructions",
  "allowedTools",
  "disallowedTools",
  "model",
  "effort",
  "maxTurns",
  "maxBudgetUsd",
  "permissionMode",
  "agents",
  "mcpServers",
  "hooks",
  "env",
  "compact",
  "glance",
  "workbench",
  "delegateOnly",
] as const satisfies readonly (keyof AgentSpecOptions)[];

function readServers(read: OptionReader): McpServers {
  const servers = read.optionalRecord("mcpServers") ?? {};
  if (!Object.values(servers).every(isRecord)) {
    throw read.wrong("mcpServers", "an object of server configurations");
  }
  return Object.freeze({ ...servers }) as McpServers;
}

function readCompact(read: OptionReader, compact: unknown): CompactPolicy | undefined {
  if (compact === undefined || compact instanceof CompactPolicy) return compact;
  throw read.wrong("compact", "a CompactPolicy");
}

/**
 * One agent: what it is told, what it may use, what it may cost. Immutable; {@link AgentSpec.with} makes variants.
 * @example
 * ```ts
 * import { AgentSpec } from "flower-agent";
 *
 * const reader = new AgentSpec({ name: "reader", instructions: "Answer in one line.", maxTurns: 10 });
 * const writer = reader.with({ name: "writer", allowedTools: ["Read", "Write"], permissionMode: "acceptEdits" });
 * ```
 */
export class AgentSpec {
  readonly name: string;
  readonly instructions: string;
  readonly allowedTools: readonly string[];
  readonly disallowedTools: readonly string[];
  readonly model: string | undefined;
  readonly effort: Effort | undefined;
  readonly maxTurns: number | undefined;
  readonly maxBudgetUsd: number | undefined;
  readonly permissionMode: PermissionMode;
  readonly agents: Workers | undefined;
  readonly mcpServers: McpServers;
  readonly hooks: Hooks | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly compact: CompactPolicy | undefined;
  readonly glance: boolean;
  readonly workbench: boolean;
  readonly delegateOnly: boolean;

  /**
   * @throws OptionError `unknown_option` with the nearest name; `bad_option` for a value of the wrong type;
   * `bad_hooks`; and what a bad set of workers is refused with (`worker_name_taken`, `worker_delegates`, …).
   */
  constructor(options: AgentSpecOptions) {
    requireObject(options, "new AgentSpec");
    rejectUnknownKeys(options, KEYS, "AgentSpec");
    const read = createOptionReader("AgentSpec", options);
    this.name = read.name("name");
    this.instructions = read.text("instructions");
    this.allowedTools = read.names("allowedTools", SEARCH_TOOLS);
    this.disallowedTools = read.names("disallowedTools", []);
    this.model = read.optionalName("model");
    this.effort = read.optionalChoice("effort", EFFORTS);
    this.maxTurns = read.optionalCount("maxTurns", 1);
    this.maxBudgetUsd = read.optionalAmount("maxBudgetUsd");
    this.permissionMode = read.optionalChoice("permissionMode", PERMISSION_MODES) ?? "default";
    this.delegateOnly = read.flag("delegateOnly", false);
    const agents = read.optionalRecord("agents") as Workers | undefined;
    const owner = `AgentSpec "${this.name}"`;
    this.agents = agents && checkWorkers(agents, owner, this.delegateOnly ? this.name : undefined);
    this.mcpServers = readServers(read);
    const hooks = read.optionalRecord("hooks");
    this.hooks = hooks && checkHooks(hooks, owner);
    this.env = read.textRecord("env");
    this.compact = readCompact(read, options.compact);
    this.glance = read.flag("glance", false);
    this.workbench = read.flag("workbench", true);
    Object.freeze(this);
  }

  /**
   * A copy with some fields changed; `undefined` puts a field back to its default. Throws what the constructor throws.
   * @param changes - the fields that differ
   */
  with(changes: Partial<AgentSpecOptions>): AgentSpec {
    requireObject(changes, "AgentSpec.with");
    return new AgentSpec({ ...this, ...changes });
  }
}
