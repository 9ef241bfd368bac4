// How a rewriting store is made: which store lies below, and which rewrites are on. All defaults are here.

import { resolve } from "node:path";
import { OptionError } from "../core/errors.ts";
import { rejectUnknownKeys, requireObject } from "../core/options.ts";
import { EphemeralPolicy } from "../transcript/ephemeral-policy.ts";
import { PrunePolicy } from "../transcript/prune-policy.ts";
import type { RewritePolicies } from "../transcript/rewrite.ts";
import { TrimPolicy } from "../transcript/trim-policy.ts";
import type { FoldSummary, SessionStore } from "./session-store.ts";
import { SqliteSessionStore } from "./sqlite-session-store.ts";

/** Options of `TrimmingSessionStore`. Exactly one of `inner` and `path` is given. */
export interface TrimmingSessionStoreOptions {
  /** The store below: it keeps everything as it came. */
  readonly inner?: SessionStore | undefined;
  /** Opens a SQLite file as the store below. */
  readonly path?: string | undefined;
  /** Keeps summaries in the file at `path` up to date. */
  readonly fold?: FoldSummary | undefined;
  /** Where the model works: trimmed results go below it. */
  readonly workspace: string;
  /** Trimming by size. @defaultValue a `TrimPolicy` with its defaults; false turns it off */
  readonly policy?: TrimPolicy | boolean | undefined;
  /** Expiry of stale looks. @defaultValue an `EphemeralPolicy` with its defaults; false turns it off */
  readonly ephemeral?: EphemeralPolicy | boolean | undefined;
}

/** Options of `PruningSessionStore`. */
export interface PruningSessionStoreOptions extends TrimmingSessionStoreOptions {
  /** Pruning of errors, denials and damage. @defaultValue a `PrunePolicy` with its defaults; false turns it off */
  readonly prune?: PrunePolicy | boolean | undefined;
}

/** The options, complete. */
export interface ResolvedRewriting {
  readonly inner: SessionStore;
  readonly workspace: string;
  readonly policies: RewritePolicies;
}

const KEYS = ["inner", "path", "fold", "workspace", "policy", "ephemeral"];

function wrong(owner: string, what: string, hint: string): OptionError {
  return new OptionError(`${owner} ${what}`, { code: "bad_option", hint });
}

function resolveInner(options: TrimmingSessionStoreOptions, owner: string): SessionStore {
  const { inner, path, fold } = options;
  if ((inner === undefined) === (path === undefined))
    throw wrong(owner, "needs one of inner and path", "pass {inner: store} or {path: file}");
  if (path !== undefined) return new SqliteSessionStore(fold === undefined ? { path } : { path, fold });
  if (fold !== undefined) throw wrong(owner, "takes fold only with path", "leave fold out");
  if (typeof inner?.append === "function" && typeof inner.load === "function") return inner;
  throw wrong(owner, "was given an inner that is no session store", "pass a store with append and load");
}

function resolvePolicy<T extends object>(
  value: T | boolean | undefined,
  kind: { readonly owner: string; readonly name: string; readonly create: new () => T },
): T | undefined {
  if (value === false) return undefined;
  if (value === undefined || value === true) return new kind.create();
  if (value instanceof kind.create) return value;
  throw wrong(
    kind.owner,
    `takes a ${kind.create.name} or a boolean as ${kind.name}`,
    `pass new ${kind.create.name}({ … })`,
  );
}

/**
 * Check the options and fill in what was left out. `prunes` says whether the owner takes `prune` at all.
 * @throws OptionError `bad_option`, `unknown_option`, `bad_options`; StoreError when the file cannot be opened.
 */
export function resolveRewriting(
  options: PruningSessionStoreOptions,
  owner: string,
  prunes: boolean,
): ResolvedRewriting {
  requireObject(options, owner);
  rejectUnknownKeys(options, prunes ? [...KEYS, "prune"] : KEYS, owner);
  const { workspace } = options;
  if (typeof workspace !== "string" || workspace === "")
    throw wrong(owner, "needs the path of the workspace", "pass {workspace: folder}");
  const policies = {
    trim: resolvePolicy(options.policy, { owner, name: "policy", create: TrimPolicy }),
    ephemeral: resolvePolicy(options.ephemeral, { owner, name: "ephemeral", create: EphemeralPolicy }),
    prune: prunes ? resolvePolicy(options.prune, { owner, name: "prune", create: PrunePolicy }) : undefined,
  };
  return { inner: resolveInner(options, owner), workspace: resolve(workspace), policies };
}
