// Commands that look at the machine, its processes and services.

import { findOnlyLooks } from "./find-expression.ts";
import type { ShellWord } from "./shell-word.ts";
import { ANY_ARGUMENTS, ANY_NAMES, NO_OPERANDS, onlyOptions, optionSet, type VerbRule } from "./verb-rule.ts";

const FREE = onlyOptions({
  flags: "bkmghtwlvL",
  longs: "bytes kibi mebi gibi kilo mega giga tera human si lohi line total wide committed version",
  operands: NO_OPERANDS,
});

const DF = onlyOptions({
  flags: "ahHiIklmPTvgYcn",
  valued: "txB",
  longs: `all human-readable si inodes local portability print-type total type= exclude-type= block-size= output[=]
    no-sync`,
  namesOnly: true,
});

const DATE = onlyOptions({
  flags: "uRjn",
  valued: "drv",
  attached: "I",
  longs: "utc universal date= reference= iso-8601[=] rfc-3339= rfc-email rfc-2822 debug",
  // Any other operand sets the clock.
  operands: { match: /^\+/ },
});

// Device cache (-D) and mount files write, -r and +r never end.
const LSOF = onlyOptions({
  flags: "nPtalUNRwbhvVoKEx",
  valued: "pucdgSAT",
  attached: "isF",
  operands: { match: /^(?!\+[^dD])(?!\+[dD].)/ },
  namesOnly: true,
});

const NETSTAT = onlyOptions({
  flags: "tunlpaeriosxW46vgMf",
  longs: "tcp udp listening numeric program programs all extend route interfaces statistics wide unix timers",
  // A number would be an interval that never ends; these are what BSD's -p and -f take.
  operands: { match: /^(?:tcp|udp|icmp|inet6?|unix)$/ },
});

// -K closes sockets, -E never ends, -D writes a file.
const SS = onlyOptions({
  flags: "ntulpaxemoisr460wdOHhVbZ",
  valued: "Af",
  longs: `tcp udp listening numeric processes all summary options extended memory info resolve ipv4 ipv6 unix raw
    no-header oneline query= family= version`,
});

const TREE = onlyOptions({
  // `-R` runs itself again with `-o`; letters behind a value letter are read on as options.
  flags: "adlfxipugshDFqNQrtcvUASnCJX",
  valued: "LPI",
  separateOnly: true,
  longs: `noreport dirsfirst filesfirst du si prune gitignore charset= filelimit= matchdirs ignore-case sort[=] inodes
    device timefmt= metafirst`,
  namesOnly: true,
});

const DOCKER_LIST = onlyOptions({
  flags: "aqls",
  valued: "fn",
  longs: "all quiet no-trunc last= latest size digests tree filter= format=",
});

const DOCKER: VerbRule = {
  kind: "subcommands",
  globals: optionSet({}),
  commands: new Map([
    ["ps", DOCKER_LIST],
    ["images", DOCKER_LIST],
  ]),
};

const KUBECTL_COMMON = { flags: "AR", valued: "nloL" } as const;
// No --kubeconfig: such a file can name a program that fetches credentials. No -w: it never ends.
const KUBECTL_LONGS = `namespace= all-namespaces context= selector= field-selector= output= show-labels no-headers
  sort-by= label-columns= recursive ignore-not-found chunk-size= show-kind request-timeout=`;

const KUBECTL: VerbRule = {
  kind: "subcommands",
  globals: optionSet({ valued: "n", longs: "namespace= context= request-timeout=" }),
  commands: new Map([["get", onlyOptions({ ...KUBECTL_COMMON, longs: KUBECTL_LONGS })]]),
};

const SYSTEMCTL_OPTIONS = {
  flags: "laq",
  valued: "no",
  longs: "no-pager full all quiet user system lines= output= no-legend plain",
} as const;

