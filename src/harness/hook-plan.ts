// One callback an event. With two hooks that rewrite, the last one registered wins and the other is lost, and a hook
// that throws lets the call run (both measured); so the user's hooks and flower's guards run inside one callback.

import type { Options } from "@anthropic-ai/claude-agent-sdk";
import type { HookInput, HookMatcher, HookOutput, Hooks } from "../agents/hooks.ts";
import { timerMs, within } from "../core/clock.ts";
import { errorText, OptionError } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";
import { composePost, composePre } from "../guards/compose.ts";
import type {
  Decision,
  OutcomeDecision,
  PostGuard,
  PreGuard,
  ToolCall,
  ToolOutcome,
} from "../guards/decision.ts";
import { asText } from "./message.ts";
import { toCall } from "./tool-call.ts";

/** Looks at calls without deciding: before one runs, and after, where it may add words for the model. */
export interface CallWatch {
  readonly before: (call: ToolCall) => Promise<void>;
  /** @returns words the caller should read beside the result, or undefined. */
  readonly after: (outcome: ToolOutcome) => Promise<string | undefined>;
  /** A call that ran and failed has an event of its own. @returns words as above. */
  readonly failed?: (call: ToolCall, error: string) => Promise<string | undefined>;
}

/** Everything that runs inside the callbacks, in order: user's hooks, then guards. */
export interface HookPlan {
  readonly userHooks: Hooks | undefined;
  readonly pre: readonly PreGuard[];
  readonly post: readonly PostGuard[];
  readonly watch: CallWatch | undefined;
  /** Told about a call that was refused, by whomever, with what the model reads. Must not throw. */
  readonly onDenied?: (call: ToolCall, reason: string) => void;
  /** Told about a call that ran and failed. Must not throw. */
  readonly onFailed?: (call: ToolCall, error: string) => void;
  /**
   * Makes the worktree of an isolated worker. @returns its path; what it throws fails the dispatch. Without it, or with
   * a hook of the user's for this, the harness makes its own: from the remote's branch where there is one (measured).
   */
  readonly makeWorktree?: ((name: string) => Promise<string>) | undefined;
  /** Told about faults inside hooks and guards; the call was then denied or its answer left as it was. */
  readonly onFault: (where: string, error: unknown) => void;
}

/** Tool names that mean the same tool: it was renamed without notice once. */
const DISPATCH_NAMES = ["Agent", "Task"];

function sameTool(a: string, b: string): boolean {
  return a === b || (DISPATCH_NAMES.includes(a) && DISPATCH_NAMES.includes(b));
}

/** Whether a user's matcher means this tool: names joined by `|`, or a regular expression; none means all. */
function matches(matcher: string | undefined, tool: string): boolean {
  if (matcher === undefined || matcher === "" || matcher === "*") return true;
  if (/^[\w|]+$/.test(matcher)) return matcher.split("|").some((name) => sameTool(name, tool));
  const pattern = new RegExp(`^(?:${matcher})$`);
  const names = DISPATCH_NAMES.includes(tool) ? DISPATCH_NAMES : [tool];
  return names.some((name) => pattern.test(name));
}

/** What the parts inside one callback add up to. */
interface Tally {
  input: unknown;
  rewritten: boolean;
  allowed: boolean;
  denied: string | undefined;
  /** Fields of the users' outputs that flower has no opinion on. */
  extra: Record<string, unknown>;
  context: string[];
}

function specific(output: HookOutput): Record<string, unknown> {
  return isRecord(output.hookSpecificOutput) ? output.hookSpecificOutput : {};
}

/**
 * A user's output without what would make the one answer of this callback an asynchronous one: the harness then goes on
 * without reading it, and every guard's decision with it would be lost (measured).
 */
function awaited(output: HookOutput): HookOutput {
  const { async: _async, asyncTimeout: _timeout, ...rest } = output;
  return rest;
}

function keepExtra(tally: Tally, output: HookOutput): void {
  const { hookSpecificOutput: _own, decision: _decision, reason: _reason, ...rest } = awaited(output);
  Object.assign(tally.extra, rest);
  const context = asText(specific(output).additionalContext);
  if (context !== "") tally.context.push(context);
}

function takeUserOutput(tally: Tally, output: unknown): void {
  if (!isRecord(output)) throw new TypeError("a hook answered with something that is not an object");
  keepExtra(tally, output);
  const own = specific(output);
  const decision = own.permissionDecision;
  if (decision === "deny" || decision === "ask" || output.decision === "block") {
    // Nobody is there to be asked: a question to the person at a click is a refusal.
    tally.denied ??= asText(own.permissionDecisionReason) || asText(output.reason) || "denied by a hook";
  }
  if (decision === "allow") tally.allowed = true;
  if (isRecord(own.updatedInput)) {
    tally.input = own.updatedInput;
    tally.rewritten = true;
  }
}

