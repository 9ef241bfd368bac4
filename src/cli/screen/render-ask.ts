// Questions, answers and mail -> lines. Pure.

import { oneLine, stripEscapes } from "../../core/text.ts";
import type { EventOf } from "../../events/event.ts";
import { marked } from "./layout.ts";
import { list, number } from "./payload.ts";
import { toned } from "./toned.ts";
import type { View } from "./view.ts";

type AskEvent = EventOf<"ask">;

/** A question settled this fast was put to nobody and has not been shown. */
const UNSHOWN_S = 0.02;

/** The lines of a question, waiting or settled. */
export function renderQuestion(event: AskEvent, view: View): string[] {
  const { t, width } = view;
  const id = oneLine(String(event.payload.id), 20);
  const asked = event.payload.question;
  const words = stripEscapes(typeof asked === "string" ? asked : event.text).trim();
  const choices = list(event.payload.options).flatMap((option, i) =>
    marked(`    ${i + 1}. `, oneLine(option, 500), width),
  );
  return ["", ...toned(view, "strong", "? ", t("question.asked", { id, question: words })), ...choices];
}

/** Lines of a person's own words; the brief and the log have them whole. */
const SAID_LINES = 8;

/** What a person said, as it was taken in. */
export function renderSaid(text: string, { width }: View): string[] {
  const lines = marked("> ", stripEscapes(text).trim(), width);
  return lines.length <= SAID_LINES ? lines : [...lines.slice(0, SAID_LINES), "  …"];
}

function mail(event: AskEvent, view: View): string[] {
  const { t, width } = view;
  const { state, late_for } = event.payload;
  if (state === "delivered") {
    return marked("+ ", t("receipt.delivered", { text: oneLine(event.text, 120) }), width);
  }
  if (typeof late_for === "string")
    return marked("! ", t("receipt.late", { id: oneLine(late_for, 20) }), width);
  return [...renderSaid(event.text, view), ...marked("+ ", t("receipt.queued"), width)];
}

function settled(event: AskEvent, view: View): string[] {
  const { t, width } = view;
  const { state, waited, withdrawn, question: asked } = event.payload;
  const seconds = Math.round(number(waited));
  if (state === "answered") {
    return marked("+ ", t("receipt.answered", { answer: oneLine(event.text, 300) }), width);
  }
  if (withdrawn === true) return [];
  if (state === "declined") return [`. ${t("receipt.skipped")}`];
  if (state === "over_budget") return marked(". ", t("receipt.over_budget"), width);
  if (state !== "timeout") return [];
  // Put to nobody: it was never shown, so it is shown now.
  if (typeof waited !== "number" || waited < UNSHOWN_S) {
    const words = oneLine(String(asked ?? event.text), 300);
    return [...marked("? ", words, width), ...marked(". ", t("receipt.nobody"), width)];
  }
  return marked(". ", t("receipt.timeout", { seconds }), width);
}

/** The lines of an `ask` event. */
export function renderAsk(event: AskEvent, view: View): string[] {
  if (event.payload.kind === "mail") return mail(event, view);
  return event.payload.state === "asked" ? renderQuestion(event, view) : settled(event, view);
}
