import { describe, expect, it } from "vitest";
import { Layered } from "../../src/runtime/layered.ts";

describe("a value put in place of another", () => {
  it("is in force until it is taken back, and then the one before is", () => {
    const layered = new Layered<string | undefined>("first");
    const inner = [layered.put("a"), layered.put(undefined)];
    expect(layered.now).toBeUndefined();
    inner[1]?.();
    expect(layered.now).toBe("a");
    inner[0]?.();
    expect(layered.now).toBe("first");
  });

  it("is gone once it is taken back, in whatever order, twice or put twice", () => {
    const layered = new Layered("first");
    const [a, b, again] = [layered.put("a"), layered.put("b"), layered.put("a")];
    a();
    a();
    expect(layered.now).toBe("a");
    again();
    expect(layered.now).toBe("b");
    b();
    expect(layered.now).toBe("first");
  });
});
