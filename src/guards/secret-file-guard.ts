// flower's own credential files are not for reading, whatever name leads to them.

import { resolve } from "node:path";
import { deny, inputOf, PASS } from "./call.ts";
import type { PreGuard, ToolCall } from "./decision.ts";
import { isSameFile } from "./physical-path.ts";

/** Options of {@link secretFilePreGuard}. */
export interface SecretFileOptions {
  /** Absolute paths of the files flower reads credentials from; they need not exist. */
  readonly files: readonly string[];
}

function namedFile(call: ToolCall): string | undefined {
  const input = inputOf(call);
  const path = call.tool === "Grep" ? input?.path : input?.file_path;
  return typeof path === "string" ? resolve(call.cwd || "/", path.trim()) : undefined;
}

/**
 * Refuses `Read` and `Grep` of flower's credential files, on every thread. A search over a whole folder, and Bash,
 * are not refused: what they bring up goes through the mask.
 */
export function secretFilePreGuard(options: SecretFileOptions): PreGuard {
  return {
    name: "secret-file",
    tools: ["Read", "Grep"],
    decide: (call) => {
      const path = namedFile(call);
      if (path === undefined || !options.files.some((file) => isSameFile(path, file))) return PASS;
      return deny(
        "This file holds the credential this run pays with and is not for reading. Nothing in it is needed for the task: go on without it.",
      );
    },
  };
}
