// The folder of a round's evidence: written apart while the commands run, and put in its place whole when they have
// ended, over whatever was there.

import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cannotWrite, DiskError } from "../core/errors.ts";
import { writeAtomic } from "../core/json.ts";
import type { Evidence } from "./evidence.ts";
import { evidenceTable } from "./evidence-table.ts";
import type { Fingerprint } from "./fingerprint.ts";

/** The folder of a round while it is made. */
export interface RoundFolder {
  /** Where it will be. */
  readonly path: string;
  /** Path of a file in it, for now. */
  readonly pathOf: (name: string) => string;
  /** Write the evidence beside the outputs and put the folder in its place. */
  readonly settle: (evidence: Evidence, startedAtS: number) => void;
  /** Leave nothing of it. */
  readonly discard: () => void;
}

function onDisk(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw error instanceof DiskError ? error : cannotWrite(path, error);
  }
}

function treeText(tree: Fingerprint): string {
  return tree.kind === "seen" ? tree.hash : `none: ${tree.why}`;
}

function markdown(evidence: Evidence, startedAtS: number): string {
  const { host } = evidence;
  return [
    `# Evidence of round ${evidence.round}`,
    "",
    `- begun: ${new Date(startedAtS * 1000).toISOString()}`,
    `- where: ${evidence.where}`,
    ...(host === undefined
      ? []
      : [`- host: ${host.platform} ${host.arch} (kernel ${host.release}), shell ${host.shell}`]),
    `- sandbox: ${evidence.isSandboxed === true ? "bubblewrap" : "none"}`,
    `- tree before: ${treeText(evidence.before)}`,
    `- tree after: ${treeText(evidence.after)}`,
    "",
    evidenceTable(evidence, Number.POSITIVE_INFINITY),
    "",
  ].join("\n");
}

/** Rounds of a run that was killed while their commands ran. */
function sweep(parent: string, prefix: string): void {
  for (const name of readdirSync(parent).filter((name) => name.startsWith(prefix))) {
    rmSync(join(parent, name), { recursive: true, force: true });
  }
}

/**
 * Begin the folder of a round.
 * @throws DiskError `write_failed`, here and when it is put in its place.
 */
export function openRound(parent: string, round: number): RoundFolder {
  const path = join(parent, `round-${round}`);
  const prefix = `.round-${round}-`;
  const draft = join(parent, prefix + randomBytes(6).toString("hex"));
  onDisk(path, () => {
    mkdirSync(parent, { recursive: true });
    sweep(parent, prefix);
    mkdirSync(draft);
  });
  return {
    path,
    pathOf: (name) => join(draft, name),
    settle: (evidence, startedAtS) =>
      onDisk(path, () => {
        const record = { version: 1, at: startedAtS, ...evidence };
        writeAtomic(join(draft, "evidence.json"), `${JSON.stringify(record, undefined, 2)}\n`);
        writeAtomic(join(draft, "evidence.md"), markdown(evidence, startedAtS));
        rmSync(path, { recursive: true, force: true });
        renameSync(draft, path);
      }),
    discard: () => rmSync(draft, { recursive: true, force: true }),
  };
}
