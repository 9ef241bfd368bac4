// The smallest request that tells whether a credential, an address and a model fit together, and reading its answer.
// Pure; sending it is probe's.

import { isRecord } from "../core/json.ts";
import { oneLine } from "../core/text.ts";
import { joinApiPath } from "./base-url.ts";
import type { DirectCredentials } from "./credentials.ts";
import { maskSecret } from "./mask-secret.ts";
import { MODEL_VARIABLES } from "./variables.ts";

/** Asked for when no model is configured: the cheapest one every account has. */
export const PROBE_MODEL = "claude-haiku-4-5";

/** Tokens; enough for an answer, too few to cost anything. */
const PROBE_MAX_TOKENS = 16;

/** A request as plain data. */
export interface ProbeRequest {
  readonly url: string;
  readonly method: "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What came back: an answer of whatever kind, or the reason why none did. */
export type ProbeAnswer =
  | { readonly kind: "answer"; readonly status: number; readonly body: string }
  | { readonly kind: "network"; readonly reason: string };

/**
 * What the answer means: it works, the credential is refused, the model is not there, or something other than the
 * Messages API answers. Nothing answered (`unreachable`), or an answer that tells nothing of all this (`unsure`: the
 * server's own fault, a limit) says nothing against the credential, and a run may start. `detail` is for people and
 * holds no secret.
 */
export interface ProbeResult {
  readonly kind: "ok" | "credentials_rejected" | "model_unknown" | "not_the_api" | "unreachable" | "unsure";
  readonly detail: string;
}

/** Whether a probe tells that a run cannot work. */
export function isKnownBad({ kind }: ProbeResult): boolean {
  return kind === "credentials_rejected" || kind === "model_unknown" || kind === "not_the_api";
}

/** The short names the harness resolves itself; an API knows none of them. */
const ALIASES: ReadonlySet<string> = new Set(["default", "best", "opus", "sonnet", "haiku", "opusplan"]);

/** The model as the API wants it: without the harness's `[1m]` mark; undefined for a name only the harness knows. */
function apiModel(model: string | undefined): string | undefined {
  const name = model?.replace(/\[\w+\]$/, "").trim();
  return name === undefined || name === "" || ALIASES.has(name.toLowerCase()) ? undefined : name;
}

/** The model to probe: the one asked for, else the first configured one that an API can know. */
export function probeModel(credentials: Pick<DirectCredentials, "models">, model?: string): string {
  const configured = MODEL_VARIABLES.filter((name) => name.startsWith("ANTHROPIC_"));
  const names = [model, ...configured.map((name) => credentials.models[name])];
  return names.map(apiModel).find((name) => name !== undefined) ?? PROBE_MODEL;
}

function authorization({ kind, value }: DirectCredentials): Record<string, string> {
  if (kind === "api_key") return { "x-api-key": value };
  const bearer = { authorization: `Bearer ${value}` };
  return kind === "oauth_token" ? { ...bearer, "anthropic-beta": "oauth-2025-04-20" } : bearer;
}

/** The probe of these credentials; `model` is the run's own, if it has one. */
export function probeRequest(credentials: DirectCredentials, model?: string): ProbeRequest {
  return {
    url: joinApiPath(credentials.baseUrl, "/v1/messages"),
    method: "POST",
    headers: {
      "content-type": "application/json",
      "anthropic-version": "2023-06-01",
      ...authorization(credentials),
    },
    body: JSON.stringify({
      model: probeModel(credentials, model),
      max_tokens: PROBE_MAX_TOKENS,
      messages: [{ role: "user", content: "ping" }],
    }),
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The message of an API's own error; undefined for a body that is none. */
function statedError(body: string): string | undefined {
  const json = parsed(body);
  const error = isRecord(json) ? json.error : undefined;
  if (isRecord(error) && typeof error.message === "string") return error.message;
  return typeof error === "string" ? error : undefined;
}

function looksLikeMessage(body: string): boolean {
  if (/^(?:event|data):/.test(body.trimStart())) return true;
  const json = parsed(body);
  return isRecord(json) && (json.type === "message" || Array.isArray(json.content));
}

function readSuccess(body: string): ProbeResult["kind"] {
  if (looksLikeMessage(body)) return "ok";
  // A web page where the API should be: the address leads somewhere else.
  return body.trimStart().startsWith("<") ? "not_the_api" : "unsure";
}

function readStatus(status: number, body: string): ProbeResult["kind"] {
  if (status >= 200 && status < 300) return readSuccess(body);
  if (status === 401 || status === 403) return "credentials_rejected";
  // A page of any site may speak of models.
  const stated = statedError(body) ?? (status === 400 ? body : "");
  if ((status === 404 || status === 400) && /model/i.test(stated)) return "model_unknown";
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) return "not_the_api";
  return "unsure";
}

/** Read the answer to a probe; a status that says nothing about credentials or model is `unsure`. */
export function readProbeAnswer(answer: ProbeAnswer): ProbeResult {
  if (answer.kind === "network") return { kind: "unreachable", detail: oneLine(answer.reason) };
  const { status, body } = answer;
  const kind = readStatus(status, body);
  if (kind === "ok") return { kind, detail: `HTTP ${status}` };
  const message = status >= 300 && status < 400 ? "redirects elsewhere" : oneLine(statedError(body) ?? body);
  return { kind, detail: message === "" ? `HTTP ${status}` : `HTTP ${status}: ${message}` };
}

/** The text with every appearance of the secret masked: a server may echo what it refuses. */
export function withoutSecret(text: string, secret: string): string {
  if (secret === "") return text;
  const mask = maskSecret(secret);
  const inJson = (value: string): string => JSON.stringify(value).slice(1, -1);
  return text.replaceAll(inJson(secret), inJson(mask)).replaceAll(secret, mask);
}
