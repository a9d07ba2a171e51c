import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { lifeStep } from "../../../src/adapters/files/journal.ts";
import { importArchive } from "../../../src/app/transfer/import-archive.ts";
import { type LocationOptions, locate } from "../../../src/app/workspace/locations.ts";
import type { ArchivedStore, OpenedArchive } from "../../../src/app/transfer/read-archive.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import { type Transaction, traceLives } from "../../../src/core/notes/history.ts";
import type { Scope } from "../../../src/core/notes/note.ts";
import { emptyHome, homeOf } from "../../support/cli.ts";
import { filesBelow, memoryDirectory, scratch } from "../../support/scratch.ts";
import { bytes, noteText } from "../../support/store.ts";

const A = noteText("a", "About a", "words of a");
const B = noteText("b", "About b", "words of b");

function stored(
  scope: Scope,
  name: string,
  notes: Readonly<Record<string, string>>,
  more: Partial<ArchivedStore> = {},
): ArchivedStore {
  const files = Object.entries(notes).map(([file, text]) => ({ file, bytes: bytes(text) }));
  const exported = { path: `stores/${scope}/${name}`, scope, name, notes: files.length, versions: 0 };
  return { exported, notes: files, handLines: [], past: [], lives: traceLives([]), logs: [], leftOut: [], ...more };
}

function archive(stores: readonly ArchivedStore[], more: Partial<OpenedArchive> = {}): OpenedArchive {
  return { here: "theirs", stores, checkpoints: [], leftOut: [], ...more };
}

function machine(options: LocationOptions = {}) {
  const root = scratch(memoryDirectory());
  const home = homeOf(root);
  fs.mkdirSync(`${root}/shop/.git`, { recursive: true });
  const within = <T>(work: (workspace: ReturnType<typeof openWorkspace>) => T): T => {
    const workspace = openWorkspace(locate({ cwd: `${root}/shop`, environment: emptyHome(root), ...options }));
    try {
      return work(workspace);
    } finally {
      workspace.close();
    }
  };
  const take = (opened: OpenedArchive, write = true) =>
    within((workspace) => importArchive(workspace, opened, { write }));
  const put = (file: string, text: string): void => {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  };
  const ours = (scope: Scope): string =>
    within(({ locations }) => locations.stores.find((one) => one.scope === scope)?.directory ?? "");
  return { root, home, take, put, ours, within };
}

