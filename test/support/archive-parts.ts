import fc from "fast-check";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { isRecord, parseJson, record } from "../../src/core/shared/json.ts";
import { cli, emptyHome } from "./cli.ts";
import { filesBelow, memoryDirectory, scratch } from "./scratch.ts";

/** An export in memory that tests can change. */
export interface Parts {
  readonly manifest: Record<string, unknown>;
  readonly files: Map<string, Buffer>;
  /** Links by path, each with its target. */
  readonly links: Map<string, string>;
}

/** Joined from parts, so that no source contains it whole. */
export const SECRET = ["gh", "p_", "x9Kd83Lmq02ZpT7vRb4", "NcW1sYhJ6uEa5FgQ8i"].join("");
export const HIDDEN = "plain\u{E0041}\u202E words";

/** The export of a project with notes, history, logs, a checkpoint and a hand-written line. */
export async function exportedParts(): Promise<Parts> {
  const root = scratch(memoryDirectory());
  const memdir = commandIn(root);
  await memdir(["remember", "--name", "port", "The importer listens on port 8080"]);
  await memdir(["edit", "port", "--body", "The importer listens on port 9090"]);
  await memdir(["remember", "--name", "gone", "The old cluster is called zebra"]);
  await memdir(["remove", "gone"]);
  await memdir(["remember", "--name", "role", "--type", "user", "A data scientist from Brno"]);
  await memdir(["log", "The vendor moves the API in spring"]);
  await memdir(["checkpoint", "save", "--name", "importer", "--goal", "Import in one pass"]);
  const [page = ""] = [...filesBelow(root).keys()].filter((file) => /projects.*MEMORY\.md$/u.test(file));
  fs.appendFileSync(`${root}/${page}`, "- a line of my own\n");
  await memdir(["export", `${root}/exported`]);
  return readParts(`${root}/exported`);
}

/** Runs the command in a project below `root`, with an empty home there. */
export function commandIn(root: string) {
  for (const directory of ["shop/.git", "home"]) fs.mkdirSync(`${root}/${directory}`, { recursive: true });
  return (argv: readonly string[]) => cli(argv, { environment: emptyHome(root), cwd: `${root}/shop` });
}

function readParts(directory: string): Parts {
  const files = filesBelow(directory);
  const manifest: unknown = JSON.parse(files.get("manifest.json")?.toString() ?? "");
  files.delete("manifest.json");
  return { manifest: isRecord(manifest) ? { ...manifest } : {}, files, links: new Map() };
}

export function copyOf({ manifest, files, links }: Parts): Parts {
  return { manifest: structuredClone(manifest), files: new Map(files), links: new Map(links) };
}

/** Makes hashes and counts match the current content, so that only the change itself can be noticed. */
export function seal({ manifest, files }: Parts): void {
  manifest["files"] = Object.fromEntries(
    [...files].map(([file, bytes]) => [file, createHash("sha256").update(bytes).digest("hex")]),
  );
  for (const store of storesOf(manifest)) {
    const below = [...files.keys()].filter((file) => file.startsWith(`${String(store["path"])}/`));
    const history = files.get(`${String(store["path"])}/history.jsonl`)?.toString() ?? "";
    store["notes"] = below.filter((file) => file.includes("/notes/") && !file.endsWith("/notes/MEMORY.md")).length;
    store["versions"] = history.split("\n").filter((line) => line !== "").length;
    const logs = below.filter((file) => file.includes("/logs/")).length;
    if (logs > 0) store["logs"] = logs;
  }
}

