// One word of a command line as far as it can be known before the shell expands it.

/**
 * How much of a word is known.
 * `literal`: all of it. `one`: it stays one word, its end is unknown (`"$x"`, `~/x`).
 * `several`: any number of words, all beginning alike (globs, braces). `any`: any words at all (`$x`).
 */
export type WordKind = "literal" | "one" | "several" | "any";

/** A word with its place in the line. */
export interface ShellWord {
  readonly kind: WordKind;
  /** The whole word when `literal`, with quotes resolved; otherwise only what certainly stands first. */
  readonly text: string;
  /** Offset of its first character, in UTF-16 units. */
  readonly pos: number;
  /** Offset behind its last character. */
  readonly end: number;
}

/** A redirection that was found harmless, kept so that a second reading can be compared with it. */
export interface ShellRedirect {
  /** As the shell writes it, without descriptor. */
  readonly operator: ">" | ">&" | "&>" | "<";
  /** The number before the operator, when one stands there. */
  readonly descriptor: number | undefined;
  /** The file or descriptor it points at. */
  readonly target: ShellWord;
}

/** One simple command: at least one word. */
export interface ShellCommand {
  /** The verb and its arguments. */
  readonly words: readonly ShellWord[];
  /** In the order they stand. */
  readonly redirects: readonly ShellRedirect[];
}

const ENDLESS_ABSOLUTE =
  /^(?:dev\/(?!null$)|proc\/kmsg$|proc\/[^/]+\/(?:task\/.*)?fd\/|sys\/kernel\/|inet[46]?\/)/;
// Climbing, a project's own `dev` folder is likelier than the system's: only names that certainly block.
const ENDLESS_CLIMBING =
  /^(?:dev\/(?:zero|full|u?random|console|ptmx|kmsg|tty.*|std(?:in|out|err)|fd\/.*)$|proc\/kmsg$|sys\/kernel\/)/;

function resolveDots(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** Whether a path names a device or kernel file whose reading may never end; `/dev/null` does end. */
export function isDevicePath(path: string): boolean {
  if (path.startsWith("/")) return ENDLESS_ABSOLUTE.test(resolveDots(path));
  return path.startsWith("../") && ENDLESS_CLIMBING.test(resolveDots(path));
}

/** Whether a word may expand to such a path, as far as its known beginning tells. */
export function mayNameDevice(word: ShellWord): boolean {
  if (word.kind === "literal") return isDevicePath(word.text);
  // `/d*/zero`, `/proc/k*`: the unknown part decides.
  return /^\/[^/]*$|^\/+(?:proc|sys|dev)\//.test(word.text) || isDevicePath(word.text);
}
