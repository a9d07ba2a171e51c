import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/adapters/files/node-files.ts";
import { entryTarget } from "../../src/core/notes/index-file.ts";
import type { NoteStore } from "../../src/core/notes/store.ts";
import type { Clock } from "../../src/core/shared/clock.ts";
import { MemoryError, type MemoryErrorCode } from "../../src/core/shared/errors.ts";
import { countSteps, type Fault, faultFiles, ProcessKilled, type Steps, withSteps } from "../support/fault-files.ts";
import { openFileArchive } from "../support/file-archive.ts";
import { filesBelow, memoryDirectory, scratch } from "../support/scratch.ts";
import { noteText, openTestStore, type StoreOptions } from "../support/store.ts";
import { BASE, BY, HAND_LINE, OPERATIONS, prepareStore, type StoreOperation } from "../support/store-operations.ts";

const CODES: readonly MemoryErrorCode[] = ["disk-full", "permission", "io"];
/** More than any operation needs; a run that never ends is a failure of its own. */
const MOST_STEPS = 400;
const INDEX_STEPS = ["apply", "clear", "setState", "setUses"] as const;
const ARCHIVE_STEPS = ["append", "rewrite"] as const;

/** A clock that goes on from the real time, so that files' ages mean something, and can be put on. */
function laterClock(aheadMs = 0): Clock & { putOn(ms: number): void } {
  let ahead = aheadMs;
  return { now: () => Date.now() + ahead, timeZone: "UTC", putOn: (ms) => void (ahead += ms) };
}

/** Where history is kept: in git, in a plain file that does the same faster, or in the journal alone. */
type Past = "git" | "file" | "none";

function open(copy: string, past: Past, aheadMs: number, options: StoreOptions = {}): NoteStore {
  const archive = past === "file" ? { archive: (state: string) => openFileArchive(`${state}/history.json`) } : {};
  return openTestStore(copy, { git: past === "git", clock: laterClock(aheadMs), ...archive, ...options });
}

function prepare(past: Past): string {
  const root = scratch(memoryDirectory());
  const store = open(root, past, 0);
  prepareStore(store, nodeFiles);
  store.close();
  return root;
}

/** Runs one operation on a copy; what it threw, if anything. */
function runBroken(copy: string, past: Past, operation: StoreOperation, steps: Steps): unknown {
  operation.outside?.(nodeFiles, `${copy}/notes`);
  const store = open(copy, past, 1_000, {
    files: faultFiles(nodeFiles, steps),
    wrapIndex: (index) => withSteps(index, INDEX_STEPS, steps),
    wrapArchive: (archive) => withSteps(archive, ARCHIVE_STEPS, steps),
  });
  try {
    operation.run(store);
    return undefined;
  } catch (error) {
    return error;
  } finally {
    store.close();
  }
}

type Notes = ReadonlyMap<string, string>;

function notesBelow(copy: string): Notes {
  const notes = [...filesBelow(`${copy}/notes`)].filter(([file]) => file.endsWith(".md") && file !== "MEMORY.md");
  return new Map(notes.map(([file, content]) => [file, content.toString("utf8")]));
}

/** What must hold after a fault, whatever it was. */
function expectSound(
  copy: string,
  past: Past,
  operation: StoreOperation,
  before: Notes,
  after: Notes,
  acknowledged: boolean,
  isTidiness: boolean,
): void {
  const clock = laterClock(2_000);
  const store = open(copy, past, 0, { clock });
  store.reconcile("full");
  expect(
    store.commit([{ kind: "create", file: "next.md", content: noteText("next", "The next one", "text") }], BY),
  ).toMatchObject({ ok: true });
  const now = new Map(notesBelow(copy));
  expect(now.delete("next.md")).toBe(true);
  const isNew = sameNotes(now, after);
  expect(isNew || (!acknowledged && sameNotes(now, before)) || { neither: Object.fromEntries(now) }).toBe(true);
  expectIndexFile(copy, [...now.keys(), "next.md"]);
  expectHistory(store, operation.forgotten !== undefined && isNew);
  const digest = store.index.digest();
  store.rebuildIndex();
  expect(store.index.digest()).toBe(digest);
  if (operation.forgotten !== undefined && isNew) expectNowhere(copy, operation.forgotten);
  if (isTidiness) expectTidy(copy, store, clock);
  store.close();
}

function sameNotes(one: Notes, other: Notes): boolean {
  return one.size === other.size && [...one].every(([file, content]) => other.get(file) === content);
}

function expectIndexFile(copy: string, files: readonly string[]): void {
  const lines = fs.readFileSync(`${copy}/notes/MEMORY.md`, "utf8").split("\n");
  expect(lines).toContain(HAND_LINE);
  const listed = new Set(lines.map(entryTarget).filter((file) => file !== undefined));
  expect([...files].filter((file) => !listed.has(file))).toEqual([]);
  expect([...listed].filter((file) => file !== "b.md" && !files.includes(file))).toEqual([]);
}

