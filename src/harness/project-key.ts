// How the harness names a workspace in the store. Measured against the real binary; a scenario checks it.

import { realpathSync } from "node:fs";

/** Longer keys are cut and get a hash, so that two long paths stay apart. */
const MAX_KEY_CHARS = 200;

/** The hash the harness appends to a cut key: djb2 over UTF-16 units, base 36. */
function djb2(text: string): string {
  let hash = 0;
  for (let i = 0; i < text.length; i += 1) hash = ((hash << 5) - hash + text.charCodeAt(i)) | 0;
  return Math.abs(hash).toString(36);
}

/** Real path of a folder; the path itself when it cannot be resolved. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The store's key of a workspace: every character other than an ASCII letter or digit becomes `-`. */
export function toProjectKey(workspace: string): string {
  const path = realPath(workspace);
  const key = path.replace(/[^A-Za-z0-9]/g, "-");
  return key.length <= MAX_KEY_CHARS ? key : `${key.slice(0, MAX_KEY_CHARS)}-${djb2(path)}`;
}
