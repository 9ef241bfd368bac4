// Brings one step's parts together: its session, its waits, its handoffs, its books; then lets the loop run.

import type { HandoffPolicy } from "../agents/handoff-policy.ts";
import { wordsOf } from "../config/locale/words.ts";
import { createEvent, type Event } from "../events/event.ts";
import type { HarnessMessage } from "../harness/message.ts";
import type { TurnResult } from "../harness/turn-result.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { Workbench } from "../workbench/workbench.ts";
import { describeCutOff, loadCutOff } from "./cut-off-workers.ts";
import type { Door } from "./door.ts";
import { handOver } from "./hand-over.ts";
import { HandoffKeeper } from "./handoff-keeper.ts";
import type { Interrupter } from "./interrupter.ts";
import type { LimitMemory } from "./limit-memory.ts";
import { createNotice } from "./notice.ts";
import { endpoint } from "./reachability.ts";
import type { Resilience } from "./resilience.ts";
import type { RunBrake } from "./run-brake.ts";
import { runStep, type StartPoint } from "./run-step.ts";
import type { AssembledSession } from "./session-assembly.ts";
import type { StepDraft } from "./step-result.ts";
import { createWaits } from "./step-waits.ts";
import type { RunningWorker } from "./turn-reader.ts";

/** What a Runtime gives a step to run with. */
export interface StepStage {
  readonly draft: StepDraft;
  readonly prompt: string;
  readonly start: StartPoint;
  readonly session: AssembledSession;
  readonly interrupter: Interrupter;
  readonly signal: AbortSignal;
  readonly door: Door;
  readonly store: SessionStore;
  readonly projectKey: string;
  readonly workbench: Workbench | undefined;
  readonly resilience: Resilience;
  readonly brake: RunBrake;
  readonly limits: LimitMemory;
  /** The policy in force, and how it learns the true window. */
  readonly handoff: () => HandoffPolicy;
  readonly learnWindow: (window: number) => void;
  readonly hasSession: (sessionId: string) => Promise<boolean>;
  readonly onMessage: (message: HarnessMessage) => void;
  readonly onSession: (sessionId: string) => void;
  readonly charge: (result: TurnResult, start: StartPoint) => void;
  /** Must not throw. */
  readonly emit: (event: Event) => void;
}

function resumePoint(sessionId: string): StartPoint {
  return { resume: sessionId, fork: false, resumeAt: undefined };
}

/** Says once a generation that the context is nearly full. */
function createNearWatch(stage: StepStage): () => void {
  let warnedFor = -1;
  return () => {
    const policy = stage.handoff();
    const { context, retired } = stage.draft;
    if (!policy.enabled || context < policy.warnAt || warnedFor === retired.length) return;
    warnedFor = retired.length;
    stage.emit(
      createEvent("handoff", { payload: { phase: "near", context, window: policy.window, at: policy.at } }),
    );
  };
}

function noteCutOff(stage: StepStage, workers: readonly RunningWorker[]): void {
  const names = workers.map((worker) => `${worker.type}: ${worker.description}`).join("; ");
  const agents = workers.map((worker) => worker.taskId);
  stage.emit(createNotice("cut_off", wordsOf("notice.cut_off", { workers: names }), { agents }));
}

/** Words and options for a session that goes on, its cut-off workers named and in reach. */
async function resume(stage: StepStage, sessionId: string, words: string) {
  const start = resumePoint(sessionId);
  const cutOff = await loadCutOff(stage.store, stage.projectKey, sessionId);
  const prompt = [words, describeCutOff(cutOff)].filter((part) => part !== "").join("\n\n");
  const options = stage.session.optionsFor(start, { sendMessage: cutOff.length > 0 });
  return { launch: { start, prompt }, options };
}

/** Run one step with all it needs. Never throws for what the agent or the network did. */
export async function conductStep(stage: StepStage): Promise<void> {
  const { draft, session, door, signal, resilience, emit } = stage;
  const near = createNearWatch(stage);
  const keeper = new HandoffKeeper(stage.workbench?.notes, draft.step, (words) =>
    emit(createNotice("store", words)),
  );
  const upstream = door.upstream;
  const waits = createWaits({
    resilience,
    endpoint: () => endpoint(upstream),
    retryAfterS: door.retryAfterS,
    limits: stage.limits,
    // A wait ends at the deadline of the run as well; the deadline can be moved, so it is asked for each time.
    get signal() {
      return AbortSignal.any([signal, stage.brake.deadline()]);
    },
    emit,
  });
  await runStep({
    draft,
    first: { start: stage.start, prompt: stage.prompt },
    interrupter: stage.interrupter,
    signal,
    resilience,
    brake: stage.brake,
    halt: session.halt,
    outage: resilience.enabled ? session.outage : undefined,
    handoff: stage.handoff,
    resume: (sessionId, words) => resume(stage, sessionId, words),
    optionsFor: (start) => session.optionsFor(start),
    hasSession: stage.hasSession,
    handOver: (move, history) =>
      handOver(
        {
          draft,
          task: stage.prompt,
          policy: stage.handoff,
          learnWindow: stage.learnWindow,
          keeper,
          optionsFor: (sessionId) => session.optionsFor(resumePoint(sessionId), { withoutBudget: true }),
          charge: (result, sessionId) => stage.charge(result, resumePoint(sessionId)),
          brake: stage.brake,
          halt: session.halt,
          stallS: resilience.stallTimeout,
          signal,
          waitOut: async (diagnosis, failure, words) => {
            if (!resilience.enabled) return false;
            return diagnosis.kind === "quota"
              ? waits.limit(diagnosis.resetAt, words)
              : waits.outage(failure, words, history);
          },
          upstream: door.upstreamFault,
          emit,
        },
        move,
        history,
      ),
    waits,
    onMessage: (message) => {
      stage.onMessage(message);
      near();
    },
    onSession: stage.onSession,
    onCutOff: (workers) => noteCutOff(stage, workers),
    charge: (result, start) => {
      stage.charge(result, start);
      if (result.contextWindow > 0) stage.learnWindow(result.contextWindow);
    },
    upstream: door.upstreamFault,
    isRefused: () => draft.sessionId !== null && door.isRefused(draft.sessionId),
  });
}
