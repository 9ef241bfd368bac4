// Every command of the command line as data: its words, and examples. Which options it takes is in the table of flags;
// parsing, usage, help, completion and docs/cli.md all read these two tables.

/** What may follow the name of a command, besides options. */
type WordsRule =
  /** Any words: a request that may also come from standard input, or be left out. */
  | { readonly kind: "request" }
  | { readonly kind: "none" }
  /** A workflow, then any words. */
  | { readonly kind: "workflow" }
  /** The id of a question, then at least one word. */
  | { readonly kind: "answer" }
  /** At least one word. */
  | { readonly kind: "message" }
  /** The name of a command, or nothing. */
  | { readonly kind: "command" }
  /** One of these, always. */
  | { readonly kind: "choice"; readonly of: readonly string[] }
  /** One of these, the first when none is given, and for those of `named` the name of what it is done to. */
  | { readonly kind: "action"; readonly of: readonly string[]; readonly named: readonly string[] };

/** A line to copy, and the name of the message that says what it does. */
interface Example {
  readonly line: string;
  /** Its message is `help.example.<about>`. */
  readonly about: string;
}

/** One command. Its one line of help is the message `help.command.<name>`. */
export interface CommandDefinition {
  readonly name: string;
  /** As in a usage line, after `flower`. */
  readonly syntax: string;
  readonly words: WordsRule;
  /** The first says most. */
  readonly examples: readonly Example[];
}

/** All commands, in the order help lists them: what one starts with, then what one does beside a run, then the rest. */
const TABLE = [
  {
    name: "go",
    syntax: "[go] [options] [words…]",
    words: { kind: "request" },
    examples: [
      { line: "flower make me a todo app", about: "go" },
      { line: "flower", about: "wake" },
      { line: "flower --budget 10 fix slow tests", about: "limits" },
      { line: "flower --json --timeout 0 go port this to ESM", about: "unattended" },
    ],
  },
  {
    name: "run",
    syntax: "run FILE:NAME [options] [words…]",
    words: { kind: "workflow" },
    examples: [{ line: "flower run flows/nightly.ts:review the API", about: "run" }],
  },
  {
    name: "once",
    syntax: "once [options] words…",
    words: { kind: "request" },
    examples: [
      { line: "flower once what does this project do", about: "once" },
      { line: "flower once -t Read,Edit -b 1 fix the typo in README.md", about: "once_edit" },
      { line: "git diff | flower once", about: "once_stdin" },
    ],
  },
  {
    name: "status",
    syntax: "status [--json]",
    words: { kind: "none" },
    examples: [{ line: "flower status -w ~/my-project", about: "status" }],
  },
  {
    name: "logs",
    syntax: "logs [-f] [--run ID]",
    words: { kind: "none" },
    examples: [
      { line: "flower logs -f", about: "logs_follow" },
      { line: "flower logs --run 3fa9c1 -v | less", about: "logs_run" },
    ],
  },
  {
    name: "answer",
    syntax: "answer ID words…",
    words: { kind: "answer" },
    examples: [{ line: "flower answer q1 use SQLite", about: "answer" }],
  },
  {
    name: "say",
    syntax: "say words…",
    words: { kind: "message" },
    examples: [{ line: "flower say leave the old API alone", about: "say" }],
  },
  {
    name: "stop",
    syntax: "stop [--timeout S] [--force]",
    words: { kind: "none" },
    examples: [
      { line: "flower stop", about: "stop" },
      { line: "flower stop --timeout 60 --force", about: "stop_force" },
    ],
  },
  {
    name: "worktrees",
    syntax: "worktrees [list|diff|merge|remove] [NAME] [options]",
    words: {
      kind: "action",
      of: ["list", "diff", "merge", "remove"],
      named: ["diff", "merge", "remove"],
    },
    examples: [
      { line: "flower worktrees", about: "worktrees" },
      { line: "flower worktrees merge --all", about: "worktrees_merge" },
      { line: "flower worktrees remove --merged", about: "worktrees_remove" },
    ],
  },
  {
    name: "clean",
    syntax: "clean [--older-than D] [--dry-run]",
    words: { kind: "none" },
    examples: [
      { line: "flower clean --dry-run", about: "clean_dry" },
      { line: "flower clean --older-than 2w", about: "clean" },
    ],
  },
  {
    name: "setup",
    syntax: "setup [options]",
    words: { kind: "none" },
    examples: [
      { line: "flower setup", about: "setup" },
      { line: "flower setup --check", about: "setup_check" },
      { line: "flower setup --kind local --model qwen3-coder", about: "setup_local" },
      { line: "cat key.txt | flower setup", about: "setup_piped" },
    ],
  },
  {
    name: "demo",
    syntax: "demo",
    words: { kind: "none" },
    examples: [{ line: "flower demo", about: "demo" }],
  },
  {
    name: "completion",
    syntax: "completion bash|zsh|fish",
    words: { kind: "choice", of: ["bash", "zsh", "fish"] },
    examples: [
      { line: "source <(flower completion bash)", about: "completion_bash" },
      { line: "source <(flower completion zsh)", about: "completion_zsh" },
      { line: "flower completion fish | source", about: "completion_fish" },
    ],
  },
  {
    name: "help",
    syntax: "help [COMMAND]",
    words: { kind: "command" },
    examples: [{ line: "flower help go", about: "help" }],
  },
] as const satisfies readonly CommandDefinition[];

/** One command's name; a reserved word at the place of the first word. */
export type CommandName = (typeof TABLE)[number]["name"];

/** All commands, in the order help lists them. */
export const COMMANDS: readonly (CommandDefinition & { readonly name: CommandName })[] = TABLE;

/** Names of all commands. */
export const COMMAND_NAMES: readonly CommandName[] = COMMANDS.map(({ name }) => name);

/** What the overview shows of them, before anything else. */
export const FIRST_EXAMPLES: readonly Example[] = [
  ...(TABLE[0].examples satisfies readonly Example[]).slice(0, 3),
];

/** Whether a word is the name of a command. */
export function isCommandName(word: string | undefined): word is CommandName {
  return COMMAND_NAMES.some((name) => name === word);
}

/** The row of a command. */
export function commandOf(name: CommandName): CommandDefinition {
  return COMMANDS.find((each) => each.name === name) ?? TABLE[0];
}
