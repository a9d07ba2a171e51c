import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { diagnose } from "../../../src/app/care/doctor.ts";
import { importArchive } from "../../../src/app/transfer/import-archive.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openArchive } from "../../../src/app/transfer/read-archive.ts";
import { undoAnywhere } from "../../../src/app/transfer/undo.ts";
import { openWorkspace, type OpenWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { forget } from "../../../src/app/notes/revise.ts";
import { MemoryError } from "../../../src/core/shared/errors.ts";
import {
  commandIn,
  copyOf,
  EVERY_FIELD,
  exportedParts,
  HIDDEN,
  mutations,
  type Parts,
  seal,
  SECRET,
  writeParts,
} from "../../support/archive-parts.ts";
import { emptyHome } from "../../support/cli.ts";
import { filesBelow, memoryDirectory, scratch } from "../../support/scratch.ts";
import { noteText } from "../../support/store.ts";

/** Another seed and more runs: `MEMDIR_SEED=7 MEMDIR_RUNS=500`. A failure prints its seed too. */
const seed = Number(process.env["MEMDIR_SEED"] ?? Date.now() % 1_000_000);
const numRuns = Number(process.env["MEMDIR_RUNS"] ?? 30);

let valid: Parts;

beforeAll(async () => {
  valid = await exportedParts();
});

function open(root: string): OpenWorkspace {
  return openWorkspace(locate({ cwd: `${root}/shop`, environment: emptyHome(root) }));
}

/** What stands in the home of somebody who imports, with texts that git keeps packed as they are. */
function holds(root: string, text: string): readonly string[] {
  const workspace = open(root);
  try {
    const inHistory = workspace.stores.flatMap(({ store }) =>
      store
        .history()
        .transactions()
        .filter(({ reason, changes }) =>
          [reason, ...changes.map(({ after }) => Buffer.from(after ?? []).toString())].some((one) =>
            one.includes(text),
          ),
        )
        .map(({ seq }) => `version ${seq}`),
    );
    return [
      ...inHistory,
      ...[...filesBelow(`${root}/home`)]
        .filter(([file, bytes]) => file.includes(text) || bytes.includes(text))
        .map(([file]) => file),
    ];
  } finally {
    workspace.close();
  }
}

/** History, undo, forget and doctor work, and what was imported is there. */
async function expectSound(root: string, withDoctor: boolean): Promise<void> {
  const workspace = open(root);
  try {
    for (const scoped of workspace.stores) {
      const { store } = scoped;
      const before = store.history().versions();
      const made = store.commit(
        [{ kind: "create", file: "one_more.md", content: noteText("one more", "One more", "One more") }],
        { actor: "user", reason: "remembered" },
      );
      expect(made.ok).toBe(true);
      const after = store.history().versions();
      expect(after.slice(after.length - before.length)).toEqual(before);
      expect(after.find(({ files }) => files.some(({ file }) => file === "one_more.md"))).toMatchObject({
        seq: (before[0]?.seq ?? 0) + 1,
      });
      expect(undoAnywhere(workspace, scoped, "one_more.md")).toMatchObject({ outcome: "undone" });
      expect(store.read("one_more.md")).toBeUndefined();
      const [entry] = store.index.entries();
      if (entry === undefined) continue;
      expect(forget(workspace, { scoped, file: entry.file })).toBeDefined();
      expect(store.history().versions(entry.file)).toEqual([]);
    }
    for await (const { check, level, result } of withDoctor ? diagnose(workspace) : []) {
      if (check.startsWith("self-test") || check === "agents") continue;
      expect({ check, level, result }).not.toMatchObject({ level: "fail" });
    }
  } finally {
    workspace.close();
  }
  for (const text of [SECRET, HIDDEN]) expect(holds(root, text)).toEqual([]);
}

/** Why the archive below `root` is refused; `undefined` where it was taken in. */
async function refusalOf(root: string): Promise<MemoryError | undefined> {
  const workspace = open(root);
  try {
    importArchive(workspace, await openArchive(workspace, `${root}/archive`), { write: true });
    return undefined;
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return error;
  } finally {
    workspace.close();
  }
}

/** By names, so that a failure can be read. */
function expectSame({ message }: MemoryError, after: Map<string, unknown>, before: Map<string, unknown>): void {
  expect({ message, files: [...after.keys()] }).toEqual({ message, files: [...before.keys()] });
}

function expectRefused({ code, message }: MemoryError): void {
  expect(["corrupt", "refused", "unavailable", "invalid-input"]).toContain(code);
  expect(message.length).toBeGreaterThan(20);
  expect(message).not.toContain(SECRET);
}

describe("an archive of any form", () => {
  it("is taken in as it was exported", async () => {
    const root = scratch(memoryDirectory());
    writeParts(valid, `${root}/archive`);
    const memdir = commandIn(root);
    expect(await memdir(["import", `${root}/archive`, "--yes"])).toMatchObject({ code: 0 });
    expect((await memdir(["show", "port"])).out).toContain("9090");
    await expectSound(root, true);
  });

  it.each(EVERY_FIELD)(
    "with a bad %s is refused without a byte changed, or leaves every store sound",
    { tags: ["slow"], timeout: 120_000 },
    async (field, changes) => {
      // Hashes and counts are made to fit, but for those that are the bad value themselves.
      const isSealed = !["files", "hash", "notes", "versions", "logs"].includes(field);
      expect(changes.length).toBeGreaterThan(3);
      for (const change of changes) {
        const root = scratch(memoryDirectory());
        commandIn(root);
        const parts = copyOf(valid);
        change(parts);
        if (isSealed) seal(parts);
        writeParts(parts, `${root}/archive`);
        const before = filesBelow(`${root}/home`);
        const refusal = await refusalOf(root);
        if (refusal === undefined) await expectSound(root, false);
        else {
          expectRefused(refusal);
          expectSame(refusal, filesBelow(`${root}/home`), before);
        }
      }
    },
  );

  it(
    "is refused without a byte changed, or leaves every store sound",
    { tags: ["slow"], timeout: 300_000 },
    async () => {
      process.stdout.write(`archives: seed ${seed}, ${numRuns} runs (MEMDIR_SEED, MEMDIR_RUNS)\n`);
      const told = { refused: 0, taken: 0 };
      await fc.assert(
        fc.asyncProperty(mutations, fc.boolean(), fc.nat(4), async ({ changes, sealed }, isFresh, fifth) => {
          const root = scratch(memoryDirectory());
          const memdir = commandIn(root);
          if (!isFresh) await memdir(["remember", "--name", "port", "The exporter has a port of its own, 7070"]);
          const parts = copyOf(valid);
          for (const { change } of changes) change(parts);
          if (sealed) seal(parts);
          writeParts(parts, `${root}/archive`);
          const before = filesBelow(`${root}/home`);
          const refusal = await refusalOf(root);
          if (refusal === undefined) {
            told.taken++;
            await expectSound(root, fifth === 0);
            return;
          }
          told.refused++;
          expectRefused(refusal);
          expect(filesBelow(`${root}/home`)).toEqual(before);
        }),
        { seed, numRuns },
      );
      process.stdout.write(`archives: ${told.refused} refused, ${told.taken} taken in\n`);
      expect(Math.min(told.refused, told.taken)).toBeGreaterThan(0);
    },
  );
});
