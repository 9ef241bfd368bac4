// Outages, usage limits and handoffs -> lines: what is waited for, until when, and who takes over. Pure.

import { oneLine, stripEscapes } from "../../core/text.ts";
import type { EventOf } from "../../events/event.ts";
import { fold, localTime, minorRule, tokens, withoutFolder } from "./layout.ts";
import { failureWords } from "./own-words.ts";
import { number } from "./payload.ts";
import { toned } from "./toned.ts";
import type { View } from "./view.ts";

/** Before every line of a handoff. */
const HANDOFF = "# ";
/** Lines of one section of a handoff; the rest is in its file. */
const SECTION_LINES = 3;

/** The lines of a `retry` event. */
export function renderRetry(event: EventOf<"retry">, view: View): string[] {
  const { t } = view;
  const { phase, failure, delay_s, host, afterS } = event.payload;
  const text = oneLine(failureWords(event, t), 300);
  switch (phase) {
    case "failed": {
      const seconds = Math.round(number(delay_s));
      const attempt = number(failure) + 1;
      return toned(view, "notice", "~ ", t("retry.waiting", { cause: text, seconds, attempt }));
    }
    case "waiting":
      return toned(view, "notice", "~ ", t("retry.offline", { host: oneLine(String(host ?? text), 100) }));
    case "online":
      return toned(view, "good", "~ ", t("retry.online", { seconds: Math.round(number(afterS)) }));
    default:
      return text === "" ? [] : toned(view, "notice", "~ ", text);
  }
}

/** The lines of a wait for a usage limit, and of what the harness reports of one. */
export function renderLimit(event: EventOf<"task">, view: View): string[] {
  const { t } = view;
  const { phase, until, rate_limit_info } = event.payload;
  if (phase === "waiting") {
    return toned(view, "notice", "~ ", t("retry.quota", { time: localTime(number(until)) }));
  }
  if (phase === "over") return toned(view, "good", "~ ", t("retry.quota_over"));
  const info = rate_limit_info as { readonly status?: unknown } | null | undefined;
  return info?.status === "rejected" ? toned(view, "notice", "! ", t("notice.limit")) : [];
}

function section(view: View, key: "handoff.doing" | "handoff.next", what: unknown): string[] {
  const text = typeof what === "string" ? stripEscapes(what).trim() : "";
  if (text === "") return [];
  const all = fold(view.t(key, { what: text }), view.width - HANDOFF.length);
  const seen = all.length <= SECTION_LINES ? all : [...all.slice(0, SECTION_LINES), "…"];
  return seen.map((line) => `${HANDOFF}${line}`);
}

function takenOver(event: EventOf<"handoff">, view: View): string[] {
  const { t } = view;
  const { path, degraded, sections } = event.payload;
  const parts = (sections ?? {}) as Readonly<Record<string, unknown>>;
  const where =
    typeof path === "string"
      ? t("handoff.done", { path: oneLine(withoutFolder(path, view.folder), 500) })
      : t("handoff.unsaved");
  return [
    view.paint("strong", `${HANDOFF}${minorRule(t("handoff.title"), view.width - HANDOFF.length)}`),
    // What is put together without the session speaks to its successor, and says nothing of the work.
    ...(degraded === true ? [] : section(view, "handoff.doing", parts.doing)),
    ...(degraded === true ? [] : section(view, "handoff.next", parts.next)),
    ...(degraded === true ? toned(view, "notice", "! ", t("handoff.degraded")) : []),
    ...toned(view, "strong", "<- ", where),
  ];
}

/** The lines of a `handoff` event. */
export function renderHandoff(event: EventOf<"handoff">, view: View): string[] {
  const { t } = view;
  const { phase, context, window } = event.payload;
  switch (phase) {
    case "near": {
      const sizes = { context: tokens(number(context)), window: tokens(number(window)) };
      return toned(view, "notice", "# ", t("handoff.near", sizes));
    }
    case "writing":
      return ["", ...toned(view, "strong", "# ", t("handoff.writing"))];
    default:
      return takenOver(event, view);
  }
}
