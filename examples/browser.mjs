// The browser of `npm run examples`: opens the page of own-ui-http.ts, follows the run, picks the first option of each
// question.
import { Script } from "node:vm";

async function expectStatus(status, url, options) {
  const response = await fetch(url, options);
  if (response.status !== status) throw new Error(`${url}: ${response.status} instead of ${status}`);
  return response;
}

/** What the server sends, one by one, to its end. */
async function* eventsOf(url) {
  const { body } = await expectStatus(200, url);
  let left = "";
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const frames = `${left}${chunk}`.split("\n\n");
    left = frames.pop() ?? "";
    for (const frame of frames) yield JSON.parse(frame.slice("data: ".length));
  }
}

/** Use the interface at `address` to the end of the run; throws unless each text of `wanted` was shown, or a door stood open. */
export async function pickFirst(address, wanted) {
  const { origin, search } = new URL(address);
  await expectStatus(403, `${origin}/events?token=guessed`);
  const page = await (await expectStatus(200, address)).text();
  new Script(/<script>(.*)<\/script>/s.exec(page)?.[1] ?? "no page"); // throws unless a browser could read it
  const lines = [];
  for await (const { kind, id, text, options } of eventsOf(`${origin}/events${search}`)) {
    lines.push(text);
    if (kind !== "question") continue;
    const answer = { method: "POST", body: JSON.stringify({ id, text: options[0] }) };
    await expectStatus(200, `${origin}/answer${search}`, answer);
    await expectStatus(404, `${origin}/answer${search}`, { method: "POST", body: '{ "id": "q9-none" }' });
    await expectStatus(400, `${origin}/answer${search}`, { method: "POST", body: "null" });
  }
  const missing = [...wanted, "done"].filter((each) => !lines.some((line) => line.includes(each)));
  if (missing.length > 0) throw new Error(`not shown: ${missing.join(", ")}\n${lines.join("\n")}`);
}