describe("where a store of an export goes", () => {
  it.each([
    ["user", "user", ".memdir/user/memory"],
    ["group", "shops", ".memdir/groups/shops/memory"],
    ["local", "other", ".memdir/local/other/memory"],
    ["project", "other", ".memdir/projects/other/memory"],
    ["team", "other", ".memdir/projects/other/memory/team"],
    ["agent-user", "reviewer", ".claude/agent-memory/reviewer"],
    ["agent", "reviewer", "../shop/.claude/agent-memory/reviewer"],
    ["agent-local", "reviewer", "../shop/.claude/agent-memory-local/reviewer"],
  ] as const)("%s %s: %s", (scope, name, place) => {
    const { take, home } = machine();
    const [done] = take(archive([stored(scope, name, { "a.md": A })]));
    expect(done).toMatchObject({ scope, name, directory: path.join(home, place), added: ["a.md"], version: "1" });
    expect(fs.readFileSync(path.join(home, place, "a.md"), "utf8")).toBe(A);
  });

  it("is this project's for what was exported from within a project, and Claude Code's where that is", () => {
    const { take, ours, home } = machine();
    for (const scope of ["project", "local"] as const)
      expect(take(archive([stored(scope, "theirs", { "a.md": A })]))).toMatchObject([{ directory: ours(scope) }]);
    expect(ours("project")).toContain("-shop/memory");
    fs.mkdirSync(`${home}/.claude`);
    const stores = [
      stored("project", "other", { "a.md": A }),
      stored("team", "other", { "a.md": A }),
      stored("local", "other", {}),
    ];
    expect(take(archive(stores)).map(({ directory }) => path.relative(home, directory))).toEqual([
      ".claude/projects/other/memory",
      ".claude/projects/other/memory/team",
      ".memdir/local/other/memory",
    ]);
  });

  it("keeps the team's notes out of the project's, also in a project elsewhere", () => {
    const { take } = machine();
    for (const name of ["theirs", "other"])
      expect(take(archive([stored("project", name, { "team/a.md": A, "b.md": B })]))).toMatchObject([
        { added: ["b.md"], leftOut: [{ file: "team/a.md", why: "team belongs to other notes or to the daily logs" }] },
      ]);
    expect(take(archive([stored("user", "user", { "2026/11/a.md": A, "2026/a.md": A })]))).toMatchObject([
      { added: ["2026/a.md"], leftOut: [{ file: "2026/11/a.md", why: expect.stringContaining("2026/11 belongs") }] },
    ]);
  });

  it.each(["a b", "../x", ".x", "x".repeat(65)])("is no group and no type of sub-agent called %s", (name) => {
    const { take, home } = machine();
    for (const scope of ["group", "agent", "agent-user"] as const)
      expect(() => take(archive([stored("user", "user", { "a.md": A }), stored(scope, name, {})]))).toThrow(
        expect.objectContaining({ code: "invalid-input" }),
      );
    expect(fs.existsSync(`${home}/.memdir/user/memory`)).toBe(false);
  });

  it.each(["off", "recall-only"])("nothing goes where one of the scopes is %s", (mode) => {
    const { take, home, put } = machine();
    put(`${home}/.memdir/settings.json`, JSON.stringify({ modes: { everywhere: { user: mode } } }));
    const opened = archive([stored("project", "theirs", { "a.md": A }), stored("user", "user", { "a.md": A })]);
    for (const write of [false, true])
      expect(() => take(opened, write)).toThrow(
        expect.objectContaining({ code: "refused", message: expect.stringContaining("of the user scope") }),
      );
    expect([...filesBelow(home).keys()].filter((file) => file.endsWith(".md"))).toEqual([]);
  });
});

