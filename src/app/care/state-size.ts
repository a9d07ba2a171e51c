import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Locations } from "../workspace/locations.ts";

/** The recorded session that ships with memdir, and a prompt for the session after it. */
export function shippedSession(): { readonly path: string; readonly nextPrompt: string } {
  return {
    path: fileURLToPath(new URL("../../../demo/session.jsonl", import.meta.url)),
    nextPrompt: "add a chart to the latency dashboard",
  };
}

/** The size on disk of what memdir keeps in addition to the notes. */
export interface StateSize {
  /** Sum of all file sizes. */
  readonly bytes: number;
  readonly files: number;
  /** The largest parts, largest first: `history.git`, `recalls.jsonl`, …, summed over all stores. */
  readonly parts: readonly { readonly name: string; readonly bytes: number }[];
  /** There were too many files to count all, so the true size is larger. */
  readonly isCut: boolean;
}

const MOST_FILES = 50_000;

const PARTS_SHOWN = 4;

/** The size of memdir's own directory. Does not follow links. */
export function stateSize({ memdirHome }: Pick<Locations, "memdirHome">): StateSize {
  const parts = new Map<string, number>();
  let [bytes, files] = [0, 0];
  const open = [memdirHome];
  for (let directory = open.pop(); directory !== undefined && files < MOST_FILES; directory = open.pop()) {
    for (const entry of entriesIn(directory)) {
      const full = path.join(directory, entry.name);
      if (entry.isDirectory()) open.push(full);
      if (!entry.isFile()) continue;
      const size = fs.lstatSync(full, { throwIfNoEntry: false })?.size ?? 0;
      const part = partOf(path.relative(memdirHome, full).split(path.sep));
      parts.set(part, (parts.get(part) ?? 0) + size);
      bytes += size;
      files++;
    }
  }
  return {
    bytes,
    files,
    parts: [...parts]
      .map(([name, size]) => ({ name, bytes: size }))
      .toSorted((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1))
      .slice(0, PARTS_SHOWN),
    isCut: files >= MOST_FILES,
  };
}

/** `stores/<scope>/<store>/history.git/…` is `history.git`, `pastes/…` is `pastes`. */
function partOf(names: readonly string[]): string {
  const within = names[0] === "stores" ? names.findIndex((name) => PARTS_OF_A_STORE.test(name)) : 0;
  return names[within === -1 ? names.length - 1 : within] ?? "";
}

const PARTS_OF_A_STORE = /^(?:history\.git|as-of|displaced|proposals|vectors)/u;

/** Skips what disappears in the meantime or cannot be read. */
function entriesIn(directory: string): readonly fs.Dirent[] {
  try {
    return fs.readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error) return []; // gone in the meantime, or not readable by this user
    throw error;
  }
}

/** `0.3 MB`, `12 KB`. */
export function shownBytes(bytes: number): string {
  if (bytes >= 1_000_000) return `${(bytes / 1_000_000).toFixed(bytes >= 10_000_000 ? 0 : 1)} MB`;
  return bytes >= 1_000 ? `${Math.round(bytes / 1_000)} KB` : `${bytes} bytes`;
}
