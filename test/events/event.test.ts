import { describe, expect, expectTypeOf, it } from "vitest";
import { createEvent, EVENT_KINDS } from "../../src/events/event.ts";
import {
  Ask,
  type Event,
  type EventKind,
  HumanChannel,
  type MailPayload,
  type QuestionPayload,
} from "../../src/index.ts";

/** As a user interface writes it: without a default, the compiler wants every kind. */
function label(event: Event): EventKind {
  switch (event.kind) {
    case "tool_call":
      expectTypeOf(event.payload.input).toEqualTypeOf<unknown>();
      return event.kind;
    case "result":
      expectTypeOf(event.payload.cost_usd).toEqualTypeOf<number>();
      return event.kind;
    case "ask":
      expectTypeOf(event.payload).toEqualTypeOf<QuestionPayload | MailPayload>();
      return event.kind;
    case "text":
    case "thinking":
    case "tool_result":
    case "task":
    case "system":
    case "reset":
    case "error":
    case "prompt":
    case "unknown":
    case "retry":
    case "handoff":
    case "step":
      return event.kind;
    default:
      expectTypeOf(event).toEqualTypeOf<never>();
      return event;
  }
}

describe("the union of events", () => {
  it("leaves nothing over for a switch that names every kind", () => {
    const events = EVENT_KINDS.map((kind) => createEvent(kind, { payload: {} as never }));
    expect(events.map(label)).toEqual([...EVENT_KINDS]);
  });

  it("leaves something over for one that lacks a kind", () => {
    const lacking = (event: Event) => {
      if (event.kind === "text") return;
      // @ts-expect-error fourteen kinds are left
      event satisfies never;
    };
    expect(lacking(createEvent("text", { payload: {} }))).toBeUndefined();
  });
});

describe("an ask event", () => {
  it("has what a question needs to be shown and answered, without a cast", async () => {
    const channel = new HumanChannel();
    const seen: string[] = [];
    channel.onEvent = (event) => {
      if (event.kind !== "ask" || event.payload.state !== "asked") return;
      expectTypeOf(event.payload).toEqualTypeOf<QuestionPayload>();
      const { id, question, options } = event.payload;
      seen.push(`${question} ${options.map((option) => option.toUpperCase()).join("/")}`);
      channel.answer(id, "2");
    };
    const ask = await channel.ask("Which?", ["a", "b"]);
    expect([...seen, ask.answer]).toEqual(["Which? A/B", "b"]);
  });

  it("tells mail from a question by its kind", () => {
    const channel = new HumanChannel();
    const mails: string[] = [];
    channel.onEvent = (event) => {
      if (event.kind !== "ask" || event.payload.kind !== "mail") return;
      expectTypeOf(event.payload).toEqualTypeOf<MailPayload>();
      mails.push(`${event.payload.id} ${event.payload.state}`);
    };
    const mail = channel.send("by the way");
    expect(mails).toEqual([`${mail?.id} queued`]);
  });

  it("is JSON that holds every field its type promises", () => {
    const ask = new Ask({ id: "q1-abcd", question: "Which?", askedAt: 7 });
    const event = createEvent("ask", { text: "Which?", payload: ask.toPayload() });
    expect(JSON.parse(JSON.stringify(event)).payload).toEqual({
      state: "asked",
      id: "q1-abcd",
      question: "Which?",
      options: [],
      asked_at: 7,
      answer: "",
      waited: 0,
    });
  });
});
