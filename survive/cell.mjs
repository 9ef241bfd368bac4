// One cell: a run up to a point, a fault there, a wake where it ended the run, and what is left in the end.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Driver from "libsql";
import { SqliteSessionStore } from "../dist/index.js";
import { always, dropConnection, ScriptedApi } from "../dist/testing/index.js";
import { touch } from "./faults.mjs";
import { Mind } from "./mind.mjs";
import { Stage, until } from "./stage.mjs";
import { Wire } from "./wire.mjs";

/** For a machine ten times slower than it should be. */
const REACH_MS = 90_000;
const END_MS = 150_000;
const MAX_WAKES = 2;

/** A cell being run; faults work on it. */
export class Cell {
  stage = new Stage();
  /** Answers in place of the next turns, and one in place of all. */
  failures = [];
  failAll;
  failedAll = false;
  slowMs = 0;
  /** True when a fault of the disk was still there when the run ended. */
  stoodAtEnd = false;
  child;
  #held;
  #isCut = false;
  #release;
  #reach;

  constructor(point, fault) {
    this.point = point;
    this.fault = fault;
    const slow = point.kind === "tool" ? { begun: this.stage.begun, over: this.stage.over } : undefined;
    this.mind = new Mind({ workspace: this.stage.workspace, handoff: point.handoff === true, slow });
    this.mind.beforeTurn = (given, answer) => this.#beforeTurn(given, answer);
  }

  async open() {
    if (this.fault?.disk) this.stage.mountDisk();
    this.api = await ScriptedApi.start({ script: this.mind.script(always) });
    this.wire = await Wire.start(Number(new URL(this.api.url).port));
  }

  /** Start flower; only the first process meets the point. */
  start(isFirst) {
    const hold = isFirst && this.point.kind === "hold" ? this.point.hold : undefined;
    this.child = this.stage.start({ url: this.wire.url, handoff: this.point.handoff === true, hold });
    return this.child;
  }

  /** Wait for the point. @returns whether it came before the run ended. */
  async reach() {
    const { point, stage } = this;
    const look = {
      turn: () => this.#held !== undefined,
      half: () => this.#held !== undefined,
      tool: () => existsSync(stage.begun),
      hold: () => existsSync(stage.reached),
      step: () => stage.events().some((event) => event.kind === "step" && event.text === point.step),
    }[point.kind];
    if (point.kind === "turn" || point.kind === "half") this.#reach = point.moment;
    const reached = await until(() => look() || this.child.end !== undefined, {
      limitMs: REACH_MS,
      everyMs: 5,
    });
    return reached === true && this.child.end === undefined;
  }

  /** The held turn never reaches flower. */
  cutHeld() {
    if (this.#held === undefined) return;
    this.#held.given.state = "cut";
    this.#isCut = true;
  }

  releaseWrite() {
    touch(this.stage.release);
  }

  /** Let everything go on that is held. */
  async letGo() {
    this.releaseWrite();
    touch(this.stage.over);
    this.#release?.();
    this.#release = undefined;
  }

  /** Wait for something, or for the end of the run. @returns whether it came. */
  async untilEndOr(look) {
    await until(() => look() || this.child.end !== undefined, { limitMs: END_MS });
    return look();
  }

  async #beforeTurn(given, answer) {
    if (this.#reach === given.moment) {
      this.#reach = undefined;
      this.#held = { given };
      if (this.point.kind === "half") return this.#holdHalf(given, answer);
      await new Promise((resolve) => {
        this.#release = resolve;
      });
      if (this.#isCut) return dropConnection();
    }
    if (this.failAll !== undefined) {
      this.failedAll = true;
      return this.failAll;
    }
    const failure = this.failures.shift();
    if (typeof failure === "function") {
      given.state = "broken";
      return failure(asTurn(answer));
    }
    if (failure !== undefined) return failure;
    if (this.slowMs > 0) await sleep(this.slowMs);
    return answer;
  }

  /** The answer leaves at once; the wire keeps the second half of it. */
  #holdHalf(given, answer) {
    this.#held = undefined;
    this.wire.half().then((letRest) => {
      this.#held = { given };
      this.#release = letRest;
    });
    return answer;
  }

  /** The time is over: what runs is ended, and the cell comes to its end. */
  giveUp() {
    this.timedOut = true;
    this.child?.kill("SIGKILL");
    this.letGo();
  }

  async close() {
    await this.letGo();
    await this.stage.close();
    this.wire?.cut();
    await this.wire?.down().catch(() => {});
    await this.api?.close();
  }
}

