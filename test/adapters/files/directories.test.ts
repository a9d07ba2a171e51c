import fs from "node:fs";
import { describe, expect, it, vi } from "vitest";
import {
  isSeenJustNow,
  knownDirectories,
  looksUnchanged,
  rememberDirectories,
  type StoreView,
} from "../../../src/adapters/files/scan.ts";
import { nodeFiles } from "../../../src/adapters/files/node-files.ts";
import { guardPath, isInside, type StoreContext } from "../../../src/adapters/files/store-context.ts";
import { scratch } from "../../support/scratch.ts";
import { openTestStore } from "../../support/store.ts";

const BY = { actor: "user", reason: "test" };

/** A store of some thousand notes as far as a quick look goes: the directory, and what the index says it holds. */
function view(count = 1_001, names: readonly string[] = ["a.md", "sub/b.md"]) {
  const root = scratch();
  const directory = `${root}/notes`;
  fs.mkdirSync(`${directory}/sub`, { recursive: true });
  for (const name of names) fs.writeFileSync(`${directory}/${name}`, "x");
  const state = new Map<string, string>();
  const index = {
    count: () => count,
    state: (key: string) => state.get(key),
    setState: (key: string, value: string) => void state.set(key, value),
    stamps: () => new Map(names.map((file) => [file, { file, hash: "", size: 1, mtimeMs: 1 }])),
  };
  const one = { directory, files: nodeFiles, index } as unknown as StoreView;
  const mtimes = () => ({
    "": fs.statSync(directory).mtimeMs,
    sub: fs.statSync(`${directory}/sub`).mtimeMs,
  });
  return { one, directory, state, mtimes };
}

const LATER = Date.now() + 60_000;

describe("a glance at a store", () => {
  it("trusts a look of a moment ago, and no longer once a file came, went or lies in a directory that changed", () => {
    const changes: readonly ((directory: string) => void)[] = [
      (directory) => fs.writeFileSync(`${directory}/c.md`, "x"),
      (directory) => fs.rmSync(`${directory}/a.md`),
      (directory) => fs.utimesSync(`${directory}/sub`, 1, 1),
    ];
    for (const change of changes) {
      const { one, directory, mtimes } = view(2);
      expect(isSeenJustNow(one)).toBe(false);
      rememberDirectories(one, mtimes(), LATER);
      expect(isSeenJustNow(one)).toBe(true);
      const before = mtimes();
      change(directory);
      // As if it had happened within the tick of the last look: the times tell nothing then.
      if (fs.readdirSync(directory).length !== 2) fs.utimesSync(directory, before[""] / 1000, before[""] / 1000);
      expect(isSeenJustNow(one)).toBe(false);
    }
  });

  it("and a quick look see a directory that goes at the moment when its names are read", () => {
    for (const [count, looks] of [
      [2, isSeenJustNow],
      [1_001, (one: StoreView) => looksUnchanged(one, LATER)],
    ] as const) {
      const { one, mtimes } = view(count);
      const isGoing = (path: string) => (path.endsWith("/sub") ? undefined : nodeFiles.list(path));
      const at = Math.max(...Object.values(mtimes()));
      rememberDirectories(one, mtimes(), at);
      rememberDirectories(one, mtimes(), at, true);
      expect(looks({ ...one, files: { ...nodeFiles, list: isGoing } })).toBe(false);
      expect(looks(one)).toBe(true);
    }
  });

  it("trusts no look of more than a second ago, as a file that others edit changes no directory", () => {
    const { one, mtimes } = view(2);
    const now = vi.spyOn(performance, "now").mockReturnValue(50_000);
    rememberDirectories(one, mtimes(), LATER);
    const seen = [51_000, 51_001].map((ms) => (now.mockReturnValue(ms), isSeenJustNow(one)));
    // Nor where memdir itself changed something since.
    rememberDirectories(one, mtimes(), LATER, true);
    seen.push(isSeenJustNow(one));
    now.mockRestore();
    expect(seen).toEqual([true, false, false]);
  });

  it("takes a change of memdir's own for no look at what others did", () => {
    const { one, mtimes } = view(2);
    rememberDirectories(one, mtimes(), LATER, true);
    expect(isSeenJustNow(one)).toBe(false);
  });
});

it("a glance after memdir's own write looks at no note again, and one after another's at all", () => {
  const root = scratch();
  let looks = 0;
  const stat: typeof nodeFiles.stat = (path) => {
    if (path.endsWith("/a.md")) looks++;
    return nodeFiles.stat(path);
  };
  const store = openTestStore(root, { git: false, files: { ...nodeFiles, stat } });
  const add = (file: string) => store.commit([{ kind: "create", file, content: "words\n" }], BY);
  add("a.md");
  store.reconcile("full");
  add("b.md");
  looks = 0;
  expect([store.reconcile("glance").added, looks]).toEqual([[], 0]);
  fs.writeFileSync(`${root}/notes/c.md`, "theirs\n");
  expect([store.reconcile("glance").added, looks > 0]).toEqual([["c.md"], true]);
  store.close();
});

