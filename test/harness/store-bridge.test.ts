import { describe, expect, it } from "vitest";
import { type BridgeListeners, bridgeStore } from "../../src/harness/store-bridge.ts";
import type { SessionStore } from "../../src/sessions/session-store.ts";

function store(append: SessionStore["append"]): SessionStore {
  return { append, load: async () => null };
}

function tell(onStored: (id: string) => unknown, onLoaded: () => unknown = () => {}): BridgeListeners {
  return { onStored: (id) => void onStored(id), onLoaded: () => void onLoaded() };
}

const key = { projectKey: "-w", sessionId: "S1" };

describe("the store as the harness gets it", () => {
  it("tells of a session once its first entry was accepted, and once only", async () => {
    const told: string[] = [];
    const accepted: unknown[] = [];
    const bridge = bridgeStore(
      store(async (_key, entries) => void accepted.push(...entries)),
      tell((id) => told.push(id)),
    );
    expect(told).toEqual([]);
    await bridge.append(key, [{ type: "user" }]);
    await bridge.append(key, [{ type: "assistant" }]);
    expect(told).toEqual(["S1"]);
    expect(accepted).toHaveLength(2);
  });

  it("does not tell of one whose entries were refused, nor of a worker's transcript", async () => {
    const told: string[] = [];
    const refusing = bridgeStore(
      store(async () => Promise.reject(new TypeError("full"))),
      tell((id) => told.push(id)),
    );
    await expect(refusing.append(key, [])).rejects.toThrow("full");
    const bridge = bridgeStore(
      store(async () => {}),
      tell((id) => told.push(id)),
    );
    await bridge.append({ ...key, subpath: "subagents/agent-1" }, []);
    expect(told).toEqual([]);
  });

  it("tells when a session was loaded to be resumed: not of a worker's transcript, not of one that is not there", async () => {
    let loads = 0;
    const known = { ...store(async () => {}), load: async () => [{ type: "user" }] };
    const listeners = tell(
      () => {},
      () => {
        loads += 1;
      },
    );
    await bridgeStore(
      store(async () => {}),
      listeners,
    ).load(key);
    await bridgeStore(known, listeners).load({ ...key, subpath: "subagents/agent-1" });
    expect(loads).toBe(0);
    await bridgeStore(known, listeners).load(key);
    expect(loads).toBe(1);
  });

  it("offers only what the store itself can do", () => {
    const bridge = bridgeStore(
      store(async () => {}),
      tell(() => {}),
    );
    expect(Object.keys(bridge).sort()).toEqual(["append", "load"]);
    const able = { ...store(async () => {}), delete: async () => {}, listSessions: async () => [] };
    expect(
      Object.keys(
        bridgeStore(
          able,
          tell(() => {}),
        ),
      ).sort(),
    ).toEqual(["append", "delete", "listSessions", "load"]);
  });
});
