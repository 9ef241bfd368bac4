// Which tools come together. Lists only; who gets them is decided by each role.

/** What a coordinator has besides reading and glancing. */
export const COORDINATOR_TOOLS: readonly string[] = Object.freeze(["Agent", "TodoWrite"]);

/** Looking at files without changing them. */
export const SEARCH_TOOLS: readonly string[] = Object.freeze(["Read", "Glob", "Grep"]);

/** Read-only tools of the web. */
export const WEB_TOOLS: readonly string[] = Object.freeze(["WebFetch", "WebSearch"]);

/** What a worker has unless told otherwise. */
export const WORKER_TOOLS: readonly string[] = Object.freeze([
  "Read",
  "Write",
  "Edit",
  "Bash",
  "Glob",
  "Grep",
  ...WEB_TOOLS,
]);

/** Tools that write or run something; the main thread of a directing or asking role has none of them. */
export const HANDS_ON_TOOLS: readonly string[] = Object.freeze(["Bash", "Write", "Edit", "NotebookEdit"]);

/** The tool that starts a worker, under its present name and its older one. */
export const DISPATCH_TOOLS: readonly string[] = Object.freeze(["Agent", "Task"]);
