// Holds the write lock of a database until its input ends. Usage: hold-lock.mjs <path>
import Database from "libsql";

const db = new Database(process.argv[2]);
db.exec("BEGIN IMMEDIATE");
db.exec("INSERT INTO meta VALUES ('-held/s', 1, 1)");
console.log("held");
for await (const _ of process.stdin);
db.exec("ROLLBACK");
