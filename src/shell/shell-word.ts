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

const MAY_BECOME_ENDLESS = /^\/[^/]*$|^\/+(?:proc|sys|dev)\//;
const ENDLESS_ABSOLUTE =
  /^(?:dev\/(?!null$)|proc\/kmsg$|proc\/[^/]+\/(?:task\/.*)?fd\/|sys\/kernel\/|inet[46]?\/)/;
// Climbing, a project's own `dev` folder is likelier than the system's: only names that certainly block.
const ENDLESS_CLIMBING =
  /^(?:dev\/(?:zero|full|u?random|console|ptmx|kmsg|tty.*|std(?:in|out|err)|fd\/.*)$|proc\/kmsg$|sys\/kernel\/)/;

// One of these stands in every such path, and in hardly any other.
const ENDLESS_NAME = /dev|proc|sys|inet/;

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
  const pattern = path.startsWith("/") ? ENDLESS_ABSOLUTE : path.startsWith("../") ? ENDLESS_CLIMBING : null;
  return pattern !== null && ENDLESS_NAME.test(path) && pattern.test(resolveDots(path));
}

/** Whether a word, given how much is known of it and its known beginning, may expand to such a path. */
export function mayNameDevice(kind: WordKind, text: string): boolean {
  if (kind === "literal") return isDevicePath(text);
  // `/d*/zero`, `/proc/k*`: the unknown part decides.
  return MAY_BECOME_ENDLESS.test(text) || isDevicePath(text);
}
