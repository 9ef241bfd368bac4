// The store that keeps a resumed session short: stale looks expire, old long results go to files.

import { resolveRewriting, type TrimmingSessionStoreOptions } from "./rewriting-options.ts";
import { RewritingSessionStore } from "./rewriting-session-store.ts";

/** Expires and trims on load. What is stored is not changed. */
export class TrimmingSessionStore extends RewritingSessionStore {
  /** @throws OptionError `bad_option`, `unknown_option`, `bad_options`; StoreError when `path` cannot be opened. */
  constructor(options: TrimmingSessionStoreOptions) {
    super(resolveRewriting(options, "TrimmingSessionStore", false));
  }
}
