// Writing the user's own `.env`: merge, keep what else stands there, owner only, in one step.

import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DiskError, errorText, OptionError } from "../core/errors.ts";
import { writeAtomic } from "../core/json.ts";
import { type EnvStatement, normaliseEnvText, renderEnvLine, scanEnv } from "./env-file.ts";
import { readConfigFile } from "./read-config-file.ts";

/** What to set; `undefined` removes the key. */
export type EnvChanges = Readonly<Record<string, string | undefined>>;

const KEY = /^[A-Za-z_][A-Za-z0-9_]*$/;

function checkChanges(changes: EnvChanges): void {
  for (const [key, value] of Object.entries(changes)) {
    if (!KEY.test(key)) {
      throw new OptionError(`"${key}" cannot be the name of a variable`, {
        code: "bad_env_name",
        values: { key },
        hint: "use letters, digits and underscores",
      });
    }
    if (value !== undefined && /[\0\p{Cs}]/u.test(value)) {
      throw new OptionError(`the value of ${key} holds a character that no file of text can keep`, {
        code: "bad_env_value",
        values: { key },
        hint: "paste the value again, without hidden characters",
      });
    }
  }
}

/** The statement's new text, or undefined when it goes. */
function rewritten(
  statement: EnvStatement,
  changes: EnvChanges,
  isLast: boolean,
  own: string,
): string | undefined {
  if (Object.hasOwn(changes, statement.key)) {
    const value = changes[statement.key];
    if (value === undefined || !isLast) return undefined;
    return (/^\s*export\s/.test(own) ? "export " : "") + renderEnvLine(statement.key, value);
  }
  // A stray quote could meet a quote written now and swallow the lines between: keep it, as a comment.
  return statement.kind === "problem" ? `# ${own}` : own;
}

/**
 * The text with these changes: each key is replaced where it last stood, else appended; every other line stays,
 * except that a line with an unmatched quote becomes a comment.
 */
export function mergeEnvText(text: string, changes: EnvChanges): string {
  const source = normaliseEnvText(text);
  const statements = scanEnv(source);
  const last = new Map(statements.map((statement) => [statement.key, statement]));
  const pieces: string[] = [];
  let at = 0;
  for (const statement of statements) {
    pieces.push(source.slice(at, statement.start));
    const own = source.slice(statement.start, statement.end);
    const line = rewritten(statement, changes, last.get(statement.key) === statement, own);
    if (line !== undefined) pieces.push(line, "\n");
    at = Math.min(statement.end + 1, source.length);
  }
  pieces.push(source.slice(at));
  let merged = pieces.join("");
  if (merged !== "" && !merged.endsWith("\n")) merged += "\n";
  for (const [key, value] of Object.entries(changes)) {
    if (value !== undefined && !last.has(key)) merged += `${renderEnvLine(key, value)}\n`;
  }
  return merged;
}

function refuseSymlink(path: string): void {
  // Written through, a secret would land wherever the link leads, often a repository of settings files;
  // replaced, the link would be lost. Neither is ours to choose.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw new DiskError(`${path} is a symbolic link; flower does not write secrets through one`, {
    code: "env_is_symlink",
    values: { path },
    hint: "edit the file it leads to yourself, or remove the link",
  });
}

function ownFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    chmodSync(path, 0o700);
  } catch (error) {
    throw new DiskError(`cannot prepare ${path}: ${errorText(error)}`, {
      code: "write_failed",
      values: { path, reason: errorText(error) },
      hint: "check that the folder is yours and writable",
      cause: error,
    });
  }
}

/**
 * Merge values into flower's own `.env`: file 0600, its folder (made when missing) 0700, replaced in one step.
 * @throws DiskError `env_is_symlink`, `env_unreadable` (what stands there is no text file) or `write_failed`.
 * @throws OptionError `bad_env_name` or `bad_env_value`, before anything is touched.
 */
export function writeUserEnv(path: string, changes: EnvChanges): void {
  checkChanges(changes);
  ownFolder(dirname(path));
  refuseSymlink(path);
  const read = readConfigFile(path);
  if (read.kind === "skipped") {
    throw new DiskError(`${path} cannot be extended: ${read.reason}`, {
      code: "env_unreadable",
      values: { path },
      hint: "move it away and try again",
    });
  }
  writeAtomic(path, mergeEnvText(read.kind === "text" ? read.text : "", changes), 0o600);
}
