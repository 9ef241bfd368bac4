// Puts a session together: guards in their order, watches, the workbench's index, and the options of each process.

import type { AgentSpec } from "../agents/agent-spec.ts";
import { CompactPolicy } from "../agents/compact-policy.ts";
import type { Hooks } from "../agents/hooks.ts";
import { withoutCredentials } from "../config/child-environment.ts";
import { reasonOf, wordsOf } from "../config/locale/words.ts";
import { type Environment, givenValue, HARNESS_VARIABLE } from "../config/variables.ts";
import type { Event } from "../events/event.ts";
import type { PostGuard, PreGuard } from "../guards/decision.ts";
import { delegatePreGuard } from "../guards/delegate-guard.ts";
import { frozenPreGuard } from "../guards/frozen-guard.ts";
import { grantPreGuard } from "../guards/grant-guard.ts";
import { indexPostGuard } from "../guards/index-guard.ts";
import { isolatePreGuard } from "../guards/isolate-guard.ts";
import { maskPostGuard } from "../guards/mask-guard.ts";
import { questionPreGuard } from "../guards/question-guard.ts";
import { createRepeatGuard } from "../guards/repeat-guard.ts";
import { rosterPreGuard } from "../guards/roster-guard.ts";
import { secretFilePreGuard } from "../guards/secret-file-guard.ts";
import { createSecretMask } from "../guards/secret-mask.ts";
import { spillPostGuard } from "../guards/spill-guard.ts";
import { whitelistPreGuard } from "../guards/whitelist-guard.ts";
import { buildOptions, type HarnessOptions } from "../harness/build-options.ts";
import { mergeHooks } from "../harness/guard-matchers.ts";
import { type CallWatch, compileHooks } from "../harness/hook-plan.ts";
import { joinWatches } from "../harness/join-watches.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import { ignoreWorktrees } from "../workbench/git-ignore.ts";
import type { Workbench } from "../workbench/workbench.ts";
import type { Door } from "./door.ts";
import { createGit, type Git } from "./git.ts";
import { requireIsolation } from "./isolation.ts";
import { createNotice } from "./notice.ts";
import type { StartPoint } from "./run-step.ts";
import { runawayWords } from "./runaway-words.ts";
import { createWorkerFailureWatch } from "./worker-failure-watch.ts";
import { WorkerOutage } from "./worker-outage.ts";
import type { Integration } from "./worktrees/integration.ts";
import { hasIsolatedRole, openIsolatedSession } from "./worktrees/isolated-session.ts";

/** What every session of a Runtime has in common. */
export interface AssemblyParts {
  readonly workspace: string;
  readonly portable: boolean;
  readonly workbench: Workbench | undefined;
  readonly spillThreshold: number;
  /** Files that hold credentials; a tool must not read them. */
  readonly secretFiles: readonly string[];
  readonly processEnv: Environment;
  /** Brings isolated work together. */
  readonly integration: Integration;
}

/** What one step adds. */
export interface SessionParts {
  readonly spec: AgentSpec;
  /** True while flower hands a full context over itself: the harness must then not compact it. */
  readonly handsOver: boolean;
  readonly door: Door;
  readonly store: SessionStore;
  readonly emit: (event: Event) => void;
  /** Told why the step's work is not what was asked for, although it may end well. Must not throw. */
  readonly onDegraded: (why: string) => void;
  /** Files and folders no agent may write with a tool, asked at every call. */
  readonly protects: () => readonly string[];
}

/** What one process may do beyond the others of its step. */
interface Liberties {
  /** Run without the step's budget: a handoff must be writable. */
  readonly withoutBudget?: boolean;
  /** Continue workers that were cut off; costs 6 KB of every request, so only where there are any. */
  readonly sendMessage?: boolean;
}

