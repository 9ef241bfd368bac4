import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { StoreFolder } from "./store-folder.ts";

const folder = new StoreFolder();
const cases: ReadonlyArray<{ id: string; input: string[] }> = JSON.parse(
  readFileSync(new URL("../fixtures/session-store-cases.json", import.meta.url), "utf8"),
);
const [first = "", ...others] = cases.find((each) => each.id === "D-store-05")?.input ?? [];
const KEY = "-srv-proj-a-b";

function from(cwd: string) {
  return { type: "user", uuid: cwd, cwd };
}

describe("workspaces that share a project key", () => {
  it("are not offered each other's sessions: the second is refused (D-store-05)", () => {
    const path = folder.file();
    const store = folder.open({ path });
    store.claimProject(KEY, first);
    store.claimProject(KEY, first);
    for (const other of others) {
      const refused = expect.objectContaining({ name: "StoreError", code: "workspace_clash" });
      expect(() => store.claimProject(KEY, other)).toThrow(refused);
      expect(() => folder.open({ path }).claimProject(KEY, other)).toThrow(refused);
    }
    store.claimProject("-srv-proj-c", "/srv/proj/c");
  });

  it("are named in the error, with the file", () => {
    const store = folder.open();
    store.claimProject(KEY, first);
    const message = expect.objectContaining({ message: expect.stringContaining(first) });
    expect(() => store.claimProject(KEY, others[0] ?? "")).toThrow(message);
    expect(() => store.claimProject(KEY, others[0] ?? "")).toThrow(
      expect.objectContaining({ message: expect.stringContaining(store.path) }),
    );
  });

  it("are told apart in a file without claims by the folder its sessions ran in", async () => {
    const store = folder.open();
    await store.append({ projectKey: KEY, sessionId: "s" }, [{ type: "mode" }, from(first)]);
    expect(() => store.claimProject(KEY, others[0] ?? "")).toThrow(
      expect.objectContaining({ code: "workspace_clash" }),
    );
    store.claimProject(KEY, first);
  });

  it("get a key whose sessions do not say whose they are, or ran in a subfolder", async () => {
    const store = folder.open();
    await store.append({ projectKey: KEY, sessionId: "s" }, [{ type: "mode" }, from("/srv/proj/a-b/sub")]);
    store.claimProject(KEY, first);
    await store.append({ projectKey: `${KEY}-x`, sessionId: "s" }, [from(first)]);
    store.claimProject(`${KEY}-x`, "/srv/proj/a-b-x");
  });

  it("cannot claim what is not a project key", () => {
    const store = folder.open();
    expect(() => store.claimProject("", first)).toThrow(expect.objectContaining({ code: "bad_session_key" }));
  });
});