describe("a quick look at a large store", () => {
  it("trusts directories that are as they were a good while after they changed", () => {
    const { one, directory, mtimes } = view();
    expect(looksUnchanged(one, LATER)).toBe(false);
    rememberDirectories(one, mtimes(), LATER);
    expect(looksUnchanged(one, LATER)).toBe(true);
    expect(knownDirectories(one)).toEqual(mtimes());
    fs.utimesSync(`${directory}/sub`, 1, 1);
    expect(looksUnchanged(one, LATER)).toBe(false);
    expect(knownDirectories(one)).toBeUndefined();
    fs.rmSync(`${directory}/sub`, { recursive: true });
    expect(looksUnchanged(one, LATER)).toBe(false);
  });

  it("looks at the names just after a change of memdir's own, and not after another's", () => {
    const { one, directory, state, mtimes } = view();
    const at = Math.max(...Object.values(mtimes()));
    rememberDirectories(one, mtimes(), at);
    expect(looksUnchanged(one, at)).toBe(false);
    rememberDirectories(one, mtimes(), at, true);
    expect(looksUnchanged(one, LATER)).toBe(true);
    expect(JSON.parse(state.get("directories") ?? "")).toMatchObject({ at: LATER, own: true });
    for (const change of [
      () => fs.writeFileSync(`${directory}/c.md`, "x"),
      () => fs.rmSync(`${directory}/c.md`),
      () => fs.rmSync(`${directory}/sub/b.md`),
    ]) {
      change();
      rememberDirectories(one, mtimes(), Math.max(...Object.values(mtimes())), true);
      const isSame = fs.existsSync(`${directory}/sub/b.md`) && !fs.existsSync(`${directory}/c.md`);
      expect(looksUnchanged(one, LATER)).toBe(isSame);
    }
    fs.writeFileSync(`${directory}/sub/b.md`, "x");
    for (const other of ["image.png", "MEMORY.md"]) fs.writeFileSync(`${directory}/${other}`, "x");
    rememberDirectories(one, mtimes(), Math.max(...Object.values(mtimes())), true);
    expect(looksUnchanged(one, LATER)).toBe(true);
  });

  it("reads the names once for the adds of a moment, and again once the directory is not as memdir left it", () => {
    const { one, directory, mtimes } = view();
    let reads = 0;
    const counted: StoreView = {
      ...one,
      files: { ...one.files, list: (path) => (reads++, one.files.list(path)) },
    };
    const write = () => rememberDirectories(counted, mtimes(), Math.max(...Object.values(mtimes())), true);
    write();
    expect(isSeenJustNow(counted)).toBe(false);
    expect(looksUnchanged(counted, LATER)).toBe(true);
    const afterLook = reads;
    for (let add = 0; add < 3; add++) {
      write();
      expect(isSeenJustNow(counted)).toBe(true);
    }
    expect(reads).toBe(afterLook);
    fs.utimesSync(directory, 1, 1);
    expect(isSeenJustNow(counted)).toBe(false);
  });

  it("is not for small stores, and knows nothing of what it cannot read", () => {
    const { one, state, mtimes } = view(1_000);
    rememberDirectories(one, mtimes(), LATER);
    expect(state.size).toBe(0);
    state.set("directories", JSON.stringify({ at: LATER, mtimes: mtimes() }));
    expect(looksUnchanged(one, LATER)).toBe(false);
    const large = view();
    for (const text of ["", "null", "7", "{}", '{"at":1}', '{"mtimes":{}}', `{"at":"1","mtimes":{}}`]) {
      large.state.set("directories", text);
      expect([text, looksUnchanged(large.one, LATER), knownDirectories(large.one)]).toEqual([text, false, undefined]);
    }
  });
});

describe("a name in a store", () => {
  const root = (): StoreContext => {
    const directory = `${scratch()}/notes`;
    fs.mkdirSync(`${directory}/sub`, { recursive: true });
    for (const file of ["a.md", "sub/b.md", "odd name?.md"]) fs.writeFileSync(`${directory}/${file}`, "x");
    fs.mkdirSync(`${directory}/dir.md`);
    fs.symlinkSync(`${directory}/a.md`, `${directory}/link.md`);
    fs.symlinkSync(`${directory}/sub`, `${directory}/linked`);
    return { directory, files: nodeFiles, excluded: new Set(["team"]) } as unknown as StoreContext;
  };

  it.each([
    ["a.md", true],
    ["sub/b.md", true],
    ["team.md", true],
    ["sub/team/x.md", true],
    ["sub/MEMORY.md", true],
    ["team/x.md", false],
    ["team/deep/x.md", false],
    ["MEMORY.md", false],
    ["memory.MD", false],
    ["../x.md", false],
    ["sub/../x.md", false],
    ["./a.md", false],
    ["sub//b.md", false],
    ["/a.md", false],
    ["a\\b.md", false],
    ["a\0.md", false],
    ["", false],
  ])("%j is inside: %s", (file, inside) => expect(isInside(root(), file)).toBe(inside));

  it.each([
    ["a.md", undefined],
    ["new.md", undefined],
    ["sub/new/deep.md", undefined],
    ["odd name?.md", undefined],
    ["new?.md", "cannot be a note"],
    ["a.txt", "cannot be a note"],
    ["team/x.md", "belongs to another store"],
    ["MEMORY.md", "cannot be a note"],
    ["dir.md", "is a directory"],
    ["a.md/b.md", "a.md is not a directory"],
    ["link.md", "symbolic link"],
    ["linked/b.md", "linked is a symbolic link"],
    ["linked/new.md", "linked is a symbolic link"],
  ])("%s may be written: %s", (file, message) => {
    const context = root();
    const told = (): unknown => {
      try {
        return guardPath(context, file);
      } catch (error) {
        return error;
      }
    };
    const refusal = { code: "invalid-input", message: expect.stringContaining(message ?? "") };
    expect([told()]).toMatchObject([message === undefined ? undefined : refusal]);
  });
});
