// What isolated work, its integration and `flower worktrees` say, in English.

/** Messages of isolated work in English. */
export const worktreesEn = {
  "integration.state": "isolated work is together on {branch} (commits: {commits}, files: {files})",
  "integration.conflict": "{branch} does not merge: {files}",
  "integration.conflict_with": "{branch} does not merge: {files}; also changed by {others}",
  "integration.stuck": "the work of {branch} is not taken: {why}",
  "integration.left_out": "no commit holds this of {branch}: {files}",
  "integration.blocked": "isolated work could not be brought together: {why}",
  "integration.kept": "what lay in the integration worktree was put away: `git show {commit}`",
  "integration.waiting": "the work is on {branch}; {base} is as it was. `git merge {branch}` brings it in",
} as const;
