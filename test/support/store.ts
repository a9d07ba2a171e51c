import fs from "node:fs";
import { nodeFiles } from "../../src/adapters/files/node-files.ts";
import { openStore } from "../../src/adapters/files/store.ts";
import { openGitArchive } from "../../src/adapters/git/archive.ts";
import { createSqliteLock } from "../../src/adapters/sqlite/lock.ts";
import { openNoteIndex } from "../../src/adapters/sqlite/note-index.ts";
import { yamlFrontmatter } from "../../src/adapters/yaml/frontmatter.ts";
import type { FilePort } from "../../src/core/notes/file-port.ts";
import type { HistoryArchive } from "../../src/core/notes/history.ts";
import type { NoteIndex } from "../../src/core/notes/note-index.ts";
import type { NoteStore, StoreLock } from "../../src/core/notes/store.ts";
import type { Clock } from "../../src/core/shared/clock.ts";

export interface StoreOptions {
  readonly files?: FilePort;
  readonly clock?: Clock;
  readonly git?: boolean;
  /** Replaces git. */
  readonly archive?: (state: string) => HistoryArchive;
  readonly lock?: StoreLock;
  readonly lockTimeoutMs?: number;
  readonly excluded?: readonly string[];
  readonly orderedByName?: boolean;
  /** Wrap index and history, to inject faults. */
  readonly wrapIndex?: (index: NoteIndex) => NoteIndex;
  readonly wrapArchive?: (archive: HistoryArchive) => HistoryArchive;
}

/** A clock that advances one second at every call, from a fixed day. */
export function steppingClock(start = Date.parse("2026-03-02T09:00:00Z")): Clock & { set(ms: number): void } {
  let now = start;
  return { now: () => (now += 1000), timeZone: "Europe/Prague", set: (ms) => (now = ms) };
}

/** The real store on the real file system, in `root`/notes with its state in `root`/state. */
export function openTestStore(root: string, options: StoreOptions = {}): NoteStore {
  const directory = `${root}/notes`;
  const state = `${root}/state`;
  fs.mkdirSync(state, { recursive: true });
  const { wrapIndex = (index) => index, wrapArchive = (archive) => archive } = options;
  return openStore({
    directory,
    state,
    files: options.files ?? nodeFiles,
    lock: options.lock ?? createSqliteLock(`${state}/lock.db`),
    index: wrapIndex(openNoteIndex(`${state}/index.db`)),
    archive: () => {
      if (options.archive !== undefined) return wrapArchive(options.archive(state));
      return options.git === false ? undefined : wrapArchive(openGitArchive(`${state}/history.git`, process.env));
    },
    codec: yamlFrontmatter,
    clock: options.clock ?? steppingClock(),
    ...(options.lockTimeoutMs === undefined ? {} : { lockTimeoutMs: options.lockTimeoutMs }),
    ...(options.excluded === undefined ? {} : { excluded: options.excluded }),
    ...(options.orderedByName === undefined ? {} : { orderedByName: options.orderedByName }),
  });
}

export function noteText(name: string, description: string, body: string, type = "project"): string {
  return `---\nname: ${name}\ndescription: ${description}\nmetadata:\n  type: ${type}\n---\n\n${body}\n`;
}

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const textOf = (content: Uint8Array | undefined): string | undefined =>
  content === undefined ? undefined : new TextDecoder().decode(content);
