// Stores, policies, documents and people: every option, whether it may be left out, and what it takes.
import type {
  AskFields,
  AskState,
  BriefFields,
  Endpoint,
  EphemeralPolicy,
  EphemeralPolicyOptions,
  EventListener,
  GoalFields,
  HandoffFields,
  HumanChannelOptions,
  LastContextOptions,
  NextAskOptions,
  PrunePolicy,
  PrunePolicyOptions,
  PruningSessionStoreOptions,
  ResilienceOptions,
  SessionStore,
  SqliteSessionStoreOptions,
  TrimmingSessionStoreOptions,
  TrimPolicy,
  TrimPolicyOptions,
  VerdictFields,
  VerdictState,
  WaitOnlineOptions,
  WorkbenchOptions,
} from "flower-agent";
import { type Agrees, agrees } from "./agrees.ts";

agrees<
  Agrees<
    TrimPolicyOptions,
    {
      enabled?: boolean;
      keepRecent?: number;
      minChars?: number;
      spillDirname?: string;
    }
  >
>();

agrees<
  Agrees<
    EphemeralPolicyOptions,
    {
      enabled?: boolean;
      keepRecent?: number;
      maxChars?: number;
      text?: string;
    }
  >
>();

agrees<
  Agrees<
    PrunePolicyOptions,
    {
      dropApiErrors?: boolean;
      neutralizeInterrupts?: boolean;
      interruptText?: string;
      healOrphans?: boolean;
      orphanText?: string;
      keepDenials?: number;
    }
  >
>();

agrees<
  Agrees<
    ResilienceOptions,
    {
      enabled?: boolean;
      maxLimitWaits?: number;
      stallTimeout?: number;
      maxAttempts?: number;
      baseDelay?: number;
      maxDelay?: number;
      probeTimeout?: number;
      probeInterval?: number;
      maxOfflineWait?: number;
      retryUnknown?: boolean;
      resumePrompt?: string;
    }
  >
>();

agrees<
  Agrees<
    WaitOnlineOptions,
    {
      endpoint?: Endpoint;
      atMostS?: number;
      signal?: AbortSignal;
    }
  >
>();

agrees<
  Agrees<
    SqliteSessionStoreOptions,
    {
      path: string;
      lockWaitS?: number;
    }
  >
>();

agrees<
  Agrees<
    LastContextOptions,
    {
      scan?: number;
    }
  >
>();

agrees<
  Agrees<
    TrimmingSessionStoreOptions,
    {
      inner?: SessionStore;
      path?: string;
      workspace: string;
      policy?: TrimPolicy | boolean;
      ephemeral?: EphemeralPolicy | boolean;
    }
  >
>();

agrees<
  Agrees<
    PruningSessionStoreOptions,
    {
      inner?: SessionStore;
      path?: string;
      workspace: string;
      policy?: TrimPolicy | boolean;
      ephemeral?: EphemeralPolicy | boolean;
      prune?: PrunePolicy | boolean;
    }
  >
>();

agrees<
  Agrees<
    WorkbenchOptions,
    {
      workspace: string;
      dirname?: string;
      maxIndexEntries?: number;
      home?: string;
    }
  >
>();

agrees<
  Agrees<
    BriefFields,
    {
      goal?: string;
      accept?: string;
      bounds?: string;
      unknowns?: string;
      amendments?: string;
      path?: string;
    }
  >
>();

agrees<
  Agrees<
    GoalFields,
    {
      statement?: string;
      checks?: readonly string[];
      path?: string;
    }
  >
>();

agrees<
  Agrees<
    VerdictFields,
    {
      state?: VerdictState;
      reason?: string;
      failed?: readonly string[];
      path?: string;
    }
  >
>();

agrees<
  Agrees<
    HandoffFields,
    {
      doing?: string;
      decided?: string;
      deadends?: string;
      next?: string;
      scene?: string;
      step?: string;
      path?: string;
    }
  >
>();

agrees<
  Agrees<
    HumanChannelOptions,
    {
      onEvent?: EventListener;
      maxAsks?: number;
      timeoutS?: number | null;
      logPath?: string;
      amendPath?: string;
      overBudgetText?: string;
      timeoutText?: string;
      declinedText?: string;
      invalidText?: string;
    }
  >
>();

agrees<
  Agrees<
    AskFields,
    {
      id: string;
      question: string;
      options?: readonly string[];
      askedAt: number;
      state?: AskState;
      answer?: string;
      waitedS?: number;
    }
  >
>();

agrees<
  Agrees<
    NextAskOptions,
    {
      timeoutS?: number | null;
      signal?: AbortSignal;
    }
  >
>();
