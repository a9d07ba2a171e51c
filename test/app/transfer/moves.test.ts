import fs from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openWorkspace, type OpenWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { useTeamDirectory } from "../../../src/app/workspace/groups.ts";
import { findTransfer, recordsIn } from "../../../src/app/workspace/transfer-records.ts";
import { type Transfer, type TransferRecords, transferNotes } from "../../../src/app/workspace/transfer.ts";
import { moveNote, undoTransfer } from "../../../src/app/transfer/transfers.ts";
import { redo, undoAnywhere, undoSteps } from "../../../src/app/transfer/undo.ts";
import { remember } from "../../../src/app/notes/remember.ts";
import { revise } from "../../../src/app/notes/revise.ts";
import type { NoteRef, ScopedStore } from "../../../src/app/workspace/workspace.ts";
import type { Scope } from "../../../src/core/notes/note.ts";
import { emptyHome } from "../../support/cli.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";
import { bytes, noteText, steppingClock } from "../../support/store.ts";

const DAY = 86_400_000;
let workspace: OpenWorkspace;
let root: string;

beforeEach(() => {
  root = scratch(memoryDirectory());
  fs.mkdirSync(`${root}/shop/.git`, { recursive: true });
  workspace = openWorkspace(locate({ cwd: `${root}/shop`, environment: emptyHome(root) }), {
    clock: steppingClock(),
  });
});
afterEach(() => workspace.close());

function scoped(scope: Scope): ScopedStore {
  const found = workspace.open(scope);
  if (found === undefined) throw new Error(`no ${scope}`);
  return found;
}

async function made(body: string, name: string): Promise<NoteRef> {
  const result = await remember(workspace, { body, name, insist: true });
  if (result.outcome !== "created") throw new Error(result.outcome);
  return result.ref;
}

const notesIn = (scope: Scope): Record<string, string> => {
  const { directory } = scoped(scope).store;
  const names = fs.existsSync(directory) ? fs.readdirSync(directory).filter((name) => name.endsWith(".md")) : [];
  const notes = names.filter((name) => name !== "MEMORY.md");
  return Object.fromEntries(notes.map((name) => [name, fs.readFileSync(`${directory}/${name}`, "utf8")]));
};
const lineageIn = (scope: Scope, file: string): string | undefined =>
  scoped(scope).store.lives().present.get(file)?.lineage;

