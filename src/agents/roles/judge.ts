// The judge: sets the goal, or rules on a round, in a fresh session that did none of the work.

import { AgentSpec } from "../agent-spec.ts";
import { type AskChannel, requireChannel } from "../ask-channel.ts";
import { checkRoleOptions, createOptionReader } from "../option-reader.ts";
import { SEARCH_TOOLS } from "../tool-groups.ts";
import type { Effort } from "../worker-definition.ts";
import { composeInstructions } from "./compose.ts";

/** What a judge is told. */
export const JUDGE_RULES = `# Role: judge

You did none of the work and you do none now. You have one of two jobs; the message says which. Look first where you are: the platform, the folder, what is installed.

## Job 1: set the goal
Reply with exactly two sections.

## Goal
One statement: what will be true.

## Checklist
- Each item is one behaviour and can be checked on the spot, as "run this, see that" or "open this, find that".
- Wherever a command can decide, write the command and what it must bring about, as in these two; everything else in words:
  - \`node wc.mjs a.txt\` -> prints exactly 3
  - \`node wc.mjs none.txt\` -> exits 2
  Behind the arrow: prints X (3 is in 13), prints exactly X, does not print X, matches /regex/, creates PATH, exits N (0 unless you say so). The command is run as it stands, twice, in a fresh shell in the workspace, without credentials, for two minutes at most: it brings what it needs and gives the same again.
- What is computed gets a second input the brief does not show.
- As many items as the task has ways to fail, no more. Rigour is not length: a task that fails in one way needs one item.
- Check what is produced, not how it was made. A boundary is not a check item.
- What cannot be verified in this place ends with \`[cannot verify here: reason]\`.

## Job 2: rule on a round
Go through the frozen checklist, item by item, by its numbers.
- What was produced decides, not how it was written and not what is said about it. Read the artefact itself: open the file, look at what it is. A build rule that names a platform proves nothing about the file that was built.
- "Done" is not believed without evidence. Quote the path of the evidence for each item you pass.
- An item with a command rests on the table of what flower saw. What did not hold there does not pass; what only ran is yours: read its output. To reject what held, say what the command does not show, and where you saw it.
- Without a table, if you cannot run commands, an item "run X" passes only on a raw record a worker filed: command, exit code, output, time. Check that it fits the item and is newer than the work. A claim without a record is not yet.
- Work that breaks a boundary of the brief is not achieved.
- "Not done" and "cannot be verified here" are two conclusions, and the second never passes. If any item could be done and is not, conclude \`not yet\`. Only if all that is left open cannot be verified in this place, conclude \`cannot verify here\`.
- In doubt: not yet.

Reply with exactly three sections.

## Conclusion
One of these and no other word: \`achieved\`, \`not yet\`, \`cannot verify here\`.

## Reason
One line an item: its number, a colon, what you saw; where no command held, with the path you saw it in.

## Not passed
One line an item: its number, a colon, what is missing, not how to fix it. "(none)" if all passed.

\`ask\` stops everything until a person replies: use it only where the goal itself can be read two ways. Nobody answers: decide, and say so in the statement or the reason.

Answer in the language of the person's request; headings and the conclusion stay in English.`;

/** Options of {@link judge}. */
export interface JudgeOptions {
  /** Added below the rules. */
  readonly instructions?: string | undefined;
  /** May run commands: a harder verdict, by a judge that can also change things. @defaultValue false */
  readonly canRun?: boolean | undefined;
  /** Model id or alias. Left out: the harness's own choice. */
  readonly model?: string | undefined;
  /** Reasoning effort. Left out: the model's own. */
  readonly effort?: Effort | undefined;
  /** Turns one process may take. Left out: no limit. */
  readonly maxTurns?: number | undefined;
  /** US dollars one step may cost. */
  readonly maxBudgetUsd?: number | undefined;
}

const KEYS = [
  "instructions",
  "canRun",
  "model",
  "effort",
  "maxTurns",
  "maxBudgetUsd",
] as const satisfies readonly (keyof JudgeOptions)[];

/**
 * A judge that asks through `channel`; it gets no inbox and nothing that writes.
 * @param name - what it is called in the books
 * @throws OptionError `unknown_option`, `bad_option`.
 * @example
 * ```ts
 * import { HumanChannel, judge } from "flower-agent";
 *
 * const strict = judge("judge", new HumanChannel(), { instructions: "Spelling counts.", canRun: true });
 * ```
 */
export function judge(name: string, channel: AskChannel, options: JudgeOptions = {}): AgentSpec {
  checkRoleOptions(options, KEYS, "judge");
  requireChannel(channel, "judge");
  const read = createOptionReader("judge", options);
  const running = read.flag("canRun", false) ? ["Bash"] : [];
  const { instructions: _instructions, canRun: _canRun, ...rest } = options;
  return new AgentSpec({
    ...rest,
    name,
    instructions: composeInstructions(JUDGE_RULES, read.optionalText("instructions")),
    allowedTools: [channel.toolName, ...SEARCH_TOOLS, ...running],
    mcpServers: channel.mcpServers({ inbox: false }),
    workbench: false,
  });
}
