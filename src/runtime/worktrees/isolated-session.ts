// What isolation adds to one session: worktrees for its workers, a watch over them, and what is said at its end.

import type { AgentSpec } from "../../agents/agent-spec.ts";
import { wantsIsolation } from "../../agents/isolation.ts";
import { wordsOf } from "../../config/locale/words.ts";
import { errorText } from "../../core/errors.ts";
import type { Words } from "../../core/words.ts";
import { createEvent, type Event } from "../../events/event.ts";
import type { CallWatch } from "../../harness/hook-plan.ts";
import type { Git } from "../git.ts";
import { describeWorktrees, listWorktrees } from "../isolation.ts";
import { createIsolationWatch, type IsolationFault } from "../isolation-watch.ts";
import { createNotice } from "../notice.ts";
import { identityVariables } from "./git-work.ts";
import type { Integration } from "./integration.ts";
import { type IntegrationReport, isWorthTelling } from "./report.ts";
import { obstaclesIn, sayIntegration } from "./report-words.ts";

/** What isolation adds to a session. */
export interface IsolatedSession {
  readonly makeWorktree: (name: string) => Promise<string>;
  readonly watch: CallWatch;
  /** What its coordinator must know. */
  readonly prelude: string;
  /** For its processes; variables of the person's own go before these. */
  readonly env: Readonly<Record<string, string>>;
  /** The step is over: bring its work together if it went well, and say what there is. */
  readonly finish: (ok: boolean) => Promise<void>;
}

/** What it is made of. */
export interface IsolatedSessionParts {
  readonly spec: AgentSpec;
  readonly integration: Integration;
  /** Bound to the checkout. */
  readonly git: Git;
  readonly gitAt: (path: string) => Git;
  /** Must not throw. */
  readonly emit: (event: Event) => void;
  /** Told why work that was to be isolated was not: it stands with the step in the books. Must not throw. */
  readonly onDegraded: (why: string) => void;
}

/** Whether any worker of a spec works in a worktree of its own. */
export function hasIsolatedRole(spec: AgentSpec): boolean {
  return Object.values(spec.agents ?? {}).some(wantsIsolation);
}

/** One line for a person about what a worker did to the shared checkout. */
function faultWords(fault: IsolationFault): Words {
  switch (fault.kind) {
    case "checkout_changed":
      return wordsOf("notice.checkout_changed", { worker: fault.agentType, files: fault.files.join(", ") });
    case "not_isolated":
      return wordsOf("notice.not_isolated", { worker: fault.agentType });
    case "wrong_commit":
      return wordsOf("notice.wrong_commit", { path: fault.path });
  }
}

function preludeFor(branch: string): string {
  return [
    "Your workers are isolated: each works in a git worktree of its own. When one has reported, what it left is",
    `committed and merged into ${branch}, and workers dispatched after that start from there: nobody has to copy or`,
    "merge anything. Dispatch together only tasks that do not change the same files. A branch that does not merge is",
    "named to you: have a worker run `git merge <that branch>` in its own worktree, resolve it and commit. The person's",
    "own branch and checkout stay as they are.",
  ].join("\n");
}

/** The event that says how isolated work stands. */
function integrationNotice(report: IntegrationReport): Event {
  const payload = { ...report, notice: "integration", obstacles: obstaclesIn(report) };
  return createEvent("task", { text: sayIntegration(report), payload });
}

/** Open what isolation adds to a session; undefined when none of its roles is isolated. */
export function openIsolatedSession(parts: IsolatedSessionParts): IsolatedSession | undefined {
  const { spec, integration, git, gitAt, emit, onDegraded } = parts;
  if (!hasIsolatedRole(spec)) return undefined;
  const owner = Symbol(spec.name);
  const failures: string[] = [];
  return {
    async makeWorktree(name) {
      try {
        return await integration.createTree(name, owner);
      } catch (error) {
        // The harness has words of its own for this, and they do not say why.
        failures.push(errorText(error));
        throw error;
      }
    },
    watch: createIsolationWatch({
      git,
      gitAt,
      integration,
      isIsolated: (role) => wantsIsolation(spec.agents?.[role]),
      failures: () => failures.splice(0),
      onFault: (fault) => {
        const event = createNotice("worktree", faultWords(fault), { fault });
        emit(event);
        onDegraded(event.text);
      },
      onObstacle: (report) => emit(integrationNotice(report)),
    }),
    prelude: preludeFor(integration.branch),
    env: identityVariables(git),
    async finish(ok) {
      const report = ok ? await integration.bringAll(owner) : undefined;
      if (report !== undefined && isWorthTelling(report)) emit(integrationNotice(report));
      const worktrees = await listWorktrees(git, gitAt, (branch) => integration.owns(branch));
      if (worktrees.length === 0) return;
      const payload = { notice: "worktree", worktrees };
      emit(createEvent("task", { text: describeWorktrees(worktrees), payload }));
    },
  };
}