const SYSTEMCTL: VerbRule = {
  kind: "subcommands",
  globals: optionSet(SYSTEMCTL_OPTIONS),
  commands: new Map([["status", onlyOptions(SYSTEMCTL_OPTIONS)]]),
};

/** `command` runs its operand unless it is asked where that is. */
function asksForCommand([first, ...rest]: readonly ShellWord[]): boolean {
  return (
    first?.kind === "literal" && /^-[vV]$/.test(first.text) && rest.every((word) => /^[^-]/.test(word.text))
  );
}

/** `test -f x` and its like: one file or string test, perhaps negated; numbers and variables are evaluated by some shells. */
function isFileTest(args: readonly ShellWord[]): boolean {
  const words = args[0]?.text === "!" ? args.slice(1) : args;
  const [operator, operand] = words;
  if (words.length !== 2 || operator?.kind !== "literal" || operand === undefined) return false;
  return (
    /^-[bcdefghkLnOprsSuwxzGN]$/.test(operator.text) && (operand.kind === "literal" || operand.kind === "one")
  );
}

function isBracketTest(args: readonly ShellWord[]): boolean {
  const last = args.at(-1);
  return last?.kind === "literal" && last.text === "]" && isFileTest(args.slice(0, -1));
}

// `%n` and numbers assign or evaluate in some shells; `-v` assigns in bash.
const HARMLESS_FORMAT = /^(?!-)(?:[^%]|%%|%-?\d{0,3}s|%b)*$/;

function isPlainPrintf([format, ...rest]: readonly ShellWord[]): boolean {
  return (
    format?.kind === "literal" &&
    HARMLESS_FORMAT.test(format.text) &&
    rest.every((word) => word.kind !== "any")
  );
}

/** Rules of the commands that look at the system. */
export const SYSTEM_VERBS: readonly (readonly [string, VerbRule])[] = [
  ...["ls", "ll", "dir", "pwd", "echo", "true", "false"].map((verb) => [verb, ANY_NAMES] as const),
  ...["du", "stat", "whereis", "which", "type", "ps", "pgrep"].map((verb) => [verb, ANY_NAMES] as const),
  ...["whoami", "id", "printenv", "locale", "nproc", "uptime", "sw_vers"].map(
    (verb) => [verb, ANY_ARGUMENTS] as const,
  ),
  ["find", { kind: "words", namesOnly: true, accepts: findOnlyLooks }],
  ["tree", TREE],
  ["df", DF],
  ["free", FREE],
  ["date", DATE],
  [
    "uname",
    onlyOptions({
      flags: "asnrvmpio",
      longs: "all kernel-name kernel-release machine operating-system",
      operands: NO_OPERANDS,
    }),
  ],
  // Elsewhere than on Linux, `arch` takes a command to run; `getconf -v` runs a file.
  ["arch", onlyOptions({ operands: NO_OPERANDS })],
  ["getconf", onlyOptions({ flags: "a" })],
  [
    "hostname",
    onlyOptions({
      flags: "aAdfiIsy",
      longs: "fqdn short long ip-address all-ip-addresses domain alias",
      operands: NO_OPERANDS,
    }),
  ],
  ["env", onlyOptions({ flags: "0", longs: "null", operands: NO_OPERANDS })],
  // `jobs -x` runs a command.
  ["jobs", onlyOptions({ flags: "lnprs", operands: { match: /^%/ } })],
  ["lsof", LSOF],
  ["netstat", NETSTAT],
  ["ss", SS],
  ["systemctl", SYSTEMCTL],
  ["docker", DOCKER],
  ["kubectl", KUBECTL],
  ["command", { kind: "words", namesOnly: true, accepts: asksForCommand }],
  ["test", { kind: "words", namesOnly: true, accepts: isFileTest }],
  ["[", { kind: "words", namesOnly: true, accepts: isBracketTest }],
  ["printf", { kind: "words", namesOnly: true, accepts: isPlainPrintf }],
];
