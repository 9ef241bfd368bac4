// The completion script for bash (3.2 and newer).

import { COMMAND_NAMES, COMMANDS } from "../args/commands.ts";
import { flagsOf } from "../args/flags.ts";
import { type Candidates, spellings, spellingsWithValue, valueFlags, wordCandidates } from "./candidates.ts";

/** The branch of a `case` that offers something and leaves, or nothing when there is nothing to say. */
function offer(candidates: Candidates): string {
  switch (candidates.kind) {
    case "words":
      return candidates.words.length === 0 ? "return" : `words="${candidates.words.join(" ")}"`;
    case "runs":
      return 'words="$(_flower_names runs/events- .jsonl)"';
    case "questions":
      return 'words="$(_flower_names runs/asks/ .json)"';
    case "folders":
      return "compopt -o dirnames 2>/dev/null; return";
    case "free":
      return "compopt -o default 2>/dev/null; return";
  }
}

function valueBranches(): string[] {
  return valueFlags().map((row) => `    ${row.spellings.join("|")}) ${offer(row.offer)} ;;`);
}

function commandBranches(): string[] {
  return COMMANDS.map((command) => {
    const options = flagsOf(command.name).flatMap(spellings).join(" ");
    return `    ${command.name}) options="${options}"; [[ $cur == -* || $more ]] || { ${offer(wordCandidates(command))}; } ;;`;
  });
}

/** The script. */
export function bashCompletion(): string {
  return `# Completion of flower for bash. Load it with: source <(flower completion bash)
_flower_names() {
  local name
  for name in "$1"*"$2"; do
    [[ -e $name && $name != *.older.jsonl ]] || continue
    name=\${name#"$1"}
    printf '%s\\n' "\${name%"$2"}"
  done
}
_flower() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command="" options="" words="" more="" i
  COMPREPLY=()
  if [[ $cur == = ]]; then cur=""; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      --) compopt -o default 2>/dev/null; return ;;
      ${spellingsWithValue().join("|")}) [[ \${COMP_WORDS[i + 1]} == = ]] && ((i++)); ((i++)) ;;
      -*) ;;
      *) if [[ -n $command ]]; then more=1; else command=\${COMP_WORDS[i]}; fi ;;
    esac
  done
  case $prev in
${valueBranches().join("\n")}
  esac
  if [[ -n $words ]]; then COMPREPLY=($(compgen -W "$words" -- "$cur")); return; fi
  case $command in
    "") options="${flagsOf("go").flatMap(spellings).join(" ")}"; words="${COMMAND_NAMES.join(" ")}" ;;
${commandBranches().join("\n")}
    *) options="${flagsOf("go").flatMap(spellings).join(" ")}"; more=1 ;;
  esac
  if [[ $cur == -* ]]; then words=$options; elif [[ $more ]]; then compopt -o default 2>/dev/null; return; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _flower flower`;
}