/** Writes it as a directory; a name that leads outside is only in the manifest. */
export function writeParts({ manifest, files, links }: Parts, directory: string): void {
  const place = (file: string): string | undefined => {
    const full = path.join(directory, file);
    return !file.endsWith("/") && full.startsWith(`${directory}/`) ? full : undefined;
  };
  fs.mkdirSync(directory, { recursive: true });
  for (const [file, bytes] of files) {
    const full = place(file);
    if (full === undefined || fs.existsSync(full)) continue;
    fs.mkdirSync(path.dirname(full), { recursive: true });
    fs.writeFileSync(full, bytes);
  }
  for (const [file, target] of links) {
    fs.rmSync(path.join(directory, file), { recursive: true, force: true });
    fs.symlinkSync(target, path.join(directory, file));
  }
  fs.writeFileSync(`${directory}/manifest.json`, JSON.stringify(manifest));
}

export interface Mutation {
  readonly what: string;
  readonly change: (parts: Parts) => void;
}

const NAMES = ["a//b.md", "/etc/x.md", "", "../x.md", "a/../../x.md", ".git/x.md", "git~1/x.md", "con.md", "a\\b.md"];
const MORE_NAMES = [
  "team/x.md",
  "2026/11/x.md",
  "MEMORY.md",
  "x\u202E.md",
  `${SECRET}.md`,
  `${"d/".repeat(12)}deep.md`,
];
const OTHERS = [null, true, 7, [], {}, "__proto__", "constructor", "x\ny", SECRET, HIDDEN, "x".repeat(5_000)];
const COUNTS = [-1, 0, 1.5, 99, 1e300, 2 ** 53, "1", null];
const STORE_NAMES = ["..", ".", "", "a/b", "a\\b", "a\nb", SECRET, HIDDEN, "é".repeat(200), 7];
/** Invalid or rare values of each field. A value of another field would be refused just for its type. */
const BAD: Readonly<Record<string, readonly unknown[]>> = {
  format: ["zip", "", ...OTHERS],
  version: [0, 2, 1.5, "1", ...OTHERS],
  here: STORE_NAMES,
  name: STORE_NAMES,
  stores: [[null], [{}], ...OTHERS],
  files: [{ "more.txt": "0".repeat(64) }, { "../x": "0".repeat(64) }, ...OTHERS],
  path: ["", "..", "stores", "stores/user/user~1", "stores/user/user~x/../../..", ...NAMES],
  scope: ["world", "team", "user", "", ...OTHERS],
  notes: COUNTS,
  versions: COUNTS,
  logs: COUNTS,
  hash: ["0".repeat(64), "0".repeat(63), `${"0".repeat(64)}0`, "g".repeat(64), ...OTHERS],
  seq: [-1, 0, 1.5, 99.5, 1e300, Number.MAX_SAFE_INTEGER, 1e12, 1e12 + 1, 2 ** 53, "1", null],
  time: [
    "yesterday",
    "9999999-01-01T00:00:00.000Z",
    "+275760-09-13T00:00:00.000Z",
    "2026-02-31T00:00:00.000Z",
    "2026-02-01",
    "1969-12-31T00:00:00.000Z",
    "",
    0,
  ],
  actor: ["x\ny", "<a@b>", "", "x".repeat(101), "x\0", SECRET, HIDDEN, 7, null],
  reason: ["x\nMemdir-Seq: 7", "", SECRET, HIDDEN, "x".repeat(5_000), 7, null],
  changes: [null, {}, [null], [7], [{}], [{ file: "a.md" }], [{ file: "a.md", after: 7 }], "x"],
  file: [...NAMES, ...MORE_NAMES, 7, null],
  after: [7, true, {}, [], { base64: 7 }, SECRET, HIDDEN, "\0", ""],
  base64: ["%%", "YQ", "YQ===", 7, null, Buffer.from(SECRET).toString("base64")],
  lineage: ["F".repeat(24), "0".repeat(23), "0".repeat(25), `\n${"0".repeat(24)}`, "", 7, null],
};
const badValue = (field: string, number: number): unknown => at(BAD[field] ?? OTHERS, number);
const pick = fc.nat(1_000);

function storesOf(manifest: Parts["manifest"]): Record<string, unknown>[] {
  const stores = manifest["stores"];
  return Array.isArray(stores) ? stores.filter((store) => typeof store === "object" && store !== null) : [];
}

