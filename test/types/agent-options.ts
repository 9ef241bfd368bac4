// Agents, roles, guards and what the harness is told: every option, whether it may be left out, and what it takes.
import type {
  AgentSpecOptions,
  AskChannel,
  BuildOptions,
  CallGuardOptions,
  ClarifyOptions,
  CompactPolicy,
  CompactPolicyOptions,
  CoordinatorOptions,
  DelegateOptions,
  Effort,
  GrantOptions,
  HandoffPolicyOptions,
  Hooks,
  IsolateOptions,
  JudgeOptions,
  McpServers,
  OracleOptions,
  PermissionMode,
  SessionStore,
  SpillOptions,
  WhitelistOptions,
  WorkbenchHooksOptions,
  WorkerDefinition,
  WorkerOptions,
  Workers,
} from "flower-agent";
import { type Agrees, agrees } from "./agrees.ts";

agrees<
  Agrees<
    AgentSpecOptions,
    {
      name: string;
      instructions: string;
      allowedTools?: readonly string[];
      disallowedTools?: readonly string[];
      model?: string;
      effort?: Effort;
      maxTurns?: number;
      maxBudgetUsd?: number;
      permissionMode?: PermissionMode;
      agents?: Workers;
      mcpServers?: McpServers;
      hooks?: Hooks;
      env?: Readonly<Record<string, string>>;
      compact?: CompactPolicy;
      glance?: boolean;
      workbench?: boolean;
      delegateOnly?: boolean;
    }
  >
>();

agrees<
  Agrees<
    CompactPolicyOptions,
    {
      mode?: "auto" | "no_summary" | "off";
      window?: number;
    }
  >
>();

agrees<
  Agrees<
    HandoffPolicyOptions,
    {
      enabled?: boolean;
      window?: number;
      headroom?: number;
      maxGenerations?: number;
    }
  >
>();

agrees<
  Agrees<
    BuildOptions,
    {
      cwd?: string;
      sessionStore?: SessionStore;
      resume?: string;
      fork?: boolean;
      resumeAt?: string;
      usePlugin?: boolean;
      plugins?: readonly string[];
      portable?: boolean;
      addDirs?: readonly string[];
      flush?: "eager" | "batched";
      prelude?: string;
      env?: Readonly<Record<string, string>>;
      executable?: string;
    }
  >
>();

agrees<
  Agrees<
    CoordinatorOptions,
    {
      channel?: AskChannel;
      canRead?: boolean;
      glance?: boolean;
      model?: string;
      effort?: Effort;
      maxTurns?: number;
      maxBudgetUsd?: number;
      permissionMode?: PermissionMode;
      compact?: CompactPolicy;
      hooks?: Hooks;
      env?: Readonly<Record<string, string>>;
    }
  >
>();

agrees<
  Agrees<
    WorkerOptions,
    {
      tools?: readonly string[];
      model?: string;
      effort?: Effort | number;
      maxTurns?: number;
      permissionMode?: PermissionMode;
      skills?: readonly string[];
      discipline?: boolean;
      isolate?: boolean;
    }
  >
>();

agrees<
  Agrees<
    WorkerDefinition,
    {
      description: string;
      prompt: string;
      tools: readonly string[];
      model: string;
      effort?: Effort | number;
      maxTurns?: number;
      permissionMode?: PermissionMode;
      skills?: readonly string[];
      isolate: boolean;
    }
  >
>();

agrees<
  Agrees<
    ClarifyOptions,
    {
      instructions?: string;
      canRead?: boolean;
      model?: string;
      effort?: Effort;
      maxTurns?: number;
      maxBudgetUsd?: number;
    }
  >
>();

agrees<
  Agrees<
    JudgeOptions,
    {
      instructions?: string;
      canRun?: boolean;
      model?: string;
      effort?: Effort;
      maxTurns?: number;
      maxBudgetUsd?: number;
    }
  >
>();

agrees<
  Agrees<
    OracleOptions,
    {
      instructions?: string;
      model?: string;
      effort?: Effort;
      maxTurns?: number;
      maxBudgetUsd?: number;
    }
  >
>();

agrees<
  Agrees<
    WhitelistOptions,
    {
      role?: string;
    }
  >
>();

agrees<
  Agrees<
    DelegateOptions,
    {
      tools?: string;
      allowGlance?: boolean;
      artifacts?: string;
    }
  >
>();

agrees<
  Agrees<
    Omit<SpillOptions, "toolsOf">,
    {
      threshold?: number;
      tools?: string;
      mainOnly?: boolean;
      mask?: (text: string) => string;
      onFault?: (error: unknown) => void;
    }
  >
>();

agrees<
  Agrees<
    IsolateOptions,
    {
      workspace?: string;
      onInject?: (role: string) => void;
    }
  >
>();

agrees<
  Agrees<
    GrantOptions,
    {
      roots: readonly string[];
      workspace?: string;
    }
  >
>();

agrees<
  Agrees<
    CallGuardOptions,
    {
      tools?: readonly string[];
      name?: string;
    }
  >
>();

agrees<
  Agrees<
    WorkbenchHooksOptions,
    {
      delegateOnly?: boolean;
      spillThreshold?: number | null;
      agents?: Workers;
      allowGlance?: boolean;
    }
  >
>();
