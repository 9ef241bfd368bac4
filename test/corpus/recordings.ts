// The sessions of the corpus, as scripts: what the model says, and what happens to it meanwhile.

import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSdkMcpServer, type Options, type SpawnOptions, tool } from "@anthropic-ai/claude-agent-sdk";
import { httpError, type Script, text, thinking, toolUse, turn, dispatch } from "../../src/testing/index.ts";
import type { LiveSession, Place } from "./live-session.ts";

/** What one recording adds to a plain session. */
export interface Recording {
  readonly script: (place: Place) => Script;
  readonly prompts: readonly string[];
  readonly prepare?: (place: Place) => void;
  readonly env?: Readonly<Record<string, string>>;
  readonly options?: () => Partial<Options>;
  /** Set up anew for every run. */
  readonly watch?: () => NonNullable<LiveSession["onMessage"]>;
  /** The same session is resumed after these prompts, with these. */
  readonly resume?: readonly string[];
}

/** A picture of one red dot. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

function bash(command: string, more: Readonly<Record<string, unknown>> = {}) {
  return toolUse("Bash", { command, description: "a step", ...more });
}

/** Lines a test can tell apart. */
function listing(name: string, lines: number): string {
  return Array.from({ length: lines }, (_, i) => `${name} line ${i + 1}: the quick brown fox`).join("\n");
}

const denyByHook: Partial<Options> = {
  hooks: {
    PreToolUse: [
      {
        matcher: "Bash",
        hooks: [
          async (input) => {
            const { command } = (input as { tool_input: { command: string } }).tool_input;
            if (!command.startsWith("make")) return {};
            return {
              hookSpecificOutput: {
                hookEventName: "PreToolUse" as const,
                permissionDecision: "deny" as const,
                permissionDecisionReason: "the main thread builds nothing: send a worker",
              },
            };
          },
        ],
      },
    ],
  },
};

const garden = createSdkMcpServer({
  name: "garden",
  alwaysLoad: true,
  tools: [
    tool("look", "Looks at the garden", {}, async () => ({
      content: [
        { type: "text" as const, text: listing("garden", 60) },
        { type: "image" as const, data: PNG, mimeType: "image/png" },
      ],
    })),
    tool("count", "Counts tulips", {}, async () => ({ content: [{ type: "text" as const, text: "42" }] })),
  ],
});

const WORKERS = {
  coder: { description: "writes code", prompt: "You write code.", tools: ["Read", "Bash"] },
  scout: { description: "looks around", prompt: "You look around.", tools: ["Read", "Bash"] },
};

/** Starts the harness so that it can be killed in the way a machine kills. */
function killable(): { readonly options: Partial<Options>; readonly kill: () => void } {
  let child: ChildProcess | undefined;
  return {
    options: {
      spawnClaudeCodeProcess: ({ command, args, cwd, env, signal }: SpawnOptions) => {
        child = spawn(command, args, {
          ...(cwd === undefined ? {} : { cwd }),
          env: env as NodeJS.ProcessEnv,
          signal,
          stdio: ["pipe", "pipe", "ignore"],
        });
        child.on("error", () => {});
        return child as never;
      },
    },
    kill: () => child?.kill("SIGKILL"),
  };
}

/** Acts once, when a call of Bash has come by. */
function onBash(act: NonNullable<LiveSession["onMessage"]>): () => NonNullable<LiveSession["onMessage"]> {
  return () => {
    let acted = false;
    return async (message, query) => {
      const isCall = message.type === "assistant" && JSON.stringify(message).includes('"name":"Bash"');
      if (acted || !isCall) return;
      acted = true;
      // The mirror of the call has to be in the store before it is cut off.
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await act(message, query);
    };
  };
}

const doomed = killable();
const aborted = { controller: new AbortController() };

