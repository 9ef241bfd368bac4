// Diagnosis: what a failure is and what follows from it. Pure. Structured fields first, text last, fatal before
// transient; ordinary prose that mentions an error is none.

import { epochS } from "../core/clock.ts";
import { errorText, HarnessError } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";
import { isOverflow } from "../documents/handoff-prompt.ts";
import { asText } from "../harness/message.ts";
import { readTurnResult, type TurnResult } from "../harness/turn-result.ts";
import { parseResetAt } from "./reset-time.ts";

/** What a failure is. */
export type DiagnosisKind =
  | "transient"
  | "quota"
  | "overflow"
  | "repair"
  | "fatal"
  | "interrupted"
  | "none"
  | "unknown";

/** What follows from it. */
export type DiagnosisAction = "resume" | "wait" | "hand_off" | "heal" | "stop" | "go_on" | "nothing";

/** A failure, understood. */
export interface Diagnosis {
  /** What it was. */
  readonly kind: DiagnosisKind;
  /** Stable word for what it was: `auth`, `model`, `overloaded`, `network`, `history`, … */
  readonly cause: string;
  /** What is to be done about it. */
  readonly action: DiagnosisAction;
  /** Epoch seconds at which a limit ends, when it says so. */
  readonly resetAt?: number;
  /** Tokens the context window really has, when the failure gives that away. */
  readonly window?: number;
}

/** What can be diagnosed: a result of the harness (read or raw), something thrown, or a text. */
export type DiagnosisInput = TurnResult | Readonly<Record<string, unknown>> | Error | string;

const ACTIONS: Readonly<Record<DiagnosisKind, DiagnosisAction>> = {
  transient: "resume",
  quota: "wait",
  overflow: "hand_off",
  repair: "heal",
  fatal: "stop",
  interrupted: "go_on",
  none: "nothing",
  unknown: "resume",
};

/** A long-context request the plan does not include: the window is really this. */
const STANDARD_WINDOW = 200_000;

type Rule = readonly [pattern: RegExp, kind: DiagnosisKind, cause: string];

/** Texts in the order they are tried. */
const RULES: readonly Rule[] = [
  [/not your usage limit/i, "transient", "rate_limit"],
  [
    /extra usage is required for long context|long context (?:beta )?(?:is )?not (?:yet )?available/i,
    "overflow",
    "long_context",
  ],
  [/credit balance is too low|insufficient (?:credit|funds)|billing/i, "fatal", "credit"],
  [
    /content filtering policy|blocked by (?:content|safety)|usage policy|violat\w+ .*polic/i,
    "fatal",
    "policy",
  ],
  [
    /\b(?:session|weekly|5-hour|daily|opus|usage|plan) limit\b(?! · rate)|usage limit reached|hit your limit|out of extra usage/i,
    "quota",
    "limit",
  ],
  [
    /`?tool_use`? ids|tool_use_id|tool_result` blocks?|unexpected `?tool_|duplicate tool_use/i,
    "repair",
    "history",
  ],
  [
    /signature.*thinking|thinking.*signature|thinking.*blocks?.*(?:cannot|must)|`?thinking`? (?:or `?redacted_thinking`? )?blocks/i,
    "repair",
    "thinking",
  ],
  [/surrogate|not valid json/i, "repair", "encoding"],
  [
    /image (?:exceeds|dimensions|was too large|too large)|could not process image|request (?:exceeds|too large)|request_too_large/i,
    "repair",
    "size",
  ],
  [/text content blocks must|must have non-empty content|first message must use/i, "repair", "history"],
  [
    /invalid (?:api key|bearer|x-api-key)|authentication[_ ]error|oauth token|\/login|permission_error|token has (?:expired|been revoked)|could not resolve authentication/i,
    "fatal",
    "auth",
  ],
  [
    /issue with the selected model|model[:_ ].*not[_ ]found|not_found_error|invalid model|unknown model|model .*(?:does not exist|not available)/i,
    "fatal",
    "model",
  ],
  [/overloaded/i, "transient", "overloaded"],
  [/rate.?limit|temporarily limiting|too many requests/i, "transient", "rate_limit"],
  [/stream idle|timed? ?out|timeout|partial response/i, "transient", "timeout"],
  [
    /ECONN\w+|ENOTFOUND|EAI_AGAIN|ENET\w+|EHOST\w+|EPIPE|ETIMEDOUT|UND_ERR\w*|CERT_\w+|SSL|TLS|socket hang up|fetch failed|connection (?:error|refused|reset|closed)|connection_failed|unable to connect|network/i,
    "transient",
    "network",
  ],
  [
    /internal server error|api_error\b|bad gateway|service unavailable|server-side issue/i,
    "transient",
    "server",
  ],
];

