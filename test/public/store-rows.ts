// Stores, policies, documents, the workbench, people and the scripted API: their options and defaults.
import { join } from "node:path";
import {
  Ask,
  type AskFields,
  Brief,
  type BriefFields,
  EphemeralPolicy,
  type EphemeralPolicyOptions,
  Goal,
  type GoalFields,
  Handoff,
  type HandoffFields,
  HumanChannel,
  type HumanChannelOptions,
  type LastContextOptions,
  type NextAskOptions,
  PrunePolicy,
  type PrunePolicyOptions,
  PruningSessionStore,
  type PruningSessionStoreOptions,
  Resilience,
  type ResilienceOptions,
  SqliteSessionStore,
  type SqliteSessionStoreOptions,
  TrimmingSessionStore,
  type TrimmingSessionStoreOptions,
  TrimPolicy,
  type TrimPolicyOptions,
  Verdict,
  type VerdictFields,
  type WaitOnlineOptions,
  Workbench,
  type WorkbenchOptions,
} from "../../src/index.ts";
import { resolveChannelOptions } from "../../src/people/channel-options.ts";
import { resolveScan, resolveStoreOptions } from "../../src/sessions/store-options.ts";
import { place } from "./place.ts";
import { filled, nothing, type Row, row } from "./row.ts";

const path = join(place("stores"), "sessions.db");
const inner = { append: async () => {}, load: async () => null };
const IN_ENGLISH = "what a model is told is in English";

const POLICIES: readonly Row[] = [
  row("TrimPolicyOptions", {
    make: (options: TrimPolicyOptions) => new TrimPolicy(options),
    given: {},
    see: (made) => ({ ...made }),
    defaults: { enabled: true, keepRecent: 20, minChars: 2_000, spillDirname: ".flower/spill" },
    original: { enabled: true, keepRecent: 20, minChars: 2_000, spillDirname: ".flower/spill" },
  }),
  row("EphemeralPolicyOptions", {
    make: (options: EphemeralPolicyOptions) => new EphemeralPolicy(options),
    given: {},
    see: (made) => ({ ...made }),
    defaults: {
      enabled: true,
      keepRecent: 6,
      maxChars: 2_000,
      text: "[expired: `{cmd}` ran {age} turn(s) ago and may no longer be true. Run it again if you need it]",
    },
    original: {
      enabled: true,
      keepRecent: 6,
      maxChars: 2_000,
      text: "[{cmd} 的结果已过期(第 {age} 轮前),当前状态可能已变。需要请重新执行]",
    },
    differs: { text: IN_ENGLISH },
  }),
  row("PrunePolicyOptions", {
    make: (options: PrunePolicyOptions) => new PrunePolicy(options),
    given: {},
    see: (made) => ({ ...made }),
    defaults: {
      dropApiErrors: true,
      neutralizeInterrupts: true,
      interruptText:
        "[this call was interrupted from outside while it ran, which is no failure of the command. Whether it took effect is not known: check before relying on it]",
      healOrphans: true,
      orphanText:
        "[no result was recorded for this call: the session ended while it ran. Whether it took effect is not known: check before relying on it]",
      keepDenials: 1,
    },
    original: { keepDenials: 1 },
  }),
  row("ResilienceOptions", {
    make: (options: ResilienceOptions) => new Resilience(options),
    given: {},
    see: (made) => ({ ...made }),
    defaults: {
      enabled: true,
      maxLimitWaits: 3,
      stallTimeout: 1_800,
      maxAttempts: 6,
      baseDelay: 4,
      maxDelay: 120,
      probeTimeout: 5,
      probeInterval: 15,
      maxOfflineWait: 3_600,
      retryUnknown: true,
      resumePrompt: "You were interrupted. Go on where you stopped; do not start over.",
    },
    original: { enabled: true },
  }),
  row("WaitOnlineOptions", {
    make: (options: WaitOnlineOptions) =>
      new Resilience().waitOnline(() => {}, filled(options, { signal: AbortSignal.abort() })),
    given: {},
    see: () => nothing("endpoint", "atMostS", "signal"),
    defaults: nothing("endpoint", "atMostS", "signal"),
  }),
];

const STORES: readonly Row[] = [
  row<SqliteSessionStoreOptions, ReturnType<typeof resolveStoreOptions>>("SqliteSessionStoreOptions", {
    make: (options) => {
      new SqliteSessionStore(options).close();
      return resolveStoreOptions(options);
    },
    given: { path },
    see: ({ lockWaitMs }) => ({ lockWaitS: lockWaitMs / 1_000 }),
    defaults: { lockWaitS: 10 },
  }),
  row("LastContextOptions", {
    make: (options: LastContextOptions) => {
      const store = new SqliteSessionStore({ path });
      try {
        store.lastContext("p", "s", options);
      } finally {
        store.close();
      }
      return resolveScan(options);
    },
    given: {},
    see: (scan) => ({ scan }),
    defaults: { scan: 60 },
    original: { scan: 60 },
  }),
  row<TrimmingSessionStoreOptions, TrimmingSessionStore>("TrimmingSessionStoreOptions", {
    make: (options) => new TrimmingSessionStore(filled(options, { inner })),
    given: { workspace: place("stores") },
    see: ({ policies }) => ({
      ...nothing("inner", "path"),
      policy: policies.trim,
      ephemeral: policies.ephemeral,
    }),
    defaults: {
      ...nothing("inner", "path"),
      policy: new TrimPolicy(),
      ephemeral: new EphemeralPolicy(),
    },
    original: { policy: new TrimPolicy(), ephemeral: new EphemeralPolicy() },
  }),
  row<PruningSessionStoreOptions, PruningSessionStore>("PruningSessionStoreOptions", {
    make: (options) => new PruningSessionStore(filled(options, { inner })),
    given: { workspace: place("stores") },
    see: ({ policies }) => ({
      ...nothing("inner", "path"),
      policy: policies.trim,
      ephemeral: policies.ephemeral,
      prune: policies.prune,
    }),
    defaults: {
      ...nothing("inner", "path"),
      policy: new TrimPolicy(),
      ephemeral: new EphemeralPolicy(),
      prune: new PrunePolicy(),
    },
    original: { policy: new TrimPolicy(), ephemeral: new EphemeralPolicy(), prune: new PrunePolicy() },
  }),
  row<WorkbenchOptions, Workbench>("WorkbenchOptions", {
    make: (options) => new Workbench(options),
    given: { workspace: place("bench") },
    see: (made) => ({
      dirname: made.show(made.root),
      maxIndexEntries: made.maxIndexEntries,
      home: made.external ? made.root : undefined,
    }),
    defaults: { dirname: ".flower", maxIndexEntries: 40, home: undefined },
    original: { dirname: ".flower", maxIndexEntries: 40, home: undefined },
  }),
];

