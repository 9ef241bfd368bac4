// Stands in for the binary of the harness: answers control requests, and to each prompt plays the next list of
// recorded messages. `$PROMPT` in them becomes the prompt's id. A number ends the process with that code; an object
// with `call` has a tool of flower's own called, and `$ANSWER` becomes what it gave. Lists come as JSON in REPLAY.
import { createInterface } from "node:readline";

const turns = JSON.parse(process.env.REPLAY ?? "[]");
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const input = createInterface({ input: process.stdin });
let answered = () => {};
let answer = "";

/** Ends only when flower answers: never, where it can no longer be reached. */
async function callTool({ server, ...params }) {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  const request = { subtype: "mcp_message", server_name: server, message };
  const response = new Promise((resolve) => {
    answered = resolve;
  });
  say({ type: "control_request", request_id: "call", request });
  answer = (await response).mcp_response.result.content[0].text;
}

async function play(list, prompt = "") {
  for (const next of list ?? []) {
    if (typeof next === "number") process.exit(next);
    if (next.call !== undefined) await callTool(next.call);
    else say(JSON.parse(JSON.stringify(next).replaceAll("$PROMPT", prompt).replaceAll("$ANSWER", answer)));
  }
}

let playing = Promise.resolve();
input.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "control_response") answered(message.response.response);
  if (message.type === "user") playing = playing.then(() => play(turns.shift(), message.uuid));
  if (message.type !== "control_request") return;
  const able = { hook_on_failure_supported: process.env.OLD === undefined };
  const response = { subtype: "success", request_id: message.request_id, response: able };
  say({ type: "control_response", response });
  if (message.request.subtype === "interrupt") playing = playing.then(() => play(turns.shift()));
});
input.on("close", async () => {
  await playing;
  say({ type: "system", subtype: "left", session_id: "s" });
});