const at = <T>(list: readonly T[], number: number): T => {
  const found = list[number % list.length];
  if (found === undefined) throw new Error("nothing to choose from");
  return found;
};
const named = (files: Parts["files"], pattern: RegExp): string[] =>
  [...files.keys()].filter((file) => pattern.test(file));

/** `undefined` removes the field. */
function setField(target: Record<string, unknown>, field: string, value: unknown): void {
  if (value === undefined) delete target[field];
  else Object.defineProperty(target, field, { value, enumerable: true, configurable: true, writable: true });
}

const inManifest = fc.tuple(pick, pick).map(([number, which]): Mutation => ({
  what: `a field of the manifest has another value (${number}, ${which})`,
  change: ({ manifest }) => {
    const stores = storesOf(manifest);
    const files = manifest["files"];
    const spots: [Record<string, unknown>, string][] = [
      ...["format", "version", "here", "stores", "files"].map((field): [Record<string, unknown>, string] => [
        manifest,
        field,
      ]),
      ...stores.flatMap((store) =>
        ["path", "scope", "name", "notes", "versions", "logs"].map((field): [Record<string, unknown>, string] => [
          store,
          field,
        ]),
      ),
    ];
    // There are many hashes, so each other field is drawn as often as all hashes together.
    const hashes = isRecord(files) ? Object.keys(files) : [];
    if (number % (spots.length + 1) < spots.length || !isRecord(files) || hashes.length === 0) {
      const [target, field] = at(spots, number % (spots.length + 1));
      setField(target, field, badValue(field, which));
    } else setField(files, at(hashes, which), badValue("hash", number + which));
  },
}));

const HISTORY_FIELDS = ["seq", "time", "actor", "reason", "changes", "file", "after", "base64", "lineage"];

function setInHistory({ files }: Parts, number: number, line: number, field: string, value: unknown): void {
  const file = at(named(files, /history\.jsonl$/u), number);
  const lines = (files.get(file)?.toString() ?? "").split("\n").filter((one) => one !== "");
  const parsed = { ...record(parseJson(at(lines, line))) }; // an earlier change may have broken it
  const changes = parsed["changes"];
  const [first] = Array.isArray(changes) ? changes : [];
  if (field === "base64") setField(first ?? {}, "after", { base64: value });
  else setField(["file", "after", "lineage"].includes(field) ? (first ?? {}) : parsed, field, value);
  lines[line % lines.length] = JSON.stringify(parsed);
  files.set(file, Buffer.from(`${lines.join("\n")}\n`));
}

const inHistory = fc.tuple(pick, pick, pick, pick).map(([number, line, spot, which]): Mutation => ({
  what: `a field of a history line has another value (${number}, ${line}, ${spot}, ${which})`,
  change: (parts) => {
    const field = at(HISTORY_FIELDS, spot);
    setInHistory(parts, number, line, field, badValue(field, which));
  },
}));

/** Each bad value of each field once: in the newest version of a history, or in the manifest and its first store. */
export const EVERY_FIELD: readonly (readonly [string, readonly Mutation["change"][]])[] = Object.keys(BAD).map(
  (field) => [
    field,
    (BAD[field] ?? []).map((value) => (parts) => {
      const { manifest } = parts;
      const [store = {}] = storesOf(manifest);
      const lines = parts.files
        .get(at(named(parts.files, /history\.jsonl$/u), 0))
        ?.toString()
        .trimEnd()
        .split("\n");
      if (HISTORY_FIELDS.includes(field)) setInHistory(parts, 0, (lines?.length ?? 1) - 1, field, value);
      else if (field === "hash") Object.assign(manifest["files"] ?? {}, { [at([...parts.files.keys()], 0)]: value });
      else setField(Object.hasOwn(manifest, field) ? manifest : store, field, value);
    }),
  ],
);

