import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { importArchive } from "../../../src/app/transfer/import-archive.ts";
import { locate } from "../../../src/app/workspace/locations.ts";
import { openArchive } from "../../../src/app/transfer/read-archive.ts";
import { openWorkspace } from "../../../src/app/workspace/open-workspace.ts";
import {
  commandIn,
  copyOf,
  exportedParts,
  HIDDEN,
  type Parts,
  seal,
  SECRET,
  writeParts,
} from "../../support/archive-parts.ts";
import { record } from "../../../src/core/shared/json.ts";
import { cli, emptyHome } from "../../support/cli.ts";
import { filesBelow, memoryDirectory, scratch } from "../../support/scratch.ts";

let valid: Parts;

afterEach(() => {
  vi.unstubAllEnvs();
});

beforeAll(async () => {
  valid = await exportedParts();
});

const fileLike = ({ files }: Parts, pattern: RegExp): string =>
  [...files.keys()].find((file) => pattern.test(file)) ?? "";

function changeLine(parts: Parts, change: (line: Record<string, unknown>) => void, line = 0): void {
  const file = fileLike(parts, /project\/.*history\.jsonl$/u);
  const lines = (parts.files.get(file)?.toString() ?? "").trimEnd().split("\n");
  const parsed: Record<string, unknown> = JSON.parse(lines[line] ?? "");
  change(parsed);
  lines[line] = JSON.stringify(parsed);
  parts.files.set(file, Buffer.from(`${lines.join("\n")}\n`));
}

function addFile(parts: Parts, file: string, text = "More words\n"): void {
  parts.files.set(file, Buffer.from(text));
}

