import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const SRC = join(import.meta.dirname, "..", "src");

/** What `flower-agent` offers, as it stands. A name is public only when it is in these lists. */
const VALUES = `
AgentSpec CompactPolicy isolated wantsIsolation CLARIFIER_RULES clarify COORDINATOR_RULES coordinator JUDGE_RULES judge
ORACLE_RULES oracle WORKER_RULES worker CredentialsError DiskError FlowerError HarnessError IsolationError LeaseError
OptionError StoreError WorkflowError Brief Goal Handoff Verdict buildOptions callGuard delegateGuard grantGuard indexGuard
isolateGuard mergeHooks rosterGuard spillGuard whitelistGuard workbenchHooks normalize SqliteSessionStore Ask HumanChannel
Runtime isEphemeral Workbench CLARIFY_RESUME clarifyStep BRIEF_KEY GOAL_KEY MISSING_KEY ROUND_KEY VERDICT_KEY goalStep
Lineage starterFlow Step StepAbort map parallel wakeState withGoal Workflow defaultWindow HandoffPolicy PruningSessionStore
TrimmingSessionStore classify diagnose endpoint reachable Resilience trimReport EphemeralPolicy PrunePolicy TrimPolicy
`;

const TYPES = `
AgentSpecOptions McpServers AskChannel CompactPolicyOptions HookCallback HookInput HookMatcher HookOutput Hooks
ClarifyOptions CoordinatorOptions JudgeOptions OracleOptions WorkerOptions Effort PermissionMode WorkerDefinition
FlowerErrorInit FailureFacts Words WordValue WordValues InProcessServer InProcessTool ToolParameter BriefFields GoalFields HandoffFields VerdictFields
VerdictState CallGuardOptions Decision ToolCall Event EventKind EventListener EventOf EventPayloads MailPayload QuestionPayload Speaker BuildOptions WorkbenchHooksOptions
RoleModels SqliteSessionStoreOptions Usage AskState Mail HumanChannelOptions RunOptions RuntimeOptions StepResult SubagentRecord
SessionKey SessionStore SessionStoreEntry SessionSummaryEntry WorkbenchOptions ClarifyStepOptions Ctx CtxOf PrivateCtx
GoalStepOptions LineageOptions RoleOptions StarterFlowOptions OnFail Prompt StepOptions WakeState WakeStateOptions
WithGoalOptions GroupOptions StepGroup WorkflowStep WorkflowOptions WorkflowRunOptions HandoffPolicyOptions PruningSessionStoreOptions
TrimmingSessionStoreOptions Diagnosis DiagnosisAction DiagnosisInput DiagnosisKind Endpoint OnlineNotice
ResilienceOptions WaitOnlineOptions TrimReport EphemeralPolicyOptions PrunePolicyOptions TrimPolicyOptions
AskFields NextAskOptions BudgetOptions LastContextOptions Workers DelegateOptions GrantOptions IsolateOptions SpillOptions
WhitelistOptions
`;

/** What `flower-agent/testing` offers. */
const TESTING_VALUES = `
allText firstUserTexts lastToolResult lastUserText messagesOf systemText toolNames toolResults dropConnection hang
httpError streamError historyFault speaker ScriptError ScriptedApi DUMMY_KEY scriptedEnv always storeContract ask
dispatch text thinking toolUse turn
`;

const TESTING_TYPES = `
ApiRequest IncomingRequest SeenMessage SeenToolResult SpeakerRole DropConnection Failure Hang HttpError StreamError
CustomSpeaker Script ScriptFault ScriptedApiOptions ScriptedEnvOptions SideKind Always Answer AnswerFunction Step
OptionalStoreMethod StoreContractCase Block StopReason TextBlock ThinkingBlock ToolUseBlock Turn TurnOptions TurnUsage
`;

