import { describe, expect, it } from "vitest";
import { Connection, type SqlValue } from "../../src/sessions/connection.ts";
import { StoreFolder } from "./store-folder.ts";

const folder = new StoreFolder();

describe("a connection", () => {
  it.each([[true], [{}], [[1]], [undefined], [Symbol("x")]])(
    "refuses to bind %s, on which the driver would end the process",
    (value) => {
      const connection = new Connection(folder.file());
      expect(() => connection.get("SELECT ?", value as unknown as SqlValue)).toThrow(
        expect.objectContaining({ code: "bad_value" }),
      );
      connection.close();
    },
  );

  it("commits all of a transaction or nothing", () => {
    const connection = new Connection(folder.file());
    connection.exec("CREATE TABLE t (x PRIMARY KEY)");
    connection.transaction(() => connection.run("INSERT INTO t VALUES (?)", 1));
    const twice = () =>
      connection.transaction(() => {
        connection.run("INSERT INTO t VALUES (?)", 2);
        connection.run("INSERT INTO t VALUES (?)", 1);
      });
    expect(twice).toThrow(expect.objectContaining({ code: "SQLITE_CONSTRAINT_PRIMARYKEY" }));
    expect(connection.all("SELECT x FROM t")).toEqual([{ x: 1 }]);
    connection.close();
  });

  it("commits again after its statements met a lock, which leaves them in progress inside the driver", () => {
    const path = folder.file();
    const holder = new Connection(path);
    holder.exec("CREATE TABLE t (x)");
    const connection = new Connection(path);
    expect(connection.all("SELECT x FROM t")).toEqual([]);
    // Outside WAL an exclusive lock keeps readers out too.
    holder.exec("BEGIN EXCLUSIVE");
    const locked = expect.objectContaining({ code: "SQLITE_BUSY" });
    expect(() => connection.run("INSERT INTO t VALUES (?)", 0)).toThrow(locked);
    expect(() => connection.all("SELECT x FROM t")).toThrow(locked);
    expect(() => connection.transaction(() => 0)).toThrow(locked);
    holder.exec("COMMIT");
    connection.transaction(() => connection.run("INSERT INTO t (x) VALUES (?)", 1));
    expect(holder.all("SELECT x FROM t")).toEqual([{ x: 1 }]);
    connection.close();
    holder.close();
  });

  it("takes the write lock when a transaction starts, so that what it reads first still holds when it writes", () => {
    const path = folder.file();
    const holder = new Connection(path);
    holder.exec("CREATE TABLE t (x)");
    holder.exec("BEGIN IMMEDIATE");
    const connection = new Connection(path);
    const reading = () => connection.transaction(() => connection.all("SELECT x FROM t"));
    expect(reading).toThrow(expect.objectContaining({ code: "SQLITE_BUSY" }));
    holder.exec("COMMIT");
    expect(reading()).toEqual([]);
    connection.close();
    holder.close();
  });

  it("syncs every commit and waits a moment, not longer, for a lock", () => {
    const connection = new Connection(folder.file());
    expect(connection.get("PRAGMA synchronous")).toMatchObject({ synchronous: 2 });
    expect(connection.get("PRAGMA busy_timeout")).toMatchObject({ timeout: 100 });
    connection.close();
  });
});