/** By name; a file each, and one for every worker in it. */
export const RECORDINGS: Readonly<Record<string, Recording>> = {
  "tools-and-thinking": {
    prompts: ["look at the notes", "and once more"],
    prepare: ({ workspace }) => {
      writeFileSync(join(workspace, "note.txt"), `${listing("note", 120)}\n`);
      writeFileSync(join(workspace, "dot.png"), Buffer.from(PNG, "base64"));
    },
    script: ({ workspace }) => ({
      main: [
        [thinking("First the notes, then the folder."), toolUse("Read", { file_path: `${workspace}/note.txt` })],
        [text("The notes are long."), bash("git status"), bash("ls -la | head -2; seq 1 900")],
        toolUse("Grep", { pattern: "line 1", path: workspace, output_mode: "content" }),
        [thinking("A picture too."), toolUse("Read", { file_path: `${workspace}/dot.png` })],
        toolUse("TodoWrite", { todos: [{ content: "water", status: "in_progress", activeForm: "watering" }] }),
        text("Seen."),
        bash("ls"),
        toolUse("Write", { file_path: `${workspace}/out.txt`, content: "done\n" }),
        text("Written."),
      ],
    }),
  },
  "parallel-calls": {
    prompts: ["do three things at once"],
    script: () => ({
      main: [
        [
          thinking("All at once."),
          text("Three at once."),
          bash("sleep 0.4; echo one"),
          bash("echo two"),
          bash("seq 1 700"),
        ],
        [bash("ls"), bash("cat missing.txt"), bash("git log --oneline")],
        [text("and two looks"), bash("pwd"), bash("wc -l missing.txt")],
        text("All done."),
      ],
    }),
  },
  workers: {
    prompts: ["build it"],
    options: () => ({ agents: WORKERS }),
    script: () => ({
      main: [
        [text("Both together."), dispatch("coder", "write the parser"), dispatch("scout", "look around")],
        text("Both reported."),
      ],
      workers: {
        coder: [[thinking("Write it."), bash("echo compiled; seq 1 600")], text("parser written")],
        scout: [[bash("ls"), bash("pwd")], text("nothing to see")],
      },
    }),
  },
  "hook-denials": {
    prompts: ["build it", "try again"],
    options: () => denyByHook,
    script: () => ({
      main: [
        bash("make all"),
        [text("One of each."), bash("make test"), bash("echo allowed")],
        [bash("make a"), bash("make b")],
        text("I was told no."),
        bash("make once-more"),
        text("No again."),
      ],
    }),
  },
  "permission-denials": {
    prompts: ["write elsewhere"],
    options: () => ({ allowedTools: ["Read"], permissionMode: "default" }),
    script: () => ({
      main: [
        toolUse("Write", { file_path: "/opt/not-mine.txt", content: "x" }),
        bash("python3 -c 'print(1)'"),
        toolUse("NoSuchTool", { a: 1 }),
        toolUse("Read", { path: "wrong key" }),
        text("Not allowed."),
      ],
    }),
  },
  interrupted: {
    prompts: ["wait long", "go on then"],
    watch: onBash(async (_message, query) => {
      await query.interrupt();
    }),
    script: () => ({
      main: [[text("Waiting."), bash("echo early"), bash("sleep 20")], text("Going on."), text("spare")],
    }),
  },
  aborted: {
    prompts: ["wait long"],
    resume: ["where were we?"],
    options: () => ({ abortController: aborted.controller }),
    watch: onBash(() => aborted.controller.abort()),
    script: () => ({ main: [[text("Waiting."), bash("sleep 20")], text("Resumed."), text("spare")] }),
  },
  killed: {
    prompts: ["wait long"],
    options: () => doomed.options,
    watch: onBash(() => doomed.kill()),
    script: () => ({ main: [[text("Three."), bash("echo early"), bash("sleep 20"), bash("sleep 21")]] }),
  },
  "api-errors": {
    prompts: ["try it"],
    resume: ["try it again"],
    env: { CLAUDE_CODE_MAX_RETRIES: "1" },
    script: () => ({
      main: [
        bash("echo before"),
        httpError(529, { headers: { "retry-after": "0" } }),
        httpError(529, { headers: { "retry-after": "0" } }),
        text("At last."),
        text("spare"),
      ],
    }),
  },
  "refused-key": {
    prompts: ["try it"],
    resume: ["try it again"],
    env: { CLAUDE_CODE_MAX_RETRIES: "0" },
    script: () => ({ main: [httpError(401), httpError(401), text("Let in."), text("spare")] }),
  },
  compacted: {
    prompts: ["look around", "/compact", "go on"],
    // A model without levels of effort: after a compaction one with them gets an empty message for it.
    options: () => ({ verbatimPrompts: false, model: "claude-haiku-4-5" }),
    script: () => ({
      main: [[thinking("Look."), bash("seq 1 800")], text("Seen."), bash("ls"), text("Gone on.")],
    }),
  },
  "auto-compacted": {
    prompts: ["look around", "go on", "and on"],
    script: () => ({
      main: [
        bash("seq 1 800"),
        turn(text("Seen."), { usage: { inputTokens: 980_000, outputTokens: 500 } }),
        bash("ls"),
        text("Gone on."),
        text("And on."),
      ],
    }),
  },
  "mcp-tools": {
    prompts: ["look at the garden"],
    options: () => ({
      mcpServers: { garden },
      allowedTools: ["mcp__garden__look", "mcp__garden__count"],
    }),
    script: () => ({
      main: [
        [toolUse("mcp__garden__look", {}), toolUse("mcp__garden__count", {})],
        toolUse("mcp__garden__look", {}),
        text("Lovely."),
      ],
    }),
  },
};
