// A coordinator that touches nothing itself, and two workers: one writes, one only looks.
import { coordinator, Runtime, worker } from "flower-agent";

const writer = worker("Writes and changes files.", "You write small, plain files.");
const checker = worker("Checks a file that exists.", "You only look.", { tools: ["Read", "Grep"] });

const lead = coordinator("lead", "Have every file checked after it was written.", { writer, checker });

await using runtime = new Runtime({ workspace: ".", workbench: true });
runtime.listen((event) => {
  if (event.kind === "tool_call")
    console.log(`${event.payload.agent ?? "lead"}: ${event.tool} ${event.text}`);
});

const result = await runtime.run(lead, "Write greeting.txt with one line in it, and have it checked.");
console.log(result.text);
for (const each of result.subagents) console.log(`${each.type}: ${each.toolUses} tool calls, ok ${each.ok}`);
process.exitCode = result.ok ? 0 : 1;
