// Replaces a file by a longer text: `replace-book.mjs <path>`; says what came of it.
import { writeAtomic } from "../../../dist/core/json.js";

try {
  writeAtomic(process.argv[2], "x".repeat(100_000));
  process.exitCode = 1;
} catch (error) {
  process.exitCode = error.code === "write_failed" ? 0 : 2;
}
