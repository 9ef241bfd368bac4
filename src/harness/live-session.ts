// One process of the harness, held open for as long as a step needs it: the input stream stays open until the step
// is over, because a string prompt closes stdin at the first result and later questions to a person would fail.

import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import {
  type Options,
  type Query,
  query,
  type SDKUserMessage,
  type SpawnedProcess,
  type SpawnOptions,
} from "@anthropic-ai/claude-agent-sdk";
import { errorText, HarnessError } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";
import { spawnHarness } from "./harness-process.ts";
import { asText, type HarnessMessage } from "./message.ts";
import { sweepTaskLinks } from "./task-links.ts";

/** How long a process may take to leave by itself after its input was closed; then it is ended. */
const LEAVE_MS = 5_000;
/** Last part of stderr that is kept for a diagnosis. */
const STDERR_CHARS = 4_000;

/** A running process of the harness. */
export interface LiveSession {
  /** Every message until the process ends. Never throws: what went wrong is in `fault`. */
  messages(): AsyncGenerator<HarnessMessage, void>;
  /** Put words to the model as its next turn. @returns the id its result will name. */
  send(text: string): string;
  /** Stop the current turn by control request; the process stays and takes the next words. */
  interrupt(): Promise<void>;
  /** No more turns: close the input and let the process write its last entries and leave. */
  finish(): void;
  /** End the process now. */
  kill(): void;
  /** What ended the stream apart from an ordinary end; undefined while all is well. */
  fault(): unknown;
  /** The last lines the process wrote to stderr. */
  stderr(): string;
}

/** Words waiting to be read by the harness; ends when closed. */
class Inlet {
  readonly #waiting: SDKUserMessage[] = [];
  #closed = false;
  #wake: (() => void) | undefined;

  push(message: SDKUserMessage): void {
    this.#waiting.push(message);
    this.#wake?.();
  }

  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  async *read(): AsyncGenerator<SDKUserMessage, void> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) {
        yield next;
        continue;
      }
      if (this.#closed) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

function userMessage(text: string): SDKUserMessage & { uuid: string } {
  return {
    type: "user",
    uuid: randomUUID(),
    message: { role: "user", content: text },
    parent_tool_use_id: null,
  };
}

/** A fault of starting the process, told so that a person knows what to change. */
function startFault(error: unknown, cwd: string): HarnessError | undefined {
  const text = errorText(error);
  if (!existsSync(cwd)) {
    return new HarnessError(`the workspace ${cwd} does not exist`, {
      code: "workspace_missing",
      values: { path: cwd },
      hint: "create the folder, or name another one with -w",
      cause: error,
    });
  }
  const code = isRecord(error) ? asText(error.code) : "";
  const isOld = /update claude code/i.test(text);
  const cannot = /ENOENT|EACCES|ENOEXEC|not found|native binary|executable/i.test(`${code} ${text}`);
  if (!isOld && !cannot) return undefined;
  return new HarnessError(`the Claude Code binary cannot start: ${text}`, {
    code: isOld ? "binary_too_old" : "binary_cannot_start",
    values: { reason: text },
    hint: isOld
      ? "update the binary that FLOWER_HARNESS names, or unset it: flower comes with one of its own"
      : "install again without --omit=optional (the binary is an optional package of @anthropic-ai/claude-agent-sdk)",
    cause: error,
  });
}

/**
 * Start a process of the harness with its first words.
 * @throws HarnessError `binary_cannot_start`, `binary_too_old` or `workspace_missing` when it cannot even be started.
 */
export function startSession(
  options: Options,
  firstWords: string,
): LiveSession & { readonly firstId: string } {
  const inlet = new Inlet();
  const cwd = options.cwd ?? ".";
  let stderr = "";
  let fault: unknown;
  const first = userMessage(firstWords);
  inlet.push(first);
  const onStderr = (text: string) => {
    stderr = (stderr + text).slice(-STDERR_CHARS);
  };
  let harness: SpawnedProcess | undefined;
  const spawnClaudeCodeProcess = (process: SpawnOptions) => {
    harness = spawnHarness(process, onStderr);
    return harness;
  };
  const sweep = () => sweepTaskLinks(options.env?.CLAUDE_CODE_TMPDIR);
  sweep();
  let live: Query;
  try {
    live = query({
      prompt: inlet.read(),
      options: { ...options, spawnClaudeCodeProcess },
    });
  } catch (error) {
    throw startFault(error, cwd) ?? error;
  }
  let leaving: NodeJS.Timeout | undefined;
  async function* messages(): AsyncGenerator<HarnessMessage, void> {
    try {
      for await (const message of live) yield message as unknown as HarnessMessage;
    } catch (error) {
      fault = startFault(error, cwd) ?? error;
    } finally {
      clearTimeout(leaving);
      sweep();
    }
  }
  const kill = () => {
    inlet.close();
    // At once: left to itself it goes on for seconds, asking the model and running tools with nobody to answer its hooks.
    harness?.kill("SIGTERM");
    live.close();
  };
  return {
    firstId: first.uuid,
    messages,
    send(text) {
      const message = userMessage(text);
      inlet.push(message);
      return message.uuid;
    },
    async interrupt() {
      await live.interrupt();
    },
    finish() {
      inlet.close();
      leaving ??= setTimeout(() => live.close(), LEAVE_MS);
    },
    kill,
    fault: () => fault,
    stderr: () => stderr,
  };
}
