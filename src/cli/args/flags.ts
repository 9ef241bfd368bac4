// Every option of the command line as data: its spellings, what its value must be, and which commands take it.

import { EFFORTS } from "../../agents/worker-definition.ts";
import { COMMAND_NAMES, type CommandName } from "./commands.ts";

/** Permission modes `once` offers. */
const ONCE_MODES = ["default", "acceptEdits", "plan", "bypassPermissions"] as const;

/** What `setup` can store: an API key, a gateway's token, a subscription's, or that a local server needs none. */
export const CREDENTIAL_KINDS = ["key", "token", "oauth", "local"] as const;

/** US dollars a run may cost unless told otherwise: a night's honest work, not a month's bill. */
export const DEFAULT_BUDGET_USD = 50;

/** What the value of an option must be; `flag` takes none. */
type ValueKind =
  | { readonly kind: "flag" }
  | { readonly kind: "text" }
  | { readonly kind: "model" }
  /** Where a Messages API answers. */
  | { readonly kind: "address" }
  | { readonly kind: "folder" }
  /** A time span as `12h`, `30d` or `2w`; a number alone is days. */
  | { readonly kind: "age" }
  /** A run of this folder. */
  | { readonly kind: "run" }
  | { readonly kind: "list" }
  | {
      readonly kind: "number";
      readonly expected: "number" | "amount" | "seconds" | "hours" | "whole" | "count";
    }
  /** An amount, or the word that lifts the limit. */
  | { readonly kind: "limit"; readonly none: string }
  | { readonly kind: "choice"; readonly of: readonly string[] };

/** Who may set an option in a `flower.config.json`. A project's file comes with its folder, which may be anybody's. */
type ConfigRule =
  /** Either file. */
  | { readonly kind: "anyone" }
  /** Either file, but a project's value counts only below what holds without it: `otherwise` where nobody set it. */
  | { readonly kind: "lower"; readonly otherwise: number }
  /** The person's own file alone: it gives up a protection, grants a right, or takes away the person's say. */
  | { readonly kind: "person" };

/** One option. */
export interface Flag {
  /** Key under which its value is handed on. */
  readonly key: string;
  readonly long: string;
  readonly short?: string;
  /** Name of the value in help; absent for a flag without one. */
  readonly metavar?: string;
  readonly value: ValueKind;
  readonly commands: readonly CommandName[];
  /** Absent: each run decides it, so it can stand in no file. */
  readonly config?: ConfigRule;
}

const ANYONE: ConfigRule = { kind: "anyone" };
const PERSON: ConfigRule = { kind: "person" };
const lower = (otherwise: number): ConfigRule => ({ kind: "lower", otherwise });
const TEXT: ValueKind = { kind: "text" };
const FOLDER: ValueKind = { kind: "folder" };
const ON: ValueKind = { kind: "flag" };
const EVERYWHERE = COMMAND_NAMES;
const RUNS: readonly CommandName[] = ["go", "run", "once"];
const IN_A_FOLDER: readonly CommandName[] = [
  "go",
  "run",
  "once",
  "status",
  "logs",
  "answer",
  "say",
  "stop",
  "worktrees",
  "clean",
];

/** Also the check of every other model's name. */
export const MODEL_FLAG: Flag = {
  key: "model",
  long: "--model",
  metavar: "NAME",
  value: { kind: "model" },
  commands: [...RUNS, "setup"],
  config: ANYONE,
};

