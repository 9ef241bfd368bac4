// Runtime, workflows and the ready-made steps: every option, whether it may be left out, and what it takes.
import type {
  AgentSpec,
  BudgetOptions,
  ClarifyStepOptions,
  Ctx,
  Effort,
  EphemeralPolicy,
  EventListener,
  GoalStepOptions,
  GroupOptions,
  HandoffPolicy,
  HumanChannel,
  LineageOptions,
  OnFail,
  Prompt,
  Resilience,
  RoleModels,
  RoleOptions,
  RunOptions,
  RuntimeOptions,
  SessionStore,
  StarterFlowOptions,
  Step,
  StepOptions,
  StepResult,
  TrimPolicy,
  WakeStateOptions,
  WithGoalOptions,
  Words,
  Workbench,
  WorkflowOptions,
  WorkflowRunOptions,
} from "flower-agent";
import { type Agrees, agrees } from "./agrees.ts";

agrees<
  Agrees<
    RuntimeOptions,
    {
      workspace: string;
      runDir?: string;
      portable?: boolean;
      trim?: TrimPolicy | boolean;
      ephemeral?: EphemeralPolicy | boolean;
      keepDenials?: number;
      workbench?: Workbench | boolean;
      spillThreshold?: number | null;
      resilience?: Resilience | boolean;
      handoff?: HandoffPolicy | boolean;
      store?: SessionStore;
      env?: Readonly<Record<string, string>>;
    }
  >
>();

agrees<
  Agrees<
    RunOptions,
    {
      stepName?: string;
      resume?: string;
      fork?: boolean;
      resumeAt?: string;
      onEvent?: EventListener;
      onStored?: (sessionId: string) => void;
      signal?: AbortSignal;
    }
  >
>();

agrees<
  Agrees<
    BudgetOptions,
    {
      budgetUsd?: number;
      budgetTokens?: number;
      deadlineS?: number;
    }
  >
>();

agrees<
  Agrees<
    WorkflowOptions,
    {
      budgetUsd?: number;
      budgetTokens?: number;
      deadlineS?: number;
      name?: string;
      context?: Ctx;
      channel?: HumanChannel;
      workbench?: Workbench;
      continuous?: boolean;
    }
  >
>();

agrees<
  Agrees<
    WorkflowRunOptions,
    {
      budgetUsd?: number;
      budgetTokens?: number;
      deadlineS?: number;
      onEvent?: EventListener;
      onStep?: (step: Step, result: StepResult) => void;
      signal?: AbortSignal;
    }
  >
>();

agrees<
  Agrees<
    StepOptions,
    {
      resumeFrom?: string;
      fork?: boolean;
      retries?: number;
      gate?: (result: StepResult, ctx: Ctx) => boolean | Promise<boolean>;
      onFail?: OnFail;
      when?: (ctx: Ctx) => boolean | Promise<boolean>;
      onReject?: (result: StepResult, ctx: Ctx) => string | Promise<string>;
      resumePrompt?: Prompt;
      reduce?: (result: StepResult, ctx: Ctx) => string;
    }
  >
>();

agrees<
  Agrees<
    GroupOptions,
    {
      name?: string;
      concurrency?: number;
      onFail?: OnFail;
    }
  >
>();

agrees<
  Agrees<
    RoleOptions,
    {
      spec?: AgentSpec;
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
    ClarifyStepOptions,
    {
      spec?: AgentSpec;
      instructions?: string;
      model?: string;
      effort?: Effort;
      maxTurns?: number;
      maxBudgetUsd?: number;
      briefPath: string;
      prompt: Prompt;
      name?: string;
      alwaysAsk?: boolean;
      onFail?: OnFail;
      retries?: number;
      resumePrompt?: Prompt;
    }
  >
>();

agrees<
  Agrees<
    GoalStepOptions,
    {
      spec?: AgentSpec;
      instructions?: string;
      model?: string;
      effort?: Effort;
      maxTurns?: number;
      maxBudgetUsd?: number;
      goalPath: string;
      briefKey?: string;
      name?: string;
      alwaysSet?: boolean;
      onFail?: OnFail;
      retries?: number;
      canRun?: boolean;
      evidence?: boolean;
    }
  >
>();

agrees<
  Agrees<
    WithGoalOptions,
    {
      spec?: AgentSpec;
      instructions?: string;
      model?: string;
      effort?: Effort;
      maxTurns?: number;
      maxBudgetUsd?: number;
      goalPath: string;
      rounds?: number;
      canRun?: boolean;
      evidence?: boolean;
      sandbox?: boolean;
      name?: string;
    }
  >
>();

agrees<
  Agrees<
    StarterFlowOptions,
    {
      workspace?: string;
      runDir?: string;
      fresh?: boolean;
      isolate?: boolean;
      clarifyOnly?: boolean;
      goal?: boolean;
      rounds?: number;
      judgeCanRun?: boolean;
      evidence?: boolean;
      sandbox?: boolean;
      maxAsks?: number;
      timeoutS?: number | null;
      instructions?: string;
      workerPrompt?: string;
      model?: string;
      models?: RoleModels;
      effort?: Effort;
      budgetUsd?: number;
      briefName?: string;
      goalName?: string;
      logName?: string;
    }
  >
>();

agrees<
  Agrees<
    WakeStateOptions,
    {
      runDir?: string;
      isolate?: boolean;
      briefName?: string;
      goalName?: string;
    }
  >
>();

agrees<
  Agrees<
    LineageOptions,
    {
      runDir: string;
      workspace: string;
      onFault?: (text: string, words: Words) => void;
    }
  >
>();