const EMPTY_BRIEF = { goal: "", accept: "", bounds: "", unknowns: "", path: undefined };
const EMPTY_HANDOFF = {
  doing: "",
  decided: "",
  deadends: "",
  next: "",
  scene: "",
  step: "",
  path: undefined,
};

const DOCUMENTS: readonly Row[] = [
  row("BriefFields", {
    make: (fields: BriefFields) => new Brief(fields),
    given: {},
    see: (made) => ({ ...made, path: made.path }),
    defaults: { ...EMPTY_BRIEF, amendments: "" },
    original: EMPTY_BRIEF,
  }),
  row("GoalFields", {
    make: (fields: GoalFields) => new Goal(fields),
    given: {},
    see: (made) => ({ ...made, path: made.path }),
    defaults: { statement: "", checks: [], path: undefined },
    original: { statement: "", checks: [], path: undefined },
  }),
  row("VerdictFields", {
    make: (fields: VerdictFields) => new Verdict(fields),
    given: {},
    see: (made) => ({ ...made, path: made.path }),
    defaults: { state: "", reason: "", failed: [], path: undefined },
    original: { state: "", reason: "", failed: [] },
  }),
  row("HandoffFields", {
    make: (fields: HandoffFields) => new Handoff(fields),
    given: {},
    see: (made) => ({ ...made, path: made.path }),
    defaults: EMPTY_HANDOFF,
    original: EMPTY_HANDOFF,
  }),
];

const nobody = () => new HumanChannel({ timeoutS: 0 });

const PEOPLE: readonly Row[] = [
  row("HumanChannelOptions", {
    make: (options: HumanChannelOptions) => ({
      made: new HumanChannel(options),
      resolved: resolveChannelOptions(options),
    }),
    given: {},
    see: ({ made, resolved: { logPath, amendPath, replies } }) => ({
      onEvent: made.onEvent,
      maxAsks: made.remaining === -1 ? undefined : made.remaining,
      timeoutS: made.timeoutS,
      logPath,
      amendPath,
      overBudgetText: replies.overBudget.includes("write the assumption"),
      timeoutText: replies.timeout.includes("write the assumption"),
      declinedText: replies.declined.includes("write the assumption"),
      invalidText: replies.invalid.includes("write the assumption"),
    }),
    defaults: {
      ...nothing("onEvent", "maxAsks", "logPath", "amendPath"),
      timeoutS: 1_800,
      overBudgetText: true,
      timeoutText: true,
      declinedText: true,
      invalidText: true,
    },
    original: { ...nothing("onEvent", "maxAsks", "logPath", "amendPath"), timeoutS: 1_800 },
  }),
  row<AskFields, Ask>("AskFields", {
    make: (fields) => new Ask(fields),
    given: { id: "q1", question: "why?", askedAt: 0 },
    see: ({ options, state, answer, waitedS }) => ({ options, state, answer, waitedS }),
    defaults: { options: [], state: "asked", answer: "", waitedS: 0 },
  }),
  row("NextAskOptions", {
    make: (options: NextAskOptions) => nobody().nextAsk(filled(options, { signal: AbortSignal.abort() })),
    given: {},
    see: () => nothing("timeoutS", "signal"),
    defaults: nothing("timeoutS", "signal"),
  }),
  row("HumanChannel.ask settings", {
    make: (settings: { readonly signal?: AbortSignal | undefined }) => nobody().ask("why?", [], settings),
    given: {},
    see: () => nothing("signal"),
    defaults: nothing("signal"),
  }),
  row("HumanChannel.mcpServers settings", {
    make: (settings: { readonly inbox?: boolean | undefined }) => nobody().mcpServers(settings),
    given: {},
    see: ({ human }) => ({ inbox: human.tools.some(({ name }) => name === "inbox") }),
    defaults: { inbox: true },
    original: { inbox: true },
  }),
  row("HumanChannel.amend settings", {
    make: (settings: { readonly label?: string | undefined }) => nobody().amend("words", settings),
    given: {},
    see: () => ({ label: "the time" }),
    defaults: { label: "the time" },
  }),
];

/** Every row of this file. */
export const STORE_ROWS: readonly Row[] = [...POLICIES, ...STORES, ...DOCUMENTS, ...PEOPLE];