function asTurn(answer) {
  if (answer.kind === "turn") return answer;
  return { kind: "turn", blocks: Array.isArray(answer) ? answer : [answer] };
}

async function ended(child) {
  await Promise.race([child.ended, sleep(END_MS, undefined, { ref: false })]);
  return child.end;
}

/** Which sessions of the lineage the store does not have, and what SQLite says of the file. */
function storeFacts(stage) {
  const path = join(stage.runDir, "sessions.db");
  const steps = Object.entries(stage.lineage()).map(([step, id]) => ({ step, id }));
  if (!existsSync(path)) return { unknown: steps.map(({ step }) => step), integrity: "there is no store" };
  const store = new SqliteSessionStore({ path });
  try {
    const projects = store.projects();
    const isKnown = (id) => projects.some((project) => store.hasSession(project, id));
    return {
      unknown: steps.filter(({ id }) => !isKnown(id)).map(({ step }) => step),
      integrity: checkIntegrity(path),
    };
  } finally {
    store.close();
  }
}

function checkIntegrity(path) {
  const database = new Driver(path);
  try {
    return String(Object.values(database.prepare("PRAGMA integrity_check").get([]))[0]);
  } finally {
    database.close();
  }
}

/** Wake it until it is through, as a person would. */
async function wakeToEnd(cell, record) {
  for (let wakes = 0; wakes < MAX_WAKES && !cell.timedOut && record.ends.at(-1)?.code !== 0; wakes += 1) {
    record.left.push(...(await cell.stage.settle()));
    const from = record.ends.at(-1)?.at ?? 0;
    // Whatever asked between the death of flower and its wake would be an orphan's request.
    record.orphans += cell.mind.turns.filter((turn) => turn.at > from + 200 && turn.state === "given").length;
    record.wokenAt.push(cell.mind.turns.length);
    cell.start(false);
    record.ends.push(await ended(cell.child));
  }
}

/**
 * Run one cell.
 * @param fault - undefined: a run in which nothing goes wrong.
 * @returns what was seen, for `checks.mjs`. @throws NotBound when the fault cannot take hold at the point.
 */
export async function runCell(point, fault, { limitMs }) {
  const cell = new Cell(point, fault);
  const timer = setTimeout(() => cell.giveUp(), limitMs);
  try {
    return await play(cell);
  } finally {
    clearTimeout(timer);
    await cell.close();
  }
}

async function play(cell) {
  const { point, fault } = cell;
  const record = {
    handoff: point.handoff === true,
    mayNeedWake: fault?.ends === true || fault?.disk === true || fault?.mayEnd === true,
    losesManifest: fault?.losesManifest === true,
    mustWait: fault?.waits === true,
    ends: [],
    wokenAt: [],
    left: [],
    orphans: 0,
  };
  await cell.open();
  cell.start(true);
  if (fault !== undefined) {
    record.reached = await cell.reach();
    record.before = { rows: cell.stage.rows(), ...cell.stage.documents() };
    record.inFlight = cell.mind.turns.at(-1)?.moment;
    if (record.reached) {
      if (fault.ends) cell.cutHeld();
      await fault.inject(cell);
    }
    await cell.letGo();
  }
  record.ends.push(await ended(cell.child));
  await wakeToEnd(cell, record);
  record.left.push(...(await cell.stage.settle()));
  return { ...record, ...gather(cell) };
}

function gather(cell) {
  const { stage, mind, api } = cell;
  const events = stage.events();
  return {
    turns: mind.turns.map(({ moment, state, at, sessionId }) => ({ moment, state, at, sessionId })),
    rows: stage.rows(),
    documents: stage.documents(),
    bookFiles: stage.bookFiles(),
    parses: stage.parses(),
    store: storeFacts(stage),
    prints: stage.tryProgram(),
    faults: api.faults.map((fault) => `${fault.kind}: ${fault.message}`),
    questions: events.filter((event) => event.kind === "ask" && event.payload?.state === "asked").length,
    notices: events
      .filter((event) => ["retry", "error"].includes(event.kind) || event.payload?.notice === "store")
      .map((event) => `${event.kind}: ${event.text}`.slice(0, 200)),
    waited: events.some((event) => event.payload?.notice === "limit" && event.payload.phase === "over"),
    stoodAtEnd: cell.stoodAtEnd,
    errors: cell.child.err.slice(-2_000),
  };
}
