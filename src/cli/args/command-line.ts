// What a command line means, as plain data.

import type { RoleModels } from "../../agents/role-models.ts";
import type { Effort, PermissionMode } from "../../agents/worker-definition.ts";
import type { MessageKey } from "../../config/locale/catalogue.ts";
import type { CommandName } from "./commands.ts";
import type { CREDENTIAL_KINDS } from "./flags.ts";

/** Options that hold for every command. */
interface GlobalFlags {
  /** @defaultValue "." */
  readonly workspace: string;
  /** Resolved against the workspace. @defaultValue "runs" */
  readonly runDir: string;
  readonly verbose: boolean;
  readonly workbench: boolean;
  readonly trim: boolean;
  readonly json: boolean;
  readonly noColor: boolean;
  readonly lang?: string;
}

/** Options of single commands; which command takes which is in the table of flags. */
export interface RunFlags {
  readonly asks?: number;
  readonly rounds?: number;
  readonly noGoal?: boolean;
  readonly judgeCanRun?: boolean;
  readonly evidence?: "on" | "off";
  readonly sandbox?: boolean;
  readonly timeout?: number;
  readonly isolate?: boolean;
  readonly fresh?: boolean;
  readonly clarifyOnly?: boolean;
  readonly parallel?: boolean;
  /** US dollars; "none" lifts every limit of that kind. */
  readonly budget?: number | "none";
  /** Hours. */
  readonly deadline?: number;
  /** Tokens. */
  readonly window?: number;
  readonly noHandoff?: boolean;
  readonly noTrim?: boolean;
  readonly instructions?: string;
  readonly tools?: readonly string[];
  readonly permission?: PermissionMode;
  readonly spend?: number;
  readonly resume?: string;
  readonly fork?: boolean;
  readonly at?: string;
  readonly model?: string;
  /** From files alone: what a role uses in place of `model`. */
  readonly models?: RoleModels;
  readonly effort?: Effort;
  readonly projectSettings?: boolean;
  readonly noConfig?: boolean;
  readonly url?: string;
  readonly choice?: (typeof CREDENTIAL_KINDS)[number];
  readonly check?: boolean;
  readonly offline?: boolean;
  /** Id of a run, its beginning or its last part. */
  readonly run?: string;
  readonly follow?: boolean;
  /** Seconds `stop` waits. */
  readonly patience?: number;
  readonly force?: boolean;
  /** Seconds. */
  readonly olderThan?: number;
  readonly dryRun?: boolean;
  /** Of `worktrees`. */
  readonly all?: boolean;
  readonly merged?: boolean;
  /** Remove also what is nowhere else. */
  readonly lose?: boolean;
}

/** A command to carry out. */
export interface Command {
  readonly kind: "command";
  readonly command: CommandName;
  /** The person's words: the ask, the prompt, the answer, the message, a worktree's name; empty when there are none. */
  readonly request: string;
  /**
   * Workflow of `run`, question id of `answer`, command of `help`, shell of `completion`, what `worktrees` is to do; else
   * empty.
   */
  readonly target: string;
  readonly workspace: string;
  readonly globals: GlobalFlags;
  readonly flags: RunFlags;
  /** The file each of `flags` comes from that was not typed, by key. */
  readonly fromFiles: Readonly<Record<string, string>>;
}

/** A message of the catalogue and what stands in its places; a value may itself be a key. */
export interface UsageProblem {
  readonly key: MessageKey;
  readonly parameters: Readonly<Record<string, string>>;
  /** Key of the phrase for `{expected}` or `{reason}`, so that it is said in the screen's language. */
  readonly phrase?: { readonly name: "expected" | "reason"; readonly key: MessageKey };
}

/** A command line that cannot be; always exit code 2. */
export interface UsageError {
  readonly kind: "usage_error";
  readonly exitCode: 2;
  readonly problem: UsageProblem;
  /** Command whose usage line is shown; undefined for the general one. */
  readonly command: CommandName | undefined;
  /** What was probably meant: an option or a whole command line. */
  readonly suggestion: string | undefined;
  readonly lang: string | undefined;
}

/** What a command line means. */
export type CommandLine =
  | Command
  | UsageError
  | { readonly kind: "version" }
  | { readonly kind: "help"; readonly command: CommandName | undefined; readonly lang: string | undefined };
