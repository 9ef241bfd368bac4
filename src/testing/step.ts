// A step of a script: what one request of a speaker gets, given outright or worked out from the request.

import { OptionError } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";
import type { ApiRequest } from "./api-request.ts";
import type { Failure } from "./failure.ts";
import type { Block, Turn } from "./turn.ts";

/** What a request is answered with: blocks, a turn with figures, or a failure. */
export type Answer = Block | readonly Block[] | Turn | Failure;

/**
 * Works an answer out from the request. May be async (the request waits) and may throw: the run is then answered
 * with 400 and `verify()` tells why.
 */
export type AnswerFunction = (request: ApiRequest) => Answer | Promise<Answer>;

/** A step that is never used up. */
export interface Always {
  readonly kind: "always";
  /** The answer that is never used up. */
  readonly step: Answer | AnswerFunction;
}

/** One step of a speaker's script. */
export type Step = Answer | AnswerFunction | Always;

/**
 * Answer every further request of this speaker in the same way; must come last, and need not be asked for.
 * @param step - an answer
 */
export function always(step: Answer | AnswerFunction): Always {
  return { kind: "always", step };
}

const BLOCKS = ["text", "thinking", "tool_use"];
const REPLIES = ["turn", "http_error", "drop_connection", "stream_error", "hang"];

/** A turn made of blocks, or a failure. */
export type Reply = Turn | Failure;

function isBlock(value: unknown): value is Block {
  return isRecord(value) && BLOCKS.includes(String(value.kind));
}

function isReply(value: unknown): value is Reply {
  return isRecord(value) && REPLIES.includes(String(value.kind));
}

/**
 * The one shape of the several an answer can have.
 * @throws OptionError `bad_answer` when it is none of them.
 */
export function replyOf(answer: Answer): Reply {
  if (isBlock(answer)) return { kind: "turn", blocks: [answer] };
  const blocks: unknown = answer;
  if (Array.isArray(blocks) && blocks.every(isBlock)) return { kind: "turn", blocks };
  if (isReply(answer)) return answer;
  throw new OptionError(`not an answer: ${JSON.stringify(answer) ?? String(answer)}`, {
    code: "bad_answer",
    hint: "answer with text(…), thinking(…), toolUse(…), an array of them, turn(…), or a failure such as httpError(529)",
  });
}
