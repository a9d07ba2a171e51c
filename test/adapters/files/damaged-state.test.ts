import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { buildSync } from "esbuild";
import { describe, expect, it } from "vitest";
import { codeOf } from "../../support/errors.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";
import { bytes, noteText, openTestStore, textOf } from "../../support/store.ts";

const BY = { actor: "user", reason: "test" };
const TEXTS = ["one", "two", "three"].map((body) => noteText("a", "About a", body));
const [FIRST = "", SECOND = "", THIRD = ""] = TEXTS;

/** Three transactions on one note. */
function prepare(git: boolean, parent?: string): string {
  const root = scratch(parent);
  const store = openTestStore(root, { git });
  store.commit([{ kind: "create", file: "a.md", content: FIRST }], BY);
  store.commit([{ kind: "write", file: "a.md", base: bytes(FIRST), content: SECOND }], BY);
  store.commit([{ kind: "write", file: "a.md", base: bytes(SECOND), content: THIRD }], BY);
  store.close();
  return root;
}

describe("an index that was lost", () => {
  it.each([true, false])("takes a note that was renamed meanwhile for the same note (git: %s)", (git) => {
    const root = prepare(git);
    const lineageOf = (file: string): string | undefined => {
      const store = openTestStore(root, { git });
      store.reconcile("full");
      const lineage = store.lives().present.get(file)?.lineage;
      store.close();
      return lineage;
    };
    const lineage = lineageOf("a.md");
    expect(lineage).toMatch(/^[0-9a-f]{24}$/u);
    fs.renameSync(`${root}/notes/a.md`, `${root}/notes/b.md`);
    for (const end of ["", "-wal", "-shm"]) fs.rmSync(`${root}/state/index.db${end}`, { force: true });
    expect(lineageOf("b.md")).toBe(lineage);
    const store = openTestStore(root, { git });
    expect(store.lives().present.has("a.md")).toBe(false);
    expect(store.history().versions("b.md").length).toBeGreaterThan(0);
    store.close();
  });
});

describe("a journal", () => {
  it("cut at any byte opens, keeps the transactions before the cut, and the notes stay", () => {
    const root = prepare(false, memoryDirectory());
    const whole = fs.readFileSync(`${root}/state/journal.jsonl`);
    for (let length = 0; length <= whole.length; length += 7) {
      fs.writeFileSync(`${root}/state/journal.jsonl`, whole.subarray(0, length));
      const store = openTestStore(root, { git: false });
      store.reconcile("full");
      const complete = whole
        .subarray(0, length)
        .toString("utf8")
        .split("\n")
        .filter((line) => line.endsWith("}")).length;
      expect(
        store
          .history()
          .versions()
          .filter(({ actor }) => actor === "user").length,
        `cut at ${length}`,
      ).toBeGreaterThanOrEqual(complete);
      expect(textOf(store.read("a.md"))).toBe(THIRD);
      store.close();
    }
  }, 60_000);

  it.each([
    ["missing", undefined],
    ["empty", ""],
    ["garbage", "\0\xff nonsense"],
    ["of another journal", "999 999999"],
  ])("whose mark is %s goes on counting, and leaves notes that others changed alone", (_, mark) => {
    const root = prepare(true);
    const markPath = `${root}/state/journal.mark`;
    fs.writeFileSync(`${root}/notes/a.md`, FIRST); // taken back by hand
    const store = openTestStore(root);
    store.reconcile("full");
    store.close();
    if (mark === undefined) fs.rmSync(markPath);
    else fs.writeFileSync(markPath, mark, "latin1");
    const again = openTestStore(root);
    again.commit([{ kind: "create", file: "b.md", content: FIRST }], BY);
    expect(textOf(again.read("a.md"))).toBe(FIRST);
    again.history();
    fs.rmSync(markPath);
    again.commit([{ kind: "create", file: "c.md", content: FIRST }], BY);
    expect(
      again
        .history()
        .versions()
        .map(({ files }) => files[0]?.file),
    ).toEqual(["c.md", "b.md", "a.md", "a.md", "a.md", "a.md"]);
    again.close();
  });
});

