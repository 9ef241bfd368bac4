// Whether a `find` command only looks: its predicates, each with the number of words it takes.

import type { ShellWord } from "./shell-word.ts";

const LEADING = /^-(?:[HLPEXxs]|O\d)$/;

// Not here, so refused: -exec, -execdir, -ok, -okdir, -delete, -fprint*, -fls, -files0-from.
const ALONE = new Set(
  `( ) ! , -not -a -and -o -or -print -print0 -ls -prune -quit -depth -daystart -empty -executable -readable -writable
  -true -false -follow -mount -xdev -noleaf -nogroup -nouser -ignore_readdir_race -noignore_readdir_race -warn
  -nowarn`.split(/\s+/),
);
const WITH_VALUE = new Set(
  `-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size -mtime -mmin
  -atime -amin -ctime -cmin -newer -anewer -cnewer -maxdepth -mindepth -perm -user -group -uid -gid -links -inum
  -samefile -fstype -used -regextype -printf`.split(/\s+/),
);
const NEWER = /^-newer[aBcm][aBcmt]$/;

/** Where the expression begins: behind leading options and starting points. -1 when an expansion could begin it. */
function expressionStart(args: readonly ShellWord[]): number {
  let at = 0;
  while (args[at]?.kind === "literal" && LEADING.test(args[at]?.text ?? "")) at += 1;
  for (; at < args.length; at++) {
    const word = args[at] as ShellWord;
    if (/^[-(),!]/.test(word.text)) return word.kind === "literal" ? at : -1;
    if (word.kind === "any" || (word.kind !== "literal" && word.text === "")) return -1;
  }
  return at;
}

/** Whether these arguments of `find` neither run, delete nor write. */
export function findOnlyLooks(args: readonly ShellWord[]): boolean {
  let at = expressionStart(args);
  if (at < 0) return false;
  while (at < args.length) {
    const word = args[at] as ShellWord;
    if (word.kind !== "literal") return false;
    if (ALONE.has(word.text)) at += 1;
    else if (WITH_VALUE.has(word.text) || NEWER.test(word.text)) {
      // A value that may become several words would bring predicates of its own.
      const value = args[at + 1];
      if (value?.kind !== "literal" && value?.kind !== "one") return false;
      at += 2;
    } else return false;
  }
  return true;
}
