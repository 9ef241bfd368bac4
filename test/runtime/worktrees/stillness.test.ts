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
    const change = turns.undisturbed(async () => {
      changed = true;
    });
    first();
    first();
    await Promise.resolve();
    expect([turns.isHeld, changed]).toEqual([true, false]);
    second();
    await change;
    expect(changed).toBe(true);
    expect(turns.isHeld).toBe(false);
  });

  it("keeps nobody else waiting for those who look", async () => {
    const turns = new Stillness();
    const release = await turns.hold();
    const change = turns.undisturbed(async () => "done");
    expect(await turns.alone(async () => "another's work")).toBe("another's work");
    release();
    expect(await change).toBe("done");
  });

  it("gives way to one who begins to look before its turn comes", async () => {
    const turns = new Stillness();
    let changed = false;
    const hold = turns.hold();
    const change = turns.undisturbed(async () => {
      changed = true;
    });
    const release = await hold;
    for (let turn = 0; turn < 3; turn += 1) await turns.alone(async () => {});
    expect(changed).toBe(false);
    release();
    await change;
    expect(changed).toBe(true);
  });
});
