// What must compile for a user, and what must not: events, stores, contexts and options of one's own.
import {
  AgentSpec,
  type AskChannel,
  Brief,
  type Ctx,
  type Event,
  type EventKind,
  type FlowerError,
  HumanChannel,
  judge,
  Resilience,
  Runtime,
  type RuntimeOptions,
  type SessionStore,
  type SpillOptions,
  Step,
  type StepResult,
  spillGuard,
  starterFlow,
  Workbench,
  Workflow,
  worker,
} from "flower-agent";
import { ScriptedApi, text } from "flower-agent/testing";
import { type Agrees, agrees } from "./agrees.ts";

const spec = new AgentSpec({ name: "x", instructions: "" });

/** Every kind has its case: one that is added does not compile here. */
export function show(event: Event): string {
  switch (event.kind) {
    case "text":
    case "thinking":
    case "tool_call":
    case "tool_result":
    case "task":
    case "system":
    case "reset":
    case "result":
    case "error":
    case "prompt":
    case "unknown":
    case "retry":
    case "handoff":
    case "step":
    case "ask":
      return event.text;
    default: {
      const none: never = event;
      return none;
    }
  }
}
agrees<Agrees<Record<EventKind, 1>, Record<Event["kind"], 1>>>();

/** A store of one's own. */
export const store: SessionStore = {
  append: async () => {},
  load: async () => null,
};

/** A judge of one's own, and a channel that is no HumanChannel. */
export function ownJudge(channel: AskChannel): AgentSpec {
  return judge("mine", channel, { canRun: true }).with({
    mcpServers: { docs: { type: "http", url: "http://x" } },
  });
}

/** A context of a type of one's own: an interface, without an index signature. */
interface Mine {
  readonly topic: string;
  plan?: string;
}

/** Steps see it with flower's own keys beside it. */
export const flow = new Workflow<Mine>(
  [
    new Step<Mine>("plan", spec, (ctx) => `Plan ${ctx.topic}`, {
      gate: (result: StepResult, ctx) => result.ok && ctx.plan !== undefined && ctx._aborted === undefined,
    }),
  ],
  { context: { topic: "words" } },
);

/** Everything that waits can be told to end. */
export async function ended(signal: AbortSignal): Promise<Ctx> {
  const runtime = new Runtime({ workspace: ".", store, workbench: new Workbench({ workspace: "." }) });
  const result = await runtime.run(spec, "go", { signal });
  agrees<Agrees<{ text: string }, { text: typeof result.text }>>();
  await new Resilience().waitOnline(() => {}, { signal });
  const channel = new HumanChannel({ timeoutS: null });
  await channel.ask("why?", ["a"], { signal });
  await channel.nextAsk({ signal });
  const api = await ScriptedApi.start({ script: { main: [text("hi")] } });
  await api.seen(() => true, signal);
  return starterFlow("count").run(runtime, { signal, budgetUsd: 1 });
}

/** Errors tell themselves apart by code. */
export function advice(error: FlowerError): string {
  return `${error.code}: ${error.hint}`;
}

/** What is not given may be said to be `undefined`. */
export function open(maybe: { readonly runDir?: string; readonly spill?: SpillOptions }): Runtime {
  const options: RuntimeOptions = { workspace: ".", runDir: maybe.runDir, workbench: undefined };
  spillGuard(new Workbench({ workspace: "." }), { toolsOf: () => ["Read"], ...maybe.spill });
  return new Runtime(options);
}

// @ts-expect-error the workspace cannot be left out
new Runtime({});
// @ts-expect-error there is no such option
new Runtime({ workspace: ".", workSpace: "." });
// @ts-expect-error a number is no path
new Runtime({ workspace: 1 });
// @ts-expect-error null is not the same as undefined
new Runtime({ workspace: ".", runDir: null });
// @ts-expect-error there is no such end
new Step("a", spec, "go", { onFail: "retry" });
// @ts-expect-error options are one object, also where the original took a word
starterFlow("count", true);
// @ts-expect-error a worker is made of words
worker("codes", 1);
// @ts-expect-error data is read-only
new Brief({ goal: "x" }).goal = "y";
// @ts-expect-error there is no such kind
agrees<Agrees<Record<EventKind, 1>, Record<Event["kind"] | "budget", 1>>>();
