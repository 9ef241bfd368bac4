// The whole public list of flower-agent. `flower-agent/testing` has its own.

export { AgentSpec, type AgentSpecOptions, type McpServers } from "./agents/agent-spec.ts";
export type { AskChannel } from "./agents/ask-channel.ts";
export { CompactPolicy, type CompactPolicyOptions } from "./agents/compact-policy.ts";
export { defaultWindow } from "./agents/default-window.ts";
export { HandoffPolicy, type HandoffPolicyOptions } from "./agents/handoff-policy.ts";
export type { HookCallback, HookInput, HookMatcher, HookOutput, Hooks } from "./agents/hooks.ts";
export { isolated, wantsIsolation } from "./agents/isolation.ts";
export type { RoleModels } from "./agents/role-models.ts";
export { CLARIFIER_RULES, type ClarifyOptions, clarify } from "./agents/roles/clarifier.ts";
export { COORDINATOR_RULES, type CoordinatorOptions, coordinator } from "./agents/roles/coordinator.ts";
export { JUDGE_RULES, type JudgeOptions, judge } from "./agents/roles/judge.ts";
export { ORACLE_RULES, type OracleOptions, oracle } from "./agents/roles/oracle.ts";
export { WORKER_RULES, type WorkerOptions, worker } from "./agents/roles/worker.ts";
export type { Effort, PermissionMode, WorkerDefinition } from "./agents/worker-definition.ts";
export type { Workers } from "./agents/worker-roster.ts";
export {
  CredentialsError,
  DiskError,
  FlowerError,
  type FlowerErrorInit,
  HarnessError,
  IsolationError,
  LeaseError,
  OptionError,
  StoreError,
  WorkflowError,
} from "./core/errors.ts";
export type { InProcessServer, InProcessTool, ToolParameter } from "./core/tool-server.ts";
export type { FailureFacts, Words, WordValue, WordValues } from "./core/words.ts";
export { Brief, type BriefFields } from "./documents/brief.ts";
export { Goal, type GoalFields } from "./documents/goal.ts";
export { Handoff, type HandoffFields } from "./documents/handoff.ts";
export { Verdict, type VerdictFields, type VerdictState } from "./documents/verdict.ts";
export type {
  Event,
  EventKind,
  EventListener,
  EventOf,
  EventPayloads,
  MailPayload,
  QuestionPayload,
  Speaker,
} from "./events/event.ts";
export type { Decision, ToolCall } from "./guards/decision.ts";
export type { DelegateOptions } from "./guards/delegate-guard.ts";
export type { GrantOptions } from "./guards/grant-guard.ts";
export type { IsolateOptions } from "./guards/isolate-guard.ts";
export type { SpillOptions } from "./guards/spill-guard.ts";
export type { WhitelistOptions } from "./guards/whitelist-guard.ts";
export { type BuildOptions, buildOptions } from "./harness/build-options.ts";
export {
  type CallGuardOptions,
  callGuard,
  delegateGuard,
  grantGuard,
  indexGuard,
  isolateGuard,
  mergeHooks,
  rosterGuard,
  spillGuard,
  type WorkbenchHooksOptions,
  whitelistGuard,
  workbenchHooks,
} from "./harness/guard-matchers.ts";
export { normalize } from "./harness/normalize.ts";
export {
  PruningSessionStore,
  type PruningSessionStoreOptions,
  TrimmingSessionStore,
  type TrimmingSessionStoreOptions,
} from "./harness/rewriting-stores.ts";
export { SqliteSessionStore, type SqliteSessionStoreOptions } from "./harness/sqlite-session-store.ts";
export type { Usage } from "./harness/turn-result.ts";
export { Ask, type AskFields, type AskState, type Mail } from "./people/ask.ts";
export type { NextAskOptions } from "./people/ask-queue.ts";
export type { HumanChannelOptions } from "./people/channel-options.ts";
export { HumanChannel } from "./people/human-channel.ts";
export {
  classify,
  type Diagnosis,
  type DiagnosisAction,
  type DiagnosisInput,
  type DiagnosisKind,
  diagnose,
} from "./runtime/diagnose.ts";
export { type Endpoint, endpoint, reachable } from "./runtime/reachability.ts";
export {
  type OnlineNotice,
  Resilience,
  type ResilienceOptions,
  type WaitOnlineOptions,
} from "./runtime/resilience.ts";
export type { RunOptions } from "./runtime/run-options.ts";
export { Runtime } from "./runtime/runtime.ts";
export type { RuntimeOptions } from "./runtime/runtime-options.ts";
export type { StepResult, SubagentRecord } from "./runtime/step-result.ts";
export type { TrimReport } from "./sessions/rewriting-session-store.ts";
export type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
  SessionSummaryEntry,
} from "./sessions/session-store.ts";
export type { LastContextOptions } from "./sessions/store-options.ts";
export { trimReport } from "./sessions/trim-report.ts";
export { isEphemeral } from "./shell/is-ephemeral.ts";
export { EphemeralPolicy, type EphemeralPolicyOptions } from "./transcript/ephemeral-policy.ts";
export { PrunePolicy, type PrunePolicyOptions } from "./transcript/prune-policy.ts";
export { TrimPolicy, type TrimPolicyOptions } from "./transcript/trim-policy.ts";
export { Workbench, type WorkbenchOptions } from "./workbench/workbench.ts";
export type { BudgetOptions } from "./workflow/budget-limits.ts";
export { CLARIFY_RESUME, type ClarifyStepOptions, clarifyStep } from "./workflow/clarify-step.ts";
export {
  BRIEF_KEY,
  type Ctx,
  type CtxOf,
  GOAL_KEY,
  MISSING_KEY,
  type PrivateCtx,
  ROUND_KEY,
  VERDICT_KEY,
} from "./workflow/context.ts";
export { type GoalStepOptions, goalStep } from "./workflow/goal-step.ts";
export { Lineage, type LineageOptions } from "./workflow/lineage.ts";
export type { RoleOptions } from "./workflow/role-spec.ts";
export { type StarterFlowOptions, starterFlow } from "./workflow/starter-flow.ts";
export { type OnFail, type Prompt, Step, StepAbort, type StepOptions } from "./workflow/step.ts";
export { type GroupOptions, map, parallel, type StepGroup } from "./workflow/step-group.ts";
export { type WakeState, type WakeStateOptions, wakeState } from "./workflow/wake-state.ts";
export { type WithGoalOptions, withGoal } from "./workflow/with-goal.ts";
export {
  Workflow,
  type WorkflowOptions,
  type WorkflowRunOptions,
  type WorkflowStep,
} from "./workflow/workflow.ts";
