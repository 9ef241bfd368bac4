// Which words and options of `flower worktrees` go together. Pure.

import type { Translator } from "../../config/locale/translator.ts";
import type { Command } from "../args/command-line.ts";

/** For each action: whether it takes a name, and the option that may stand in its place. */
const RULES: Readonly<
  Record<string, { readonly flag: "all" | "merged" | undefined; readonly spelling: string }>
> = {
  diff: { flag: undefined, spelling: "" },
  merge: { flag: "all", spelling: "--all" },
  remove: { flag: "merged", spelling: "--merged" },
};

/** What is wrong with a call, in words; undefined when nothing is. */
export function unfit({ target, request, flags }: Command, t: Translator): string | undefined {
  const command = `flower worktrees ${target}`;
  const rule = RULES[target];
  const { all = false, merged = false, lose = false } = flags;
  const given = [
    { isGiven: all, flag: "--all", fits: target === "merge" },
    { isGiven: merged, flag: "--merged", fits: target === "remove" },
    // With --merged nothing is lost that could be allowed to be.
    { isGiven: lose, flag: "--force", fits: target === "remove" && !merged },
  ];
  const wrong = given.find(({ isGiven, fits }) => isGiven && !fits);
  if (wrong !== undefined) {
    const beside = wrong.flag === "--force" && target === "remove" ? `${command} --merged` : command;
    return t("worktrees.flag_unfit", { flag: wrong.flag, command: beside });
  }
  if (rule === undefined) return undefined;
  const flagGiven = rule.flag !== undefined && flags[rule.flag] === true;
  if (request !== "" && flagGiven) return t("worktrees.name_or_flag", { command, flag: rule.spelling });
  if (request !== "" || flagGiven) return undefined;
  if (rule.flag === undefined) return t("worktrees.needs_name_only", { command });
  return t("worktrees.needs_name", { command, flag: rule.spelling });
}
