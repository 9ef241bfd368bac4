// Checks a user's hooks once, at the door: a misspelt event or matcher would otherwise be a wall that is not there.

import { OptionError } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";
import { nearestName } from "../core/options.ts";
import type { HookMatcher, Hooks } from "./hooks.ts";

/** Events the harness calls hooks for. */
const HOOK_EVENTS: readonly string[] = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "Notification",
  "UserPromptSubmit",
  "UserPromptExpansion",
  "SessionStart",
  "SessionEnd",
  "Stop",
  "StopFailure",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
  "PreModelSwitch",
  "PostModelSwitch",
  "PermissionRequest",
  "PermissionDenied",
  "Setup",
  "TeammateIdle",
  "TaskCreated",
  "TaskCompleted",
  "Elicitation",
  "ElicitationResult",
  "ConfigChange",
  "WorktreeCreate",
  "WorktreeRemove",
  "InstructionsLoaded",
  "CwdChanged",
  "FileChanged",
  "DirectoryAdded",
  "MessageDisplay",
  "PreSkillShellCommand",
];

function wrong(owner: string, message: string, hint: string): OptionError {
  return new OptionError(`${owner}: ${message}`, { code: "bad_hooks", hint });
}

function checkMatcher(matcher: unknown, event: string, owner: string): HookMatcher {
  const shaped =
    isRecord(matcher) &&
    (matcher.matcher === undefined || typeof matcher.matcher === "string") &&
    (matcher.timeout === undefined || typeof matcher.timeout === "number") &&
    Array.isArray(matcher.hooks) &&
    matcher.hooks.every((hook) => typeof hook === "function");
  if (!shaped) {
    throw wrong(
      owner,
      `every entry of hooks.${event} needs a list of functions under "hooks"`,
      `write it as { matcher: "Write|Edit", hooks: [async (input) => ({})] }`,
    );
  }
  const pattern = matcher.matcher;
  if (typeof pattern === "string") {
    try {
      new RegExp(pattern === "*" ? "" : pattern);
    } catch (cause) {
      throw new OptionError(`${owner}: the matcher "${pattern}" of hooks.${event} is not a pattern`, {
        code: "bad_hooks",
        hint: "join tool names with |, or write a regular expression",
        cause,
      });
    }
  }
  return Object.freeze({ ...(matcher as unknown as HookMatcher) });
}

/**
 * A frozen copy of a user's hooks.
 * @throws OptionError `bad_hooks` for an unknown event, with the nearest one, or for an entry of another shape.
 */
export function checkHooks(hooks: Readonly<Record<string, unknown>>, owner: string): Hooks {
  const checked: Record<string, readonly HookMatcher[]> = {};
  for (const [event, matchers] of Object.entries(hooks)) {
    if (!HOOK_EVENTS.includes(event)) {
      const near = nearestName(event, HOOK_EVENTS);
      const hint =
        near === undefined ? "use an event of the harness, e.g. PreToolUse" : `did you mean "${near}"?`;
      throw wrong(owner, `there is no hook event "${event}"`, hint);
    }
    if (!Array.isArray(matchers)) {
      throw wrong(owner, `hooks.${event} must be a list`, `write it as ${event}: [{ hooks: [ … ] }]`);
    }
    checked[event] = Object.freeze(matchers.map((matcher) => checkMatcher(matcher, event, owner)));
  }
  return Object.freeze(checked);
}