/** A step's session, ready to start processes. */
export interface AssembledSession {
  readonly optionsFor: (start: StartPoint, liberties?: Liberties) => HarnessOptions;
  /** Bring together what isolated workers left, once the step is over, and tell of it; `ok` when it went well. */
  readonly finish: (ok: boolean) => Promise<void>;
  /** Aborts when an agent would not stop repeating itself; its reason is the words for it. */
  readonly halt: AbortSignal;
  /** Tells of workers that an outage killed. */
  readonly outage: WorkerOutage;
}

/** Nobody summarises a session blindly while flower has it write its own document; an explicit policy is respected. */
function withoutCompaction(spec: AgentSpec, handsOver: boolean): AgentSpec {
  if (!handsOver || spec.compact !== undefined) return spec;
  return spec.with({
    compact: new CompactPolicy({ mode: "no_summary" }),
    hooks: mergeHooks(spec.hooks, BLOCK_COMPACTION),
  });
}

/** Some versions of the harness ignore the switch: the hook is the second wall. */
const BLOCK_COMPACTION: Hooks = {
  PreCompact: [
    {
      hooks: [
        async (input) =>
          input.trigger === "auto"
            ? { decision: "block", reason: "flower hands the context over itself" }
            : {},
      ],
    },
  ],
};

const SEND_MESSAGE = "SendMessage";

function liberated(spec: AgentSpec, liberties: Liberties): AgentSpec {
  const { withoutBudget = false, sendMessage = false } = liberties;
  if (!withoutBudget && !sendMessage) return spec;
  return spec.with({
    ...(withoutBudget ? { maxBudgetUsd: undefined } : {}),
    ...(sendMessage ? { allowedTools: [...spec.allowedTools, SEND_MESSAGE] } : {}),
  });
}

/** Assembles the sessions of one Runtime. */
export class SessionAssembly {
  readonly #parts: AssemblyParts;
  readonly #git: Git;

  constructor(parts: AssemblyParts) {
    this.#parts = parts;
    this.#git = createGit(parts.workspace, parts.processEnv);
  }

