// A workflow of your own for the command: `flower run examples/workflow-file.ts:haiku "about rain"`.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { coordinator, Step, Workflow, worker } from "flower-agent";

interface Given {
  readonly ask: string;
  readonly workspace: string;
}

export function haiku({ ask, workspace }: Given): Workflow {
  const poet = worker("Writes poems into files.", "You write haiku.");
  const editor = coordinator("editor", "Have a haiku written to haiku.txt.", { poet });
  const write = new Step("write", editor, `Have a haiku written ${ask}.`, {
    gate: () => existsSync(join(workspace, "haiku.txt")),
  });
  return new Workflow([write], { name: "haiku" });
}
