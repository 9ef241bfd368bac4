// One agent, one step: reads the folder it was started in and says what it found.
import { AgentSpec, Runtime } from "flower-agent";

const reader = new AgentSpec({
  name: "reader",
  instructions: "You answer in one sentence, from what is in the files.",
});

await using runtime = new Runtime({ workspace: "." });
const result = await runtime.run(reader, "What is this project called?");

console.log(result.ok ? result.text : `failed: ${result.error} (${result.hint})`);
console.log(`$${result.costUsd.toFixed(4)}, books in ${runtime.manifestPath}`);
process.exitCode = result.ok ? 0 : 1;
