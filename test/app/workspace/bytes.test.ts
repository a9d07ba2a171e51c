import fc from "fast-check";
import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { exportAll } from "../../../src/app/transfer/export.ts";
import { importArchive } from "../../../src/app/transfer/import-archive.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { moveNote } from "../../../src/app/transfer/transfers.ts";
import { undoAnywhere } from "../../../src/app/transfer/undo.ts";
import { openArchive } from "../../../src/app/transfer/read-archive.ts";
import { openWorkspace, type OpenWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { pin, remove } from "../../../src/app/notes/revise.ts";
import { restore } from "../../../src/app/notes/supersede.ts";
import { readMixed, isUtf8 } from "../../../src/core/notes/parse-note.ts";
import { findHidden } from "../../../src/core/shared/hidden.ts";
import { person } from "../../support/person.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";

const FILE = "project_plan.md";
const HEAD = Buffer.from("---\nname: plan\ndescription: The plan\nmetadata:\n  type: project\n---\n\n");

/** Bodies of every kind of bytes: words, Latin-1, broken sequences, a byte order mark, NUL. */
const body = fc
  .array(
    fc.oneof(
      fc.string({ maxLength: 8 }).map((text) => Buffer.from(text)),
      fc.constantFrom("café", "ÿ", "naïve ").map((text) => Buffer.from(text, "latin1")),
      fc
        .constantFrom(
          [0xc3],
          [0xe2, 0x82],
          [0xf0, 0x9f, 0x98],
          [0x80],
          [0xef, 0xbb, 0xbf],
          [0x00],
          [0x0d, 0x0a],
          [0xed, 0xa0, 0x80],
        )
        .map((bytes) => Buffer.from(bytes)),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => Buffer.concat(parts));
const note = fc.tuple(fc.boolean(), body).map(([hasHead, bytes]) => (hasHead ? Buffer.concat([HEAD, bytes]) : bytes));

function open(root: string, git: boolean) {
  fs.mkdirSync(`${root}/notes`, { recursive: true });
  const workspace = openWorkspace(
    locate({
      dir: `${root}/notes`,
      cwd: root,
      environment: { HOME: `${root}/home`, PATH: git ? process.env["PATH"] : "" },
    }),
  );
  const scoped = workspace.open("project");
  if (scoped === undefined) throw new Error("no store");
  return { workspace, scoped, file: `${root}/notes/${FILE}` };
}

function storeOf(workspace: OpenWorkspace, scope: "project" | "local") {
  const scoped = workspace.open(scope);
  if (scoped === undefined) throw new Error(`no ${scope} store`);
  return scoped;
}

describe("a note of any bytes", () => {
  it.each([
    ["in git", true, 6],
    ["in the journal alone", false, 20],
  ] as const)("comes back byte for byte from undo and restore, with history %s", (_, git, numRuns) => {
    fc.assert(
      fc.property(note, note, (first, second) => {
        fc.pre(!first.equals(second));
        const { workspace, scoped, file } = open(scratch(memoryDirectory()), git);
        fs.writeFileSync(file, first);
        scoped.store.reconcile("full");
        fs.writeFileSync(file, second);
        fs.utimesSync(file, new Date(1_000), new Date(1_000)); // another stamp, whatever its size
        scoped.store.reconcile("full");
        const ref = { scoped, file: FILE };
        remove(ref);
        expect(undoAnywhere(workspace, scoped, FILE)).toMatchObject({ outcome: "undone" });
        expect(fs.readFileSync(file)).toEqual(second);
        remove(ref);
        restore(workspace, ref);
        expect(fs.readFileSync(file)).toEqual(second);
        const edited = scoped.store
          .history()
          .versions(FILE)
          .find(({ actor, files }) => actor === "external" && files.some(({ kind }) => kind === "changed"));
        expect(undoAnywhere(workspace, scoped, FILE, edited?.id)).toMatchObject({ outcome: "undone" });
        expect(fs.readFileSync(file)).toEqual(first);
        workspace.close();
      }),
      { numRuns },
    );
  });

  it("arrives byte for byte, with its past, where an export of it is imported and no gate refuses it", async () => {
    const isSeen = (bytes: Buffer): boolean => findHidden(bytes.toString().replace(/^\uFEFF/u, "")).length === 0;
    await fc.assert(
      fc.asyncProperty(note, note, async (first, second) => {
        fc.pre(!first.equals(second) && isSeen(first) && isSeen(second));
        const root = scratch(memoryDirectory());
        const here = open(`${root}/here`, false);
        fs.writeFileSync(here.file, first);
        here.scoped.store.reconcile("full");
        fs.writeFileSync(here.file, second);
        fs.utimesSync(here.file, new Date(1_000), new Date(1_000));
        exportAll(here.workspace, `${root}/exported`, { all: false });
        here.workspace.close();
        const there = open(`${root}/there`, false);
        importArchive(there.workspace, await openArchive(there.workspace, `${root}/exported`), { write: true });
        expect(fs.readFileSync(there.file)).toEqual(second);
        const history = there.scoped.store.history();
        expect(
          history
            .versions(FILE)
            .toReversed()
            .map(({ seq }) => Buffer.from(history.contentAt(seq, FILE) ?? [])),
        ).toEqual(expect.arrayContaining([first, second]));
        there.workspace.close();
      }),
      { numRuns: 10 },
    );
  });

  it("keeps its bytes when it moves to another scope and back", async () => {
    await fc.assert(
      fc.asyncProperty(note, async (bytes) => {
        const { cwd, environment } = person();
        const workspace = openWorkspace(locate({ cwd, environment: { ...environment, PATH: "" } }));
        const project = storeOf(workspace, "project");
        fs.mkdirSync(project.store.directory, { recursive: true });
        fs.writeFileSync(`${project.store.directory}/${FILE}`, bytes);
        project.store.reconcile("full");
        await moveNote(workspace, { scoped: project, file: FILE }, "local");
        const local = storeOf(workspace, "local");
        expect(fs.readFileSync(`${local.store.directory}/${FILE}`)).toEqual(bytes);
        expect(undoAnywhere(workspace, local, FILE)).toMatchObject({ outcome: "undone" });
        expect(fs.readFileSync(`${project.store.directory}/${FILE}`)).toEqual(bytes);
        workspace.close();
      }),
      { numRuns: 8 },
    );
  });
});

describe("a file that is not UTF-8", () => {
  const latin = Buffer.concat([HEAD, Buffer.from("Le café est fermé, dit-on.\n", "latin1")]);

  it("is never rewritten by halves: what would change its fields says how to convert it", () => {
    const { workspace, scoped, file } = open(scratch(), false);
    fs.writeFileSync(file, latin);
    scoped.store.reconcile("full");
    expect(() => pin(workspace, { scoped, file: FILE }, true)).toThrow(
      "`memdir edit project_plan.md --convert` makes it UTF-8",
    );
    expect(fs.readFileSync(file)).toEqual(latin);
    workspace.close();
  });

  it("becomes UTF-8 when somebody asks for it, and its old bytes come back with undo", async () => {
    const { memdir, cwd } = person();
    const notes = `${cwd}/notes`;
    fs.mkdirSync(notes);
    fs.writeFileSync(`${notes}/${FILE}`, latin);
    expect((await memdir(["edit", "plan", "--convert", "--name", "x", "--dir", notes])).code).toBe(2);
    expect((await memdir(["edit", "plan", "--convert", "--dir", notes])).out).toContain(`converted ${FILE}`);
    expect(fs.readFileSync(`${notes}/${FILE}`, "utf8")).toContain("Le café est fermé");
    expect((await memdir(["edit", "plan", "--convert", "--dir", notes])).out).toContain("is unchanged");
    expect((await memdir(["undo", "plan", "--dir", notes])).code).toBe(0);
    expect(fs.readFileSync(`${notes}/${FILE}`)).toEqual(latin);
  });

  it("is read as UTF-8 where it is, and as Windows-1252 where it is not", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(readMixed(Buffer.from(text))).toBe(text);
      }),
    );
    expect(readMixed(Buffer.concat([Buffer.from("prix: 5 € "), Buffer.from([0xe9, 0x80, 0x41])]))).toBe(
      "prix: 5 € é€A",
    );
    fc.assert(fc.property(body, (bytes) => isUtf8(Buffer.from(readMixed(bytes)))));
  });
});
