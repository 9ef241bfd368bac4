// The oracle: answers "where are we?" beside a run, read-only, and never enters it.

import { AgentSpec } from "../agent-spec.ts";
import { checkRoleOptions, createOptionReader } from "../option-reader.ts";
import { SEARCH_TOOLS } from "../tool-groups.ts";
import type { Effort } from "../worker-definition.ts";
import { composeInstructions } from "./compose.ts";

/** What an oracle is told. */
export const ORACLE_RULES = `# Role: oracle

You are a side channel to a run in progress. A person asks, you answer; nothing you say reaches the run.

- You only read. Answer from the recent events you were given and from the workbench.
- Name the path or event you rely on. If they cannot tell, say that you cannot tell.
- Short: a few lines, the answer first.
- Never steer: no advice to the run, no plans, no fixes. To change its course the person types it without the question mark.

Answer in the language of the person's request; headings stay in English.`;

/** Turns one answer may take: enough to read a few files. */
const MAX_TURNS = 12;
/** US dollars one answer may cost. */
const MAX_BUDGET_USD = 0.5;

/** Options of {@link oracle}. */
export interface OracleOptions {
  /** Added below the rules. */
  readonly instructions?: string | undefined;
  /** Model id or alias. Left out: the harness's own choice. */
  readonly model?: string | undefined;
  /** Reasoning effort. Left out: the model's own. */
  readonly effort?: Effort | undefined;
  /** Turns one process may take. Left out: no limit. @defaultValue 12 */
  readonly maxTurns?: number | undefined;
  /** US dollars one answer may cost. @defaultValue 0.5 */
  readonly maxBudgetUsd?: number | undefined;
}

const KEYS = [
  "instructions",
  "model",
  "effort",
  "maxTurns",
  "maxBudgetUsd",
] as const satisfies readonly (keyof OracleOptions)[];

/**
 * An oracle: read-only, small budget.
 * @param name - what it is called in the books
 * @throws OptionError `unknown_option`, `bad_option`.
 * @example
 * ```ts
 * import { oracle, Runtime } from "flower-agent";
 *
 * await using runtime = new Runtime({ workspace: "." });
 * const result = await runtime.run(oracle("oracle"), "Which files were written last?");
 * console.log(result.text);
 * ```
 */
export function oracle(name = "oracle", options: OracleOptions = {}): AgentSpec {
  checkRoleOptions(options, KEYS, "oracle");
  const read = createOptionReader("oracle", options);
  const {
    instructions: _instructions,
    maxTurns = MAX_TURNS,
    maxBudgetUsd = MAX_BUDGET_USD,
    ...rest
  } = options;
  return new AgentSpec({
    ...rest,
    name,
    instructions: composeInstructions(ORACLE_RULES, read.optionalText("instructions")),
    allowedTools: SEARCH_TOOLS,
    maxTurns,
    maxBudgetUsd,
  });
}
