// A line of a run's log as the terminal would have shown it.

import { isRecord } from "../../core/json.ts";
import {
  createEvent,
  EVENT_KINDS,
  type Event,
  type EventKind,
  type EventPayloads,
} from "../../events/event.ts";
import { readRunLine } from "../../runtime/run-presence.ts";
import type { EventPrinter } from "../screen/event-printer.ts";
import { localTime } from "../screen/layout.ts";
import { toned } from "../screen/toned.ts";
import type { View } from "../screen/view.ts";

function isKind(kind: unknown): kind is EventKind {
  return EVENT_KINDS.some((each) => each === kind);
}

/** Whether a line is no JSON at all: what a later version writes is. */
export function isDamaged(line: string): boolean {
  try {
    JSON.parse(line);
    return false;
  } catch {
    return line.trim() !== "";
  }
}

/** The event of a line; undefined for one of another kind, or no event at all. */
function toEvent(line: string): Event | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || !isKind(value.kind)) return undefined;
  const text = (field: unknown) => (typeof field === "string" ? field : "");
  const payload = isRecord(value.payload) ? value.payload : {};
  return createEvent(value.kind, {
    text: text(value.text),
    tool: text(value.tool),
    payload: payload as EventPayloads[EventKind],
  });
}

function runLine(owner: NonNullable<ReturnType<typeof readRunLine>>, view: View): string[] {
  const { t } = view;
  if (owner.state === "ended") return [];
  const words =
    owner.state === "continued"
      ? t("logs.continued", { time: localTime(owner.at) })
      : t("logs.begun", { run: owner.run, time: localTime(owner.at) });
  return toned(view, "faint", "- ", words);
}

/** The lines for a person; `printer` is the run's own. */
export function showLine(line: string, view: View, printer: EventPrinter): string[] {
  const owner = readRunLine(line);
  if (owner !== undefined) return runLine(owner, view);
  const event = toEvent(line);
  return event === undefined ? [] : printer.lines(event, view);
}
