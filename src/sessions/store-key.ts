// The name of a transcript in the database: `projectKey/sessionId[/subpath]`.

import { OptionError } from "../core/errors.ts";
import type { SessionKey } from "./session-store.ts";

/** Text that would be read back as another: a lone surrogate, or anything after a NUL. */
const UNSAFE = /[\0\ud800-\udfff]/u;

function isPart(part: unknown, separators: boolean): part is string {
  return typeof part === "string" && part !== "" && !UNSAFE.test(part) && (separators || !part.includes("/"));
}

/** True for a key without a subpath (an empty one counts as none): the session itself, not one of its workers. */
export function isMain(key: SessionKey): boolean {
  return key.subpath === undefined || key.subpath === "";
}

/** The transcript's name, or undefined when nothing can be stored under such a key. */
export function storeKey(key: SessionKey): string | undefined {
  if (!isPart(key.projectKey, false) || !isPart(key.sessionId, false)) return undefined;
  const session = `${key.projectKey}/${key.sessionId}`;
  if (isMain(key)) return session;
  return isPart(key.subpath, true) ? `${session}/${key.subpath}` : undefined;
}

/**
 * The transcript's name, for writing.
 * @throws OptionError `bad_session_key` when two different keys would meet under one name.
 */
export function requireStoreKey(key: SessionKey): string {
  const name = storeKey(key);
  if (name !== undefined) return name;
  throw new OptionError(`not a session key: ${JSON.stringify(key)}`, {
    code: "bad_session_key",
    hint: "projectKey and sessionId are non-empty text without a slash",
  });
}
