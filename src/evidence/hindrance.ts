// Why a command cannot tell anything here: its program is not installed, or it needs a display or the network. Only what
// the machine lacks counts; what the work lacks is a failure, also when the shell says "not found".

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Environment } from "../config/variables.ts";
import { isInside } from "../core/paths.ts";
import { oneLine } from "../core/text.ts";
import { type ProgramWords, programWords } from "../shell/program-words.ts";
import { findProgram } from "./find-program.ts";
import type { CommandRun } from "./run-command.ts";

/** What stands in the way. */
export type Hindrance =
  | { readonly kind: "program"; readonly program: string }
  | { readonly kind: "display" }
  | { readonly kind: "network"; readonly detail: string };

/** What is looked at. */
export interface HindranceInput {
  readonly command: string;
  readonly folder: string;
  readonly env: Environment;
  readonly run: Pick<CommandRun, "exitCode" | "stderr">;
  /** Everything that is compared is as expected. */
  readonly isHeld: boolean;
}

const BUILTINS: ReadonlySet<string> = new Set(
  (
    ". : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo " +
    "enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf " +
    "pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit " +
    "umask unalias unset wait time coproc"
  ).split(" "),
);

/** What went wrong is said at the end; further up stands what a program reports while it goes on. */
const LAST_LINES = 30;

function isAbsent(name: string, folder: string, env: Environment): boolean {
  if (!name.includes("/")) return !BUILTINS.has(name) && findProgram(name, env.PATH) === undefined;
  const path = name.startsWith("~/") ? resolve(env.HOME ?? "/", name.slice(2)) : resolve(folder, name);
  // A path inside the folder is the work itself: that it is missing is what the check was to find out.
  return (
    !isInside(path, resolve(folder)) && (name.startsWith("/") || name.startsWith("~/")) && !existsSync(path)
  );
}

/** What the shell itself did not find, by its own words. */
function notFound(stderr: string): ReadonlySet<string> {
  const said = stderr.matchAll(
    /^(?:.*?: )?(?:line \d+: |\d+: )?([^\s:]+): (?:command not found|not found)\s*$/gm,
  );
  return new Set([...said].map((match) => match[1] ?? ""));
}

function missingProgram(
  { folder, env, run, isHeld }: HindranceInput,
  words: ProgramWords,
): string | undefined {
  const absent = words.programs.filter(({ name }) => isAbsent(name, folder, env));
  // Where the line changes PATH, only the shell knows what it looked for and did not find.
  const named = words.isOpen ? notFound(run.stderr) : undefined;
  return absent.find(({ name, isGuarded }) =>
    named === undefined ? !isGuarded || !isHeld : !isHeld && run.exitCode === 127 && named.has(name),
  )?.name;
}

const DISPLAY =
  /cannot open display|can't open display|unable to open (?:x )?display|could not connect to (?:the )?display|no display name and no \$DISPLAY|missing x server or \$DISPLAY|couldn't connect to display|HeadlessException|no available video device|could not (?:load|find) the qt platform plugin|cannot connect to x server|failed to open display/i;

/** Where a message names a host, it is the first group. */
const NETWORK: readonly RegExp[] = [
  /getaddrinfo (?:ENOTFOUND|EAI_AGAIN)(?: (\S+))?/,
  /could not resolve (?:host(?:name)?|proxy):? ?['"]?([^\s'",;]+)/i,
  /unable to resolve host address ['"‘“]?([^\s'"’”]+)/i,
  /lookup ([^\s:]+)(?: on \S+)?: (?:no such host|Temporary failure|i\/o timeout|dial udp)/,
  /UnknownHostException: (\S+)/,
  /Failed to connect to (\S+) port/i,
  /connect (?:ECONNREFUSED|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH) \[?([\da-f.:]+?)\]?(?::\d+)?(?=[\s,)]|$)/i,
  /connect to host (\S+) port \d+: /i,
  /(?:NameResolutionError|NewConnectionError|ConnectTimeoutError)\b.*?host='([^']+)'/,
  /dial tcp \[?([\da-f.:]+?)\]?:\d+: (?:connect|i\/o)/i,
  /Temporary failure in name resolution|Name or service not known|nodename nor servname provided|failed to lookup address information|Network is unreachable|No route to host|ENETUNREACH|ERR_INTERNET_DISCONNECTED|ERR_NAME_NOT_RESOLVED/,
];
const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d+){0,3}|0\.0\.0\.0|::1|\[::1\]|::)\.?$/i;
/** Programs that say nothing when told to be silent, by the exit codes that mean no connection. */
const SILENT: ReadonlyMap<string, readonly number[]> = new Map([
  ["curl", [5, 6, 7]],
  ["wget", [4]],
]);

function silentFailure({ command, run }: HindranceInput, words: ProgramWords): string | undefined {
  const program = words.programs.find(({ name }) => SILENT.get(name)?.includes(run.exitCode ?? -1))?.name;
  const isLocal = /(?:\/\/|\s)(?:localhost|127\.|0\.0\.0\.0|\[::1\])/i.test(command);
  return program === undefined || isLocal ? undefined : `${program}: exit code ${run.exitCode}`;
}

function networkFailure(input: HindranceInput, words: ProgramWords, said: string): string | undefined {
  let isLocal = false;
  for (const pattern of NETWORK) {
    const match = pattern.exec(said);
    isLocal ||= LOOPBACK.test(match?.[1] ?? "");
    if (match !== null && !isLocal) return oneLine(match[0], 120);
  }
  return isLocal ? undefined : silentFailure(input, words);
}

/** What stands in a command's way here, or nothing. What held needs neither display nor network. */
export function hindranceOf(input: HindranceInput): Hindrance | undefined {
  const words = programWords(input.command);
  const program = missingProgram(input, words);
  if (program !== undefined) return { kind: "program", program };
  if (input.isHeld) return undefined;
  const said = input.run.stderr.trimEnd().split("\n").slice(-LAST_LINES).join("\n");
  const { DISPLAY: x, WAYLAND_DISPLAY: wayland } = input.env;
  if (x === undefined && wayland === undefined && DISPLAY.test(said)) return { kind: "display" };
  const detail = networkFailure(input, words, said);
  return detail === undefined ? undefined : { kind: "network", detail };
}
