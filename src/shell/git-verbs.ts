// Which git subcommands and options only look.
// `-C` is not among the global options: a folder can hold a bare repository whose configuration names a
// program (`core.fsmonitor`), and `git -C folder status` then runs it.

import { DIFF_LONGS, LOG_LONGS } from "./git-options.ts";
import type { ShellWord } from "./shell-word.ts";
import {
  ANY_ARGUMENTS,
  NO_OPERANDS,
  onlyOptions,
  optionSet,
  type ParsedArguments,
  type VerbRule,
} from "./verb-rule.ts";

// No short option of the diff and log families writes or runs anything.
const DIFF_SHORT = {
  flags: "pusRabwzcmtriEFPgWDq0",
  valued: "nSGLUl",
  attached: "MCBX",
  counts: true,
} as const;
const DIFF = onlyOptions({ ...DIFF_SHORT, longs: DIFF_LONGS });
const LOG = onlyOptions({ ...DIFF_SHORT, longs: `${DIFF_LONGS} ${LOG_LONGS}` });

const LIST_FILTERS = "contains[=] no-contains[=] merged[=] no-merged[=] points-at=";
const LIST_LONGS = `${LIST_FILTERS} list sort= format= color[=] no-color column[=] no-column ignore-case omit-empty`;
const LISTING = ["list", "contains", "no-contains", "merged", "no-merged", "points-at"] as const;

const BRANCH = onlyOptions({
  // `-l` alone lists; before a name, older versions took it for "create a reflog", so it grants no operand.
  flags: "arvli",
  longs: `${LIST_LONGS} all remotes verbose show-current abbrev[=] no-abbrev`,
  operands: { needs: LISTING },
});

const TAG = onlyOptions({
  flags: "li",
  attached: "n",
  longs: LIST_LONGS,
  operands: { needs: [...LISTING, "l"] },
});

const STATUS = onlyOptions({
  flags: "sbvz",
  attached: "uM",
  longs: `short branch show-stash porcelain[=] long verbose untracked-files[=] ignore-submodules[=] ignored[=]
    column[=] no-column ahead-behind no-ahead-behind renames no-renames find-renames[=] null`,
});

const BLAME = onlyOptions({
  flags: "bcltfnspew",
  valued: "LS",
  attached: "MC",
  longs: `root show-stats show-name show-number show-email porcelain line-porcelain incremental abbrev= date=
    color-lines color-by-age encoding= ignore-rev= ignore-revs-file= first-parent since= reverse contents=
    progress no-progress minimal score-debug`,
});

const SHORTLOG = onlyOptions({
  ...DIFF_SHORT,
  flags: `${DIFF_SHORT.flags}nse`,
  valued: "SGLUl",
  attached: "MCBw",
  longs: `numbered summary email group= committer ${LOG_LONGS}`,
});

const GREP = onlyOptions({
  flags: "ivwhHEGFPnlLczopWaIrq",
  valued: "efABCm",
  counts: true,
  longs: `cached untracked no-index exclude-standard no-exclude-standard recurse-submodules text ignore-case
    word-regexp invert-match full-name extended-regexp basic-regexp perl-regexp fixed-strings line-number column
    files-with-matches name-only files-without-match null only-matching count color[=] no-color break heading
    show-function function-context context= after-context= before-context= max-count= max-depth= threads= and or
    not all-match quiet no-textconv recursive no-recursive`,
});

const CONFIG_READS = ["get", "get-all", "get-regexp", "get-urlmatch", "list", "l"];
const CONFIG_WRITES = ["set", "unset", "rename-section", "remove-section", "edit"];

/** Without a reading action, one key alone is read; `get` and `list` are the newer spelling of the actions. */
function configReads({ options, operands }: ParsedArguments): boolean {
  if (operands.some((word) => word.kind !== "literal")) return false;
  const [first, ...rest] = operands.map((word) => word.text);
  if (options.some((option) => CONFIG_READS.includes(option.name)))
    return !CONFIG_WRITES.includes(first ?? "");
  // An older git reads `config get a.b` as a key without a section and stops with an error.
  if (first === "list") return rest.length === 0;
  if (first === "get") return rest.length === 1;
  return first?.includes(".") === true && rest.length === 0;
}

const CONFIG = onlyOptions({
  flags: "lz",
  valued: "f",
  longs: `get get-all get-regexp get-urlmatch list global local system worktree file= blob= show-origin show-scope
    name-only null type= bool int bool-or-int path default= includes no-includes all regexp`,
  accepts: configReads,
});

