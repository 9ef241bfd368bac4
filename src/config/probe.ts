// Sending the probe: one request, bounded in time and size, that follows no redirect and repeats no secret.

import { errorText, OptionError } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";
import { rejectUnknownKeys } from "../core/options.ts";
import type { DirectCredentials } from "./credentials.ts";
import {
  type ProbeAnswer,
  type ProbeRequest,
  type ProbeResult,
  probeRequest,
  readProbeAnswer,
  withoutSecret,
} from "./probe-request.ts";

/** How to send it. */
export interface ProbeOptions {
  /** @defaultValue the global fetch, which goes through no proxy */
  readonly fetch?: typeof globalThis.fetch;
  /** The run's own model. @defaultValue the configured one, else `PROBE_MODEL` */
  readonly model?: string | undefined;
  /** Seconds. @defaultValue 20: a cold gateway answers within it, a person still waits for it */
  readonly timeoutS?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Characters of an answer that are read; an error says what it has to say long before. */
const MAX_BODY = 64_000;

/** Longest timer of Node, in milliseconds; a longer one fires at once. */
const MAX_TIMER_MS = 2_147_483_647;

function timeoutMs(timeoutS: number): number {
  if (timeoutS > 0) return Math.min(timeoutS * 1000, MAX_TIMER_MS);
  throw new OptionError(`probe: timeoutS must be above 0, not ${timeoutS}`, {
    code: "bad_option",
    hint: "give seconds, such as 20",
  });
}

async function readBody(response: Response): Promise<string> {
  if (response.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= MAX_BODY) break;
  }
  return text;
}

/** The system's own word (`ECONNREFUSED`) where there is one: "fetch failed" helps nobody. */
function networkReason(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = isRecord(cause) ? cause.code : undefined;
  if (typeof code === "string") return code;
  return cause === undefined ? errorText(error) : errorText(cause);
}

async function send(
  request: ProbeRequest,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<ProbeAnswer> {
  const { url, ...init } = request;
  try {
    // A redirect is an answer here: followed, it could carry the key to another host.
    const response = await fetch(url, { ...init, redirect: "manual", signal });
    return { kind: "answer", status: response.status, body: await readBody(response) };
  } catch (error) {
    return { kind: "network", reason: networkReason(error) };
  }
}

function redacted(answer: ProbeAnswer, secret: string): ProbeAnswer {
  // Before anything is cut: half a secret is not found any more.
  return answer.kind === "answer"
    ? { ...answer, body: withoutSecret(answer.body, secret) }
    : { ...answer, reason: withoutSecret(answer.reason, secret) };
}

/**
 * Ask whether these credentials work. Never throws for what the network or the server did.
 * @throws the signal's reason when the caller aborts; OptionError `unknown_option` or `bad_option`.
 */
export async function probe(
  credentials: DirectCredentials,
  options: ProbeOptions = {},
): Promise<ProbeResult> {
  rejectUnknownKeys(options, ["fetch", "model", "timeoutS", "signal"], "probe");
  const { fetch = globalThis.fetch, model, timeoutS = 20, signal } = options;
  const timer = AbortSignal.timeout(timeoutMs(timeoutS));
  signal?.throwIfAborted();
  const either = signal === undefined ? timer : AbortSignal.any([signal, timer]);
  const answer = await send(probeRequest(credentials, model), fetch, either);
  signal?.throwIfAborted();
  if (answer.kind === "network" && timer.aborted) {
    return readProbeAnswer({ kind: "network", reason: `no answer within ${timeoutS} s` });
  }
  return readProbeAnswer(redacted(answer, credentials.value));
}
