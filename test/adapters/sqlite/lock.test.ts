import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createSqliteLock, holdSqliteLock } from "../../../src/adapters/sqlite/lock.ts";
import { scratch } from "../../support/scratch.ts";
import { unprivileged } from "./engines.ts";

/** Another process at the lock: `hold FILE`, `count FILE COUNTER TIMES`, or `try FILE`, which fails where it is taken. */
const CHILD = `
import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { createSqliteLock } from "./src/adapters/sqlite/lock.ts";

const [mode, file = "", counter = "", times = "0"] = process.argv.slice(2);
const lock = createSqliteLock(file);
if (mode === "try") lock.run(0, () => undefined);
if (mode === "hold") {
  lock.run(5000, () => {
    writeSync(1, "held\\n");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
}
for (let turn = 0; turn < Number(times); turn++) {
  lock.run(20_000, () => writeFileSync(counter, String(Number(readFileSync(counter, "utf8")) + 1)));
}
lock.close();
`;

const root = fileURLToPath(new URL("../../..", import.meta.url));
const children: ChildProcess[] = [];
let program = "";

// One CommonJS file, as the hook is: this also shows that the driver finds its engine from inside a bundle.
beforeAll(() => {
  const directory = fs.mkdtempSync(path.join(root, "node_modules", ".lock-child-"));
  program = path.join(directory, "lock-child.cjs");
  buildSync({
    stdin: { contents: CHILD, resolveDir: root, loader: "ts" },
    outfile: program,
    bundle: true,
    platform: "node",
    format: "cjs",
    external: ["libsql"],
    // As scripts/build.mjs does it.
    define: { "import.meta.url": "bundleUrl" },
    banner: { js: 'const bundleUrl=require("node:url").pathToFileURL(__filename).href;' },
  });
});
afterAll(() => fs.rmSync(path.dirname(program), { recursive: true, force: true }));
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

function start(...parameters: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [program, ...parameters], {
    stdio: ["ignore", "pipe", parameters[0] === "try" ? "ignore" : "inherit"],
  });
  children.push(child);
  return child;
}

async function holder(file: string): Promise<ChildProcess> {
  const child = start("hold", file);
  if (child.stdout !== null) await once(child.stdout, "data");
  return child;
}

const lockFile = (): string => path.join(scratch(), "store.lock");

