// The completion script for fish (3.0 and newer).

import type { MessageKey } from "../../config/locale/catalogue.ts";
import type { Translator } from "../../config/locale/translator.ts";
import { COMMAND_NAMES, COMMANDS } from "../args/commands.ts";
import { FLAGS, type Flag } from "../args/flags.ts";
import type { LooseTranslator } from "../args/usage-text.ts";
import { type Candidates, spellingsWithValue, valueCandidates, wordCandidates } from "./candidates.ts";

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** Arguments of `complete` that offer these, and no files unless they are meant. */
function offer(candidates: Candidates): string {
  switch (candidates.kind) {
    case "words":
      return candidates.words.length === 0 ? "-f" : `-f -a ${quoted(candidates.words.join(" "))}`;
    case "runs":
      return "-f -a '(__flower_names runs/events- .jsonl)'";
    case "questions":
      return "-f -a '(__flower_names runs/asks/ .json)'";
    case "folders":
      return "-f -a '(__fish_complete_directories)'";
    case "free":
      return "-F";
  }
}

function flagLine(flag: Flag, about: string): string {
  const { long, short, metavar, commands } = flag;
  const names = `-l ${long.slice(2)}${short === undefined ? "" : ` -s ${short.slice(1)}`}`;
  const value = metavar === undefined ? "" : ` -r ${offer(valueCandidates(flag))}`;
  const where = `-n '__flower_on ${commands.join(" ")}'`;
  return `complete -c flower ${where} ${names}${value} -d ${quoted(about)}`;
}

/** The script; descriptions in the language of the screen. */
export function fishCompletion(t: Translator): string {
  const say = (key: string) => (t as LooseTranslator)(key as MessageKey);
  const names = COMMANDS.map(
    ({ name }) =>
      `complete -c flower -n __flower_first -f -a ${name} -d ${quoted(say(`help.command.${name}`))}`,
  );
  const words = COMMANDS.map(
    (each) => `complete -c flower -n '__flower_named ${each.name}' ${offer(wordCandidates(each))}`,
  );
  return `# Completion of flower for fish. Load it with: flower completion fish | source
function __flower_names
    for name in $argv[1]*$argv[2]
        string match -q '*.older.jsonl' -- $name; or string replace -- $argv[1] '' (string replace -r -- (string escape --style=regex -- $argv[2])'$' '' $name)
    end
end
function __flower_words
    set -l tokens (commandline -opc)
    set -l skip 0
    for token in $tokens[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $token
            case ${spellingsWithValue().join(" ")}
                set skip 1
            case '-*'
            case '*'
                echo $token
        end
    end
end
function __flower_first
    set -l words (__flower_words)
    test (count $words) = 0
end
function __flower_named
    set -l words (__flower_words)
    test (count $words) = 1; and contains -- $words[1] $argv
end
function __flower_on
    set -l words (__flower_words) go
    contains -- $words[1] ${COMMAND_NAMES.join(" ")}; or set words go
    contains -- $words[1] $argv
end
${names.join("\n")}
${words.join("\n")}
${FLAGS.map((flag) => flagLine(flag, say(`help.flag.${flag.key}`))).join("\n")}`;
}
