// Every command that may be part of a glance. What is not here is refused.

import { GIT } from "./git-verbs.ts";
import { SYSTEM_VERBS } from "./system-verbs.ts";
import { TEXT_VERBS } from "./text-verbs.ts";
import type { VerbRule } from "./verb-rule.ts";

/** The rule of each command by its bare name; a path in command position is any program at all and never matches. */
export const VERBS: ReadonlyMap<string, VerbRule> = new Map([...SYSTEM_VERBS, ...TEXT_VERBS, ["git", GIT]]);