const storeOf = (parts: Parts): string =>
  fileLike(parts, /^stores\/project\//u)
    .split("/")
    .slice(0, 3)
    .join("/");

const setting =
  (field: string, value: unknown) =>
  (parts: Parts): void =>
    changeLine(parts, (line) => Object.assign(line, { [field]: value }));
const naming =
  (file: string) =>
  (parts: Parts): void =>
    changeLine(parts, (line) => Object.assign(line, { changes: [{ file, after: "words" }] }));

/** Sealed: hashes and counts fit, so that nothing but the named part can be what is refused. */
const REFUSED: readonly (readonly [string, (parts: Parts) => void, string])[] = [
  [
    "a project that is called like a secret",
    ({ manifest }) => void Object.assign(manifest, { here: SECRET }),
    "the name of a store in the export is refused",
  ],
  [
    "a store that is called like a secret",
    (parts) => {
      const [from, to] = [storeOf(parts), `stores/project/${SECRET}`];
      for (const [file, bytes] of [...parts.files].filter(([name]) => name.startsWith(`${from}/`))) {
        parts.files.delete(file);
        parts.files.set(`${to}${file.slice(from.length)}`, bytes);
      }
      const stores: unknown = parts.manifest["stores"];
      const renamed = (Array.isArray(stores) ? stores.map(record) : []).map((one) =>
        one["path"] === from ? { ...one, name: SECRET, path: to } : one,
      );
      Object.assign(parts.manifest, { stores: renamed });
    },
    "the name of a store in the export is refused",
  ],
  [
    "a history that is not UTF-8",
    (parts) => {
      const file = fileLike(parts, /project\/.*history\.jsonl$/u);
      const text = parts.files.get(file)?.toString("latin1") ?? "";
      parts.files.set(file, Buffer.from(text.replace("remembered", "remember\u00ff"), "latin1"));
    },
    "is not UTF-8",
  ],
  ["a number beyond what can be counted", setting("seq", Number.MAX_SAFE_INTEGER), "has a number"],
  ["a number of another world", setting("seq", 1e300), "has a number"],
  ["a number with a fraction", setting("seq", 1.5), "has a number"],
  ["no number", setting("seq", "1"), "unknown form"],
  ["a negative number", setting("seq", -1), "has a number"],
  [
    "one number twice",
    (parts) => changeLine(parts, (line) => Object.assign(line, { seq: 1 }), 1),
    "does not come after",
  ],
  ["a time that is not one", setting("time", "yesterday"), "has a time"],
  ["a year that no calendar has", setting("time", "9999999-01-01T00:00:00.000Z"), "has a time"],
  ["a day that no month has", setting("time", "2026-02-31T00:00:00.000Z"), "has a time"],
  ["an author over two lines", setting("actor", "user\nMemdir-Seq: 7"), "author"],
  ["no list of changes", setting("changes", {}), "unknown form"],
  ["a change of nothing", setting("changes", [null]), "without a file"],
  [
    "one file twice in a version",
    setting("changes", [
      { file: "a.md", after: "1" },
      { file: "a.md", after: "2" },
    ]),
    "twice",
  ],
  ["an empty part of a path", naming("a//b.md"), "not a path"],
  ["an absolute path", naming("/etc/x.md"), "not a path"],
  ["an empty path", naming(""), "not a path"],
  ["a path that leads out", naming("a/../../x.md"), "not a path"],
  ["a text of another form", setting("changes", [{ file: "a.md", after: 7 }]), "unknown form"],
  [
    "a lineage of another form",
    setting("changes", [{ file: "a.md", after: "words", lineage: "F".repeat(24) }]),
    "a lineage that is not",
  ],
  ["a lineage that is a number", setting("changes", [{ file: "a.md", after: "words", lineage: 7 }]), "a lineage of"],
  ["a broken base64", setting("changes", [{ file: "a.md", after: { base64: "%%" } }]), "unknown form"],
  [
    "a file that memdir does not put there",
    (parts) => addFile(parts, `${storeOf(parts)}/extra.txt`),
    "does not belong",
  ],
  ["a file beside the stores", (parts) => addFile(parts, "notes/x.md"), "does not belong"],
  [
    "a log of a day that there is not",
    (parts) => addFile(parts, "stores/user/user/logs/2026/02/2026-02-31.md"),
    "does not belong",
  ],
  [
    "a store in another place",
    ({ manifest }) =>
      Object.assign(manifest, { stores: [{ path: "", scope: "user", name: "user", notes: 0, versions: 0 }] }),
    "instead of",
  ],
  [
    "a secret in a store's name",
    ({ manifest }) =>
      Object.assign(manifest, {
        stores: [{ path: `stores/group/${SECRET}`, scope: "group", name: SECRET, notes: 0, versions: 0 }],
      }),
    "",
  ],
  ["a newer version", ({ manifest }) => Object.assign(manifest, { version: 2 }), "a newer memdir wrote it"],
];

const UNSEALED: readonly (readonly [string, (parts: Parts) => void, string])[] = [
  [
    "a note that is missing",
    ({ files, ...rest }) => void files.delete(fileLike({ files, ...rest }, /port\.md$/u)),
    "is missing",
  ],
  [
    "a note that the manifest does not know",
    (parts) => addFile(parts, `${storeOf(parts)}/notes/more.md`),
    "is not in the manifest",
  ],
  ["a name that every object has", (parts) => addFile(parts, "constructor"), "is not in the manifest"],
  ["a note with other words", (parts) => addFile(parts, fileLike(parts, /port\.md$/u)), "was changed"],
  [
    "a link in the place of a note",
    (parts) => void parts.links.set(fileLike(parts, /port\.md$/u), "/etc/passwd"),
    "symbolic link",
  ],
  [
    "a link in the place of a directory",
    (parts) => void parts.links.set(`${storeOf(parts)}/notes`, "/etc"),
    "symbolic link",
  ],
  ...(["notes", "versions", "logs"] as const).map(
    (what) =>
      [
        `${what} that are fewer than it tells`,
        ({ manifest }: Parts) => {
          const stores: unknown = manifest["stores"];
          const list = Array.isArray(stores) ? stores.map(record) : [];
          const store = list.find(({ scope }) => scope === "user");
          Object.assign(manifest, {
            stores: list.map((one) => (one === store ? { ...one, [what]: Number(one[what] ?? 0) + 1 } : one)),
          });
        },
        "where the export's manifest says",
      ] as const,
  ),
  ["a link that nobody speaks of", (parts) => void parts.links.set("more", "/etc"), "symbolic link"],
];

async function taken(change: (parts: Parts) => void, isSealed: boolean, root = scratch(memoryDirectory())) {
  const parts = copyOf(valid);
  change(parts);
  if (isSealed) seal(parts);
  fs.rmSync(`${root}/archive`, { recursive: true, force: true });
  writeParts(parts, `${root}/archive`);
  const memdir = commandIn(root);
  const before = filesBelow(`${root}/home`);
  return { root, memdir, before, ...(await memdir(["import", `${root}/archive`, "--yes"])) };
}

describe("an archive", () => {
  it.each([...REFUSED.map((one) => [...one, true] as const), ...UNSEALED.map((one) => [...one, false] as const)])(
    "with %s is refused before anything is written",
    async (_, change, message, isSealed) => {
      const { root, before, code, err } = await taken(change, isSealed);
      expect(code).not.toBe(0);
      expect(err).toContain(message);
      expect(err).toMatch(/nothing was imported|update first|the name of a store/u);
      expect(filesBelow(`${root}/home`)).toEqual(before);
    },
  );

  it("that is packed leaves nothing of what it was unpacked into, taken or not", async () => {
    const root = scratch(memoryDirectory());
    const memdir = commandIn(root);
    await memdir(["remember", "--name", "port", "The exporter listens on port 7000"]);
    await memdir(["export", `${root}/notes.tgz`]);
    fs.writeFileSync(`${root}/half.tgz`, fs.readFileSync(`${root}/notes.tgz`).subarray(0, 300));
    fs.mkdirSync(`${root}/temporary`);
    vi.stubEnv("TMPDIR", `${root}/temporary`);
    expect((await memdir(["import", `${root}/notes.tgz`, "--yes"])).code).toBe(0);
    expect((await memdir(["import", `${root}/half.tgz`, "--yes"])).code).not.toBe(0);
    expect(fs.readdirSync(`${root}/temporary`)).toEqual([]);
  });

  it("passes the gates of every write: what they refuse is left out and named, the rest comes", async () => {
    const { root, code, out, memdir } = await taken((parts) => {
      const store = storeOf(parts);
      addFile(parts, `${store}/notes/keys.md`, `The key is ${SECRET}\n`);
      addFile(parts, `${store}/notes/${SECRET}.md`);
      addFile(parts, `${store}/notes/unseen.md`, HIDDEN);
      addFile(parts, `${store}/notes/team/ours.md`);
      addFile(parts, `${store}/notes/MEMORY.md`, `- mine\n- the token is ${SECRET}\n`);
      addFile(
        parts,
        "stores/user/user/logs/2026/03/2026-03-02.md",
        `# 2026-03-02\n\n- 10:00:00 +00:00\n  ${SECRET}\n\n`,
      );
      addFile(
        parts,
        "checkpoints/other/20260302T090000-keys-0123456789.md",
        `---\nname: keys\nsaved: 2026-03-02T09:00:00Z\n---\n\n${SECRET}\n`,
      );
      changeLine(parts, (line) =>
        Object.assign(line, {
          actor: SECRET,
          reason: `remembered ${SECRET}`,
          changes: [{ file: "old.md", after: SECRET }],
        }),
      );
      changeLine(parts, (line) => Object.assign(line, { changes: [{ file: "MEMORY.md", after: "- mine once\n" }] }), 1);
    }, true);
    expect(code).toBe(0);
    for (const file of [
      "keys.md",
      "unseen.md",
      "team/ours.md",
      "1 line of MEMORY.md",
      "2026-03-02.md",
      "old.md at version 1",
      "keys-0123456789",
    ])
      expect(out).toContain(file);
    expect(out).not.toContain(SECRET);
    expect(out).not.toContain("MEMORY.md at version");
    expect((await memdir(["show", "port"])).out).toContain("9090");
    const workspace = openWorkspace(locate({ cwd: `${root}/shop`, environment: emptyHome(root) }));
    const past = workspace.stores.flatMap(({ store }) => store.history().transactions());
    workspace.close();
    expect(past.length).toBeGreaterThan(4);
    const texts = past.flatMap(({ actor, reason, changes }) => [
      actor,
      reason,
      ...changes.flatMap(({ file, after }) => [file, Buffer.from(after ?? []).toString()]),
    ]);
    expect(texts.filter((text) => text.includes(SECRET) || text.includes(HIDDEN))).toEqual([]);
    for (const [file, bytes] of filesBelow(`${root}/home`))
      expect({ file, holds: file.includes(SECRET) || bytes.includes(SECRET) }).toEqual({ file, holds: false });
    expect([...filesBelow(`${root}/home`).values()].some((bytes) => bytes.includes("- mine"))).toBe(true);
  });

  it("is told store by store: what is new, what was kept beside another, what is left out", async () => {
    const root = scratch(memoryDirectory());
    await commandIn(root)(["remember", "--name", "port", "The exporter listens on port 7000"]);
    const secrets = (count: number) => (parts: Parts) => {
      for (let n = 0; n < count; n++) addFile(parts, `${storeOf(parts)}/notes/key${n}.md`, `The key is ${SECRET}\n`);
    };
    const ten = await taken(secrets(10), true, root);
    expect(ten.out).toMatch(/^project .*: 0 new notes, 0 already here, 1 conflicting$/mu);
    expect(ten.out).toMatch(
      /^user user into .*: 1 new note, 0 already here, 0 conflicting, 1 version of history, 1 day of logs$/mu,
    );
    expect(ten.out).toContain("  both kept: project_port.md stays, the imported note is project_port_2.md\n");
    expect(ten.out.match(/left out: .*key\d/gu)).toHaveLength(10);
    expect(ten.out).not.toContain("more; --json");
    expect(ten.out).toMatch(/^imported 2 notes; `memdir undo \d+`, `memdir undo user:\d+` take them back$/mu);
    const again = await taken(() => undefined, true, root);
    expect(again.out).toMatch(/^imported 0 notes$/mu);
    const [own = ""] = [...filesBelow(root).keys()].filter((file) => /\/user\/memory\/user_\w+\.md$/u.test(file));
    fs.rmSync(path.join(root, own));
    const one = await taken(() => undefined, true, root);
    expect(one.out).toMatch(/^imported 1 note; `memdir undo user:\d+` takes them back$/mu);
    const eleven = await taken(secrets(11), true, root);
    expect(eleven.out.match(/left out: .*key\d/gu)).toHaveLength(10);
    expect(eleven.out).toContain("  and 1 more; --json lists all\n");
    expect(eleven.out).toMatch(/^project .*: 0 new notes, 1 already here, 0 conflicting$/mu);
  });

  it("names ten notes that were kept beside others, and counts the rest", async () => {
    const root = scratch(memoryDirectory());
    const change = (parts: Parts): void => {
      for (let n = 0; n < 11; n++) addFile(parts, `${storeOf(parts)}/notes/other${n}.md`, `It has words ${n}.\n`);
    };
    await taken(change, true, root);
    for (const file of filesBelow(`${root}/home`).keys())
      if (/\/other\d+\.md$/u.test(file)) fs.appendFileSync(`${root}/home/${file}`, "A line of my own.\n");
    const { out } = await taken(change, true, root);
    expect(out.match(/both kept: other/gu)).toHaveLength(10);
    expect(out).toContain("  and 1 more; --json lists all\n");
  });

  it("leaves a checkpoint that is here already as it is", async () => {
    const first = await taken(() => undefined, true);
    const find = () => [...filesBelow(`${first.root}/home`)].filter(([file]) => /checkpoints\/.*\.md$/u.test(file));
    const [[file = ""] = []] = find();
    expect(find()).toHaveLength(1);
    fs.appendFileSync(`${first.root}/home/${file}`, "\nA line of my own\n");
    expect((await taken(() => undefined, true, first.root)).code).toBe(0);
    expect(find().map(([, bytes]) => bytes.toString())).toEqual([expect.stringContaining("A line of my own")]);
  });

  it("is planned whole before its first store is written", async () => {
    const root = scratch(memoryDirectory());
    const memdir = commandIn(root);
    const parts = copyOf(valid);
    const stores = parts.manifest["stores"];
    Object.assign(parts.manifest, {
      stores: [
        ...(Array.isArray(stores) ? stores : []),
        { path: "stores/group/a b", scope: "group", name: "a b", notes: 0, versions: 0 },
      ],
    });
    writeParts(parts, `${root}/archive`);
    expect(await memdir(["import", `${root}/archive`, "--yes"])).toMatchObject({ code: 2 });
    const workspace = openWorkspace(locate({ cwd: `${root}/shop`, environment: emptyHome(root) }));
    const archive = await openArchive(workspace, `${root}/archive`);
    expect(() => importArchive(workspace, archive, { write: true })).toThrow("name of a group");
    workspace.close();
    expect([...filesBelow(`${root}/home`).keys()]).toEqual([]);
  });

  it("imports nothing before it is agreed: a no, nobody to ask, JSON", async () => {
    const root = scratch(memoryDirectory());
    fs.mkdirSync(`${root}/shop/.git`, { recursive: true });
    writeParts(copyOf(valid), `${root}/archive`);
    const given = (argv: readonly string[], answer?: boolean) =>
      cli(["import", `${root}/archive`, ...argv], {
        cwd: `${root}/shop`,
        environment: emptyHome(root),
        ...(answer !== undefined && { answer }),
      });
    const notes = (): readonly string[] =>
      fs.existsSync(`${root}/home`)
        ? [...filesBelow(`${root}/home`).keys()].filter((file) => file.endsWith(".md"))
        : [];
    expect([(await given([], false)).code, notes()]).toEqual([0, []]);
    expect([(await given([])).err, notes()]).toEqual([
      expect.stringContaining("nothing was imported; run it again"),
      [],
    ]);
    expect([(await given(["--json"], true)).err, notes()]).toEqual([
      expect.stringContaining("nothing was imported"),
      [],
    ]);
    expect((await given([], true)).err).toBe("");
    expect(notes()).not.toEqual([]);
  });

  it.skipIf(!fs.existsSync("/proc/self/fd"))("leaves none of its files open", async () => {
    const root = scratch(memoryDirectory());
    writeParts(copyOf(valid), `${root}/archive`);
    const workspace = openWorkspace(locate({ cwd: `${root}/shop`, environment: emptyHome(root) }));
    await openArchive(workspace, `${root}/archive`);
    workspace.close();
    const open = fs.readdirSync("/proc/self/fd").flatMap((fd) => {
      const link = `/proc/self/fd/${fd}`;
      return fs.existsSync(link) ? [fs.readlinkSync(link)].filter((file) => file.startsWith(`${root}/archive/`)) : [];
    });
    expect(open).toEqual([]);
  });

  it("that is packed is for its owner alone to read", async () => {
    const root = scratch(memoryDirectory());
    const memdir = commandIn(root);
    await memdir(["remember", "--name", "port", "The importer listens on port 8080"]);
    const mask = process.umask(0);
    try {
      expect((await memdir(["export", `${root}/out.tar.gz`])).code).toBe(0);
      expect((await memdir(["export", `${root}/out`])).code).toBe(0);
    } finally {
      process.umask(mask);
    }
    const open = ["out.tar.gz", "out", "out/manifest.json", "out/stores"].filter(
      (file) => (fs.statSync(`${root}/${file}`).mode & 0o077) !== 0,
    );
    expect(open).toEqual([]);
  });
});
