// Step: one unit of a workflow, as declared. Running it is workflow.ts.

import { AgentSpec } from "../agents/agent-spec.ts";
import type { FailureWords } from "../config/locale/words.ts";
import { OptionError, WorkflowError } from "../core/errors.ts";
import { type OptionKind, rejectUnknownKeys, requireKinds } from "../core/options.ts";
import type { FailureFacts } from "../core/words.ts";
import type { StepResult } from "../runtime/step-result.ts";
import { type Ctx, type CtxOf, isPrivateKey } from "./context.ts";

/** What happens to the workflow when a step did not get through. */
export type OnFail = "stop" | "skip" | "continue";

/** Text, or text made from the context. */
export type Prompt<C extends object = Ctx> = string | ((ctx: CtxOf<C>) => string);

/** Options of a step. */
export interface StepOptions<C extends object = Ctx> {
  /** Go on in the session of that earlier step; naming one that made no session throws. */
  readonly resumeFrom?: string | undefined;
  /** Go on in a copy of that session; only together with `resumeFrom`. @defaultValue false */
  readonly fork?: boolean | undefined;
  /** Further attempts after a gate said no. @defaultValue 0 */
  readonly retries?: number | undefined;
  /** Is it good enough? Called once an attempt, only when the run itself went well. Throw StepAbort to give up. */
  readonly gate?: ((result: StepResult, ctx: CtxOf<C>) => boolean | Promise<boolean>) | undefined;
  /**
   * What happens to the workflow when it did not get through: stop, skip (writes nothing) or continue (writes what there is).
   * @defaultValue "stop"
   */
  readonly onFail?: OnFail | undefined;
  /** False skips the step and writes nothing. Throw StepAbort to give up. */
  readonly when?: ((ctx: CtxOf<C>) => boolean | Promise<boolean>) | undefined;
  /** Words to the rejected session, which then goes on; empty starts over. */
  readonly onReject?: ((result: StepResult, ctx: CtxOf<C>) => string | Promise<string>) | undefined;
  /** Prompt in place of `prompt` when a session of an earlier process goes on. */
  readonly resumePrompt?: Prompt<C> | undefined;
  /** What the next steps see instead of the text. Synchronous. */
  readonly reduce?: ((result: StepResult, ctx: CtxOf<C>) => string) | undefined;
}

const KNOWN = [
  "resumeFrom",
  "fork",
  "retries",
  "gate",
  "onFail",
  "when",
  "onReject",
  "resumePrompt",
  "reduce",
] satisfies (keyof StepOptions)[];

const KINDS = {
  resumeFrom: "text",
  fork: "flag",
  gate: "function",
  when: "function",
  onReject: "function",
  resumePrompt: "text or function",
  reduce: "function",
} satisfies { readonly [K in keyof StepOptions]?: OptionKind };

/** Every way a step can fail. */
export const ON_FAIL: readonly OnFail[] = ["stop", "skip", "continue"];

/**
 * Thrown by a gate, `when` or `onReject`: trying again is no use.
 * @example
 * ```ts
 * import { AgentSpec, Step, StepAbort } from "flower-agent";
 *
 * const tester = new AgentSpec({ name: "tester", instructions: "You run the tests.", allowedTools: ["Bash"] });
 * const test = new Step("test", tester, "Run the tests.", {
 *   retries: 2,
 *   gate: (result) => {
 *     if (result.text.includes("no compiler")) throw new StepAbort("there is no compiler", "install one");
 *     return result.text.includes("all passed");
 *   },
 * });
 * ```
 */
export class StepAbort extends WorkflowError {
  /**
   * @param why - what stands in the books
   * @param hint - what a person can do
   * @param failure - the same for programs; only flower's own codes are known in other languages
   */
  constructor(why: string, hint = "", failure: FailureFacts = { code: "step_aborted", values: {} }) {
    super(why, { ...failure, hint });
  }
}

/** Give up for a reason the catalogue has in every language. */
export function abortWith({ error, hint, failure }: FailureWords): StepAbort {
  return new StepAbort(error, hint, failure);
}

function bad(message: string, hint: string): OptionError {
  return new OptionError(message, { code: "bad_option", hint });
}

function requireName(name: unknown): string {
  if (typeof name !== "string" || name.trim() === "")
    throw bad("a step needs a name", 'new Step("name", spec, prompt)');
  if (isPrivateKey(name))
    throw bad(`a step cannot be called "${name}"`, "that key of the context is flower's own");
  return name;
}

/**
 * One unit of a workflow; never changed by running it.
 * @throws OptionError for a name, spec, prompt or option that cannot be.
 * @example
 * ```ts
 * import { existsSync } from "node:fs";
 * import { AgentSpec, Step } from "flower-agent";
 *
 * const writer = new AgentSpec({ name: "writer", instructions: "You write.", allowedTools: ["Read", "Write"] });
 * const poem = new Step("poem", writer, (ctx) => `A poem in poem.txt about: ${ctx.topic}`, {
 *   retries: 2,
 *   gate: () => existsSync("poem.txt"),
 *   onReject: () => "poem.txt is not there yet.",
 * });
 * ```
 */
export class Step<C extends object = Ctx> {
  /** Key of the context, row of the books and place in the lineage. */
  readonly name: string;
  /** The agent that runs it. */
  readonly spec: AgentSpec;
  /** What the agent is told. */
  readonly prompt: Prompt<C>;
  /** The options as given. */
  readonly options: StepOptions<C>;
  readonly retries: number;
  readonly onFail: OnFail;

  /** @param name - key of the context, row of the books and place in the lineage */
  constructor(name: string, spec: AgentSpec, prompt: Prompt<C>, options: StepOptions<C> = {}) {
    this.name = requireName(name);
    if (!(spec instanceof AgentSpec))
      throw bad(`step "${name}" needs an AgentSpec`, "e.g. new AgentSpec({ … })");
    if (typeof prompt !== "string" && typeof prompt !== "function") {
      throw bad(`step "${name}" needs a prompt`, "a text, or a function of the context");
    }
    rejectUnknownKeys(options, KNOWN, `Step "${name}"`);
    requireKinds(options, KINDS, `Step "${name}"`);
    this.spec = spec;
    this.prompt = prompt;
    this.options = options;
    this.retries = options.retries ?? 0;
    this.onFail = options.onFail ?? "stop";
    if (!Number.isInteger(this.retries) || this.retries < 0) {
      throw bad(`step "${name}": retries must be a whole number, 0 or more`, "0 means one attempt");
    }
    if (!ON_FAIL.includes(this.onFail)) {
      throw bad(`step "${name}": onFail cannot be "${this.onFail}"`, `one of ${ON_FAIL.join(", ")}`);
    }
    if (options.fork === true && options.resumeFrom === undefined) {
      throw bad(`step "${name}": fork needs a session to copy`, "name its step as well: resumeFrom");
    }
  }

  /** A copy with some options changed; every other one is kept. */
  with(changes: StepOptions<C>): Step<C> {
    return new Step(this.name, this.spec, this.prompt, { ...this.options, ...changes });
  }
}

/**
 * The same step as one of another context type. For flower's own steps: of a context they read its own keys and those
 * their options name, and at run time every context is one plain object.
 */
export function forContext<C extends object>(step: Step<never>): Step<C> {
  return step as unknown as Step<C>;
}

/** A prompt's text for this context. */
export function renderPrompt<C extends object>(prompt: Prompt<C>, ctx: CtxOf<C>): string {
  return typeof prompt === "function" ? prompt(ctx) : prompt;
}
