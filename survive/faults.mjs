// What goes wrong, and how it is brought about from outside: signals, the wire, answers of the API, mounts, limits of
// the operating system, damaged files. Each ends by letting the run go on; a fault that cannot bind says why.
import { spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { dropConnection, httpError } from "../dist/testing/index.js";
import { CAN_MOUNT } from "./stage.mjs";

/** Thrown when a fault has nothing to take hold of at a point: such a cell is not run, and says so. */
export class NotBound extends Error {}

const NO_MOUNT = "no mount namespace may be made here";
const DOWN_MS = 20_000;
/** Longer than the harness's own retries take: only whoever waits for the reset gets through. */
const LIMIT_S = 10;
/** How long a disk stays full or read-only; turns take a second each meanwhile. */
const DISK_FAULT_MS = 4_000;

async function kill(cell) {
  cell.child.kill("SIGKILL");
  await cell.child.ended;
}

/** A file as a crash in the middle of an unprotected write would leave it. */
function damage(cell, name) {
  const path = join(cell.stage.runDir, name);
  if (!existsSync(path)) throw new NotBound(`there is no ${name} yet`);
  truncateSync(path, Math.floor(statSync(path).size / 2));
}

/** Fail the next requests, whoever asks; the first may be the one that is being held. */
async function failNext(cell, replies) {
  cell.failures = [...replies];
  await cell.letGo();
  const took = await cell.untilEndOr(() => cell.failures.length === 0);
  if (!took && cell.failures.length === replies.length) throw new NotBound("no request follows in this run");
}

async function standing(cell, begin, end) {
  cell.slowMs = 1_000;
  begin();
  await cell.letGo();
  await Promise.race([sleep(DISK_FAULT_MS), cell.child.ended]);
  cell.stoodAtEnd = cell.child.end !== undefined;
  end();
  cell.slowMs = 0;
}

function fill(path) {
  const file = openSync(path, "w");
  try {
    for (let size = 65_536; size >= 1; size = Math.floor(size / 2)) {
      const part = Buffer.alloc(size);
      try {
        while (writeSync(file, part) > 0);
      } catch {
        // No room for this much: try less, until not a byte fits.
      }
    }
  } finally {
    closeSync(file);
  }
}

function limitFiles(pid, bytes) {
  const done = spawnSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:unlimited`], {
    encoding: "utf8",
  });
  if (done.status !== 0) throw new NotBound(`prlimit: ${done.error?.message ?? done.stderr.trim()}`);
}

export const FAULTS = [
  {
    name: "kill",
    says: "kill -9",
    ends: true,
    inject: (cell) => kill(cell),
  },
  {
    name: "term",
    says: "SIGTERM",
    ends: true,
    async inject(cell) {
      cell.child.kill("SIGTERM");
      cell.releaseWrite();
      await cell.child.ended;
    },
  },
  {
    name: "drop",
    says: "the server drops the connection",
    async inject(cell) {
      if (cell.point.kind === "turn" || cell.point.kind === "half") {
        cell.cutHeld();
        cell.wire.cut();
        await cell.letGo();
      } else await failNext(cell, [dropConnection()]);
    },
  },
  {
    name: "down",
    says: "the server is down for 20 s",
    async inject(cell) {
      cell.cutHeld();
      await cell.wire.down();
      await cell.letGo();
      await sleep(DOWN_MS);
      await cell.wire.up();
      if (cell.child.end?.code === 0) throw new NotBound("no request follows in this run");
    },
  },
  {
    name: "529",
    says: "529 three times",
    inject: (cell) =>
      failNext(
        cell,
        [1, 2, 3].map(() => httpError(529)),
      ),
  },
  {
    name: "401",
    says: "401 until it is woken",
    ends: true,
    async inject(cell) {
      cell.failAll = httpError(401);
      await cell.letGo();
      await cell.untilEndOr(() => false);
      if (!cell.failedAll) throw new NotBound("no request follows in this run");
      cell.failAll = undefined;
    },
  },
  {
    name: "limit",
    says: "a usage limit with its reset",
    waits: true,
    async inject(cell) {
      const resetAt = Math.floor(Date.now() / 1000) + LIMIT_S;
      cell.failAll = httpError(429, { message: `Claude AI usage limit reached|${resetAt}` });
      await cell.letGo();
      await cell.untilEndOr(() => Date.now() / 1000 >= resetAt);
      if (!cell.failedAll) throw new NotBound("no request follows in this run");
      cell.failAll = undefined;
    },
  },
  {
    name: "stream",
    says: "the upstream dies in the middle of a stream",
    async inject(cell) {
      if (cell.point.kind === "half") {
        cell.cutHeld();
        cell.wire.cut();
        await cell.letGo();
      } else await failNext(cell, [(turn) => dropConnection({ afterEvents: 4, turn })]);
    },
  },
  {
    name: "disk-full",
    says: "the run dir's disk is full",
    disk: true,
    async inject(cell) {
      await standing(
        cell,
        () => fill(cell.stage.ballast),
        () => rmSync(cell.stage.ballast, { force: true }),
      );
    },
  },
  {
    name: "file-limit",
    mayEnd: true,
    says: "flower may write no more (file-size limit)",
    async inject(cell) {
      await standing(
        cell,
        () => limitFiles(cell.child.pid, 1),
        () => cell.child.end ?? limitFiles(cell.child.pid, "unlimited"),
      );
    },
  },
  {
    name: "read-only",
    mayEnd: true,
    says: "the run dir is read-only",
    async inject(cell) {
      if (!CAN_MOUNT) throw new NotBound(NO_MOUNT);
      if (!existsSync(cell.stage.runDir)) throw new NotBound("there is no run dir yet");
      await standing(
        cell,
        () => cell.stage.mountReadOnly(),
        () => cell.stage.unmount(),
      );
    },
  },
  {
    name: "bad-manifest",
    says: "killed, then the manifest is damaged",
    ends: true,
    losesManifest: true,
    async inject(cell) {
      await kill(cell);
      damage(cell, "manifest.json");
    },
  },
  {
    name: "bad-lineage",
    says: "killed, then the lineage is damaged",
    ends: true,
    async inject(cell) {
      await kill(cell);
      damage(cell, "lineage.json");
    },
  },
  {
    name: "torn-wal",
    says: "killed, and the last commit of the store is torn",
    ends: true,
    async inject(cell) {
      await kill(cell);
      const path = join(cell.stage.runDir, "sessions.db-wal");
      const size = existsSync(path) ? statSync(path).size : 0;
      if (size < 8_192) throw new NotBound("the store's log is empty");
      truncateSync(path, size - 1_000);
    },
  },
];

/** The fault of that name. */
export function faultNamed(name) {
  return FAULTS.find((fault) => fault.name === name);
}

/** Why no cell of this fault can run here; undefined when it can. */
export function unavailable(fault) {
  return fault.disk && !CAN_MOUNT ? NO_MOUNT : undefined;
}

/** Touch a file. */
export function touch(path) {
  writeFileSync(path, "");
}
