// Commands that read, search and transform text on its way to the screen.

import { awkOnlyPrints } from "./awk-program.ts";
import { jqEnds } from "./jq-filter.ts";
import { sedOnlyPrints } from "./sed-script.ts";
import { ANY_ARGUMENTS, onlyOptions, type VerbRule } from "./verb-rule.ts";

// `-f`, `-F`, `--follow` and `--retry` never end; neither does `+5f` in older versions.
const TAIL = onlyOptions({
  flags: "qvzr",
  valued: "ncb",
  longs: "lines= bytes= quiet silent verbose zero-terminated",
  counts: true,
  accepts: ({ operands }) => operands.every((word) => /^(?!\+)|^\+\d+$/.test(word.text)),
});

const FILE = onlyOptions({
  // `-C` writes, `-z` runs decompressors, `-s` reads devices, `-m` and `-f` take files that say what to do.
  flags: "biIkLhNrv0E",
  valued: "F",
  longs: `brief mime mime-type mime-encoding dereference no-dereference keep-going extension no-pad print0 raw version
    separator=`,
});

const SORT = onlyOptions({
  flags: "bdfgiMhnRrVcCusmz",
  valued: "ktS",
  longs: `ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort
    human-numeric-sort numeric-sort random-sort reverse version-sort sort= check[=] merge unique stable
    zero-terminated key= field-separator= buffer-size= parallel= debug`,
});

const UNIQ = onlyOptions({
  flags: "cdDuiz",
  valued: "fsw",
  longs: `count repeated unique ignore-case zero-terminated all-repeated[=] group[=] skip-fields= skip-chars=
    check-chars=`,
  // The second operand is written; behind the first, BSD takes even options for it.
  operands: { max: 1 },
  optionsFirst: true,
});

const DIFF = onlyOptions({
  // `-l` runs pr.
  flags: "qscuenyptTrNPiEZbwBadvH",
  valued: "CUWFxXSID",
  counts: true,
  longs: `brief report-identical-files context[=] unified[=] ed normal rcs side-by-side width= left-column
    suppress-common-lines show-c-function show-function-line= label= expand-tabs initial-tab tabsize=
    suppress-blank-empty recursive no-dereference new-file unidirectional-new-file ignore-file-name-case exclude=
    exclude-from= starting-file= from-file= to-file= ignore-case ignore-tab-expansion ignore-trailing-space
    ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= text strip-trailing-cr ifdef=
    minimal horizon-lines= speed-large-files color[=] palette= version`,
});

const RG = onlyOptions({
  // `-z` runs decompressors, `--pre` and `--hostname-bin` a program of the caller's.
  flags: "acFHhIiLlNnoPpqsSUuVvwx0b.",
  valued: "ABCdEefgjMmrTt",
  longs: `after-context= before-context= context= binary byte-offset case-sensitive color= colors= column no-column
    context-separator= count count-matches crlf encoding= engine= field-context-separator= field-match-separator=
    file= files files-with-matches files-without-match fixed-strings follow no-follow glob= glob-case-insensitive
    heading no-heading hidden no-hidden iglob= ignore-case ignore-file= include-zero invert-match json line-buffered
    line-number no-line-number line-regexp max-columns= max-columns-preview max-count= max-depth= maxdepth=
    max-filesize= multiline multiline-dotall no-config no-filename no-ignore no-ignore-dot no-ignore-exclude
    no-ignore-files no-ignore-global no-ignore-parent no-ignore-vcs no-messages no-require-git null null-data
    one-file-system only-matching passthru path-separator= pcre2 no-pcre2 pretty quiet regexp= replace= smart-case
    sort= sortr= stats text threads= trim no-unicode type= type-not= type-list unrestricted version vimgrep
    with-filename word-regexp`,
});

const SED = onlyOptions({
  flags: "nErsuz",
  valued: "e",
  longs: "quiet silent regexp-extended separate unbuffered null-data expression= posix debug sandbox",
  accepts: sedOnlyPrints,
});

const AWK: VerbRule = onlyOptions({
  valued: "Fv",
  operands: { min: 1 },
  optionsFirst: true,
  accepts: awkOnlyPrints,
});

const JQ = onlyOptions({
  flags: "rcnesSCMajR",
  longs: `raw-output compact-output null-input exit-status slurp sort-keys color-output monochrome-output
    ascii-output join-output raw-input tab indent= arg argjson slurpfile rawfile args jsonargs`,
  accepts: jqEnds,
});

/** Rules of the commands that read and transform text. */
export const TEXT_VERBS: readonly (readonly [string, VerbRule])[] = [
  ...["cat", "head", "wc", "grep", "egrep", "fgrep"].map((verb) => [verb, ANY_ARGUMENTS] as const),
  ...["cut", "tr", "column", "nl", "rev", "comm"].map((verb) => [verb, ANY_ARGUMENTS] as const),
  ["tail", TAIL],
  ["file", FILE],
  ["sort", SORT],
  ["uniq", UNIQ],
  ["diff", DIFF],
  ["rg", RG],
  ["sed", SED],
  ["awk", AWK],
  ["jq", JQ],
];
