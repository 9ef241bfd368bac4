// The `human` tool server as data: `ask` blocks for a person, `inbox` never blocks.

import type { InProcessServer, InProcessTool } from "../core/tool-server.ts";
import type { Ask, Mail } from "./ask.ts";
import { readQuestion } from "./question.ts";
import { type Replies, replyTo, WITHDRAWN } from "./replies.ts";
import { localTime, quoteWords } from "./words.ts";

/** Server name; a tool is `mcp__human__<tool>` to a model. */
export const SERVER_NAME = "human";
/** A call may take this much longer than its question waits, so that the fixed reply still arrives. */
const MARGIN_S = 60;

/** What the tools need of a channel. */
export interface HumanTools {
  readonly replies: Replies;
  /** Seconds a question waits; `Infinity` for ever. */
  readonly timeoutS: number;
  readonly ask: (
    question: string,
    options: readonly string[],
    settings: { signal: AbortSignal },
  ) => Promise<Ask>;
  /** Hands over all queued mail and marks it delivered. */
  readonly takeMail: () => readonly Mail[];
}

function askTool(tools: HumanTools): InProcessTool {
  return {
    name: "ask",
    description:
      "Put one question to the person and wait for the answer. Ask only what changes the work and cannot be found out " +
      "by reading; offer options where you can. The answer may be free text even if you gave options.",
    parameters: {
      question: {
        kind: "string",
        description: "The question, complete in itself: the person sees nothing else.",
        optional: false,
      },
      options: {
        kind: "string_list",
        description: "Choices to pick from, each one short line.",
        optional: true,
      },
    },
    run: async (input, { signal }) => {
      const { question, options } = readQuestion({ question: input.question, options: input.options });
      try {
        return replyTo(await tools.ask(question, options, { signal }), tools.replies);
      } catch {
        return WITHDRAWN;
      }
    },
  };
}

function letter(mail: Mail): string {
  const late = mail.lateFor === undefined ? "" : `, a late answer to ${mail.lateFor}`;
  return `[${localTime(mail.at)}${late}]\n${quoteWords(mail.text)}`;
}

function inboxTool(tools: HumanTools): InProcessTool {
  return {
    name: "inbox",
    description:
      "Read what the person has said since you last looked. Never waits. Look after every milestone.",
    parameters: {},
    run: async () => {
      const mail = tools.takeMail();
      if (mail.length === 0) return "Nothing new from the person.";
      return `The person says (this counts more than the earlier plan):\n\n${mail.map(letter).join("\n\n")}`;
    },
  };
}

/** A fresh description of the server over the same state. */
export function humanServer(tools: HumanTools, inbox: boolean): InProcessServer {
  const server = {
    kind: "in_process",
    name: SERVER_NAME,
    tools: inbox ? [askTool(tools), inboxTool(tools)] : [askTool(tools)],
  } as const;
  if (tools.timeoutS === Number.POSITIVE_INFINITY) return server;
  return { ...server, timeoutS: Math.max(0, tools.timeoutS) + MARGIN_S };
}
