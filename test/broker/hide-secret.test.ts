import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSecretHider } from "../../src/broker/hide-secret.ts";
import { ask, brokerFor, REAL_KEY, serve, text } from "./loopback.ts";

/** Letters from which a secret, half a secret and two that overlap are made by chance. */
const SECRET = "abaababa";

function hide(chunks: readonly string[]): string {
  const hider = createSecretHider(SECRET)!;
  const parts = chunks.map((chunk) => Buffer.from(hider.feed(Buffer.from(chunk))));
  return Buffer.concat([...parts, hider.end()]).toString();
}

describe("an answer that repeats the credential", () => {
  it("comes out with stars in its place wherever it is cut, and otherwise byte for byte", () => {
    const chunk = fc.string({ unit: fc.constantFrom("a", "b", "."), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(fc.oneof(chunk, fc.constant(SECRET)), { maxLength: 12 }), (chunks) => {
        expect(hide(chunks)).toBe(chunks.join("").replaceAll(SECRET, "*".repeat(SECRET.length)));
      }),
    );
  });

  it("keeps nothing back that the credential could not go on from", () => {
    const hider = createSecretHider(SECRET)!;
    expect(hider.feed(Buffer.from("event: ping\n\n")).toString()).toBe("event: ping\n\n");
    expect(hider.feed(Buffer.from("x aba")).toString()).toBe("x ");
    expect(hider.end().toString()).toBe("aba");
  });

  it.each([
    ["in one piece", [REAL_KEY]],
    ["in pieces", [REAL_KEY.slice(0, 5), REAL_KEY.slice(5)]],
  ])("reaches the client without it, %s, with the length that was announced", async (_what, key) => {
    const body = ["Authentication Error. Received=", ...key, ", expected another"];
    const upstream = await serve(async (_request, response) => {
      response.writeHead(401, { "Content-Length": Buffer.byteLength(body.join("")) });
      for (const part of body) {
        response.write(part);
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    const broker = await brokerFor({ upstream: upstream.url });
    const answer = await ask(broker);
    expect(answer.statusCode).toBe(401);
    expect(await text(answer)).toBe(body.join("").replace(REAL_KEY, "*".repeat(REAL_KEY.length)));
  });
});