/** A hook that takes longer than its own limit has failed; without a limit it may take its time. */
async function inTime<T>(answer: Promise<T>, timeoutS: number | undefined): Promise<T> {
  if (timeoutS === undefined) return answer;
  return within(timerMs(timeoutS), answer, () => {
    const words = `a hook did not answer within ${timeoutS} s`;
    throw new OptionError(words, {
      code: "hook_timeout",
      hint: "raise its timeout",
      values: { seconds: timeoutS },
    });
  });
}

async function runUserHooks(
  matchers: readonly HookMatcher[],
  input: HookInput,
  context: {
    readonly signal: AbortSignal;
    readonly take: (output: unknown) => void;
    readonly current: () => HookInput;
  },
): Promise<void> {
  for (const matcher of matchers) {
    if (!matches(matcher.matcher, asText(input.tool_name))) continue;
    for (const hook of matcher.hooks) {
      const answer = hook(context.current(), input.tool_use_id, { signal: context.signal });
      context.take(await inTime(answer, matcher.timeout));
    }
  }
}

function takeDecision(tally: Tally, decision: Decision): void {
  switch (decision.kind) {
    case "pass":
      return;
    case "allow":
      tally.allowed = true;
      return;
    case "deny":
      tally.denied ??= decision.reason;
      return;
    case "rewrite":
      tally.input = decision.input;
      tally.rewritten = true;
      tally.allowed = true;
      return;
  }
}

function preOutput(tally: Tally): HookOutput {
  const base = { ...tally.extra };
  const context = tally.context.length > 0 ? { additionalContext: tally.context.join("\n") } : {};
  const answer = (own: Record<string, unknown>): HookOutput => ({
    ...base,
    hookSpecificOutput: { hookEventName: "PreToolUse", ...context, ...own },
  });
  if (tally.denied !== undefined) {
    return answer({ permissionDecision: "deny", permissionDecisionReason: tally.denied });
  }
  if (!tally.allowed && !tally.rewritten) return tally.context.length > 0 ? answer({}) : base;
  const updated = tally.rewritten ? { updatedInput: tally.input } : {};
  return answer({ ...(tally.allowed ? { permissionDecision: "allow" } : {}), ...updated });
}

/** A plan whose guards were joined once, not at every call. */
interface JoinedPlan extends HookPlan {
  readonly decide: (call: ToolCall) => Decision;
  readonly review: (outcome: ToolOutcome) => OutcomeDecision;
}

/** Whatever goes wrong with telling it: a callback that throws would let the call run after all. */
function tellDenied(plan: JoinedPlan, input: HookInput, reason: string | undefined): void {
  if (reason === undefined) return;
  try {
    plan.onDenied?.(toCall(input), reason);
  } catch (error) {
    plan.onFault("PreToolUse", error);
  }
}

async function beforeCall(plan: JoinedPlan, input: HookInput, signal: AbortSignal): Promise<HookOutput> {
  const tally: Tally = {
    input: input.tool_input,
    rewritten: false,
    allowed: false,
    denied: undefined,
    extra: {},
    context: [],
  };
  try {
    await runUserHooks(plan.userHooks?.PreToolUse ?? [], input, {
      signal,
      take: (output) => takeUserOutput(tally, output),
      current: () => ({ ...input, tool_input: tally.input }),
    });
    const call = toCall(input);
    takeDecision(tally, plan.decide({ ...call, input: tally.input }));
    if (tally.denied === undefined) await plan.watch?.before({ ...call, input: tally.input });
  } catch (error) {
    plan.onFault("PreToolUse", error);
    tally.denied = `denied: internal error in a guard (${errorText(error)})`;
  }
  tellDenied(plan, input, tally.denied);
  return preOutput(tally);
}

function takeUserReview(review: Review, output: unknown): void {
  if (!isRecord(output)) return;
  const { hookSpecificOutput: _own, ...rest } = awaited(output);
  Object.assign(review.extra, rest);
  const own = specific(output);
  const context = asText(own.additionalContext);
  if (context !== "") review.context.push(context);
  const replacement = own.updatedToolOutput ?? own.updatedMCPToolOutput;
  if (replacement !== undefined) {
    review.response = replacement;
    review.replaced = true;
  }
}

/** What the parts inside the callback after a call add up to. */
interface Review {
  response: unknown;
  replaced: boolean;
  extra: Record<string, unknown>;
  context: string[];
}