function expectHistory(store: NoteStore, isForgotten: boolean): void {
  const history = store.history();
  for (const [file, content] of Object.entries(BASE)) {
    const first = history.versions(file).at(-1);
    if (isForgotten && file === "private.md") expect(first).toBeUndefined();
    else expect(Buffer.from(history.contentAt(first?.seq ?? 0, file) ?? []).toString("utf8")).toBe(content);
  }
  expect(store.verify()).toEqual([]);
}

function expectNowhere(copy: string, words: readonly string[]): void {
  for (const [name, content] of filesBelow(copy))
    for (const word of words) expect(content.includes(word), `${word} in ${name}`).toBe(false);
}

/** Temporary files are gone once nobody can need them any more. */
function expectTidy(copy: string, store: NoteStore, clock: ReturnType<typeof laterClock>): void {
  clock.putOn(3_600_000);
  store.reconcile("full");
  store.rebuildIndexFile();
  clock.putOn(3_600_000);
  store.rebuildIndexFile();
  const strays = [...filesBelow(copy).keys()].filter((name) =>
    /\.memdir-|displaced\/|\.new\b|\.old\b|pending|corrupt/u.test(name),
  );
  expect(strays).toEqual([]);
}

/** Breaks an operation off at every step in turn (or every `stride`th) until it runs through; how many steps it has. */
function atEveryStep(operation: StoreOperation, past: Past, faultAt: (at: number) => Fault, stride = 1): number {
  const root = prepare(past);
  const copies = scratch(memoryDirectory());
  const copyOf = (name: string): string => {
    fs.cpSync(root, `${copies}/${name}`, { recursive: true, preserveTimestamps: true });
    return `${copies}/${name}`;
  };
  const whole = copyOf("whole");
  operation.outside?.(nodeFiles, `${whole}/notes`);
  const before = notesBelow(whole);
  const store = open(whole, past, 1_000);
  operation.run(store);
  store.close();
  const after = notesBelow(whole);
  for (let at = 1; at < MOST_STEPS; at += stride) {
    const steps = countSteps(faultAt(at));
    const copy = copyOf(String(at));
    const thrown = runBroken(copy, past, operation, steps);
    if (!(thrown instanceof MemoryError) && !(thrown instanceof ProcessKilled) && thrown !== undefined) throw thrown;
    try {
      expectSound(
        copy,
        past,
        operation,
        before,
        after,
        thrown === undefined,
        thrown instanceof ProcessKilled || at % 4 === 0,
      );
    } catch (error) {
      throw new Error(
        `${operation.name}, ${JSON.stringify(faultAt(at))}, broken off with ${String(thrown)}: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      );
    }
    fs.rmSync(copy, { recursive: true, force: true });
    if (!steps.hit) return steps.count;
  }
  throw new Error(`${operation.name} needs more than ${MOST_STEPS} steps`);
}

const usesHistory = (operation: StoreOperation): boolean => operation.name === "history" || operation.name === "forget";

describe("a process killed at any step", () => {
  it.each(OPERATIONS)("of a $name leaves the old or the new state", (operation) => {
    expect(atEveryStep(operation, "file", (at) => ({ kind: "kill", at }))).toBeGreaterThan(0);
  });

  it.each(OPERATIONS.filter(usesHistory))(
    "of a $name leaves the old or the new state where git is missing",
    (operation) => {
      expect(atEveryStep(operation, "none", (at) => ({ kind: "kill", at }))).toBeGreaterThan(0);
    },
  );

  it.each(OPERATIONS.filter(usesHistory))("of a $name leaves the old or the new state over git itself", (operation) => {
    expect(atEveryStep(operation, "git", (at) => ({ kind: "kill", at }), 9)).toBeGreaterThan(0);
  });
});

describe("a step that fails once", () => {
  it.each(OPERATIONS)("in a $name leaves the old or the new state", (operation) => {
    expect(
      atEveryStep(operation, "file", (at) => ({
        kind: "fail",
        at,
        code: CODES[at % CODES.length] ?? "io",
        lasting: false,
      })),
    ).toBeGreaterThan(0);
  });
});

describe("a disk that fails from some step on (every third)", () => {
  it.each(OPERATIONS)("in a $name leaves the old or the new state", (operation) => {
    expect(
      atEveryStep(
        operation,
        "file",
        (at) => ({ kind: "fail", at, code: CODES[(at + 1) % CODES.length] ?? "io", lasting: true }),
        3,
      ),
    ).toBeGreaterThan(0);
  });
});