describe("a note that was moved to another scope under another name", () => {
  it("is the same note there, and comes back with the bytes and the line that it had", async () => {
    const ref = await made("The importer runs at night.", "importer");
    const { directory } = ref.scoped.store;
    fs.appendFileSync(`${directory}/MEMORY.md`, `- [Mine](${ref.file}) — in my words\n`);
    const [before, lineage] = [notesIn("project"), lineageIn("project", ref.file)];
    expect(lineage).toBeDefined();
    const { ref: there, transfer } = await moveNote(workspace, ref, "user", "night run");
    expect(there.file).toBe("project_night_run.md");
    expect([notesIn("project"), lineageIn("user", there.file)]).toEqual([{}, lineage]);
    expect(notesIn("user")[there.file]).toContain("name: night run\n");
    expect(findTransfer(workspace.locations.memdirHome, transfer.id)).toEqual(transfer);
    expect(undoAnywhere(workspace, there.scoped, undefined)).toMatchObject({
      outcome: "undone",
      changes: [
        { outcome: "created", file: ref.file },
        { outcome: "deleted", file: there.file },
      ],
    });
    expect([notesIn("project"), notesIn("user"), lineageIn("project", ref.file)]).toEqual([before, {}, lineage]);
    expect(fs.readFileSync(`${directory}/MEMORY.md`, "utf8")).toContain(`- [Mine](${ref.file}) — in my words\n`);
  });

  it("keeps what was written into it since when it comes back", async () => {
    const ref = await made("The importer runs at night.", "importer");
    const { ref: there, transfer } = await moveNote(workspace, ref, "user", "night run");
    await revise(workspace, there, { body: "The importer runs at noon." });
    const now = notesIn("user")[there.file];
    undoTransfer(workspace, transfer);
    expect([notesIn("project"), notesIn("user")]).toEqual([{ [ref.file]: now }, {}]);
  });

  it("is moved again by redo, and undo counts both halves as one step", async () => {
    const ref = await made("The importer runs at night.", "importer");
    await moveNote(workspace, ref, "user");
    const steps = undoSteps(workspace, ref.scoped, undefined, 1);
    expect(steps.map(({ outcome }) => outcome)).toEqual(["undone"]);
    expect([Object.keys(notesIn("project")), notesIn("user")]).toEqual([[ref.file], {}]);
    expect(redo(workspace, ref.scoped, undefined)).toMatchObject({
      outcome: "undone",
      version: { reason: expect.stringMatching(/^moved to user:/u) },
    });
    expect([notesIn("project"), Object.keys(notesIn("user"))]).toEqual([{}, [ref.file]]);
    expect(undoSteps(workspace, ref.scoped, undefined, 3)).toMatchObject([
      { outcome: "undone" },
      { outcome: "undone" },
      { outcome: "nothing", message: "only 2 changes could be undone" },
    ]);
    expect(undoSteps(workspace, ref.scoped, undefined, 3)).toEqual([
      { outcome: "nothing", message: "there is no change to undo" },
    ]);
    expect([notesIn("project"), notesIn("user")]).toEqual([{}, {}]);
  });

  it("does not come back where there is one of its name again, or where it is gone", async () => {
    const ref = await made("The importer runs at night.", "importer");
    const { ref: there, transfer } = await moveNote(workspace, ref, "user");
    fs.writeFileSync(`${ref.scoped.store.directory}/${ref.file}`, "another\n");
    const both = [notesIn("project"), notesIn("user")];
    expect(() => undoTransfer(workspace, transfer)).toThrow(`there is a ${ref.file} in`);
    expect([notesIn("project"), notesIn("user")]).toEqual(both);
    fs.rmSync(`${ref.scoped.store.directory}/${ref.file}`);
    fs.rmSync(`${there.scoped.store.directory}/${there.file}`);
    expect(() => undoTransfer(workspace, transfer)).toThrow(`${there.file} is no longer in`);
  });

  it("becomes one with a note of the very text there, and both are there again afterwards", async () => {
    const ref = await made("The importer runs at night.", "importer");
    const text = notesIn("project")[ref.file] ?? "";
    scoped("user").store.commit([{ kind: "create", file: ref.file, content: text }], { actor: "user", reason: "test" });
    const lineages = [lineageIn("project", ref.file), lineageIn("user", ref.file)];
    const page = `${ref.scoped.store.directory}/MEMORY.md`;
    fs.appendFileSync(page, `- [Mine](${ref.file}) — in my words\n`);
    expect(lineages[0]).not.toBe(lineages[1]);
    const { transfer } = await moveNote(workspace, ref, "user");
    expect([transfer.files[0]?.made, notesIn("project"), notesIn("user")]).toEqual([false, {}, { [ref.file]: text }]);
    const back = undoAnywhere(workspace, ref.scoped, undefined);
    expect(back).toMatchObject({ outcome: "undone", changes: [{ outcome: "created", file: ref.file }] });
    expect([notesIn("project"), notesIn("user")]).toEqual([{ [ref.file]: text }, { [ref.file]: text }]);
    expect(lineageIn("project", ref.file)).toBe(lineages[0]);
    expect(fs.readFileSync(page, "utf8")).toContain(`- [Mine](${ref.file}) — in my words\n`);
  });

  it("leaves the repository's page in the order of names when it is taken back, whichever helped", async () => {
    useTeamDirectory(workspace.locations, "team", "2026-03-02T09:00:00.000Z");
    workspace.close();
    workspace = openWorkspace(locate({ cwd: `${root}/shop`, environment: emptyHome(root) }), {
      clock: steppingClock(),
    });
    const { store } = scoped("team");
    const names = ["a.md", "b.md", "c.md"];
    store.commit(
      names.map((file) => ({ kind: "create", file, content: noteText(file, file, file) })),
      { actor: "user", reason: "test" },
    );
    store.recordHelp(["c.md"]);
    const ref = await made("The importer runs at night.", "importer");
    const { transfer } = await moveNote(workspace, ref, "team");
    undoTransfer(workspace, transfer);
    const page = fs.readFileSync(`${store.directory}/MEMORY.md`, "utf8");
    expect(page.match(/(?<=\()\w+\.md(?=\))/gu)).toEqual(names);
  });
});

