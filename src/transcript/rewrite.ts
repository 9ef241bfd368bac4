// All rewrites of a loaded session in their order: expire, trim, prune; each is left out when its policy is off.

import type { TranscriptEntry } from "./entry.ts";
import type { EphemeralPolicy } from "./ephemeral-policy.ts";
import { type Expiry, expire } from "./expire.ts";
import { NO_REPAIR, type Pruning, prune } from "./prune.ts";
import type { PrunePolicy } from "./prune-policy.ts";
import { type Trimming, trim } from "./trim.ts";
import type { TrimPolicy } from "./trim-policy.ts";

/** Which rewrites are applied; one that is undefined is off. */
export interface RewritePolicies {
  readonly ephemeral: EphemeralPolicy | undefined;
  readonly trim: TrimPolicy | undefined;
  readonly prune: PrunePolicy | undefined;
}

/** What the rewrites made of a transcript. */
export interface Rewriting {
  readonly entries: readonly TranscriptEntry[];
  readonly expiry: Omit<Expiry, "entries">;
  /** Its files have to exist before the entries are used. */
  readonly trimming: Omit<Trimming, "entries">;
  readonly pruning: Omit<Pruning, "entries">;
}

/** Apply the policies that are on. Pure and linear; copies only what it changes. */
export function rewrite(given: readonly TranscriptEntry[], policies: RewritePolicies): Rewriting {
  const { entries: fresh, ...expiry } = policies.ephemeral?.enabled
    ? expire(given, policies.ephemeral)
    : { entries: given, expiredIds: new Set<string>(), expired: 0, charsSaved: 0 };
  const { entries: short, ...trimming } = policies.trim?.enabled
    ? trim(fresh, policies.trim, expiry.expiredIds)
    : { entries: fresh, files: [], cleared: 0, kept: 0, charsSaved: 0 };
  const { entries, ...pruning } = policies.prune
    ? prune(short, policies.prune)
    : { entries: short, pruned: 0, denialsDropped: 0, repair: NO_REPAIR };
  return { entries, expiry, trimming, pruning };
}
