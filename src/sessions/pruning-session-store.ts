// The store flower resumes from: keeps the session short, and takes errors, old denials and damage out as well.

import { NO_REPAIR, type Repair } from "../transcript/prune.ts";
import type { Rewriting } from "../transcript/rewrite.ts";
import { type PruningSessionStoreOptions, resolveRewriting } from "./rewriting-options.ts";
import { RewritingSessionStore } from "./rewriting-session-store.ts";

function addRepairs(a: Repair, b: Repair): Repair {
  return {
    orphanCalls: a.orphanCalls + b.orphanCalls,
    orphanResults: a.orphanResults + b.orphanResults,
    parents: a.parents + b.parents,
    blocks: a.blocks + b.blocks,
  };
}

/** Expires, trims and prunes on load. What is stored is not changed. */
export class PruningSessionStore extends RewritingSessionStore {
  /** Entries that the last load left out. */
  pruned = 0;
  /** Denied calls that the last load left out. */
  denialsDropped = 0;
  /** What the last load had to mend: anything but zeros says that the stored session is damaged. */
  repaired: Repair = NO_REPAIR;

  /** @throws OptionError `bad_option`, `unknown_option`, `bad_options`; StoreError when `path` cannot be opened. */
  constructor(options: PruningSessionStoreOptions) {
    super(resolveRewriting(options, "PruningSessionStore", true));
  }

  protected override resetReports(): void {
    super.resetReports();
    this.pruned = 0;
    this.denialsDropped = 0;
    this.repaired = NO_REPAIR;
  }

  protected override addToReports(rewriting: Rewriting): void {
    super.addToReports(rewriting);
    const { pruned, denialsDropped, repair } = rewriting.pruning;
    this.pruned += pruned;
    this.denialsDropped += denialsDropped;
    this.repaired = addRepairs(this.repaired, repair);
  }
}