it("a redo that is undone leaves the steps as before it", async () => {
  const ref = await made("The importer runs at night.", "importer");
  await revise(workspace, ref, { body: "The importer runs at noon." });
  const text = notesIn("project");
  for (const id of ["2", "3", "4"])
    expect(undoAnywhere(workspace, ref.scoped, undefined, id)).toMatchObject({ outcome: "undone" });
  expect(redo(workspace, ref.scoped, undefined)).toMatchObject({ outcome: "undone", version: { id: "2" } });
  expect(notesIn("project")).toEqual(text);
  expect(undoSteps(workspace, ref.scoped, undefined, 9).map(({ outcome }) => outcome)).toEqual([
    "undone",
    "undone",
    "nothing",
  ]);
  expect(notesIn("project")).toEqual({});
});

it("a note in whose place another was put is itself again when that is undone", async () => {
  const ref = await made("The importer runs at night.", "importer");
  const [before, base] = [lineageIn("project", ref.file), bytes(notesIn("project")[ref.file] ?? "")];
  const [content, lineage] = [noteText("importer", "Another", "Another."), "0123456789abcdef01234567"];
  ref.scoped.store.commit([{ kind: "write", file: ref.file, base, content, lineage }], {
    actor: "sync",
    reason: "pulled",
  });
  expect(lineageIn("project", ref.file)).toBe(lineage);
  expect(undoAnywhere(workspace, ref.scoped, ref.file)).toMatchObject({ outcome: "undone" });
  expect(lineageIn("project", ref.file)).toBe(before);
});

it("a forget in any scope is the last change: an undo that names nothing takes back no other", async () => {
  const ref = await made("The importer runs at night.", "importer");
  const result = await remember(workspace, { body: "I write Rust.", name: "rust", type: "user" });
  if (result.outcome !== "created") throw new Error(result.outcome);
  result.ref.scoped.store.forget(result.ref.file);
  expect(undoAnywhere(workspace, ref.scoped, undefined)).toMatchObject({
    outcome: "nothing",
    message: expect.stringContaining("a forget"),
  });
  expect(Object.keys(notesIn("project"))).toEqual([ref.file]);
  expect(undoAnywhere(workspace, ref.scoped, ref.file)).toMatchObject({ outcome: "undone" });
});

describe("a scope to move to that there is not", () => {
  it.each([
    ["group", "invalid-input", "memdir group add"],
    ["agent", "invalid-input", "--agent-type"],
    ["local", "moved", ""],
  ] as const)("%s: %s", async (scope, code, told) => {
    const ref = await made("The importer runs at night.", "importer");
    const result = await moveNote(workspace, ref, scope).then(
      () => ({ code: "moved", message: "" }),
      (error: unknown) => error,
    );
    expect(result).toMatchObject({ code, message: expect.stringContaining(told) });
  });

  it("is told where it is the team's and nobody trusted it", async () => {
    const ref = await made("The importer runs at night.", "importer");
    const stores = workspace.locations.stores.filter(({ scope }) => scope === "project");
    const untrusted = openWorkspace({ ...workspace.locations, stores, untrustedTeam: "/there" });
    await expect(moveNote(untrusted, ref, "team")).rejects.toMatchObject({ code: "refused" });
    await expect(moveNote(untrusted, ref, "local")).rejects.toMatchObject({ code: "invalid-input" });
    untrusted.close();
    const alone = openWorkspace({ ...workspace.locations, stores });
    await expect(moveNote(alone, ref, "team")).rejects.toMatchObject({ code: "invalid-input" });
    alone.close();
  });
});

