// One connection to a SQLite file: the driver behind a narrow, checked door. Leaves schema and meaning to its callers.

import Driver from "libsql";
import { OptionError } from "../core/errors.ts";
import { isBusy } from "./store-failure.ts";

/** What may be bound to a statement. The driver aborts the whole process on a boolean or an object. */
export type SqlValue = string | number | null;

/** One row, by column name. */
export type Row = Readonly<Record<string, unknown>>;

interface DriverStatement {
  run(parameters: readonly SqlValue[]): { readonly changes: number };
  get(parameters: readonly SqlValue[]): Row | undefined;
  all(parameters: readonly SqlValue[]): Row[];
}

interface DriverDatabase {
  readonly inTransaction: boolean;
  prepare(sql: string): DriverStatement;
  exec(sql: string): unknown;
  close(): unknown;
}

/** The driver's own typings promise methods it does not have; this is what was seen to work. */
const openDriver = Driver as unknown as new (path: string) => DriverDatabase;

/**
 * How long the driver itself waits for a lock, milliseconds. It waits on the event loop's thread, so this is the
 * longest a locked file may hold up everything else; longer waits are made of several tries.
 */
const DRIVER_WAIT_MS = 100;

function checked(parameters: readonly SqlValue[]): readonly SqlValue[] {
  for (const value of parameters) {
    if (value === null || typeof value === "string" || typeof value === "number") continue;
    throw new OptionError(`a ${typeof value} cannot be stored`, {
      code: "bad_value",
      hint: "pass text, a number or null",
    });
  }
  return parameters;
}

function openFile(path: string): DriverDatabase {
  const driver = new openDriver(path);
  // Before anything else: two openers that switch to WAL at once must already wait for each other.
  driver.exec(`PRAGMA busy_timeout = ${DRIVER_WAIT_MS}`);
  // A commit survives a power cut, not only a kill: about 0.8 ms instead of 0.1.
  driver.exec("PRAGMA synchronous = FULL");
  return driver;
}

/** An open SQLite file. Throws the driver's errors as they are; `store-failure.ts` words them. */
export class Connection {
  readonly #path: string;
  #driver: DriverDatabase;
  /** A statement that met a lock stays in progress inside the driver, and no transaction can commit beside it. */
  #stuck = false;
  /** Statements are kept: a new one for each call is freed by the garbage collector only, long after. */
  readonly #statements = new Map<string, DriverStatement>();

  /** @param path - absolute, or the driver would read `http:` and `file:` prefixes as something else. */
  constructor(path: string) {
    this.#path = path;
    this.#driver = openFile(path);
  }

  /** Run statements that take no parameters and give no rows. */
  exec(sql: string): void {
    this.#driver.exec(sql);
  }

  /** Run one statement; how many rows it changed. */
  run(sql: string, ...parameters: SqlValue[]): number {
    return this.#step(sql, (statement) => statement.run(checked(parameters)).changes);
  }

  /** The first row, or undefined. */
  get(sql: string, ...parameters: SqlValue[]): Row | undefined {
    return this.#step(sql, (statement) => statement.get(checked(parameters)));
  }

  /** Every row. */
  all(sql: string, ...parameters: SqlValue[]): Row[] {
    return this.#step(sql, (statement) => statement.all(checked(parameters)));
  }

  /** All of `work` or nothing of it, with the write lock taken at the start. */
  transaction<T>(work: () => T): T {
    if (this.#stuck) this.#renew();
    // Not a prepared statement, for the same reason: this is the one that meets the locks.
    this.#driver.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#driver.exec("COMMIT");
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  /** Move the write-ahead log into the file, so that the file alone is the store, and let go of it. */
  close(): void {
    try {
      this.#driver.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // Only tidying: what was committed is safe in the log.
    }
    this.discard();
  }

  /** Let go of the file without writing to it. */
  discard(): void {
    this.#statements.clear();
    this.#driver.close();
  }

  #step<T>(sql: string, use: (statement: DriverStatement) => T): T {
    try {
      return use(this.#statement(sql));
    } catch (error) {
      if (isBusy(error)) this.#stuck = true;
      throw error;
    }
  }

  #statement(sql: string): DriverStatement {
    const kept = this.#statements.get(sql);
    if (kept !== undefined) return kept;
    const statement = this.#driver.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** The driver cannot reset a stuck statement; a new connection has none. */
  #renew(): void {
    const fresh = openFile(this.#path);
    this.discard();
    this.#driver = fresh;
    this.#stuck = false;
  }

  /** SQLite rolls back by itself on a full disk; a failing ROLLBACK must not hide why. */
  #rollBack(): void {
    try {
      if (this.#driver.inTransaction) this.#driver.exec("ROLLBACK");
    } catch {
      // The first error is the one to tell.
    }
  }
}