describe("the store's lock", () => {
  it("runs the work, gives its value back, passes its error on, and is free afterwards", () => {
    const lock = createSqliteLock(lockFile());
    expect(lock.run(100, () => 7)).toBe(7);
    expect(() =>
      lock.run(100, () => {
        throw new RangeError("mine");
      }),
    ).toThrow(RangeError);
    expect(lock.run(100, () => "again")).toBe("again");
    lock.close();
  });

  it("touches no file before it is first used, and leaves the file empty", () => {
    const file = lockFile();
    const lock = createSqliteLock(file);
    expect(fs.existsSync(file)).toBe(false);
    lock.run(100, () => undefined);
    expect(fs.statSync(file).size).toBe(0);
    lock.close();
  });

  it("refuses at once to be taken again from inside, by whatever name", () => {
    const file = lockFile();
    const alias = `${file}.alias`;
    const lock = createSqliteLock(file);
    const refusal = expect.objectContaining({ code: "locked", message: expect.stringContaining("already holds") });
    const started = Date.now();
    lock.run(100, () => {
      fs.symlinkSync(file, alias);
      expect(() => lock.run(10_000, () => 1)).toThrow(refusal);
      expect(() => createSqliteLock(file).run(10_000, () => 1)).toThrow(refusal);
      expect(() => createSqliteLock(alias).run(10_000, () => 1)).toThrow(refusal);
    });
    expect(Date.now() - started).toBeLessThan(5000);
    lock.close();
  });

  it("held for longer by one process is given neither to it again nor to another before it is released", async () => {
    const file = lockFile();
    const first = holdSqliteLock(file, 100);
    expect(first).toBeDefined();
    expect(holdSqliteLock(file, 100)).toBeUndefined();
    expect(() => createSqliteLock(file).run(100, () => 1)).toThrow(
      expect.objectContaining({ code: "locked", message: expect.stringContaining("already holds") }),
    );
    const other = async (): Promise<unknown> => (await once(start("try", file), "exit"))[0];
    expect(await other()).toBe(1);
    first?.release();
    expect(await other()).toBe(0);
    const second = holdSqliteLock(file, 100);
    expect(second).toBeDefined();
    second?.release();
    expect(createSqliteLock(file).run(100, () => "free")).toBe("free");
  });

  it("refuses work that would go on after the lock is free", () => {
    const lock = createSqliteLock(lockFile());
    expect(() => lock.run(100, () => Promise.resolve(1))).toThrow(expect.objectContaining({ code: "invalid-input" }));
    lock.close();
  });

  it("lets one process at a time do its work", async () => {
    const file = lockFile();
    const counter = `${file}.count`;
    fs.writeFileSync(counter, "0");
    const workers = Array.from({ length: 4 }, () => start("count", file, counter, "100"));
    const codes = await Promise.all(workers.map(async (worker) => (await once(worker, "exit"))[0]));
    expect([codes, fs.readFileSync(counter, "utf8")]).toEqual([[0, 0, 0, 0], "400"]);
  });

  it("is free at once when its holder is killed", async () => {
    const file = lockFile();
    const child = await holder(file);
    const lock = createSqliteLock(file);
    expect(() => lock.run(150, () => 1)).toThrow(expect.objectContaining({ code: "locked" }));
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(lock.run(0, () => "free")).toBe("free");
    lock.close();
  });

  it("stays with a holder that is only stopped, and says what to look for", async () => {
    const file = lockFile();
    const child = await holder(file);
    child.kill("SIGSTOP");
    const lock = createSqliteLock(file);
    const started = Date.now();
    expect(() => lock.run(300, () => 1)).toThrow(
      expect.objectContaining({ code: "locked", message: expect.stringMatching(/300 ms.*stopped or hangs/u) }),
    );
    expect(Date.now() - started).toBeGreaterThanOrEqual(250);
    child.kill("SIGCONT");
    expect(() => lock.run(100, () => 1)).toThrow(expect.objectContaining({ code: "locked" }));
    lock.close();
  });

  it("works on a file with garbage in it, which it throws away", async () => {
    const file = lockFile();
    fs.writeFileSync(file, "garbage ".repeat(1000));
    const lock = createSqliteLock(file);
    expect(lock.run(100, () => "works")).toBe("works");
    const child = await holder(file);
    expect(() => lock.run(100, () => 1)).toThrow(expect.objectContaining({ code: "locked" }));
    child.kill("SIGKILL");
    lock.close();
  });

  it("meets the others at the new file when the old one was deleted while it was open", async () => {
    const file = lockFile();
    const lock = createSqliteLock(file);
    lock.run(100, () => undefined);
    fs.rmSync(file);
    await holder(file);
    expect(() => lock.run(200, () => 1)).toThrow(expect.objectContaining({ code: "locked" }));
    lock.close();
  });

  it("says that it lacks the permission in a read-only directory", () => {
    const directory = scratch();
    fs.chmodSync(directory, 0o755);
    const closed = path.join(directory, "closed");
    fs.mkdirSync(closed, { mode: 0o555 });
    const lock = createSqliteLock(path.join(closed, "store.lock"));
    expect(() => unprivileged(() => lock.run(100, () => 1))).toThrow(expect.objectContaining({ code: "permission" }));
  });

  it("says that it lacks the permission on a read-only file", () => {
    const directory = scratch();
    fs.chmodSync(directory, 0o755);
    const file = path.join(directory, "store.lock");
    fs.writeFileSync(file, "", { mode: 0o444 });
    const lock = createSqliteLock(file);
    expect(() => unprivileged(() => lock.run(100, () => 1))).toThrow(expect.objectContaining({ code: "permission" }));
  });

  it("says so when its directory does not exist", () => {
    expect(() => createSqliteLock(path.join(scratch(), "none", "store.lock")).run(100, () => 1)).toThrow(
      expect.objectContaining({ code: "io" }),
    );
  });

  it("says so when its directory is a file", () => {
    const file = lockFile();
    fs.writeFileSync(file, "");
    expect(() => createSqliteLock(path.join(file, "store.lock")).run(100, () => 1)).toThrow(
      expect.objectContaining({ code: "io", message: expect.stringContaining("does not exist") }),
    );
  });

  it.each([
    ["a directory", (file: string) => fs.mkdirSync(file)],
    ["a pipe", (file: string) => execFileSync("sh", ["-c", 'mkfifo "$0"', file])],
  ])("says what to do where %s is in its place, and works once that is moved away", (_, put) => {
    const file = lockFile();
    put(file);
    const lock = createSqliteLock(file);
    const refusal = expect.objectContaining({
      code: "io",
      message: expect.stringMatching(/lock .*move away .*again/u),
    });
    expect(() => lock.run(100, () => 1)).toThrow(refusal);
    expect(() => holdSqliteLock(file, 100)).toThrow(refusal);
    fs.renameSync(file, `${file}.away`);
    expect(lock.run(100, () => "works")).toBe("works");
    lock.close();
  });

  it("held for longer, says what is wrong where its directory does not exist", () => {
    expect(() => holdSqliteLock(path.join(scratch(), "none", "store.lock"), 100)).toThrow(
      expect.objectContaining({ code: "io", message: expect.stringContaining("does not exist") }),
    );
  });
});