const inOrder = fc
  .tuple(pick, fc.constantFrom("twice", "reversed", "not JSON", "not UTF-8", "a list"))
  .map(([number, how]): Mutation => ({
    what: `a history has lines ${how}`,
    change: ({ files }) => {
      const file = at(named(files, /history\.jsonl$/u), number);
      const text = files.get(file)?.toString() ?? "";
      const lines = text.trimEnd().split("\n");
      const changed = {
        twice: text + text,
        reversed: `${lines.toReversed().join("\n")}\n`,
        "not JSON": `${text}{`,
        "not UTF-8": text,
        "a list": `${text}[]\n`,
      };
      files.set(
        file,
        how === "not UTF-8" ? Buffer.concat([Buffer.from(text), Buffer.from([0xc3, 0x28])]) : Buffer.from(changed[how]),
      );
    },
  }));

const inTexts = fc
  .tuple(pick, fc.constantFrom(SECRET, HIDDEN, "\0", "\u001B[2J", "---\nname: [", ""))
  .map(([number, text]): Mutation => ({
    what: `a file holds ${JSON.stringify(text)} (${number})`,
    change: ({ files }) => {
      const file = at(named(files, /\/(?:notes|logs|checkpoints)\//u).concat(named(files, /^checkpoints\//u)), number);
      files.set(file, Buffer.from(`${files.get(file)?.toString() ?? ""}\nOne more line: ${text}\n`));
    },
  }));

const inNames = fc.tuple(pick, fc.constantFrom(...NAMES, ...MORE_NAMES)).map(([number, name]): Mutation => ({
  what: `a file is called ${JSON.stringify(name)} (${number})`,
  change: ({ files }) => {
    const file = at([...files.keys()], number);
    const folder = /^(.*\/(?:notes|logs)|checkpoints\/[^/]+)\//u.exec(file)?.[1] ?? path.dirname(file);
    const bytes = files.get(file);
    files.delete(file);
    if (bytes !== undefined) files.set(`${folder}/${name}`, bytes);
  },
}));

const inPresence = fc
  .tuple(pick, fc.constantFrom("gone", "extra", "link", "linked directory"))
  .map(([number, how]): Mutation => ({
    what: `a file is ${how} (${number})`,
    change: ({ files, links }) => {
      const file = at([...files.keys()], number);
      if (how === "gone") files.delete(file);
      else if (how === "extra") files.set(`${path.dirname(file)}/extra.txt`, Buffer.from("extra"));
      else links.set(how === "link" ? file : path.dirname(file) === "." ? "more" : path.dirname(file), "/etc");
    },
  }));

/** A version with a text or reason that every gate refuses. */
const inPast = fc
  .tuple(pick, pick, fc.constantFrom("reason", "after"), fc.constantFrom(SECRET, HIDDEN, "plain"))
  .map(([number, line, field, text]): Mutation => ({
    what: `the ${field} of a version holds ${JSON.stringify(text)} (${number}, ${line})`,
    change: ({ files }) => {
      const file = at(named(files, /history\.jsonl$/u), number);
      const lines = (files.get(file)?.toString() ?? "").trimEnd().split("\n");
      const parsed = { ...record(parseJson(at(lines, line))) }; // an earlier change may have broken it
      const changes = parsed["changes"];
      const [first] = Array.isArray(changes) ? changes : [];
      setField(field === "after" ? (first ?? {}) : parsed, field, `Some words, ${text}`);
      lines[line % lines.length] = JSON.stringify(parsed);
      files.set(file, Buffer.from(`${lines.join("\n")}\n`));
    },
  }));

const anything = fc.array(
  fc.oneof(inManifest, { arbitrary: inHistory, weight: 3 }, inOrder, inTexts, inNames, inPresence),
  { minLength: 1, maxLength: 2 },
);

/** Changes of any part, or of texts only; hashes and counts usually match them, but not always. */
export const mutations = fc.record({
  changes: fc.oneof(anything, fc.array(fc.oneof(inTexts, inPast), { minLength: 1, maxLength: 3 })),
  sealed: fc.nat(7).map((number) => number > 0),
});