/** Words a plain text must begin with to be an error of the harness at all. */
const ERROR_OPENINGS = [
  /^API Error\b/i,
  /^(?:HTTP\/\d(?:\.\d)? )?[1-5]\d\d (?:[A-Z][a-z]+|\{|[A-Z]{2,})/,
  /^\s*\{\s*"(?:type"\s*:\s*"error"|error"\s*:)/,
  /^(?:You've|You have) (?:hit|reached) your\b.*\blimit\b/i,
  /^(?:Claude AI )?usage limit reached\b/i,
  /^(?:You're|You are) out of extra usage\b/i,
  /^Invalid API key\b/i,
  /^There's an issue with the selected model\b/i,
  /^Credit balance is too low\b/i,
];

/** A worker that died hands its error back as a report. */
const WORKER_FRAME =
  /^(?:\s*\[[^\]]+\][^\n]*\n)?\s*Agent (?:terminated|stopped) early due to an? (?:API )?error:\s*/i;

function found(kind: DiagnosisKind, cause: string, more: Partial<Diagnosis> = {}): Diagnosis {
  return { kind, cause, action: ACTIONS[kind], ...more };
}

function quota(text: string, resetAt?: number): Diagnosis {
  const at = resetAt ?? parseResetAt(text, epochS());
  return found("quota", "limit", at === undefined ? {} : { resetAt: at });
}

function fromStatus(status: number | undefined): Diagnosis | undefined {
  switch (status) {
    case 401:
    case 403:
      return found("fatal", "auth");
    case 402:
      return found("fatal", "credit");
    case 404:
      return found("fatal", "model");
    case 413:
      return found("repair", "size");
    case 408:
    case 425:
      return found("transient", "timeout");
    case 409:
      return found("transient", "server");
    case 429:
      return found("transient", "rate_limit");
    case 529:
      return found("transient", "overloaded");
    default:
      if (status === undefined || status < 400) return undefined;
      return status >= 500 ? found("transient", "server") : undefined;
  }
}

function fromRules(text: string): Diagnosis | undefined {
  for (const [pattern, kind, cause] of RULES) {
    if (!pattern.test(text)) continue;
    if (kind === "quota") return quota(text);
    return found(kind, cause, cause === "long_context" ? { window: STANDARD_WINDOW } : {});
  }
  return undefined;
}

function windowIn(text: string): Partial<Diagnosis> {
  const max = /(\d{5,8})\s*(?:tokens\s*)?(?:>|maximum|max)\s*(\d{5,8})?/i.exec(text);
  const window = Number(max?.[2] ?? 0);
  return window > 0 ? { window } : {};
}

/** Status at the head of an error text: `API Error: 529 …`, `401 Unauthorized`, `HTTP/1.1 503 …`. */
function statusIn(text: string): number | undefined {
  const match = /^(?:API Error:?\s*)?(?:\(?HTTP\/?[\d.]*\s*)?([1-5]\d\d)\b/i.exec(text.trim());
  return match === null ? undefined : Number(match[1]);
}

/** Texts whose meaning the status alone would miss: disguised overflow, limits, broken history. */
const SPOKEN_FIRST: readonly string[] = [
  "long_context",
  "credit",
  "policy",
  "limit",
  "history",
  "thinking",
  "encoding",
  "size",
  "model",
];

function fromText(text: string, status: number | undefined): Diagnosis {
  const spoken = fromRules(text);
  if (spoken?.cause !== "long_context" && isOverflow(text)) {
    return found("overflow", "prompt_too_long", windowIn(text));
  }
  // A limit text comes with 429 and is no rate limit; a 401 that mentions a refused connection is still a 401.
  if (spoken !== undefined && SPOKEN_FIRST.includes(spoken.cause) && status !== 401 && status !== 403)
    return spoken;
  return fromStatus(status) ?? spoken ?? found("unknown", "unknown");
}

function fromTerminal(result: TurnResult): Diagnosis | undefined {
  if (result.terminalReason === "prompt_too_long")
    return found("overflow", "prompt_too_long", windowIn(result.text));
  if (result.terminalReason === "budget_exhausted" || result.subtype === "error_max_budget_usd") {
    return found("fatal", "budget");
  }
  if (result.terminalReason === "max_turns" || result.subtype === "error_max_turns")
    return found("fatal", "turns");
  if (result.subtype !== "error_during_execution") return undefined;
  if (/no conversation found/i.test(result.text)) return found("fatal", "session_missing");
  // What our own stop leaves behind: no API error, only the harness's note of where it was.
  const own =
    result.apiStatus === undefined &&
    result.apiError === "" &&
    !ERROR_OPENINGS.some((p) => p.test(result.text));
  return own && /ede_diagnostic|interrupt/i.test(result.text)
    ? found("interrupted", "interrupted")
    : undefined;
}

function fromResult(result: TurnResult): Diagnosis {
  if (!result.isError) return found("none", "none");
  const terminal = fromTerminal(result);
  if (terminal !== undefined) return terminal;
  if (result.apiError === "connection_failed") return found("transient", "network");
  const status = result.apiStatus ?? statusIn(result.text);
  return fromText(`${result.apiErrorType} ${result.text}`.trim(), status);
}

function fromPlainText(text: string): Diagnosis {
  const bare = text.replace(WORKER_FRAME, "").trim();
  const isFramed = bare !== text.trim();
  if (!isFramed && !isOverflow(bare) && !ERROR_OPENINGS.some((opening) => opening.test(bare)))
    return found("none", "none");
  return fromText(bare, statusIn(bare));
}

function fromError(error: Error): Diagnosis {
  if (error instanceof HarnessError)
    return found("fatal", error.code === "workspace_missing" ? "config" : "binary");
  const code = isRecord(error) ? asText((error as { code?: unknown }).code) : "";
  const text = `${code} ${errorText(error)}`.trim();
  if (/native binary|claude code executable/i.test(text)) return found("fatal", "binary");
  return fromText(text, statusIn(errorText(error)));
}

function isTurnResult(value: object): value is TurnResult {
  return "terminalReason" in value && "isError" in value;
}

/**
 * Understand a failure.
 *
 * An Error, or a result with `is_error`, is never `none`; a plain text is an error only when it begins like one of the
 * harness's, so that a report which mentions 529 or a time-out stays a report.
 * @example
 * ```ts
 * import { diagnose } from "flower-agent";
 *
 * const { kind, action } = diagnose(new Error("getaddrinfo ENOTFOUND api.anthropic.com"));
 * console.log(kind, action);
 * ```
 */
export function diagnose(input: DiagnosisInput): Diagnosis {
  if (typeof input === "string") return fromPlainText(input);
  if (input instanceof Error) return fromError(input);
  if (isTurnResult(input)) return fromResult(input);
  return fromResult(readTurnResult(input));
}

/**
 * The coarse form of {@link diagnose} for a text that is known to be an error.
 * @param text - an error's words
 * @example
 * ```ts
 * import { classify } from "flower-agent";
 *
 * console.log(classify("529 overloaded_error")); // transient
 * console.log(classify("401 authentication_error")); // fatal
 * ```
 */
export function classify(text: string): "fatal" | "transient" | "unknown" {
  const { kind } = fromText(text.trim(), statusIn(text));
  if (kind === "fatal") return "fatal";
  if (kind === "transient" || kind === "quota") return "transient";
  return "unknown";
}
