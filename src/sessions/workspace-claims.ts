// Whose sessions lie under a project key. The harness folds every character of a path but letters and digits to `-`,
// so `a.b`, `a-b` and `a_b` share a key; the real path, kept beside it, tells them apart.

import { StoreError } from "../core/errors.ts";
import type { Connection } from "./connection.ts";

/** The harness's folding of a path; longer ones get a hash on top and then match nothing here. */
function fold(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, "-");
}

/** Paths the sessions themselves name, for files older than the claims. One entry a session is enough. */
function recordedPaths(connection: Connection, projectKey: string): string[] {
  return connection
    .all(
      "SELECT DISTINCT json_extract(payload, '$.cwd') AS cwd FROM entries " +
        "WHERE store_key >= ?1 || '/' AND store_key < ?1 || '0' AND seq < 20 AND json_valid(payload)",
      projectKey,
    )
    .map((row) => row.cwd)
    .filter((cwd) => typeof cwd === "string");
}

function ownerOf(connection: Connection, projectKey: string, path: string): string | undefined {
  const claim = connection.get("SELECT path FROM workspaces WHERE project_key = ?", projectKey);
  if (claim !== undefined) return String(claim.path);
  const recorded = recordedPaths(connection, projectKey);
  if (recorded.includes(path)) return path;
  return recorded.find((cwd) => fold(cwd) === projectKey);
}

/** A claim on a project key. */
export interface Claim {
  readonly projectKey: string;
  /** Real path of the workspace. */
  readonly path: string;
  /** The store's file, for the error. */
  readonly file: string;
}

/**
 * Record that the sessions under a key are this workspace's. Runs inside the caller's transaction.
 * @throws StoreError `workspace_clash` when they are another's.
 */
export function claimWorkspace(connection: Connection, claim: Claim): void {
  const owner = ownerOf(connection, claim.projectKey, claim.path);
  if (owner !== undefined && owner !== claim.path) {
    throw new StoreError(
      `${claim.path} and ${owner} share the project key ${claim.projectKey}; ${claim.file} holds sessions of ${owner}`,
      {
        code: "workspace_clash",
        values: { path: claim.path, owner, file: claim.file },
        hint: `give ${claim.path} a run folder of its own`,
      },
    );
  }
  connection.run(
    "INSERT INTO workspaces (project_key, path) VALUES (?, ?) ON CONFLICT (project_key) DO NOTHING",
    claim.projectKey,
    claim.path,
  );
}
