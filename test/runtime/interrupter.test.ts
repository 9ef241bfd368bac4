import { describe, expect, it } from "vitest";
import { INTERRUPT_NOTE, Interrupter } from "../../src/runtime/interrupter.ts";

describe("an interruption", () => {
  it("joins words that were not delivered yet, and delivers them once", () => {
    const ear = new Interrupter();
    ear.request("one");
    ear.request("");
    ear.request("two");
    expect(ear.takePrompt()).toBe(`one\ntwo\n\n${INTERRUPT_NOTE}`);
    expect(ear.takePrompt()).toBeUndefined();
    expect(ear.isPending()).toBe(false);
  });

  it("without words is a request all the same; its bare words are empty", () => {
    const ear = new Interrupter();
    ear.request("");
    expect(ear.isPending()).toBe(true);
    expect(ear.takePrompt()).toBe(INTERRUPT_NOTE);
    ear.request("");
    expect(ear.takeWords()).toBe("");
    expect(ear.isPending()).toBe(false);
  });

  it("reaches the turn that is connected, at once when it came before, and no turn that is over", () => {
    const ear = new Interrupter();
    let stops = 0;
    ear.request("early");
    const disconnect = ear.connect(() => {
      stops += 1;
    });
    expect(stops).toBe(1);
    ear.request("again");
    expect(stops).toBe(2);
    disconnect();
    ear.request("late");
    expect(stops).toBe(2);
    expect(ear.takeWords()).toBe("early\nagain\nlate");
  });
});