describe("notes of an export", () => {
  it("that are here are known; of another text both stay, under the first free name", () => {
    const { take, ours, put } = machine();
    const here = ours("project");
    const opened = archive([stored("project", "theirs", { "a.md": A, "b.md": B, "c.md": A, "d.md": B, "new.md": A })]);
    put(`${here}/a.md`, A);
    put(`${here}/b.md`, A);
    put(`${here}/c.md`, B);
    put(`${here}/c_2.md`, B);
    put(`${here}/d.md`, A);
    put(`${here}/d_2.md`, B);
    const before = filesBelow(here);
    const expected = {
      added: ["new.md"],
      known: 2,
      both: [
        { file: "b.md", as: "b_2.md" },
        { file: "c.md", as: "c_3.md" },
      ],
      leftOut: [],
    };
    expect(take(opened, false)).toMatchObject([{ ...expected, version: undefined }]);
    expect([...filesBelow(here).keys()].filter((file) => !before.has(file))).toEqual([]);
    expect(take(opened)).toMatchObject([{ ...expected, version: expect.stringMatching(/^\d+$/u) }]);
    for (const [file, text] of Object.entries({ "b.md": A, "b_2.md": B, "c_3.md": A, "d_2.md": B, "new.md": A }))
      expect(fs.readFileSync(`${here}/${file}`, "utf8")).toBe(text);
    expect(take(opened)).toMatchObject([{ added: [], both: [], known: 5, version: undefined }]);
  });

  it("that differ only in case from one here, or from each other, stay beside it", () => {
    const { take, ours, put } = machine();
    put(`${ours("project")}/Port.md`, A);
    expect(take(archive([stored("project", "theirs", { "port.md": B, "port_2.md": A })]))).toMatchObject([
      {
        added: [],
        both: [
          { file: "port.md", as: "port_2.md" },
          { file: "port_2.md", as: "port_2_2.md" },
        ],
      },
    ]);
  });

  it("do not go where a link or a directory is in the way", () => {
    const { take, ours, put, root } = machine();
    const here = ours("project");
    put(`${root}/elsewhere/x.md`, "mine");
    put(`${here}/file.md`, A);
    fs.symlinkSync(`${root}/elsewhere`, `${here}/linked`);
    fs.symlinkSync(`${root}/elsewhere/x.md`, `${here}/link.md`);
    fs.mkdirSync(`${here}/dir.md`);
    const names = ["linked/a.md", "link.md", "dir.md", "file.md/a.md", "deep/er/a.md"];
    const [done] = take(archive([stored("project", "theirs", Object.fromEntries(names.map((name) => [name, B])))]));
    expect(done?.added).toEqual(["deep/er/a.md"]);
    expect(done?.leftOut.map(({ file, why }) => `${file}: ${why.replace(here, "HERE")}`)).toEqual([
      "linked/a.md: linked is in the way in HERE",
      "link.md: link.md is in the way in HERE",
      "dir.md: dir.md is in the way in HERE",
      "file.md/a.md: file.md is in the way in HERE",
    ]);
    expect(fs.readdirSync(`${root}/elsewhere`)).toEqual(["x.md"]);
    expect(fs.readFileSync(`${root}/elsewhere/x.md`, "utf8")).toBe("mine");
  });

  it("bring their past and their lineage where nothing was before, and their lines by hand", () => {
    const LINEAGE = "0123456789abcdef01234567";
    const past: readonly Transaction[] = [
      {
        seq: 3,
        time: "2026-01-02T00:00:00.000Z",
        actor: "user",
        reason: "remembered",
        changes: [{ file: "a.md", before: undefined, after: bytes(B), lineage: LINEAGE }],
      },
      {
        seq: 4,
        time: "2026-01-03T00:00:00.000Z",
        actor: "user",
        reason: "edited",
        changes: [{ file: "a.md", before: undefined, after: bytes(A) }],
      },
    ];
    const lives = traceLives(past.map(lifeStep));
    const opened = archive([stored("project", "theirs", { "a.md": A }, { past, lives, handLines: ["- mine, kept"] })]);
    const { take, ours, within } = machine();
    expect(take(opened, false)).toMatchObject([{ versions: 2, version: undefined }]);
    expect(fs.existsSync(ours("project"))).toBe(false);
    const [done] = take(opened);
    expect(done).toMatchObject({ versions: 2, version: "6" });
    expect(fs.readFileSync(`${ours("project")}/MEMORY.md`, "utf8")).toContain("- mine, kept\n");
    within((workspace) => {
      const store = workspace.open("project")?.store;
      expect(
        store
          ?.history()
          .versions()
          .map(({ seq, actor, reason }) => `${seq} ${actor}: ${reason}`),
      ).toEqual([
        expect.stringContaining("7 external: MEMORY.md"),
        "6 import: imported 1 note of project theirs",
        expect.stringContaining("5 external: the past until here is of another place"),
        "4 user: edited",
        "3 user: remembered",
      ]);
      expect(store?.lives().present.get("a.md")?.lineage).toBe(LINEAGE);
    });
    const again = archive([stored("project", "theirs", { "b.md": B }, { past })]);
    expect(take(again)).toMatchObject([{ versions: 0, added: ["b.md"] }]);
  });
});

describe("checkpoints of an export", () => {
  const checkpoints = ["theirs/one.md", "theirs-too/two.md", "other/three.md"].map((file) => ({
    file,
    bytes: bytes(file),
  }));

  it("come to this project or stay with theirs, and never over one that is here", () => {
    const { take, home, put, within } = machine();
    const slug = within(({ locations }) => locations.project?.slug ?? "");
    put(`${home}/.memdir/checkpoints/other/three.md`, "mine");
    take(archive([], { checkpoints }), false);
    expect(fs.readdirSync(`${home}/.memdir/checkpoints`)).toEqual(["other"]);
    take(archive([], { checkpoints }));
    const found = filesBelow(`${home}/.memdir/checkpoints`);
    expect([...found].map(([file, content]) => [file, content.toString()]).toSorted()).toEqual(
      [
        [`${slug}/one.md`, "theirs/one.md"],
        ["theirs-too/two.md", "theirs-too/two.md"],
        ["other/three.md", "mine"],
      ].toSorted(),
    );
  });
});
