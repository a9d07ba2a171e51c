import { describe, expect, it } from "vitest";
import { openStore } from "../../src/adapters/files/store.ts";
import { createSqliteLock } from "../../src/adapters/sqlite/lock.ts";
import { openNoteIndex } from "../../src/adapters/sqlite/note-index.ts";
import { yamlFrontmatter } from "../../src/adapters/yaml/frontmatter.ts";
import type { FilePort } from "../../src/core/notes/file-port.ts";
import type { NoteStore } from "../../src/core/notes/store.ts";
import { countSteps, faultFiles, ProcessKilled } from "../support/fault-files.ts";
import { createPowerDisk, type PowerDisk } from "../support/power-disk.ts";
import { memoryDirectory, scratch } from "../support/scratch.ts";
import { noteText } from "../support/store.ts";
import { BY, HAND_LINE, OPERATIONS, prepareStore, type StoreOperation } from "../support/store-operations.ts";

const DIRECTORY = "/store/notes";
const STATE = "/store/state";
let opened = 0;

/** The index starts empty: it is derived, and what a power loss does to SQLite is SQLite's to answer for. */
function open(files: FilePort, root: string): NoteStore {
  const name = `${root}/${opened++}`;
  return openStore({
    directory: DIRECTORY,
    state: STATE,
    files,
    lock: createSqliteLock(`${name}.lock`),
    index: openNoteIndex(`${name}.db`),
    archive: () => undefined,
    codec: yamlFrontmatter,
    clock: { now: () => Date.now() + 5_000 * opened, timeZone: "UTC" },
  });
}

function notesOn(disk: FilePort, directory = DIRECTORY): Map<string, string> {
  const out = new Map<string, string>();
  for (const { name, kind } of disk.list(directory) ?? []) {
    if (kind === "directory")
      for (const [file, text] of notesOn(disk, `${directory}/${name}`)) out.set(`${name}/${file}`, text);
    else if (name.endsWith(".md") && name !== "MEMORY.md")
      out.set(name, new TextDecoder().decode(disk.read(`${directory}/${name}`)));
  }
  return out;
}

function bytesOn(disk: FilePort, directory: string): string[] {
  return (disk.list(directory) ?? []).flatMap(({ name, kind }) =>
    kind === "directory"
      ? bytesOn(disk, `${directory}/${name}`)
      : [`${name}: ${new TextDecoder().decode(disk.read(`${directory}/${name}`))}`],
  );
}

/** All survives, nothing survives, and coin tosses from a small seeded generator. */
const SURVIVALS: readonly (readonly [string, () => () => boolean])[] = [
  ["everything written out", () => () => true],
  ["nothing written out that nobody asked for", () => () => false],
  ...[1, 2].map((seed) => [`a random part written out (${seed})`, () => tosses(seed)] as const),
];

function tosses(seed: number): () => boolean {
  let state = seed;
  return () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) > 2 ** 31;
}

function copyOf(disk: PowerDisk): PowerDisk {
  return disk.afterPowerLoss(() => true);
}

function losePower(
  operation: StoreOperation,
  root: string,
  prepared: PowerDisk,
  survives: () => () => boolean,
): number {
  const whole = copyOf(prepared);
  operation.outside?.(whole, DIRECTORY);
  const before = notesOn(whole);
  const store = open(whole, root);
  store.reconcile("full");
  operation.run(store);
  store.close();
  const after = notesOn(whole);
  const isBroken = (at: number): boolean => {
    const disk = copyOf(prepared);
    operation.outside?.(disk, DIRECTORY);
    const steps = countSteps({ kind: "kill", at });
    const broken = open(faultFiles(disk, steps), root);
    let isAcknowledged = false;
    try {
      broken.reconcile("full");
      operation.run(broken);
      isAcknowledged = true;
    } catch (error) {
      if (!(error instanceof ProcessKilled)) throw error;
    } finally {
      broken.close();
    }
    const survivor = disk.afterPowerLoss(survives());
    expectSound(survivor, root, before, after, isAcknowledged);
    const isForgotten = operation.forgotten !== undefined && notesOn(survivor).size === after.size + 1;
    const left = [...bytesOn(survivor, DIRECTORY), ...bytesOn(survivor, STATE)].filter((text) =>
      operation.forgotten?.some((word) => text.includes(word)),
    );
    expect(isForgotten ? left : []).toEqual([]);
    return steps.hit;
  };
  let at = 1;
  while (isBroken(at)) if (at++ > 300) throw new Error("the operation does not end");
  return at;
}

function expectSound(
  disk: PowerDisk,
  root: string,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  isAcknowledged: boolean,
): void {
  const store = open(disk, root);
  store.reconcile("full");
  expect(
    store.commit([{ kind: "create", file: "next.md", content: noteText("next", "The next one", "text") }], BY),
  ).toMatchObject({ ok: true });
  const now = notesOn(disk);
  now.delete("next.md");
  const wanted = isAcknowledged ? [Object.fromEntries(after)] : [Object.fromEntries(before), Object.fromEntries(after)];
  expect(wanted).toContainEqual(Object.fromEntries(now));
  expect(new TextDecoder().decode(disk.read(`${DIRECTORY}/MEMORY.md`)).split("\n")).toContain(HAND_LINE);
  store.close();
}

describe.each(SURVIVALS)("after a power loss with %s", (_, survives) => {
  it.each(OPERATIONS.filter(({ name }) => !["history", "use", "rebuild of the index"].includes(name)))(
    "a $name is as before or done",
    (operation) => {
      const root = scratch(memoryDirectory());
      const disk = createPowerDisk();
      disk.makeDirectory(DIRECTORY);
      disk.makeDirectory(STATE);
      const store = open(disk, root);
      prepareStore(store, disk);
      store.close();
      disk.syncDirectory(DIRECTORY);
      expect(losePower(operation, root, disk, survives)).toBeGreaterThan(1);
    },
  );
});
