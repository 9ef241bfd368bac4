// The wall of a coordinator: its main thread touches nothing, and may at most glance.

import { HANDS_ON_TOOLS } from "../agents/tool-groups.ts";
import { rejectUnknownKeys } from "../core/options.ts";
import { isEphemeral } from "../shell/is-ephemeral.ts";
import { deny, inputOf, isMainThread, malformed, PASS } from "./call.ts";
import type { Decision, PreGuard, ToolCall } from "./decision.ts";

/** A glance that has not answered by then is not a glance; the harness's own default for a command. */
const GLANCE_TIMEOUT_MS = 120_000;

/** Options of the delegate guard. */
export interface DelegateOptions {
  /** Tools the main thread does not touch, joined by `|`. @defaultValue "Bash|Write|Edit|NotebookEdit" */
  readonly tools?: string | undefined;
  /** Let read-only commands through. @defaultValue false */
  readonly allowGlance?: boolean | undefined;
  /** Folder for long output, as the refusal shows it. @defaultValue "the workbench's artifacts/" */
  readonly artifacts?: string | undefined;
}

function refuseHands(tool: string, artifacts: string): Decision {
  return deny(
    `You direct, you do not use ${tool}: this is intended. Dispatch a worker with Agent instead. State the goal, how it will be accepted, and that long output goes to ${artifacts}; ask for paths and conclusions back.`,
  );
}

function decideGlance(call: ToolCall, artifacts: string): Decision {
  const input = inputOf(call);
  if (input === undefined || typeof input.command !== "string")
    return malformed("Bash", "a command as one string");
  if (!isEphemeral(input.command)) {
    return deny(
      `You may only glance: every command in the line must be read-only and end by itself, and this line is not like that. To run, test or change something, dispatch a worker with Agent: goal, how it will be accepted, long output to ${artifacts}.`,
    );
  }
  if (input.run_in_background === true || input.dangerouslyDisableSandbox === true) {
    return deny(
      "A glance runs in the foreground and without special rights. Repeat it with the command alone.",
    );
  }
  const { timeout } = input;
  const tooLong = timeout !== undefined && !(typeof timeout === "number" && timeout <= GLANCE_TIMEOUT_MS);
  return tooLong ? { kind: "rewrite", input: { ...input, timeout: GLANCE_TIMEOUT_MS } } : { kind: "allow" };
}

/**
 * Refuses on the main thread what belongs to workers, and says what to do instead. With `allowGlance` a Bash line
 * that only reads is allowed, in the foreground, for at most two minutes.
 */
export function delegatePreGuard(options: DelegateOptions = {}): PreGuard {
  rejectUnknownKeys(options, ["tools", "allowGlance", "artifacts"], "delegateGuard");
  const tools = options.tools?.split("|").map((tool) => tool.trim()) ?? HANDS_ON_TOOLS;
  const artifacts = options.artifacts ?? "the workbench's artifacts/";
  return {
    name: "delegate",
    tools,
    decide: (call) => {
      if (!isMainThread(call) || !tools.includes(call.tool)) return PASS;
      return options.allowGlance === true && call.tool === "Bash"
        ? decideGlance(call, artifacts)
        : refuseHands(call.tool, artifacts);
    },
  };
}
