// Loaded before the flower process of a cell (`node --import`): holds it in the middle of a write to disk, so that a
// fault can be injected right there. Which write, and the two files by which it is told, stand in the process's argument.
import fs, { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { join } from "node:path";

const { hold, runDir } = JSON.parse(process.argv[2] ?? "{}");

function waitHere() {
  writeFileSync(hold.reached, "");
  const cell = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync(hold.release)) Atomics.wait(cell, 0, 0, 10);
}

let isHeld = false;
function holdOnce(isRight) {
  if (isHeld || !isRight()) return;
  isHeld = true;
  waitHere();
}

/** A temporary file is written and not yet put in place. */
function holdRename() {
  const { renameSync } = fs;
  fs.renameSync = (from, to) => {
    holdOnce(
      () => String(to).endsWith(`/${hold.file}`) && readFileSync(from, "utf8").includes(hold.contains),
    );
    return renameSync(from, to);
  };
  syncBuiltinESMExports();
}

function currentStep() {
  try {
    return JSON.parse(readFileSync(join(runDir, "active.json"), "utf8")).step;
  } catch {
    return undefined;
  }
}

/** Rows are in an open transaction and not yet committed. */
function holdCommit() {
  const Driver = createRequire(import.meta.url)("libsql");
  const { exec } = Driver.prototype;
  let commits = 0;
  Driver.prototype.exec = function (sql) {
    if (sql === "COMMIT" && !isHeld && currentStep() === hold.step) {
      commits += 1;
      holdOnce(() => commits === hold.nth);
    }
    return exec.call(this, sql);
  };
}

if (hold?.kind === "rename") holdRename();
if (hold?.kind === "commit") holdCommit();
