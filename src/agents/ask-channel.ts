// AskChannel: what the roles need from whoever carries questions to a person. Bound to a real channel outside.

import { OptionError } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";
import type { InProcessServer } from "../core/tool-server.ts";

/** A way to a person, as the roles see it: two tool names and the servers behind them. */
export interface AskChannel {
  /** Name of the tool that asks and waits. */
  readonly toolName: string;
  /** Name of the tool that collects what a person said unasked. */
  readonly inboxToolName: string;
  /** A fresh set of servers over the same state; `inbox` (default true) decides whether the inbox tool is offered. */
  readonly mcpServers: (options?: { readonly inbox?: boolean }) => Record<string, InProcessServer>;
}

/**
 * Refuse something that is no channel.
 * @throws OptionError `bad_channel`.
 */
export function requireChannel(channel: unknown, owner: string): asserts channel is AskChannel {
  // A class instance counts: its tool names may be getters and its method may live on the prototype.
  const shape = isRecord(channel) ? (channel as Partial<AskChannel>) : {};
  if (
    typeof shape.toolName === "string" &&
    typeof shape.inboxToolName === "string" &&
    typeof shape.mcpServers === "function"
  ) {
    return;
  }
  throw new OptionError(`${owner} needs a channel to ask through`, {
    code: "bad_channel",
    hint: "pass a HumanChannel; new HumanChannel({ timeoutS: 0 }) where nobody is there",
  });
}
