// Everything of your own in one workflow: a role, a tool server in this process, a guard, a judge, and a context with a
// type. A writer makes release notes from tickets; nothing else may be written, no customer may be named, and a judge
// that can read the tickets itself rules on the notes.
// Run it with a credential: npx jiti examples/custom-judge-and-guards.ts (Node 24 and newer: node examples/custom-judge-and-guards.ts).
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  AgentSpec,
  callGuard,
  Goal,
  HumanChannel,
  type InProcessServer,
  judge,
  Runtime,
  Step,
  Workflow,
  withGoal,
} from "flower-agent";

/** What the steps pass on: a misspelt key does not compile. */
interface Release {
  readonly version: string;
  readonly tickets: ReadonlyMap<string, string>;
  /** What the writer said at last. */
  notes?: string;
}

const release: Release = {
  version: "2.1",
  tickets: new Map([
    ["T-7", "ACME reports that exports over 2 GB end early. Fixed."],
    ["T-9", "New option --quiet."],
  ]),
};

/** A model sees its tool as `mcp__tickets__read`. What goes wrong is said in the answer, so that it can do better. */
const tickets: InProcessServer = {
  kind: "in_process",
  name: "tickets",
  tools: [
    {
      name: "read",
      description: "The text of one ticket.",
      parameters: { id: { kind: "string", description: "Its id, e.g. T-7.", optional: false } },
      run: async ({ id }) => release.tickets.get(String(id)) ?? `there is no ticket ${id}`,
    },
  ],
};

const NOTES = resolve("NOTES.md");
const CUSTOMERS = /\bACME\b/g;

function textOf(input: unknown, key: string): string {
  const value = typeof input === "object" && input !== null ? Reflect.get(input, key) : undefined;
  return typeof value === "string" ? value : "";
}

/** Refuses every other file; what is written into this one names no customer. */
const guard = callGuard(
  ({ input }) => {
    const path = textOf(input, "file_path");
    if (resolve(path) !== NOTES)
      return { kind: "deny", reason: `You write NOTES.md and nothing else, not ${path}.` };
    const content = textOf(input, "content").replaceAll(CUSTOMERS, "a customer");
    return { kind: "rewrite", input: { file_path: path, content } };
  },
  { tools: ["Write"], name: "only the notes" },
);

/** A role is a function that gives an AgentSpec. */
function writer(): AgentSpec {
  return new AgentSpec({
    name: "writer",
    instructions: "You write release notes: one line a ticket, `- T-1: what changed for the user`.",
    allowedTools: ["mcp__tickets__read", "Read", "Write"],
    mcpServers: { tickets },
    hooks: { PreToolUse: [guard] },
  });
}

/** flower's judge, with one tool more and a rule of its own; any agent that replies with the three sections would do. */
function proofreader(channel: HumanChannel): AgentSpec {
  const plain = judge("proofreader", channel, { instructions: "Read each ticket yourself before you rule." });
  return plain.with({
    allowedTools: [...plain.allowedTools, "mcp__tickets__read"],
    mcpServers: { ...plain.mcpServers, tickets },
  });
}

// The goal is known beforehand, so nobody has to set it: what a command can decide, and what takes a reader.
new Goal({
  statement: `NOTES.md says what is new in ${release.version}.`,
  checks: [
    ...[...release.tickets.keys()].map((id) => `\`grep -c '^- ${id}: ' NOTES.md\` -> prints exactly 1`),
    "Each line says what its ticket says, and no more.",
  ],
}).write("goal.md");

const channel = new HumanChannel({ timeoutS: 0 });
const notes = new Step<Release>(
  "notes",
  writer(),
  ({ version, tickets }) =>
    `Write NOTES.md for ${version} from these tickets: ${[...tickets.keys()].join(", ")}.`,
);
const guarded = withGoal(notes, channel, { goalPath: "goal.md", spec: proofreader(channel), rounds: 2 });

await using runtime = new Runtime({ workspace: "." });
const ctx = await new Workflow([guarded], { channel, context: release }).run(runtime, { budgetUsd: 2 });
console.log(ctx._verdict?.state, ctx._verdict?.reason);
if (ctx._failedAt === undefined) console.log(readFileSync(NOTES, "utf8"));
process.exitCode = ctx._failedAt === undefined ? 0 : 1;
