// Event -> lines for a person. Pure: one view in, lines out; what was printed before is not remembered here.

import { displayWidth } from "../../core/cells.ts";
import { oneLine, stripEscapes } from "../../core/text.ts";
import type { Event, EventOf } from "../../events/event.ts";
import { NO_PLACE, type Place, roleOf } from "./dispatches.ts";
import { fold, marked, rule, withoutFolder } from "./layout.ts";
import { apiWords, ownWords } from "./own-words.ts";
import type { Tone } from "./paint.ts";
import { renderAsk } from "./render-ask.ts";
import { renderTask } from "./render-task.ts";
import { renderHandoff, renderRetry } from "./render-waiting.ts";
import { toned } from "./toned.ts";
import type { View } from "./view.ts";

/** Prefix of everything a worker does. */
const WORKER = "| ";
/** Characters of one line about a tool. */
const CALL_CHARS = 160;
/** Lines of a result or a prompt in verbose mode; the rest is in the event log. */
const LONG_LINES = 20;

/** What the harness puts round a refusal; the reason alone is what a person wants. */
const HARNESS_FRAME = /<\/?tool_use_error>|^PreToolUse:\w+ hook error: /g;

/** What the harness writes for a call whose turn was stopped, as if a person had refused just that call. */
const STOPPED = /^(?:The user doesn't want to |\[Request interrupted by user)/;

/** Tools whose effect is shown by events of its own. */
const SHOWN_ELSEWHERE = ["mcp__human__ask", "mcp__human__inbox"];

function workerPrefix({ worker }: Place): string {
  return worker === "" ? WORKER : `${WORKER}${worker} `;
}

function prefixOf(payload: { readonly subagent?: boolean }, place: Place): string {
  return payload.subagent === true ? workerPrefix(place) : "";
}

function painted(view: View, tone: Tone, lines: readonly string[]): string[] {
  return lines.map((line) => view.paint(tone, line));
}

/** Prose as models write it: headings stand out, and what goes on of a list's item stands under its beginning. */
function foldProse(text: string, { width, paint }: View): string[] {
  return text.split("\n").flatMap((raw) => {
    const line = raw.replaceAll("\t", "    ");
    if (/^#{1,6}\s/.test(line)) return fold(line, width).map((part) => paint("strong", part));
    const item = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(?=\S)/.exec(line)?.[0];
    return item === undefined ? fold(line, width) : marked(item, line.slice(item.length), width);
  });
}

function prose(view: View, event: EventOf<"text">, place: Place): string[] {
  const text = stripEscapes(event.text).trim();
  if (text === "") return [];
  if (event.payload.subagent !== true) return ["", ...foldProse(text, view)];
  if (!view.verbose) return [];
  const prefix = prefixOf(event.payload, place);
  const lines = fold(text, view.width - displayWidth(prefix));
  return painted(
    view,
    "faint",
    lines.map((line) => `${prefix}${line}`),
  );
}

function call(view: View, event: EventOf<"tool_call">, place: Place): string[] {
  const { tool, payload } = event;
  if (SHOWN_ELSEWHERE.includes(tool)) return [];
  const prefix = prefixOf(payload, place);
  if (tool === "Agent" && prefix === "") return dispatch(view, event, place);
  const about = oneLine(withoutFolder(event.text, view.folder), CALL_CHARS);
  const lines = marked(`${prefix}* ${oneLine(tool, 60)}  `, about, view.width);
  return painted(view, "faint", lines.slice(0, 3));
}

function dispatch(view: View, event: EventOf<"tool_call">, place: Place): string[] {
  const input = event.payload.input as Readonly<Record<string, unknown>> | null;
  const who = place.dispatch === "" ? roleOf(input) : place.dispatch;
  const task = typeof input?.prompt === "string" ? input.prompt : event.text;
  return toned(view, "strong", `> ${who}  `, oneLine(task, CALL_CHARS));
}

function long(view: View, mark: string, text: string): string[] {
  const lines = marked(mark, stripEscapes(text).trim(), view.width);
  if (lines.length <= LONG_LINES) return lines;
  return [...lines.slice(0, LONG_LINES), `${" ".repeat(mark.length)}…`];
}

/** A worker came back: what it reports first. */
function report(view: View, event: EventOf<"tool_result">, place: Place): string[] {
  const text = oneLine(event.text, CALL_CHARS);
  return text === ""
    ? []
    : painted(view, "faint", marked(`${workerPrefix(place)}+ `, text, view.width).slice(0, 3));
}

function toolResult(view: View, event: EventOf<"tool_result">, place: Place): string[] {
  const prefix = prefixOf(event.payload, place);
  if (event.payload.is_error) {
    const isStopped = STOPPED.test(event.text);
    const text = isStopped ? view.t("tool.stopped") : oneLine(event.text.replace(HARNESS_FRAME, ""), 300);
    return toned(view, "notice", `${prefix}x `, text);
  }
  if (view.verbose && event.text.trim() !== "") {
    return painted(view, "faint", long(view, `${prefix}  `, event.text));
  }
  return place.dispatch === "" ? [] : report(view, event, place);
}

function step(view: View, event: EventOf<"step">): string[] {
  const { index, total, resumed, woke } = event.payload;
  const { t } = view;
  const parts = [
    ...(resumed ? [t("step.continued")] : []),
    ...(woke > 0 ? [t("banner.wake_number", { count: woke })] : []),
  ];
  const suffix = parts.length === 0 ? "" : `<- ${parts.join(" · ")}`;
  const line = rule(oneLine(event.text, 40), `${index}/${total}`, suffix, view.width);
  return ["", view.paint("strong", line)];
}

function onlyVerbose(view: View, mark: string, text: string): string[] {
  if (!view.verbose || text.trim() === "") return [];
  return painted(view, "faint", long(view, mark, text));
}

function warned(view: View, mark: string, text: string, tone: Tone): string[] {
  const clean = stripEscapes(text).trim();
  return clean === "" ? [] : toned(view, tone, mark, clean);
}

/** The lines of an event; none for what a person need not see, or of a kind not known. `place` tells workers apart. */
export function renderEvent(event: Event, view: View, place: Place = NO_PLACE): string[] {
  switch (event.kind) {
    case "text":
      return prose(view, event, place);
    case "thinking":
      return onlyVerbose(view, `${prefixOf(event.payload, place)}~ `, event.text);
    case "tool_call":
      return call(view, event, place);
    case "tool_result":
      return toolResult(view, event, place);
    case "task":
      return renderTask(event, view);
    case "system":
      return event.payload.subtype === "api_retry"
        ? warned(view, "~ ", ownWords(event, view.t), "notice")
        : [];
    case "reset":
      return warned(view, "# ", ownWords(event, view.t), "notice");
    case "handoff":
      return renderHandoff(event, view);
    case "error":
      return warned(view, `${prefixOf(event.payload, place)}x `, apiWords(event.text, view.t), "bad");
    case "prompt":
      return onlyVerbose(view, `${prefixOf(event.payload, place)}- `, event.text);
    case "retry":
      return renderRetry(event, view);
    case "step":
      return step(view, event);
    case "ask":
      return renderAsk(event, view);
    default:
      return [];
  }
}
