// The long options of git's diff and log families that only change what is printed.
// Left out on purpose: `output` writes a file; `ext-diff`, `textconv` and `show-signature` run programs;
// `remerge-diff` writes objects.

/** Options every command that prints differences takes. */
export const DIFF_LONGS = `
  patch no-patch unified= output-indicator-new= output-indicator-old= output-indicator-context= raw patch-with-raw
  indent-heuristic no-indent-heuristic minimal patience histogram anchored= diff-algorithm= stat[=] stat-width=
  stat-name-width= stat-count= stat-graph-width= compact-summary numstat shortstat dirstat[=] cumulative
  dirstat-by-file[=] summary patch-with-stat name-only name-status submodule[=] color[=] no-color color-moved[=]
  no-color-moved color-moved-ws= no-color-moved-ws word-diff[=] word-diff-regex= color-words[=] no-renames
  rename-empty no-rename-empty check ws-error-highlight= full-index binary abbrev[=] no-abbrev break-rewrites[=]
  find-renames[=] find-copies[=] find-copies-harder irreversible-delete diff-filter= pickaxe-all pickaxe-regex
  skip-to= rotate-to= relative[=] no-relative text ignore-cr-at-eol ignore-space-at-eol ignore-space-change
  ignore-all-space ignore-blank-lines ignore-matching-lines= inter-hunk-context= function-context exit-code quiet
  no-ext-diff no-textconv ignore-submodules[=] src-prefix= dst-prefix= no-prefix default-prefix line-prefix=
  ita-invisible-in-index ita-visible-in-index cached staged merge-base no-index base ours theirs`;

/** Options every command that walks history takes. */
export const LOG_LONGS = `
  oneline format[=] pretty[=] graph no-graph all branches[=] tags[=] remotes[=] glob= exclude= decorate[=]
  no-decorate decorate-refs= decorate-refs-exclude= clear-decorations source use-mailmap mailmap no-mailmap follow
  full-diff log-size max-count= skip= since= after= until= before= since-as-filter= author= committer= grep-reflog=
  grep= all-match invert-grep regexp-ignore-case basic-regexp extended-regexp fixed-strings perl-regexp merges
  no-merges min-parents= max-parents= no-min-parents no-max-parents first-parent not bisect cherry-pick cherry-mark
  cherry left-only right-only walk-reflogs merge boundary simplify-by-decoration full-history dense sparse
  simplify-merges ancestry-path[=] show-pulls date-order author-date-order topo-order reverse no-walk[=] do-walk
  abbrev-commit no-abbrev-commit abbrev[=] no-abbrev encoding= expand-tabs[=] no-expand-tabs notes[=] no-notes
  show-notes[=] no-standard-notes relative-date date= parents children left-right show-linear-break[=] cc
  combined-all-paths diff-merges= no-diff-merges dd exclude-first-parent-only reflog root color[=] no-color`;
