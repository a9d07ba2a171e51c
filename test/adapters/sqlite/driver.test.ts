import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { inTransaction, openDatabase, type SqlDatabase, sqliteFailure } from "../../../src/adapters/sqlite/driver.ts";
import { isNetworkPath } from "../../../src/adapters/sqlite/database-file.ts";
import { scratch } from "../../support/scratch.ts";
import { ENGINES, missing, unprivileged } from "./engines.ts";

for (const engine of ENGINES) {
  const unavailable = missing(engine);
  const reason = unavailable === undefined ? "" : ` (skipped: ${unavailable})`;
  describe.skipIf(unavailable !== undefined)(`the driver on ${engine}${reason}`, () => {
    const open = (file: string, busyTimeoutMs = 0): SqlDatabase =>
      openDatabase(file, { engine, busyTimeoutMs, journal: "wal" });
    const failureOf = (work: () => unknown): string => {
      try {
        work();
      } catch (error) {
        return sqliteFailure(error);
      }
      return "none";
    };

    it("stores and reads text, numbers and nothing", () => {
      const database = open(":memory:");
      database.exec("CREATE TABLE t (a, b, c)");
      const insert = database.prepare("INSERT INTO t VALUES (?, ?, ?)");
      insert.run(["é 🚀 'end'", 1.5, null]);
      insert.run(["", 2 ** 53 - 1, "x"]);
      expect(database.prepare("SELECT * FROM t").all([])).toEqual([
        { a: "é 🚀 'end'", b: 1.5, c: null },
        { a: "", b: 2 ** 53 - 1, c: "x" },
      ]);
      expect(database.prepare("SELECT a FROM t WHERE b = ?").get([1.5])).toEqual({ a: "é 🚀 'end'" });
      expect(database.prepare("SELECT a FROM t WHERE b = ?").get([0])).toBeUndefined();
      database.close();
    });

    describe("that is closed", () => {
      const FDS = "/proc/self/fd";
      const filesOpen = (root: string): number =>
        fs.readdirSync(FDS).filter((fd) => {
          const link = `${FDS}/${fd}`;
          return fs.existsSync(link) && fs.readlinkSync(link).startsWith(root);
        }).length;
      const read = (database: SqlDatabase): unknown[] =>
        database
          .prepare("SELECT a FROM t ORDER BY a")
          .all([])
          .map(({ a }) => a);
      const filled = (file: string): void => {
        const database = open(file);
        database.exec("CREATE TABLE IF NOT EXISTS t (a)");
        database.prepare("INSERT INTO t VALUES (?)").run(["kept"]);
        database.close();
      };

      it.skipIf(!fs.existsSync(FDS))("holds no more files the more often it was opened", () => {
        const root = scratch();
        filled(path.join(root, "a.sqlite"));
        const first = filesOpen(root);
        for (let time = 0; time < 50; time++) filled(path.join(root, "a.sqlite"));
        expect(filesOpen(root)).toBeLessThanOrEqual(first);
      });

      it("refuses work, and its statements do", () => {
        const file = path.join(scratch(), "a.sqlite");
        filled(file);
        const database = open(file);
        const statement = database.prepare("SELECT a FROM t");
        database.close();
        database.close();
        const next = open(file);
        for (const work of [() => statement.all([]), () => database.exec("DELETE FROM t"), () => read(database)])
          expect(work).toThrow(/closed|not open/u);
        expect(read(next)).toEqual(["kept"]);
        next.close();
      });

      it("gives up what was not committed, and what it asked for", () => {
        const file = path.join(scratch(), "a.sqlite");
        filled(file);
        const database = open(file, 500);
        database.exec("BEGIN IMMEDIATE");
        database.prepare("DELETE FROM t").run([]);
        database.close();
        const [next, other] = [open(file), open(file)];
        expect([read(next), read(other)]).toEqual([["kept"], ["kept"]]);
        expect(next.prepare("PRAGMA busy_timeout").get([])).toEqual({ timeout: 0 });
        next.exec("BEGIN IMMEDIATE");
        expect(failureOf(() => other.exec("BEGIN IMMEDIATE"))).toBe("busy");
        next.exec("ROLLBACK");
        next.close();
        other.close();
      });

      it("leaves the file to whoever replaced or removed it", () => {
        const root = scratch();
        const [file, other] = [path.join(root, "a.sqlite"), path.join(root, "b.sqlite")];
        filled(file);
        filled(other);
        const change = open(other);
        change.prepare("UPDATE t SET a = 'other'").run([]);
        change.exec("PRAGMA wal_checkpoint(TRUNCATE)");
        change.close();
        for (const suffix of ["", "-wal", "-shm"]) fs.rmSync(file + suffix, { force: true });
        fs.copyFileSync(other, file);
        const replaced = open(file);
        expect(read(replaced)).toEqual(["other"]);
        replaced.close();
        for (const suffix of ["", "-wal", "-shm"]) fs.rmSync(file + suffix, { force: true });
        const empty = open(file);
        expect(failureOf(() => read(empty))).not.toBe("none");
        empty.close();
      });

      it("is not open to whoever may only read it by then", () => {
        const file = path.join(scratch(), "a.sqlite");
        filled(file);
        fs.chmodSync(path.dirname(file), 0o755);
        for (const suffix of ["", "-wal", "-shm"]) if (fs.existsSync(file + suffix)) fs.chmodSync(file + suffix, 0o444);
        unprivileged(() => {
          expect(
            failureOf(() => {
              const database = open(file);
              try {
                database.prepare("DELETE FROM t").run([]);
              } finally {
                database.close();
              }
            }),
          ).toBe("read-only");
        });
      });
    });

    it("writes ahead on a local disk and waits for others from the first statement on", () => {
      const database = open(path.join(scratch(), "a.sqlite"), 321);
      expect(database.prepare("PRAGMA journal_mode").get([])).toEqual({ journal_mode: "wal" });
      expect(Object.values(database.prepare("PRAGMA busy_timeout").get([]) ?? {})).toEqual([321]);
      expect(database.warning).toBeUndefined();
      database.close();
    });

    it("has full-text search", () => {
      const database = open(":memory:");
      database.exec("CREATE VIRTUAL TABLE f USING fts5(x); INSERT INTO f VALUES ('one two'), ('two three')");
      expect(database.prepare("SELECT count(*) AS n FROM f WHERE f MATCH ?").get(["two"])).toEqual({ n: 2 });
      database.close();
    });

    it("tells failures apart", () => {
      const directory = scratch();
      const file = path.join(directory, "a.sqlite");
      const one = open(file);
      const two = open(file);
      one.exec("CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1); BEGIN IMMEDIATE");
      expect(failureOf(() => two.exec("BEGIN IMMEDIATE"))).toBe("busy");
      one.exec("ROLLBACK");
      expect(failureOf(() => one.exec("INSERT INTO t VALUES (1)"))).toBe("other");
      expect(failureOf(() => open(path.join(directory, "none", "a.sqlite")))).toBe("cannot-open");
      fs.writeFileSync(path.join(directory, "b.sqlite"), "not a database at all ".repeat(100));
      expect(failureOf(() => open(path.join(directory, "b.sqlite")))).toBe("corrupt");
      expect(
        failureOf(() => {
          throw new TypeError("somebody else's");
        }),
      ).toBe("not-sqlite");
      one.close();
      two.close();
    });

    it("may be closed twice, and answers no more", () => {
      const database = open(":memory:");
      database.close();
      expect(failureOf(() => database.close())).toBe("none");
      expect(() => database.prepare("SELECT 1").all([])).toThrow(/not open|closed/u);
    });

    it("undoes a transaction that fails and passes the failure on", () => {
      const database = open(":memory:");
      database.exec("CREATE TABLE t (a)");
      const attempt = (): unknown =>
        inTransaction(database, () => {
          database.exec("INSERT INTO t VALUES (1)");
          throw new RangeError("stop");
        });
      expect(attempt).toThrow(RangeError);
      expect(inTransaction(database, () => database.prepare("SELECT count(*) AS n FROM t").get([]))).toEqual({ n: 0 });
      database.close();
    });
  });
}