/** The original's whole public API. */
const ORIGINAL = `
Runtime StepResult Step Workflow StepAbort clarifyStep goalStep withGoal starterFlow wakeState BRIEF_KEY MISSING_KEY
CLARIFY_RESUME GOAL_KEY VERDICT_KEY ROUND_KEY coordinator worker clarify judge oracle COORDINATOR_RULES WORKER_RULES
CLARIFIER_RULES JUDGE_RULES ORACLE_RULES AgentSpec buildOptions CompactPolicy HandoffPolicy defaultWindow Brief Handoff
Goal Verdict whitelistGuard delegateGuard spillGuard indexGuard isolateGuard isolated wantsIsolation workbenchHooks
mergeHooks Workbench SqliteSessionStore TrimmingSessionStore PruningSessionStore TrimPolicy EphemeralPolicy PrunePolicy
isEphemeral trimReport Resilience classify endpoint reachable Event normalize Ask HumanChannel Lineage
`;

interface Exported {
  readonly name: string;
  readonly isType: boolean;
  /** Absolute path of the module it comes from. */
  readonly from: string;
}

const words = (list: string) => list.trim().split(/\s+/).sort();

/** The names a door re-exports. A door holds nothing else: no declarations, no `export *`. */
function exportsOf(path: string): Exported[] {
  const source = readFileSync(path, "utf8");
  const statements = source.matchAll(/^export (type )?\{([^}]*)\} from "([^"]+)";$/gm);
  const found: Exported[] = [];
  for (const [, allTypes, inside = "", from = ""] of statements) {
    for (const item of inside.split(",").map((each) => each.trim())) {
      if (item === "") continue;
      const isType = allTypes !== undefined || item.startsWith("type ");
      found.push({ name: item.replace(/^type /, ""), isType, from: join(dirname(path), from) });
    }
  }
  const rest = source
    .replaceAll(/^export (?:type )?\{[^}]*\} from "[^"]+";$/gm, "")
    .replaceAll(/^\/\/.*$/gm, "");
  expect(rest.trim(), `${path} holds more than re-exports`).toBe("");
  return found;
}

function names(found: readonly Exported[], isType: boolean): string[] {
  return found
    .filter((each) => each.isType === isType)
    .map((each) => each.name)
    .sort();
}

/** The sentence above a declaration, followed through re-exports; empty when there is none. */
function documentation({ name, from }: Exported): string {
  expect(existsSync(from), `${from} of ${name}`).toBe(true);
  const source = readFileSync(from, "utf8");
  const declared = new RegExp(
    `^export (?:declare )?(?:abstract )?(?:async )?(?:class|function|const|let|interface|type|enum) ${name}\\b`,
    "m",
  ).exec(source);
  if (declared === null) {
    const passedOn = new RegExp(`^export (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\} from "([^"]+)"`, "m").exec(
      source,
    );
    const next = passedOn?.[1];
    return next === undefined ? "" : documentation({ name, isType: false, from: join(dirname(from), next) });
  }
  const above = source.slice(0, declared.index).trimEnd();
  if (!above.endsWith("*/")) return "";
  const comment = above.slice(above.lastIndexOf("/*"));
  if (!comment.startsWith("/**")) return "";
  return comment
    .slice(3, -2)
    .replaceAll(/^\s*\*\s?/gm, "")
    .trim();
}

const DOORS = [
  { door: "flower-agent", path: join(SRC, "index.ts"), values: VALUES, types: TYPES },
  {
    door: "flower-agent/testing",
    path: join(SRC, "testing", "index.ts"),
    values: TESTING_VALUES,
    types: TESTING_TYPES,
  },
];

describe.each(DOORS)("the public list of $door", ({ path, values, types }) => {
  it("offers these values and no others", async () => {
    expect(names(exportsOf(path), false)).toEqual(words(values));
    const loaded = (await import(path)) as Record<string, unknown>;
    expect(Object.keys(loaded).sort()).toEqual(words(values));
  });

  it("offers these types and no others", () => {
    expect(names(exportsOf(path), true)).toEqual(words(types));
  });

  it("has a sentence for every name", () => {
    const silent = exportsOf(path).filter((each) => !/^\S.*\w/.test(documentation(each)));
    expect(silent.map((each) => `${each.name} in ${each.from}`)).toEqual([]);
  });
});

describe("the original's public API", () => {
  it("is offered whole, under the same names", () => {
    const offered = new Set(exportsOf(join(SRC, "index.ts")).map((each) => each.name));
    expect(words(ORIGINAL)).toHaveLength(62);
    expect(words(ORIGINAL).filter((name) => !offered.has(name))).toEqual([]);
  });
});
