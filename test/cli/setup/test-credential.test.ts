import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { credentialsOf } from "../../../src/cli/setup/answers.ts";
import { testModels } from "../../../src/cli/setup/test-credential.ts";

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that has every model but one, and what it was asked for. */
async function serve(lacking: string) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const { model } = JSON.parse(body) as { model: string };
      asked.push(model);
      const missing = '{"type":"error","error":{"message":"model not found"}}';
      response.statusCode = model === lacking ? 404 : 200;
      response.end(model === lacking ? missing : '{"type":"message","content":[]}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return { asked, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const answers = { choice: "auth_token", secret: "t0ken", model: "configured" } as const;

describe("the test of a credential", () => {
  it("asks each model once, the configured one for a name that only the harness knows", async () => {
    const { asked, baseUrl } = await serve("c");
    const models = ["a", undefined, "a", "opus", "c"];
    const tests = await testModels(credentialsOf({ ...answers, baseUrl }), { io: { env: {} }, models });
    expect(asked.sort()).toEqual(["a", "c", "configured"]);
    expect(tests.map(({ model, kind }) => `${model} ${kind}`)).toEqual([
      "a ok",
      "configured ok",
      "c model_unknown",
    ]);
  });

  it("asks for no other model once the first one did not work", async () => {
    const { asked, baseUrl } = await serve("a");
    const credentials = credentialsOf({ ...answers, baseUrl });
    expect(await testModels(credentials, { io: { env: {} }, models: ["a", "b"] })).toHaveLength(1);
    expect(asked).toEqual(["a"]);
  });

  it("goes to a server on this machine straight, and elsewhere through the proxy", async () => {
    const { baseUrl } = await serve("");
    const env = { http_proxy: "http://127.0.0.1:1", NO_PROXY: "internal.example" };
    const through = async (url: string) => {
      const credentials = credentialsOf({ ...answers, baseUrl: url });
      return (await testModels(credentials, { io: { env }, models: ["a"] }))[0];
    };
    expect(await through(baseUrl)).toMatchObject({ kind: "ok" });
    expect(await through("http://gateway.invalid")).toMatchObject({
      kind: "unreachable",
      detail: "ECONNREFUSED",
    });
  });
});