/** All options. */
export const FLAGS: readonly Flag[] = [
  {
    key: "asks",
    long: "--asks",
    metavar: "N",
    value: { kind: "number", expected: "whole" },
    commands: ["go", "run"],
    config: PERSON,
  },
  {
    key: "rounds",
    long: "--rounds",
    metavar: "N",
    value: { kind: "number", expected: "count" },
    commands: ["go"],
    config: ANYONE,
  },
  { key: "noGoal", long: "--no-goal", value: ON, commands: ["go"], config: PERSON },
  { key: "judgeCanRun", long: "--judge-can-run", value: ON, commands: ["go"], config: PERSON },
  {
    key: "evidence",
    long: "--evidence",
    metavar: "on|off",
    value: { kind: "choice", of: ["on", "off"] },
    commands: ["go"],
    config: PERSON,
  },
  { key: "sandbox", long: "--sandbox", value: ON, commands: ["go"], config: ANYONE },
  {
    key: "timeout",
    long: "--timeout",
    metavar: "S",
    value: { kind: "number", expected: "number" },
    commands: ["go", "run"],
    config: PERSON,
  },
  { key: "isolate", long: "--isolate", value: ON, commands: ["go"], config: ANYONE },
  { key: "noConfig", long: "--no-config", value: ON, commands: RUNS },
  { key: "fresh", long: "--new", value: ON, commands: ["go"] },
  { key: "clarifyOnly", long: "--clarify-only", value: ON, commands: ["go"] },
  { key: "parallel", long: "--parallel", value: ON, commands: ["go", "run"] },
  {
    key: "budget",
    long: "--budget",
    metavar: "USD",
    value: { kind: "limit", none: "none" },
    commands: ["go", "run"],
    config: lower(DEFAULT_BUDGET_USD),
  },
  {
    key: "deadline",
    long: "--deadline",
    metavar: "H",
    value: { kind: "number", expected: "hours" },
    commands: ["go", "run"],
    config: lower(Number.POSITIVE_INFINITY),
  },
  {
    key: "window",
    long: "--window",
    metavar: "N",
    value: { kind: "number", expected: "count" },
    commands: RUNS,
    config: ANYONE,
  },
  { key: "noHandoff", long: "--no-handoff", value: ON, commands: RUNS, config: ANYONE },
  { key: "noTrim", long: "--no-trim", value: ON, commands: ["go"], config: ANYONE },
  {
    key: "instructions",
    long: "--instructions",
    short: "-i",
    metavar: "TEXT",
    value: TEXT,
    commands: ["once"],
    config: PERSON,
  },
  {
    key: "tools",
    long: "--tools",
    short: "-t",
    metavar: "A,B",
    value: { kind: "list" },
    commands: ["once"],
    config: PERSON,
  },
  {
    key: "permission",
    long: "--permission",
    short: "-p",
    metavar: "MODE",
    value: { kind: "choice", of: ONCE_MODES },
    commands: ["once"],
    config: PERSON,
  },
  {
    key: "spend",
    long: "--max-cost",
    short: "-b",
    metavar: "USD",
    value: { kind: "number", expected: "amount" },
    commands: ["once"],
    config: lower(Number.POSITIVE_INFINITY),
  },
  { key: "resume", long: "--resume", metavar: "ID", value: TEXT, commands: ["once"] },
  { key: "fork", long: "--fork", value: ON, commands: ["once"] },
  { key: "at", long: "--at", metavar: "MESSAGE", value: TEXT, commands: ["once"] },
  MODEL_FLAG,
  { key: "url", long: "--url", metavar: "URL", value: { kind: "address" }, commands: ["setup"] },
  {
    key: "choice",
    long: "--kind",
    metavar: "KIND",
    value: { kind: "choice", of: CREDENTIAL_KINDS },
    commands: ["setup"],
  },
  { key: "check", long: "--check", value: ON, commands: ["setup"] },
  { key: "offline", long: "--offline", value: ON, commands: ["setup"] },
  {
    key: "effort",
    long: "--effort",
    metavar: "LEVEL",
    value: { kind: "choice", of: EFFORTS },
    commands: RUNS,
    config: ANYONE,
  },
  { key: "projectSettings", long: "--project-settings", value: ON, commands: RUNS, config: PERSON },
  { key: "follow", long: "--follow", short: "-f", value: ON, commands: ["logs"] },
  { key: "run", long: "--run", metavar: "ID", value: { kind: "run" }, commands: ["logs", "stop"] },
  {
    key: "patience",
    long: "--timeout",
    metavar: "S",
    value: { kind: "number", expected: "seconds" },
    commands: ["stop"],
  },
  { key: "force", long: "--force", value: ON, commands: ["stop"] },
  { key: "all", long: "--all", value: ON, commands: ["worktrees"] },
  { key: "merged", long: "--merged", value: ON, commands: ["worktrees"] },
  { key: "lose", long: "--force", value: ON, commands: ["worktrees"] },
  { key: "olderThan", long: "--older-than", metavar: "D", value: { kind: "age" }, commands: ["clean"] },
  { key: "dryRun", long: "--dry-run", value: ON, commands: ["clean"] },
  {
    key: "workspace",
    long: "--workspace",
    short: "-w",
    metavar: "DIR",
    value: FOLDER,
    commands: [...IN_A_FOLDER, "setup"],
  },
  { key: "runDir", long: "--run-dir", short: "-r", metavar: "DIR", value: FOLDER, commands: IN_A_FOLDER },
  { key: "workbench", long: "--workbench", short: "-W", value: ON, commands: RUNS },
  { key: "trim", long: "--trim", short: "-T", value: ON, commands: RUNS },
  { key: "verbose", long: "--verbose", short: "-v", value: ON, commands: EVERYWHERE },
  {
    key: "json",
    long: "--json",
    value: ON,
    commands: [
      "go",
      "run",
      "once",
      "demo",
      "status",
      "logs",
      "answer",
      "say",
      "stop",
      "worktrees",
      "clean",
      "setup",
    ],
  },
  {
    key: "lang",
    long: "--lang",
    metavar: "en|zh|pt",
    value: { kind: "choice", of: ["en", "zh", "pt"] },
    commands: EVERYWHERE,
  },
  { key: "noColor", long: "--no-color", value: ON, commands: EVERYWHERE },
  { key: "version", long: "--version", short: "-V", value: ON, commands: EVERYWHERE },
  { key: "help", long: "--help", short: "-h", value: ON, commands: EVERYWHERE },
];

/** Options that mean the same with every command; they stand last in help. */
export const GLOBAL_KEYS: readonly string[] = [
  "workspace",
  "runDir",
  "workbench",
  "trim",
  "verbose",
  "json",
  "lang",
  "noColor",
  "version",
  "help",
];

/** The option with this spelling. */
export function findFlag(spelling: string): Flag | undefined {
  return FLAGS.find((flag) => flag.long === spelling || flag.short === spelling);
}

/** Options a command takes. */
export function flagsOf(command: CommandName): readonly Flag[] {
  return FLAGS.filter((flag) => flag.commands.includes(command));
}
