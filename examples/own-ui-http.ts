// A user interface of your own: a page in the browser follows a run through server-sent events and answers its
// questions by POST. It listens on this machine only, and every address needs the token that is printed at the start.
// Run it with a credential: npx jiti examples/own-ui-http.ts (Node 24 and newer: node examples/own-ui-http.ts).
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { coordinator, type Event, HumanChannel, Runtime, Step, Workflow, worker } from "flower-agent";

/** What the page shows of an event: a line, a question to answer, or nothing. */
type Shown =
  | { kind: "line"; text: string }
  | { kind: "question"; id: string; text: string; options: readonly string[] }
  | { kind: "settled"; id: string; text: string }
  | { kind: "end"; text: string };

function show(event: Event): Shown | undefined {
  switch (event.kind) {
    case "text":
    case "error":
      return { kind: "line", text: `${event.payload.agent ?? "editor"}: ${event.text}` };
    case "tool_call":
      return { kind: "line", text: `${event.payload.agent ?? "editor"}: ${event.tool} ${event.text}` };
    case "task":
    case "retry":
    case "handoff":
    case "reset":
      return { kind: "line", text: `(${event.text})` };
    case "step":
      return { kind: "line", text: `step ${event.payload.index} of ${event.payload.total}: ${event.text}` };
    case "result":
      return { kind: "line", text: `$${event.payload.cost_usd.toFixed(4)} in this session so far` };
    case "ask":
      if (event.payload.kind === "mail") return { kind: "line", text: `you said: ${event.text}` };
      if (event.payload.state !== "asked") return { kind: "settled", id: event.payload.id, text: event.text };
      return { kind: "question", id: event.payload.id, text: event.text, options: event.payload.options };
    case "thinking":
    case "tool_result":
    case "system":
    case "prompt":
    case "unknown":
      return undefined;
    default:
      event satisfies never; // a later version adds a kind: the compiler says so here, at run time it is passed over
      return undefined;
  }
}

const PAGE = `<!doctype html><meta charset="utf-8"><title>flower</title><ul id="lines"></ul><script>
const source = new EventSource("events" + location.search); // sent as text, put in as text: no markup of a model's
const line = (text) => { const li = lines.appendChild(document.createElement("li")); li.textContent = text; return li; };
const answer = (id, text) => fetch("answer" + location.search, { method: "POST", body: JSON.stringify({ id, text }) });
source.onmessage = ({ data }) => {
  const shown = JSON.parse(data), li = line(shown.text);
  if (shown.kind === "end") source.close();
  if (shown.kind === "settled") document.getElementById(shown.id)?.remove();
  if (shown.kind !== "question") return;
  const place = li.appendChild(document.createElement("span")); place.id = shown.id;
  for (const option of [...shown.options, "…"]) {
    const button = place.appendChild(document.createElement("button")); button.textContent = option;
    button.onclick = () => answer(shown.id, option === "…" ? prompt(shown.text) ?? "" : option);
  }
};
</script>`;

const token = randomUUID();
const channel = new HumanChannel({ timeoutS: 600 });
const past: string[] = []; // who opens the page late, or anew, is told everything again
const open = new Set<ServerResponse>();

function tell(shown: Shown | undefined): void {
  if (shown === undefined) return;
  const frame = `data: ${JSON.stringify(shown)}\n\n`;
  past.push(frame);
  for (const response of open) response.write(frame);
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://localhost");
  const place = `${request.method} ${url.pathname}`;
  if (url.searchParams.get("token") !== token) return void response.writeHead(403).end();
  if (place === "GET /") return void response.setHeader("content-type", "text/html").end(PAGE);
  if (place === "GET /events") {
    response.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
    response.write(past.join(""));
    response.on("close", () => open.delete(response));
    open.add(response);
    return;
  }
  if (place !== "POST /answer") return void response.writeHead(404).end();
  const { id, text } = (await json(request)) as { id?: unknown; text?: unknown };
  const receipt = channel.reply(String(id), String(text)); // late words are kept: they go into the inbox
  response.writeHead(receipt === "unknown" ? 404 : 200).end(receipt);
}

const server = createServer((request, response) => {
  serve(request, response).catch(() => response.writeHead(400).end());
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
console.log(`open http://127.0.0.1:${(server.address() as AddressInfo).port}/?token=${token}`);

const poet = worker("Writes poems into files.", "You write haiku.");
const editor = coordinator("editor", "Ask what it is to be about.", { poet }, { channel });
const workflow = new Workflow([new Step("poem", editor, "Have poem.txt written.")], { channel });

await using runtime = new Runtime({ workspace: "." });
const ctx = await workflow.run(runtime, { onEvent: (event) => tell(show(event)), budgetUsd: 2 });
tell({ kind: "end", text: ctx._failedAt === undefined ? "done" : `stopped at ${ctx._failedAt}` });
for (const response of open) response.end();
server.close();
process.exitCode = ctx._failedAt === undefined ? 0 : 1;
