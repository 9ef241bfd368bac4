// ScriptedApi: a Messages API on 127.0.0.1 that plays a script to the real harness. Owns the socket and the ids;
// what a request gets is decided in `script-player.ts`.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { sleep } from "../core/clock.ts";
import {
  type Outlet,
  writeAndDrop,
  writeAndFail,
  writeError,
  writeJson,
  writeMessage,
} from "./answer-writer.ts";
import { type ApiRequest, type IncomingRequest, toolCallIds } from "./api-request.ts";
import { httpError } from "./failure.ts";
import { pathOf, readRequest } from "./incoming.ts";
import { type PlannedMessage, planMessage } from "./planned-message.ts";
import { ScriptError, type ScriptFault } from "./script-error.ts";
import { ScriptPlayer } from "./script-player.ts";
import {
  type ResolvedApiOptions,
  resolveApiOptions,
  type ScriptedApiOptions,
} from "./scripted-api-options.ts";
import type { Reply } from "./step.ts";
import type { Turn } from "./turn.ts";

/** Servers this process has started: part of every id, so that two in one test never give out the same. */
let started = 0;

/**
 * A Messages API on 127.0.0.1 that plays a script to the real harness.
 * @example
 * ```ts
 * import { DUMMY_KEY, ScriptedApi, text } from "flower-agent/testing";
 *
 * const api = await ScriptedApi.start({ script: { main: [text("hello")] } });
 * const env = { ANTHROPIC_API_KEY: DUMMY_KEY, ANTHROPIC_BASE_URL: api.url };
 * console.log(Object.keys(env));
 * await api.close();
 * ```
 */
export class ScriptedApi {
  readonly #options: ResolvedApiOptions;
  readonly #player: ScriptPlayer;
  readonly #server: Server;
  readonly #closing = new AbortController();
  readonly #series: number;
  #asked = 0;
  #messages = 0;
  #tools = 0;

  private constructor(options: ResolvedApiOptions) {
    started += 1;
    this.#series = started;
    this.#options = options;
    this.#player = new ScriptPlayer(options);
    this.#server = createServer((message, response) => void this.#serve(message, response));
  }

  /**
   * Start listening.
   * @throws OptionError `unknown_option`, `bad_options`, `bad_script`.
   */
  static async start(options: ScriptedApiOptions): Promise<ScriptedApi> {
    const resolved = resolveApiOptions(options);
    const api = new ScriptedApi(resolved);
    await new Promise<void>((resolve, reject) => {
      api.#server.once("error", reject);
      api.#server.listen(resolved.port, "127.0.0.1", resolve);
    });
    return api;
  }

  /** Address to give as `ANTHROPIC_BASE_URL`. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Every request so far, in the order they were asked. */
  get requests(): readonly ApiRequest[] {
    return this.#player.log.all;
  }

  /** What went differently from the script so far; steps left unused are not among it. */
  get faults(): readonly ScriptFault[] {
    return this.#player.faults;
  }

  /**
   * The first request, past or to come, that matches; undefined when the signal aborts or the server closes before.
   * @param match - the request that is waited for
   * @param signal - ends the wait
   */
  async seen(match: (request: ApiRequest) => boolean, signal?: AbortSignal): Promise<ApiRequest | undefined> {
    const ends = signal === undefined ? [this.#closing.signal] : [this.#closing.signal, signal];
    return await this.#player.log.seen(match, AbortSignal.any(ends));
  }

  /** Stop: open connections are cut, waiting answers dropped. Never throws; a second call does nothing. */
  async close(): Promise<void> {
    this.#closing.abort();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  /**
   * Check that everything went by the script.
   * @throws ScriptError `script_unexpected`, `script_refused` or `script_unused`, naming every speaker concerned.
   */
  verify(): void {
    const faults = this.#player
      .allFaults()
      .filter((fault) => !(this.#options.allowRefusals && fault.kind === "refused"));
    if (faults.length > 0) throw new ScriptError(faults);
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#asked += 1;
    const index = this.#asked;
    try {
      const read = await readRequest(message, index);
      const { request } = read;
      const requestId = `req_scripted_${this.#series}_${index}`;
      const outlet = { response, requestId, stream: request.body.stream === true };
      if (request.method === "POST" && pathOf(request) === "/v1/messages") {
        await this.#send(await this.#player.reply(read), request, outlet);
      } else {
        this.#probe(request, outlet);
      }
    } catch {
      // Only a client that went away in mid-request gets here; there is nobody left to tell.
      response.destroy();
    }
  }

  /** Anything but a message: counting tokens, a look whether anybody is there. */
  #probe(request: IncomingRequest, outlet: Outlet): void {
    this.#player.log.keep({ ...request, role: "probe", agent: undefined });
    const path = pathOf(request);
    const denied = path.startsWith("/v1/") ? this.#player.denied(request) : undefined;
    const isLook = request.method === "HEAD" || request.method === "GET";
    if (denied !== undefined) writeError(outlet, denied);
    else if (request.method === "POST" && path === "/v1/messages/count_tokens") {
      writeJson(outlet, 200, { input_tokens: Math.ceil(request.bytes / 4) });
    } else if (isLook && ["/", "/api/hello"].includes(path)) writeJson(outlet, 200, { ok: true });
    else if (isLook) writeError(outlet, httpError(404));
    else {
      const what = `request ${request.index}: ${request.method} ${path} is no part of the scripted API`;
      const { message } = this.#player.unexpected(what);
      writeError(outlet, httpError(404, { message }));
    }
  }

  async #send(reply: Reply, request: IncomingRequest, outlet: Outlet): Promise<void> {
    switch (reply.kind) {
      case "hang":
        return;
      case "http_error":
        return writeError(outlet, reply);
      case "drop_connection":
        return await writeAndDrop(outlet, this.#plan(reply.turn, request), reply.afterEvents);
      case "stream_error":
        return await writeAndFail(outlet, this.#plan(reply.turn, request), reply);
      case "turn": {
        const message = this.#plan(reply, request);
        this.#player.recogniser.learn(message.content);
        if (reply.delayMs !== undefined) await sleep(reply.delayMs, this.#closing.signal);
        if (!outlet.response.destroyed) writeMessage(outlet, message);
      }
    }
  }

  #plan(turn: Turn, request: IncomingRequest): PlannedMessage {
    this.#messages += 1;
    const given = toolCallIds(request);
    return planMessage(turn, {
      messageId: `msg_scripted_${this.#series}_${this.#messages}`,
      model: String(request.body.model),
      nextToolId: () => this.#nextToolId(given),
      usage: this.#options.usage,
    });
  }

  /** An id that the history does not hold: a session may be resumed on another process's server. */
  #nextToolId(given: ReadonlySet<string>): string {
    let id: string;
    do {
      this.#tools += 1;
      id = `toolu_scripted_${this.#series}_${this.#tools}`;
    } while (given.has(id));
    return id;
  }
}