describe("a history", () => {
  it.each([
    ["missing", (git: string) => fs.rmSync(git, { recursive: true }), true],
    ["without its branch", (git: string) => fs.writeFileSync(`${git}/refs/heads/main`, "garbage\n"), false],
    ["without its objects", (git: string) => fs.rmSync(`${git}/objects`, { recursive: true }), false],
  ])("that is %s stops no commit; what is wrong is said", (_, damage, isReadable) => {
    const root = prepare(true);
    const first = openTestStore(root);
    first.history();
    first.close();
    damage(`${root}/state/history.git`);
    const store = openTestStore(root);
    expect(store.commit([{ kind: "create", file: "b.md", content: FIRST }], BY)).toMatchObject({ ok: true });
    expect(codeOf(() => store.history().versions())).toBe(isReadable ? undefined : "io");
    expect(store.verify().length > 0).toBe(!isReadable);
    expect(store.commit([{ kind: "create", file: "c.md", content: FIRST }], BY)).toMatchObject({ ok: true });
    expect(textOf(store.read("a.md"))).toBe(THIRD);
    store.close();
  });

  it("keeps what any reason or actor says, whatever characters are in it", () => {
    const root = scratch();
    const store = openTestStore(root);
    store.commit([{ kind: "create", file: "a.md", content: FIRST }], {
      actor: "x\x1e<y>\n",
      reason: "Memdir-Seq: 77 \x1e\x1f\0 odd",
    });
    store.commit([{ kind: "create", file: "b.md", content: FIRST }], BY);
    expect(
      store
        .history()
        .versions()
        .map(({ seq }) => seq),
    ).toEqual([2, 1]);
    store.close();
  });
});

describe("a lock", () => {
  // Node 20 cannot run TypeScript itself; the bundler that the build uses makes a script of it.
  const bundled = (root: string): string => {
    const contents = `import { createSqliteLock } from "./src/adapters/sqlite/lock.ts";
createSqliteLock(${JSON.stringify(`${root}/state/lock.db`)}).run(1000, () => { process.stdout.write("held"); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20000); });`;
    const outfile = `${root}/holder.cjs`;
    // libsql is found from where the script lies.
    fs.symlinkSync(path.resolve("node_modules"), `${root}/node_modules`);
    buildSync({
      stdin: { contents, resolveDir: path.resolve(".") },
      bundle: true,
      platform: "node",
      format: "cjs",
      external: ["libsql"],
      outfile,
      logLevel: "error",
      // As scripts/build.mjs does it.
      define: { "import.meta.url": "bundleUrl" },
      banner: { js: 'const bundleUrl=require("node:url").pathToFileURL(__filename).href;' },
    });
    return outfile;
  };
  const hold = async (root: string): Promise<ReturnType<typeof spawn>> => {
    const child = spawn(process.execPath, [bundled(root)], { stdio: ["ignore", "pipe", "inherit"] });
    await new Promise((held) => child.stdout?.once("data", held));
    return child;
  };

  it("held by a stopped process gives a clear error in time; left by a dead one it is free", async () => {
    const root = prepare(false);
    const child = await hold(root);
    try {
      child.kill("SIGSTOP");
      const store = openTestStore(root, { git: false, lockTimeoutMs: 300 });
      const started = Date.now();
      expect(() => store.commit([{ kind: "create", file: "b.md", content: FIRST }], BY)).toThrow(
        expect.objectContaining({ code: "locked" }),
      );
      expect(Date.now() - started).toBeLessThan(2_000);
      fs.writeFileSync(`${root}/notes/b.md`, FIRST);
      expect(store.reconcile("quick").added).toEqual(["b.md"]);
      child.kill("SIGKILL");
      await new Promise((gone) => child.once("exit", gone));
      expect(store.commit([{ kind: "create", file: "c.md", content: FIRST }], BY)).toMatchObject({ ok: true });
      store.close();
    } finally {
      child.kill("SIGKILL");
    }
  });
});
