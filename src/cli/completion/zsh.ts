// The completion script for zsh: a file for $fpath, or to be sourced after compinit.

import type { MessageKey } from "../../config/locale/catalogue.ts";
import type { Translator } from "../../config/locale/translator.ts";
import { COMMANDS, type CommandName } from "../args/commands.ts";
import { flagsOf } from "../args/flags.ts";
import type { LooseTranslator } from "../args/usage-text.ts";
import { type Candidates, spellings, spellingsWithValue, valueFlags, wordCandidates } from "./candidates.ts";

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** \`name:what it does\`, for _describe: a colon in a name would end it. */
function described(name: string, about: string): string {
  return quoted(`${name.replaceAll(":", "\\:")}:${about}`);
}

function offer(candidates: Candidates): string {
  switch (candidates.kind) {
    case "words":
      return candidates.words.length === 0 ? "return 1" : `compadd -- ${candidates.words.join(" ")}`;
    case "runs":
      return "_flower_names runs/events- .jsonl";
    case "questions":
      return "_flower_names runs/asks/ .json";
    case "folders":
      return "_files -/";
    case "free":
      return "_files";
  }
}

/** The script; descriptions in the language of the screen. */
export function zshCompletion(t: Translator): string {
  const say = (key: string) => (t as LooseTranslator)(key as MessageKey);
  const options = (name: CommandName) =>
    flagsOf(name)
      .flatMap((flag) => spellings(flag).map((each) => described(each, say(`help.flag.${flag.key}`))))
      .join(" ");
  const names = COMMANDS.map(({ name }) => described(name, say(`help.command.${name}`))).join(" ");
  const words = COMMANDS.map((each) => `    ${each.name}) ${offer(wordCandidates(each))} ;;`);
  return `#compdef flower
# Completion of flower for zsh. Load it with: source <(flower completion zsh)
_flower_names() {
  local -a names
  names=($1*$2(N))
  names=(\${names:#*.older.jsonl})
  compadd -- \${\${names#$1}%$2}
}
_flower() {
  local command="" more="" i
  local -a options names
  for ((i = 2; i < CURRENT; i++)); do
    case $words[i] in
      --) _files; return ;;
      ${spellingsWithValue().join("|")}) ((i++)) ;;
      -*) ;;
      *) if [[ -n $command ]]; then more=1; else command=$words[i]; fi ;;
    esac
  done
  case $words[CURRENT-1] in
${valueFlags()
  .map((row) => `    ${row.spellings.join("|")}) ${offer(row.offer)}; return ;;`)
  .join("\n")}
  esac
  if [[ $words[CURRENT] == -* ]]; then
    case $command in
${COMMANDS.filter(({ name }) => name !== "go")
  .map(({ name }) => `      ${name}) options=(${options(name)}) ;;`)
  .join("\n")}
      *) options=(${options("go")}) ;;
    esac
    _describe -o option options
    return
  fi
  if [[ -n $more ]]; then _files; return; fi
  case $command in
    "") names=(${names}); _describe command names ;;
${words.join("\n")}
    *) _files ;;
  esac
}
if [[ $funcstack[1] == _flower ]]; then _flower "$@"; else compdef _flower flower; fi`;
}
