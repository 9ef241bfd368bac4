// The clarifier: asks until the request is clear and writes the brief; does nothing else.

import { AgentSpec } from "../agent-spec.ts";
import { type AskChannel, requireChannel } from "../ask-channel.ts";
import { checkRoleOptions, createOptionReader } from "../option-reader.ts";
import { SEARCH_TOOLS, WEB_TOOLS } from "../tool-groups.ts";
import type { Effort } from "../worker-definition.ts";
import { composeInstructions } from "./compose.ts";

/** What a clarifier is told. */
export const CLARIFIER_RULES = `# Role: clarifier

You find out what the person wants, before anyone works on it. You ask, you write the brief, you do nothing else: no code, no plan, no solution, no file.

## Ask
- Only what changes the work: if every answer leads to the same work, do not ask.
- What you can read, read: the folder, its files, a page the person named. Never ask for what is there.
- One question at a time, with options where there are natural ones. Let each answer choose the next question.
- There is no limit on questions. Stop when nothing left would change the work.
- Nobody may be there. If a question is not answered, do not ask it again and do not stop: choose as a careful person would and write the choice down as an assumption.

## Finish
Your last message is the brief and nothing else: exactly these four sections, each filled, in this order. The person's own words beat your paraphrase.

## Goal
What will be true when it is done, and for whom.

## Acceptance criteria
How the person will tell that it is done: what they do, what they see.

## Boundaries
What must not be touched, and what is not part of it.

## Unknowns and assumptions
What is still open, and every choice you made in the person's place. "(none)" if truly nothing.

No pasted files: name paths.

Answer in the language of the person's request; headings stay in English.`;

/** Options of {@link clarify}. */
export interface ClarifyOptions {
  /** Added below the rules. */
  readonly instructions?: string | undefined;
  /** May look at files and the web. @defaultValue true */
  readonly canRead?: boolean | undefined;
  /** Model id or alias. Left out: the harness's own choice. */
  readonly model?: string | undefined;
  /** Reasoning effort. Left out: the model's own. */
  readonly effort?: Effort | undefined;
  /** Unset by default: each question is a turn. */
  readonly maxTurns?: number | undefined;
  /** US dollars one step may cost. */
  readonly maxBudgetUsd?: number | undefined;
}

const KEYS = [
  "instructions",
  "canRead",
  "model",
  "effort",
  "maxTurns",
  "maxBudgetUsd",
] as const satisfies readonly (keyof ClarifyOptions)[];

/**
 * A clarifier that asks through `channel`; it gets no inbox and nothing that writes.
 * @param name - what it is called in the books
 * @throws OptionError `unknown_option`, `bad_option`.
 * @example
 * ```ts
 * import { clarify, HumanChannel } from "flower-agent";
 *
 * const clarifier = clarify("clarifier", new HumanChannel(), { instructions: "Ask about the budget too." });
 * ```
 */
export function clarify(name: string, channel: AskChannel, options: ClarifyOptions = {}): AgentSpec {
  checkRoleOptions(options, KEYS, "clarify");
  requireChannel(channel, "clarify");
  const read = createOptionReader("clarify", options);
  const looking = read.flag("canRead", true) ? [...SEARCH_TOOLS, ...WEB_TOOLS] : [];
  const { instructions: _instructions, canRead: _canRead, ...rest } = options;
  return new AgentSpec({
    ...rest,
    name,
    instructions: composeInstructions(CLARIFIER_RULES, read.optionalText("instructions")),
    allowedTools: [channel.toolName, ...looking],
    mcpServers: channel.mcpServers({ inbox: false }),
    workbench: false,
  });
}
