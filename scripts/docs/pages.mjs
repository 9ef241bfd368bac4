// Which page of the API reference a symbol is on, and in which order. What is exported and on no page fails the check.

export const PAGES = [
  {
    file: "runtime.md",
    title: "Running a step",
    about: "Runs one step in a workspace and keeps the books.",
    names: "Runtime RuntimeOptions RunOptions StepResult SubagentRecord Usage RunBrake StepWatch",
  },
  {
    file: "workflow.md",
    title: "Workflows and steps",
    about: "Steps, their order, what passes between them, and what a later process picks up.",
    names:
      "Workflow WorkflowOptions WorkflowRunOptions BudgetOptions WorkflowStep Step StepOptions Prompt OnFail StepAbort parallel map " +
      "GroupOptions StepGroup Ctx CtxOf PrivateCtx Lineage LineageOptions FrozenMark wakeState WakeState WakeStateOptions",
  },
  {
    file: "flow.md",
    title: "Clarify, goal, work",
    about: "The ready-made steps, alone or as the flow that the command runs.",
    names:
      "starterFlow StarterFlowOptions clarifyStep ClarifyStepOptions CLARIFY_RESUME goalStep GoalStepOptions withGoal WithGoalOptions " +
      "RoleOptions BRIEF_KEY MISSING_KEY GOAL_KEY VERDICT_KEY ROUND_KEY",
  },
  {
    file: "roles.md",
    title: "Roles",
    about: "Ready-made agents and their rules.",
    names:
      "coordinator CoordinatorOptions worker WorkerOptions WorkerDefinition Workers isolated wantsIsolation clarify ClarifyOptions judge " +
      "JudgeOptions oracle OracleOptions COORDINATOR_RULES WORKER_RULES CLARIFIER_RULES JUDGE_RULES ORACLE_RULES RoleModels ModelRole AskChannel",
  },
  {
    file: "agents.md",
    title: "Agents",
    about: "What an agent is, and what the harness is told of it.",
    names:
      "AgentSpec AgentSpecOptions Effort PermissionMode CompactPolicy CompactPolicyOptions CompactMode HandoffPolicy HandoffPolicyOptions " +
      "defaultWindow McpServers InProcessServer InProcessTool ToolParameter Hooks HookMatcher HookCallback HookInput HookOutput " +
      "buildOptions BuildOptions",
  },
  {
    file: "documents.md",
    title: "Documents",
    about: "Brief, goal, verdict and handoff: from text to sections to disk and back.",
    names: "Brief BriefFields Goal GoalFields Verdict VerdictFields VerdictState Handoff HandoffFields",
  },
  {
    file: "guards.md",
    title: "Guards",
    about: "Hooks that let a tool call pass, refuse it or rewrite it.",
    names:
      "callGuard CallGuardOptions ToolCall Decision whitelistGuard WhitelistOptions delegateGuard DelegateOptions rosterGuard isolateGuard IsolateOptions grantGuard GrantOptions " +
      "indexGuard spillGuard SpillOptions workbenchHooks WorkbenchHooksOptions mergeHooks WorkbenchPort",
  },
  {
    file: "workbench.md",
    title: "The workbench",
    about: "The folder `.flower/`: scripts, artifacts, notes, spilled output and their index.",
    names: "Workbench WorkbenchOptions IndexEntry",
  },
  {
    file: "stores.md",
    title: "Session stores",
    about: "Where transcripts live, and what a resumed session gets in their place.",
    names:
      "SqliteSessionStore SqliteSessionStoreOptions LastContextOptions Compaction TrimmingSessionStore TrimmingSessionStoreOptions " +
      "PruningSessionStore PruningSessionStoreOptions Repair TrimPolicy TrimPolicyOptions EphemeralPolicy EphemeralPolicyOptions " +
      "PrunePolicy PrunePolicyOptions isEphemeral trimReport TrimReport SessionStore SessionKey SessionStoreEntry SessionSummaryEntry",
  },
  {
    file: "people.md",
    title: "People",
    about: "Questions to a person, their answers, and what they say unasked.",
    names:
      "HumanChannel HumanChannelOptions Ask AskFields AskState Mail NextAskOptions AnswerReceipt AmendmentListener",
  },
  {
    file: "events.md",
    title: "What a run tells",
    about: "What a run tells while it runs.",
    names:
      "Event EventKind EventPayloads QuestionPayload MailPayload EventOf Speaker EventListener normalize Json",
  },
  {
    file: "resilience.md",
    title: "Failures and waits",
    about: "How failures are understood and waited out.",
    names:
      "Resilience ResilienceOptions WaitOnlineOptions OnlineNotice diagnose Diagnosis DiagnosisKind DiagnosisAction DiagnosisInput " +
      "TurnResult classify endpoint Endpoint Environment reachable",
  },
  {
    file: "errors.md",
    title: "Errors",
    about: "What flower throws. What an agent or the network did is never thrown: it is in the result.",
    names:
      "FlowerError FlowerErrorInit FailureFacts Words WordValue WordValues OptionError CredentialsError WorkflowError DiskError StoreError LeaseError HarnessError IsolationError",
  },
].map((page) => ({ ...page, names: page.names.split(" ") }));

/** `flower-agent/testing` has a page of its own, in the order of the sources. */
export const TESTING_PAGE = {
  file: "testing.md",
  title: "flower-agent/testing",
  about:
    "A Messages API that plays a script, and the contract of session stores. How to use it: [testing](../testing.md).",
};

/** The public names of the Python original, as they are called here. */
export const ORIGINAL_NAMES = (
  "Runtime StepResult Step Workflow StepAbort clarifyStep goalStep withGoal starterFlow wakeState BRIEF_KEY MISSING_KEY " +
  "CLARIFY_RESUME GOAL_KEY VERDICT_KEY ROUND_KEY coordinator worker clarify judge oracle COORDINATOR_RULES WORKER_RULES " +
  "CLARIFIER_RULES JUDGE_RULES ORACLE_RULES AgentSpec buildOptions CompactPolicy HandoffPolicy defaultWindow Brief Handoff " +
  "Goal Verdict whitelistGuard delegateGuard spillGuard indexGuard isolateGuard isolated wantsIsolation workbenchHooks " +
  "mergeHooks Workbench SqliteSessionStore TrimmingSessionStore PruningSessionStore TrimPolicy EphemeralPolicy PrunePolicy " +
  "isEphemeral trimReport Resilience classify endpoint reachable Event normalize Ask HumanChannel Lineage"
).split(" ");