function runReviews(plan: JoinedPlan, call: ToolCall, review: Review): void {
  const decision = plan.review({ ...call, response: review.response });
  if (decision.kind !== "replace") return;
  review.response = decision.response;
  review.replaced = true;
}

async function afterCall(plan: JoinedPlan, input: HookInput, signal: AbortSignal): Promise<HookOutput> {
  const review: Review = { response: input.tool_response, replaced: false, extra: {}, context: [] };
  const call = toCall(input);
  try {
    await runUserHooks(plan.userHooks?.PostToolUse ?? [], input, {
      signal,
      take: (output) => takeUserReview(review, output),
      current: () => ({ ...input, tool_response: review.response }),
    });
  } catch (error) {
    plan.onFault("PostToolUse", error);
  }
  runReviews(plan, call, review);
  try {
    const note = await plan.watch?.after({ ...call, response: input.tool_response });
    if (note !== undefined) review.context.push(note);
  } catch (error) {
    plan.onFault("PostToolUse", error);
  }
  if (!review.replaced && review.context.length === 0) return review.extra;
  const context = review.context.length > 0 ? { additionalContext: review.context.join("\n") } : {};
  const updated = review.replaced ? { updatedToolOutput: review.response } : {};
  return { ...review.extra, hookSpecificOutput: { hookEventName: "PostToolUse", ...context, ...updated } };
}

/** A failed call has an event of its own (measured): nothing is decided there, it is only seen. */
async function afterFailure(plan: JoinedPlan, input: HookInput): Promise<HookOutput> {
  if (input.is_interrupt === true) return {};
  const error = asText(input.error);
  try {
    plan.onFailed?.(toCall(input), error);
    const note = await plan.watch?.failed?.(toCall(input), error);
    if (note === undefined) return {};
    return { hookSpecificOutput: { hookEventName: "PostToolUseFailure", additionalContext: note } };
  } catch (fault) {
    plan.onFault("PostToolUseFailure", fault);
    return {};
  }
}

type SdkHooks = NonNullable<Options["hooks"]>;
type Callback = (input: HookInput, id: string | undefined, o: { signal: AbortSignal }) => Promise<HookOutput>;

function register(callback: Callback): NonNullable<SdkHooks["PreToolUse"]> {
  return [{ hooks: [callback as never] }];
}

/** What a user's hook adds may make the answer one the harness cannot read; without this the call would then run (measured). */
function registerWall(callback: Callback): NonNullable<SdkHooks["PreToolUse"]> {
  return register(callback).map((matcher) => ({ ...matcher, onFailure: "block" }));
}

/** A large checkout takes minutes; the harness would not wait that long by itself. */
const WORKTREE_TIMEOUT_S = 600;

/** A worktree that cannot be made must not become work in the shared checkout: no path, no worker (measured). */
async function makeWorktree(plan: JoinedPlan, input: HookInput): Promise<HookOutput> {
  try {
    const worktreePath = await plan.makeWorktree?.(asText(input.name));
    return { hookSpecificOutput: { hookEventName: "WorktreeCreate", worktreePath } };
  } catch (error) {
    plan.onFault("WorktreeCreate", error);
    return {};
  }
}

/** Compile a plan for the harness: one callback before and one after each call; other events as the user gave them. */
export function compileHooks(parts: HookPlan): SdkHooks {
  const plan: JoinedPlan = {
    ...parts,
    decide: composePre(parts.pre),
    review: composePost(parts.post, { onFault: parts.onFault }),
  };
  const hooks: Record<string, unknown> = {};
  for (const [event, matchers] of Object.entries(plan.userHooks ?? {})) {
    if (event !== "PreToolUse" && event !== "PostToolUse" && matchers.length > 0) hooks[event] = matchers;
  }
  hooks.PreToolUse = registerWall((input, _id, { signal }) => beforeCall(plan, input, signal));
  hooks.PostToolUse = register((input, _id, { signal }) => afterCall(plan, input, signal));
  if (plan.onFailed !== undefined || plan.watch?.failed !== undefined) {
    const seen = register((input) => afterFailure(plan, input));
    hooks.PostToolUseFailure = [...(plan.userHooks?.PostToolUseFailure ?? []), ...seen];
  }
  if (plan.makeWorktree !== undefined && hooks.WorktreeCreate === undefined) {
    const made = register((input) => makeWorktree(plan, input));
    hooks.WorktreeCreate = made.map((matcher) => ({ ...matcher, timeout: WORKTREE_TIMEOUT_S }));
  }
  return hooks as SdkHooks;
}