describe("several notes that move as one", () => {
  const NAMES = ["a.md", "b.md", "c.md"];
  const text = (name: string): string => noteText(name, `About ${name}`, `Words of ${name}`);

  /** The steps that were taken, in their order. */
  function movedWith(change: (step: string) => void = () => undefined): { run: () => Transfer; steps: string[] } {
    const [source, target] = [scoped("project").store, scoped("user").store];
    source.commit(
      NAMES.map((file) => ({ kind: "create", file, content: text(file) })),
      { actor: "user", reason: "test" },
    );
    const steps: string[] = [];
    const note = (step: string): void => {
      steps.push(step);
      change(step);
    };
    const kept = recordsIn(workspace.locations.memdirHome);
    const records: TransferRecords = {
      begin: (transfer) => (note("begin"), kept.begin(transfer)),
      finish: (id) => (note("finish"), kept.finish(id)),
      drop: (id) => (note("drop"), kept.drop(id)),
    };
    const end = (scope: "project" | "user") => ({
      scope,
      directory: scoped(scope).store.directory,
      state: scoped(scope).store.state,
      excluded: [],
    });
    const files = NAMES.map((from) => ({ from, to: from, content: text(from), base: bytes(text(from)) }));
    const order = { id: "0a1b2c3d", time: "2026-03-02T09:00:00Z", pid: 1, from: end("project"), to: end("user") };
    return { run: () => transferNotes({ source, target }, { ...order, files, verb: "moved" }, records), steps };
  }

  it("are all in the other store, in one version of each, which say where from and where to", () => {
    const { run, steps } = movedWith();
    const lineages = NAMES.map((file) => lineageIn("project", file));
    expect(run().files.map(({ made: isMade }) => isMade)).toEqual([true, true, true]);
    expect(steps).toEqual(["begin", "finish"]);
    expect([Object.keys(notesIn("project")), Object.keys(notesIn("user"))]).toEqual([[], NAMES]);
    expect(new Set(NAMES.map((file) => lineageIn("user", file)))).toEqual(new Set(lineages));
    const newest = (scope: Scope): unknown => scoped(scope).store.history().versions()[0];
    expect(newest("user")).toMatchObject({ reason: "moved here from project, 3 notes (transfer 0a1b2c3d)" });
    expect(newest("project")).toMatchObject({ reason: "moved to user, 3 notes (transfer 0a1b2c3d)" });
  });

  it("stay where they are when one is in the way there, which is named", () => {
    const { run, steps } = movedWith();
    fs.mkdirSync(scoped("user").store.directory, { recursive: true });
    fs.writeFileSync(`${scoped("user").store.directory}/b.md`, "theirs\n");
    expect(run).toThrow(/^b\.md is in the way/u);
    expect(steps).toEqual(["begin", "drop"]);
    expect([Object.keys(notesIn("project")), notesIn("user")]).toEqual([NAMES, { "b.md": "theirs\n" }]);
    expect(findTransfer(workspace.locations.memdirHome, "0a1b2c3d")).toBeUndefined();
  });

  it.each([
    ["written to", `${text("b.md")}more\n`],
    ["removed", undefined],
  ])("stay in both when one is %s meanwhile, which is named", (_, content) => {
    const { run, steps } = movedWith((step) => {
      const file = `${scoped("project").store.directory}/b.md`;
      if (step === "begin" && content !== undefined) fs.writeFileSync(file, content);
      if (step === "begin" && content === undefined) fs.rmSync(file);
    });
    expect(run).toThrow(/so both stay: b\.md in/u);
    expect(steps).toEqual(["begin", "finish"]);
    expect(Object.keys(notesIn("user"))).toEqual(NAMES);
    expect(notesIn("project")).toMatchObject({ "a.md": text("a.md"), "c.md": text("c.md") });
    expect(notesIn("project")["b.md"]).toBe(content);
  });
});

describe("a record of a move", () => {
  const END = { directory: "/notes", state: "/state" };
  const FILE = { from: "a.md", to: "b.md", before: "1", after: "2" };

  it("reads back as it was written, whichever its ends are, until it is too old to be undone", () => {
    const home = `${root}/records`;
    const records = recordsIn(home);
    const ends: readonly Pick<Transfer, "from" | "to">[] = [
      { from: { ...END, scope: "project", excluded: ["team"] }, to: { ...END, scope: "user", excluded: [] } },
      {
        from: { ...END, scope: "team", excluded: [], inRepository: true },
        to: { ...END, scope: "group", excluded: [] },
      },
      {
        from: { ...END, scope: "local", excluded: [] },
        to: { ...END, scope: "team", excluded: ["a", "b"], inRepository: true },
      },
    ];
    const transfers = ends.map((both, at) => ({
      id: `0000000${at}`,
      time: new Date(Date.parse("2026-03-02T09:00:00Z") - at * DAY).toISOString(),
      pid: at + 1,
      ...both,
      files: [
        { ...FILE, made: true },
        { ...FILE, made: false },
      ],
    }));
    for (const transfer of transfers) {
      records.begin(transfer);
      expect(findTransfer(home, transfer.id)).toBeUndefined();
      records.finish(transfer.id);
    }
    expect(transfers.map(({ id }) => findTransfer(home, id))).toEqual(transfers);
    expect(fs.readdirSync(`${home}/transfers/pending`)).toEqual([]);
  });
});