const REFLOG_NAME = /^(?:HEAD|stash|.*@\{.*)$/;

/** `reflog` shows a log unless a subcommand says otherwise; a bare branch name could become one. */
function reflogShows({ operands }: ParsedArguments): boolean {
  const [first, ...rest] = operands;
  if (first === undefined) return true;
  if (first.kind !== "literal") return false;
  return first.text === "show" || (rest.length === 0 && REFLOG_NAME.test(first.text));
}

const REFLOG = onlyOptions({ ...DIFF_SHORT, longs: `${DIFF_LONGS} ${LOG_LONGS}`, accepts: reflogShows });

const NOTHING = optionSet({});

/** A command that only looks through the subcommands named here. */
function nested(commands: readonly (readonly [string, VerbRule])[], bare?: VerbRule): VerbRule {
  const globals = bare?.kind === "options" ? bare.options : NOTHING;
  return {
    kind: "subcommands",
    globals,
    commands: new Map(commands),
    ...(bare === undefined ? {} : { bare }),
  };
}

const STASH_SHOW = onlyOptions({
  ...DIFF_SHORT,
  longs: `${DIFF_LONGS} include-untracked only-untracked`,
});

const REMOTE = nested(
  [
    // Without `-n` it asks the remote over the network.
    ["show", onlyOptions({ flags: "n", operands: { needs: ["n"] } })],
    ["get-url", onlyOptions({ longs: "push all" })],
  ],
  onlyOptions({ flags: "v", longs: "verbose", operands: NO_OPERANDS }),
);

const FOR_EACH_REF = onlyOptions({
  flags: "spi",
  longs: `${LIST_LONGS} shell perl python tcl count= exclude= include-root-refs`,
});

const CAT_FILE = onlyOptions({
  flags: "tsep",
  longs: `batch[=] batch-check[=] batch-command[=] batch-all-objects buffer unordered follow-symlinks use-mailmap
    mailmap allow-unknown-type`,
});

const COMMANDS: readonly (readonly [string, VerbRule])[] = [
  ["status", STATUS],
  ["diff", DIFF],
  ["show", LOG],
  ["log", LOG],
  ["whatchanged", LOG],
  [
    "rev-list",
    onlyOptions({ ...DIFF_SHORT, longs: `${LOG_LONGS} count objects header timestamp quiet disk-usage[=]` }),
  ],
  ["shortlog", SHORTLOG],
  ["branch", BRANCH],
  ["tag", TAG],
  [
    "stash",
    nested([
      ["list", LOG],
      ["show", STASH_SHOW],
    ]),
  ],
  [
    "worktree",
    nested([["list", onlyOptions({ flags: "vz", longs: "porcelain verbose", operands: NO_OPERANDS })]]),
  ],
  ["remote", REMOTE],
  ["rev-parse", ANY_ARGUMENTS],
  ["describe", ANY_ARGUMENTS],
  ["ls-files", ANY_ARGUMENTS],
  ["ls-tree", ANY_ARGUMENTS],
  ["merge-base", ANY_ARGUMENTS],
  ["check-ignore", ANY_ARGUMENTS],
  ["blame", BLAME],
  ["grep", GREP],
  ["reflog", REFLOG],
  ["cherry", onlyOptions({ flags: "v", longs: "verbose abbrev[=]" })],
  ["for-each-ref", FOR_EACH_REF],
  [
    "show-ref",
    onlyOptions({
      flags: "dqsh",
      longs: "head heads branches tags dereference verify quiet hash[=] abbrev[=]",
    }),
  ],
  [
    "symbolic-ref",
    onlyOptions({ flags: "q", longs: "short quiet recurse no-recurse", operands: { min: 1, max: 1 } }),
  ],
  ["cat-file", CAT_FILE],
  ["count-objects", onlyOptions({ flags: "vH", longs: "verbose human-readable", operands: NO_OPERANDS })],
  ["var", onlyOptions({ flags: "l", operands: { max: 1 } })],
  ["config", CONFIG],
  ["version", onlyOptions({ longs: "build-options", operands: NO_OPERANDS })],
];

const SIGNER = /%[-+ ]?G|%\(\*?signature/;
const FORMAT_OPTION = /^--(?:format|pretty)/;

/** `%G` and `%(signature)` in a format start the signing program; a format not known could hold either. */
function runsNoSigner(args: readonly ShellWord[]): boolean {
  return args.every(
    ({ kind, text }) =>
      !(text.includes("%") && SIGNER.test(text)) && (kind === "literal" || !FORMAT_OPTION.test(text)),
  );
}

/** git. */
export const GIT: VerbRule = {
  kind: "subcommands",
  globals: optionSet({
    flags: "P",
    longs:
      "no-pager no-optional-locks no-replace-objects literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs",
  }),
  commands: new Map(COMMANDS),
  bare: onlyOptions({ flags: "v", longs: "version", operands: { max: 0 } }),
  accepts: runsNoSigner,
};
