// The version of this package.

import { readFileSync } from "node:fs";

/** As package.json says it. */
export function packageVersion(): string {
  const path = new URL("../../package.json", import.meta.url);
  const { version } = JSON.parse(readFileSync(path, "utf8")) as { version: string };
  return version;
}
