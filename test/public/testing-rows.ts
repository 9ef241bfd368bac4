// What `flower-agent/testing` takes: options and defaults.
import {
  always,
  DUMMY_KEY,
  dropConnection,
  httpError,
  type Script,
  ScriptedApi,
  type ScriptedApiOptions,
  type ScriptedEnvOptions,
  scriptedEnv,
  streamError,
  type Turn,
  type TurnOptions,
  type TurnUsage,
  text,
  thinking,
  toolUse,
  turn,
} from "../../src/testing/index.ts";
import { resolveApiOptions } from "../../src/testing/scripted-api-options.ts";
import { requestOf } from "../testing/request-of.ts";
import { nothing, type Row, row } from "./row.ts";

async function started(options: ScriptedApiOptions): Promise<void> {
  await (await ScriptedApi.start(options)).close();
}

const USAGE = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0 };
const script = { main: [always(text("hi"))] };

/** What the answer of a scripted API says of its tokens. */
async function claimed(usage: TurnUsage): Promise<Readonly<Record<string, number>>> {
  const api = await ScriptedApi.start({ script: { main: [turn(text("hi"), { usage })] } });
  try {
    const { body } = requestOf({});
    const reply = await fetch(`${api.url}/v1/messages`, { method: "POST", body: JSON.stringify(body) });
    return ((await reply.json()) as { usage: Record<string, number> }).usage;
  } finally {
    await api.close();
  }
}

interface Broken {
  readonly afterEvents: number;
  readonly turn: Turn;
}

type DropOptions = NonNullable<Parameters<typeof dropConnection>[0]>;
type StreamErrorOptions = NonNullable<Parameters<typeof streamError>[0]>;
type HttpErrorOptions = NonNullable<Parameters<typeof httpError>[1]>;

const half = ({ turn: { blocks } }: Broken) => (blocks.length === 1 ? "half an answer" : "another");

/** Every row of this file. */
export const TESTING_ROWS: readonly Row[] = [
  row<ScriptedApiOptions, Promise<ReturnType<typeof resolveApiOptions>>>("ScriptedApiOptions", {
    make: async (options) => {
      await started(options);
      return resolveApiOptions(options);
    },
    given: { script },
    see: ({ port, expectKey, usage, keepBodies, allowRefusals }) => ({
      port,
      expectKey,
      usage,
      keepBodies,
      allowRefusals,
    }),
    defaults: { port: 0, expectKey: undefined, usage: USAGE, keepBodies: true, allowRefusals: false },
  }),
  row("Script", {
    make: (options: Script) => started({ script: options }),
    given: {},
    see: () => nothing("coordinator", "clarifier", "judge", "oracle", "main", "workers", "speakers", "side"),
    defaults: nothing("coordinator", "clarifier", "judge", "oracle", "main", "workers", "speakers", "side"),
  }),
  row<ScriptedEnvOptions, Record<string, string>>("ScriptedEnvOptions", {
    make: (options) => scriptedEnv(options),
    given: { home: "/h", apiUrl: "http://127.0.0.1:1", path: "/bin" },
    see: (env) => ({ apiKey: env.ANTHROPIC_API_KEY, extra: undefined }),
    defaults: { apiKey: DUMMY_KEY, extra: undefined },
  }),
  row("TurnOptions", {
    make: (options: TurnOptions) => turn(text("hi"), options),
    given: {},
    see: ({ usage, stopReason, delayMs, model }) => ({ usage, stopReason, delayMs, model }),
    defaults: nothing("usage", "stopReason", "delayMs", "model"),
  }),
  row("TurnUsage", {
    make: claimed,
    given: {},
    see: (usage) => ({
      inputTokens: usage.input_tokens,
      outputTokens: usage.output_tokens,
      cacheReadTokens: usage.cache_read_input_tokens,
      cacheWriteTokens: usage.cache_creation_input_tokens,
    }),
    defaults: USAGE,
  }),
  row("thinking options", {
    make: (options: { readonly signature?: string | undefined }) => thinking("hm", options),
    given: {},
    see: ({ signature }) => ({ signature }),
    defaults: nothing("signature"),
  }),
  row("toolUse options", {
    make: (options: { readonly id?: string | undefined }) => toolUse("Read", {}, options),
    given: {},
    see: ({ id }) => ({ id }),
    defaults: nothing("id"),
  }),
  row("httpError options", {
    make: (options: HttpErrorOptions) => httpError(529, options),
    given: {},
    see: ({ errorType, message, headers, body }) => ({ type: errorType, message, headers, body }),
    defaults: { type: "overloaded_error", message: "Overloaded", headers: {}, body: undefined },
  }),
  row("dropConnection options", {
    make: (options: DropOptions) => dropConnection(options),
    given: {},
    see: (made) => ({ afterEvents: made.afterEvents, turn: half(made) }),
    defaults: { afterEvents: 0, turn: "half an answer" },
  }),
  row("streamError options", {
    make: (options: StreamErrorOptions) => streamError(options),
    given: {},
    see: (made) => ({
      type: made.errorType,
      message: made.message,
      afterEvents: made.afterEvents,
      turn: half(made),
    }),
    defaults: { type: "overloaded_error", message: "Overloaded", afterEvents: 3, turn: "half an answer" },
  }),
];
