import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../src/adapters/sqlite/driver.ts";
import { nodeFiles } from "../../src/adapters/files/node-files.ts";
import { MemoryError, type MemoryErrorCode } from "../../src/core/shared/errors.ts";
import { cli, emptyHome, homeOf } from "../support/cli.ts";
import { whereIs } from "../support/every-byte.ts";
import { countSteps, faultFiles, withSteps } from "../support/fault-files.ts";
import { openFileArchive } from "../support/file-archive.ts";
import { memoryDirectory, scratch } from "../support/scratch.ts";
import { noteText, openTestStore } from "../support/store.ts";
import { BY, prepareStore } from "../support/store-operations.ts";

const SECRET = "unmistakable-phrase";
const LINEAGE = "0123456789abcdef01234567";
const CODES: readonly MemoryErrorCode[] = ["disk-full", "io", "permission"];

function prepared(): string {
  const root = scratch(memoryDirectory());
  const store = openTestStore(root, { archive: (state) => openFileArchive(`${state}/history.json`) });
  prepareStore(store, nodeFiles);
  store.history();
  store.close();
  return root;
}

function copyOf(root: string): string {
  const copy = `${scratch(memoryDirectory())}/copy`;
  fs.cpSync(root, copy, { recursive: true, preserveTimestamps: true });
  return copy;
}

/** Forgets with a fault at one step; what was thrown, and whether the step was reached. */
function forgetBroken(
  copy: string,
  at: number,
  code: MemoryErrorCode,
  lasting: boolean,
): { thrown: unknown; hit: boolean } {
  const steps = countSteps({ kind: "fail", at, code, lasting });
  const store = openTestStore(copy, {
    files: faultFiles(nodeFiles, steps),
    archive: (state) => openFileArchive(`${state}/history.json`),
    wrapIndex: (index) => withSteps(index, ["apply", "clear", "setState", "setUses"], steps),
    wrapArchive: (archive) => withSteps(archive, ["append", "rewrite"], steps),
  });
  try {
    store.forget("private.md");
    return { thrown: undefined, hit: steps.hit };
  } catch (thrown) {
    return { thrown, hit: steps.hit };
  } finally {
    store.close();
  }
}

/** An order that a full disk tore was never begun. */
function isWholeOrder(file: string): boolean {
  return fs.existsSync(file) && fs.readFileSync(file, "utf8").endsWith("}");
}

describe("a forget that meets a fault", () => {
  it.each([
    ["once", false],
    ["from then on", true],
  ] as const)(
    "%s at any step never says that it is done while a byte is left, and the next write does it",
    (_, lasting) => {
      const root = prepared();
      let isHit = true;
      for (let at = 1; isHit; at += lasting ? 3 : 1) {
        const copy = copyOf(root);
        const { thrown, hit } = forgetBroken(copy, at, CODES[at % CODES.length] ?? "io", lasting);
        isHit = hit;
        expect(thrown === undefined || thrown instanceof MemoryError).toBe(true);
        const leftAtOnce = whereIs(SECRET, copy);
        const isBegun = isWholeOrder(`${copy}/state/forget-pending.json`);
        const again = openTestStore(copy, { archive: (state) => openFileArchive(`${state}/history.json`) });
        again.commit([{ kind: "create", file: "next.md", content: noteText("next", "Next", "text") }], BY);
        const leftLater = whereIs(SECRET, copy);
        expect({ at, left: thrown === undefined ? leftAtOnce : [] }).toEqual({ at, left: [] });
        expect({ at, left: isBegun || thrown === undefined ? leftLater : [] }).toEqual({ at, left: [] });
        again.close();
        fs.rmSync(copy, { recursive: true, force: true });
      }
    },
  );

  it("says what still holds the note while another process reads the index, and the next command finishes it", async () => {
    const root = scratch();
    const project = `${root}/all/project`;
    fs.mkdirSync(project, { recursive: true });
    const options = { cwd: project, environment: emptyHome(`${root}/all`) };
    await cli(["remember", `The ${SECRET} hangs in the hall.`, "--name", "hall"], options);
    const stores = `${homeOf(`${root}/all`)}/.memdir/stores`;
    const state = `${stores}/${fs.readdirSync(stores).find((name) => name.includes("projects")) ?? ""}`;
    const reader = openDatabase(`${state}/index.db`, { busyTimeoutMs: 0, journal: "wal" });
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) AS n FROM note").get([]);
    const { code, out, err } = await cli(["forget", "hall", "--yes"], options);
    expect([code, out]).toEqual([6, ""]);
    expect(err).toContain("not forgotten yet");
    expect(err).toContain("the index");
    expect(whereIs(SECRET, `${root}/all`).length).toBeGreaterThan(0);
    expect((await cli(["list"], options)).out).not.toContain("hall");
    reader.exec("COMMIT");
    reader.close();
    expect((await cli(["list"], options)).code).toBe(0);
    expect(whereIs(SECRET, `${root}/all`)).toEqual([]);
    expect(fs.readdirSync(`${homeOf(`${root}/all`)}/.memdir/forgets`)).toEqual([]);
  });

  it("does not say that it is done while git, which keeps the history, is missing", () => {
    const root = scratch();
    const store = openTestStore(root);
    const content = noteText("a", "About a", SECRET);
    store.commit([{ kind: "create", file: "a.md", content, lineage: LINEAGE }], BY);
    store.history();
    store.close();
    const without = openTestStore(root, { git: false });
    expect(() => without.forget("a.md")).toThrow(/not forgotten.*git/su);
    expect(() => without.forgetLineages(new Set([LINEAGE]))).toThrow(/not forgotten.*git/su);
    without.close();
    expect(whereIs(SECRET, root)).not.toEqual([]);
    const again = openTestStore(root);
    expect(again.forget("a.md")).toMatchObject({ purged: { versions: 1 } });
    again.close();
    expect(whereIs(SECRET, root)).toEqual([]);
  });

  it("keeps what it began until git, which keeps the history, is there again", () => {
    const root = scratch(memoryDirectory());
    const store = openTestStore(root);
    const content = noteText("a", "About a", SECRET);
    store.commit([{ kind: "create", file: "a.md", content, lineage: LINEAGE }], BY);
    store.history();
    store.close();
    fs.writeFileSync(`${root}/state/forget-pending.json`, JSON.stringify({ lineages: [LINEAGE], names: ["a.md"] }));
    const without = openTestStore(root, { git: false });
    without.reconcile("quick");
    without.close();
    expect(fs.existsSync(`${root}/state/forget-pending.json`)).toBe(true);
    const again = openTestStore(root);
    again.reconcile("quick");
    again.close();
    expect(whereIs(SECRET, root)).toEqual([]);
    expect(fs.existsSync(`${root}/state/forget-pending.json`)).toBe(false);
  });
});
