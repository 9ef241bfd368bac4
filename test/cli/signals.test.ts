import { describe, expect, it } from "vitest";
import { SignalGuard } from "../../src/cli/run/signals.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";

/** A run of its own length under the guard; `seen` tells what became of each Ctrl-C. */
function watched() {
  const seen: string[] = [];
  const runtime = { interrupt: () => {}, rescue: () => seen.push("books") } as unknown as Runtime;
  const guard = new SignalGuard(runtime, {
    onInterrupt: () => seen.push("stopped a turn"),
    onLeave: () => seen.push("left"),
  });
  let finish: (words: string) => void = () => {};
  const end = guard.watch(
    () =>
      new Promise<string>((resolve) => {
        finish = resolve;
      }),
  );
  const press = () => process.emit("SIGINT", "SIGINT");
  return { guard, seen, end, press, finish: (words: string) => finish(words) };
}

describe("Ctrl-C", () => {
  it("twice without a word in between leaves, the books first", async () => {
    const { seen, end, press, finish } = watched();
    press();
    press();
    finish("too late");
    expect(await end).toEqual({ exitCode: 130, signal: "SIGINT" });
    expect(seen).toEqual(["stopped a turn", "books", "left"]);
  });

  it("stops a turn again once the person has said what the last one was for", async () => {
    const { guard, seen, end, press, finish } = watched();
    press();
    guard.rearm();
    press();
    finish("done");
    expect(await end).toBe("done");
    expect(seen).toEqual(["stopped a turn", "stopped a turn"]);
  });
});
