// What the real API refuses in one content block, in its own words.

import { isRecord } from "../core/json.ts";
import { thinkingSignature } from "./thinking-signature.ts";

type Fields = Readonly<Record<string, unknown>>;

function textFault(block: Fields, at: string): string | undefined {
  if (typeof block.text !== "string") return `${at}.text.text: Field required`;
  if (block.text === "") return "messages: text content blocks must be non-empty";
  return block.text.trim() === ""
    ? "messages: text content blocks must contain non-whitespace text"
    : undefined;
}

function thinkingFault(block: Fields, at: string): string | undefined {
  if (typeof block.thinking !== "string") return `${at}.thinking.thinking: Field required`;
  if (typeof block.signature !== "string") return `${at}.thinking.signature: Field required`;
  return block.signature === thinkingSignature(block.thinking)
    ? undefined
    : `${at}: Invalid \`signature\` in \`thinking\` block`;
}

function toolUseFault(block: Fields, at: string): string | undefined {
  if (typeof block.id !== "string") return `${at}.tool_use.id: Field required`;
  if (!/^[a-zA-Z0-9_-]+$/.test(block.id)) {
    return `${at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
  }
  if (typeof block.name !== "string") return `${at}.tool_use.name: Field required`;
  if (block.input === undefined) return `${at}.tool_use.input: Field required`;
  return isRecord(block.input) ? undefined : `${at}.tool_use.input: Input should be a valid dictionary`;
}

function toolResultFault(block: Fields, at: string): string | undefined {
  if (typeof block.tool_use_id !== "string") return `${at}.tool_result.tool_use_id: Field required`;
  if (!Array.isArray(block.content)) return undefined;
  for (const part of block.content) {
    if (isRecord(part) && part.type === "text" && part.text === "") {
      return "messages: text content blocks must be non-empty";
    }
  }
  return undefined;
}

const CHECKS: Readonly<Record<string, (block: Fields, at: string) => string | undefined>> = {
  text: textFault,
  thinking: thinkingFault,
  tool_use: toolUseFault,
  tool_result: toolResultFault,
};

/** Blocks that only one of the two roles may send. */
const ONLY: Readonly<Record<string, string>> = {
  tool_use: "assistant",
  thinking: "assistant",
  tool_result: "user",
};

/** What is wrong with a block at `at` (`messages.N.content.M`), or undefined. Types it does not know pass. */
export function blockFault(block: unknown, at: string, role: string): string | undefined {
  if (!isRecord(block)) return `${at}: Input should be a valid dictionary`;
  if (typeof block.type !== "string") return `${at}.type: Field required`;
  const owner = ONLY[block.type];
  if (owner !== undefined && owner !== role) {
    return `${at.replace(/\.content.*/, "")}: \`${block.type}\` blocks can only be in \`${owner}\` messages`;
  }
  return CHECKS[block.type]?.(block, at);
}
