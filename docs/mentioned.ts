// What the public list mentions without naming it, so that the API reference can say what these are. Nothing imports this.

export type { CompactMode } from "../src/agents/compact-policy.ts";
export type { ModelRole } from "../src/agents/role-models.ts";
export type { Environment } from "../src/config/variables.ts";
export type { Json } from "../src/core/json.ts";
export type { WorkbenchPort } from "../src/guards/workbench-port.ts";
export type { TurnResult } from "../src/harness/turn-result.ts";
export type { AmendmentListener } from "../src/people/amendments.ts";
export type { AnswerReceipt } from "../src/people/human-channel.ts";
export type { RunBrake } from "../src/runtime/run-brake.ts";
export type { StepWatch } from "../src/runtime/step-watch.ts";
export type {
  PruningSessionStoreOptions as PlainPruningOptions,
  TrimmingSessionStoreOptions as PlainTrimmingOptions,
} from "../src/sessions/rewriting-options.ts";
export type { Compaction } from "../src/sessions/shrink.ts";
export type { SqliteSessionStoreOptions as PlainSqliteOptions } from "../src/sessions/store-options.ts";
export type { Repair } from "../src/transcript/prune.ts";
export type { IndexEntry } from "../src/workbench/index-text.ts";
export type { FrozenMark } from "../src/workflow/lineage.ts";
