import fs from "node:fs";
import path from "node:path";
import { isLineage } from "../../../core/notes/lineage.ts";
import { isRecord, parseJson } from "../../../core/shared/json.ts";
import { EMPTY_SPACE, isObjectId, type SpaceTree } from "./space-tree.ts";

/**
 * What the branch held at a commit that a squash removed: names, lineages and ids of texts, without what was forgotten,
 * so that a client which stood there learns what changed since.
 */
export interface Listings {
  read(commit: string): SpaceTree | undefined;
  /** Keeps `commit` too; all of them lose what `now` says is forgotten. */
  keep(commits: ReadonlyMap<string, SpaceTree>, now: SpaceTree): void;
  /** Those that nobody stands at any more go. */
  keepOnly(commit: string): void;
}

export function openListings(directory: string): Listings {
  const fileOf = (commit: string): string => path.join(directory, `${commit}.json`);
  const kept = (): readonly string[] =>
    namesIn(directory)
      .filter((name) => name.endsWith(".json"))
      .map((name) => name.slice(0, -5))
      .filter(isObjectId);
  const read = (commit: string): SpaceTree | undefined =>
    isObjectId(commit) ? parse(readText(fileOf(commit))) : undefined;
  return {
    read,
    keep(commits, now) {
      fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
      const all = new Map(commits);
      for (const commit of kept()) {
        const space = all.get(commit) ?? read(commit);
        if (space !== undefined) all.set(commit, space);
      }
      for (const [commit, space] of all) write(fileOf(commit), textOf(space, now));
    },
    keepOnly(commit) {
      for (const one of kept()) if (one !== commit) fs.rmSync(fileOf(one), { force: true });
    },
  };
}

function textOf({ live, deleted, forgotten }: SpaceTree, now: SpaceTree): string {
  const isKept = ([, { lineage }]: readonly [string, { readonly lineage: string }]): boolean =>
    !now.forgotten.has(lineage);
  return JSON.stringify({
    live: [...live].filter(isKept).map(([key, { lineage, blob, bytes }]) => [key, lineage, blob, bytes]),
    deleted: [...deleted].filter(isKept).map(([key, { lineage, day }]) => [key, lineage, day]),
    forgotten: [...forgotten.keys()],
  });
}

function parse(text: string | undefined): SpaceTree | undefined {
  const value = text === undefined ? undefined : parseJson(text);
  if (!isRecord(value)) return undefined;
  const rows = (name: string): readonly (readonly unknown[])[] => {
    const list = value[name];
    return Array.isArray(list) ? list.filter((row) => Array.isArray(row)) : [];
  };
  const forgotten = Array.isArray(value["forgotten"]) ? value["forgotten"].filter(isLineage) : [];
  return {
    ...EMPTY_SPACE,
    live: new Map(
      rows("live").map(([key, lineage, blob, bytes]) => [
        String(key),
        { lineage: String(lineage), blob: String(blob), bytes: Number(bytes) },
      ]),
    ),
    deleted: new Map(
      rows("deleted").map(([key, lineage, day]) => [String(key), { lineage: String(lineage), day: String(day) }]),
    ),
    forgotten: new Map(forgotten.map((lineage) => [lineage, { day: "", names: [] }])),
  };
}

/** Whole or not at all: a listing that was cut would look like deletions. */
function write(file: string, text: string): void {
  const aside = `${file}.tmp`;
  const open = fs.openSync(aside, "w", 0o600);
  try {
    fs.writeSync(open, text);
    fs.fsyncSync(open);
  } finally {
    fs.closeSync(open);
  }
  fs.renameSync(aside, file);
}

function readText(file: string): string | undefined {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined; // none was kept
    throw error;
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return fs.readdirSync(directory);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return []; // no squash yet
    throw error;
  }
}
