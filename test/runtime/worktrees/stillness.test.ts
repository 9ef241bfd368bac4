import { describe, expect, it } from "vitest";
import { Stillness } from "../../../src/runtime/worktrees/stillness.ts";

describe("taking turns", () => {
  it("runs one piece at a time, in order, whatever becomes of the one before", async () => {
    const turns = new Stillness();
    const seen: string[] = [];
    const piece = (name: string) => async () => {
      seen.push(`${name} begins`);
      await Promise.resolve();
      seen.push(`${name} ends`);
      if (name === "a") throw new TypeError("a failed");
      return name;
    };
    const [a, b] = [turns.alone(piece("a")), turns.alone(piece("b"))];
    await expect(a).rejects.toThrow("a failed");
    expect(await b).toBe("b");
    expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends"]);
  });

  it("waits for everybody who looks, and lets go of each once", async () => {
    const turns = new Stillness();
    const [first, second] = [await turns.hold(), await turns.hold()];
    let changed = false;
    const change = turns.alone(async () => {
      await turns.released();
      changed = true;
    });
    const third = turns.hold();
    first();
    first();
    await Promise.resolve();
    expect([turns.isHeld, changed]).toEqual([true, false]);
    second();
    await change;
    expect(changed).toBe(true);
    expect(turns.isHeld).toBe(false);
    (await third)();
  });
});