  /**
   * Check a spec against this Runtime before anything starts, and hide the worktrees it will make from git.
   * @throws IsolationError when an isolated role cannot be isolated here; DiskError.
   */
  check(spec: AgentSpec): void {
    if (!hasIsolatedRole(spec)) return;
    const workbenchRoot = this.#parts.workbench?.root;
    requireIsolation({ git: this.#git, workspace: this.#parts.workspace, workbenchRoot });
    ignoreWorktrees(this.#parts.workspace);
  }

  /** Assemble the session of one step. */
  start(session: SessionParts): AssembledSession {
    const { door, store } = session;
    const { workspace, portable, workbench } = this.#parts;
    const spec = withoutCompaction(session.spec, session.handsOver);
    const halt = new AbortController();
    const outage = new WorkerOutage();
    const isolated = openIsolatedSession({
      spec,
      integration: this.#parts.integration,
      git: this.#git,
      gitAt: (path) => createGit(path, this.#parts.processEnv),
      emit: session.emit,
      onDegraded: session.onDegraded,
    });
    const repeat = createRepeatGuard((runaway) => halt.abort(runawayWords(runaway)));
    const hooks = compileHooks({
      userHooks: spec.hooks,
      pre: [repeat.pre, frozenPreGuard(session), ...this.#preGuards(spec)],
      post: [repeat.post, ...this.#postGuards(spec, door, session.emit)],
      onDenied: (call, reason) => repeat.noteDenied(call, reason),
      onFailed: (call, error) => repeat.noteFailed(call, error),
      watch: this.#watch({ spec, emit: session.emit, outage, isolated: isolated?.watch }),
      makeWorktree: isolated?.makeWorktree,
      onFault: (where, error) =>
        session.emit(createNotice("guard", wordsOf("notice.guard", { where, reason: reasonOf(error) }))),
    });
    const addDirs = workbench?.external === true ? [workbench.root] : [];
    const index = workbench !== undefined && spec.workbench ? workbench.promptBlock() : "";
    const prelude = [index, isolated?.prelude ?? ""].filter((part) => part !== "").join("\n\n");
    const executable = givenValue(this.#parts.processEnv, HARNESS_VARIABLE);
    return {
      optionsFor: (start, liberties = {}) => {
        const options = buildOptions(liberated(spec, liberties), {
          cwd: workspace,
          sessionStore: store,
          portable,
          // A plugin brings commands that the harness runs itself: one that lies in the folder is a project's setting.
          usePlugin: !portable,
          addDirs,
          prelude,
          env: door.env,
          fork: start.fork,
          ...(executable === undefined ? {} : { executable }),
          ...(start.resume === undefined ? {} : { resume: start.resume }),
          ...(start.resumeAt === undefined ? {} : { resumeAt: start.resumeAt }),
        });
        const own = withoutCredentials(options.env ?? {});
        return { ...options, hooks, env: { ...isolated?.env, ...own, ...door.access } };
      },
      finish: async (ok) => isolated?.finish(ok),
      halt: halt.signal,
      outage,
    };
  }

  #preGuards(spec: AgentSpec): PreGuard[] {
    const { workspace, workbench, secretFiles } = this.#parts;
    const askTool = spec.allowedTools.find((name) => name.startsWith("mcp__") && name.endsWith("__ask"));
    const guards: PreGuard[] = [
      questionPreGuard(askTool === undefined ? {} : { askTool }),
      secretFilePreGuard({ files: secretFiles }),
    ];
    const agents = spec.agents ?? {};
    const hasAgents = Object.keys(agents).length > 0;
    if (spec.delegateOnly) guards.push(rosterPreGuard(agents));
    if (hasIsolatedRole(spec)) guards.push(isolatePreGuard(agents, { workspace }));
    if (hasAgents) {
      const roots = [workspace, ...(workbench?.external === true ? [workbench.root] : [])];
      guards.push(grantPreGuard(agents, { roots, workspace }));
    }
    if (spec.delegateOnly) {
      const artifacts = workbench === undefined ? {} : { artifacts: workbench.show(workbench.artifacts) };
      guards.push(delegatePreGuard({ allowGlance: spec.glance, ...artifacts }));
      return guards;
    }
    const whitelist = whitelistPreGuard(spec.allowedTools, { role: spec.name });
    return whitelist === null ? guards : [...guards, whitelist];
  }

  #postGuards(spec: AgentSpec, door: Door, emit: (event: Event) => void): PostGuard[] {
    const { workbench, spillThreshold } = this.#parts;
    const mask = maskPostGuard({ secrets: door.secrets });
    if (workbench === undefined) return [mask];
    const guards: PostGuard[] = [mask, indexPostGuard(workbench)];
    if (spillThreshold === 0) return guards;
    const spill = spillPostGuard(workbench, {
      threshold: spillThreshold,
      mask: createSecretMask(door.secrets),
      toolsOf: (outcome) =>
        outcome.agentType === undefined || outcome.agentId === undefined
          ? spec.allowedTools
          : spec.agents?.[outcome.agentType]?.tools,
      onFault: (error) =>
        emit(createNotice("store", wordsOf("notice.spill_failed", { reason: reasonOf(error) }))),
    });
    return [...guards, spill];
  }

  #watch(parts: {
    readonly spec: AgentSpec;
    readonly emit: (event: Event) => void;
    readonly outage: WorkerOutage;
    readonly isolated: CallWatch | undefined;
  }): CallWatch | undefined {
    const { spec, emit, outage, isolated } = parts;
    if (Object.keys(spec.agents ?? {}).length === 0) return undefined;
    const failures = createWorkerFailureWatch({
      async onFailure({ worker, diagnosis, error }) {
        const words = wordsOf("notice.worker_failed", { worker, reason: error });
        emit(createNotice("worker", words, { worker, cause: diagnosis.cause }));
        if (diagnosis.kind === "transient" || diagnosis.kind === "quota") await outage.report(error);
      },
      onReport: () => outage.over(),
    });
    return joinWatches([isolated, failures]);
  }
}