describe("the driver without the engine asked for", () => {
  const absent = ENGINES.find((engine) => missing(engine) !== undefined);

  it.skipIf(absent === undefined)("says what to install (skipped where both engines are there)", () => {
    const open = (): unknown =>
      openDatabase(":memory:", { busyTimeoutMs: 0, journal: "wal", ...(absent && { engine: absent }) });
    expect(open).toThrow(
      expect.objectContaining({ code: "unavailable", message: expect.stringContaining("npm install libsql") }),
    );
  });
});

describe("a path on a network file system", () => {
  it.each([
    ["NFS", 0x6969, true],
    ["SMB", 0x517b, true],
    ["CIFS", 0xff534d42, true],
    ["CIFS with the sign bit", 0xff534d42 | 0, true],
    ["sshfs", 0x65735546, true],
    ["a Windows drive in WSL 2", 0x01021997, true],
    ["ext4", 0xef53, false],
    ["tmpfs", 0x01021994, false],
    ["APFS", 0x1a, false],
  ])("is told by the type of %s", (_name, type, network) => {
    expect(isNetworkPath("/stores/a/index.sqlite", () => type)).toBe(network);
  });

  it("is told by a UNC name, and is not assumed when nothing is known", () => {
    expect(isNetworkPath(String.raw`\\server\share\index.sqlite`, () => 0)).toBe(true);
    expect(isNetworkPath(String.raw`\\?\C:\stores\index.sqlite`, () => 0)).toBe(false);
    expect(
      isNetworkPath("/none/index.sqlite", () => {
        throw new Error("ENOENT");
      }),
    ).toBe(false);
  });
});
