// Stands in for the binary of the harness: answers control requests, and to each prompt plays the next list of
// recorded messages. `$PROMPT` in them becomes the prompt's id. Lists come as JSON in REPLAY.
import { createInterface } from "node:readline";

const turns = JSON.parse(process.env.REPLAY ?? "[]");
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "control_request") {
    const response = { subtype: "success", request_id: message.request_id, response: {} };
    say({ type: "control_response", response });
    if (message.request.subtype === "interrupt") {
      for (const next of turns.shift() ?? []) say(next);
    }
  }
  if (message.type !== "user") continue;
  const fill = (next) => JSON.parse(JSON.stringify(next).replaceAll("$PROMPT", message.uuid));
  for (const next of turns.shift() ?? []) {
    if (next === "die") process.exit(3);
    say(fill(next));
  }
}
say({ type: "system", subtype: "left", session_id: "s" });
