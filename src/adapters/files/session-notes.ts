import { putFile } from "./node-files.ts";
import type { FilePort } from "../../core/notes/file-port.ts";
import { parseNotes, type SessionNotes } from "../../core/session-notes/notes.ts";
import { sha256 } from "../../core/shared/hash.ts";

export interface SessionNotesFiles {
  /** memdir's `session-memory`, absolute; created when first needed. */
  readonly directory: string;
  readonly files: Pick<
    FilePort,
    "read" | "list" | "stat" | "create" | "rename" | "remove" | "makeDirectory" | "syncDirectory"
  >;
  readonly now: () => number;
  /** Makes names unique to this process. */
  readonly newId: () => string;
}

/** Notes of sessions, one file each, replaced whole. Removed after 30 days, the oldest sooner if there are too many. */
export interface SessionNotesStore {
  read(session: string): SessionNotes | undefined;
  write(notes: SessionNotes): void;
  /** Newest first. */
  list(): readonly SessionNotes[];
  remove(session: string): boolean;
}

const DAYS_MS = 30 * 86_400_000;
const MOST_FILES = 200;
/** memdir's own files are far smaller; a larger one is ignored (bytes). */
const MOST_BYTES = 512 * 1024;

export function openSessionNotes({ directory, files, now, newId }: SessionNotesFiles): SessionNotesStore {
  const fileOf = (session: string): string => `${directory}/${sha256(session).slice(0, 32)}.json`;
  const readFile = (file: string): SessionNotes | undefined => {
    const stat = files.stat(file);
    if (stat?.kind !== "file" || stat.size > MOST_BYTES) return undefined;
    const notes = parseNotes(new TextDecoder().decode(files.read(file) ?? new Uint8Array()));
    return notes !== undefined && now() - Date.parse(notes.updated) <= DAYS_MS ? notes : undefined;
  };
  const present = (): { readonly file: string; readonly time: number }[] =>
    (files.list(directory) ?? [])
      .filter(({ name, kind }) => kind === "file" && /^[0-9a-f]{32}\.json/u.test(name))
      .map(({ name }) => ({ file: `${directory}/${name}`, time: files.stat(`${directory}/${name}`)?.mtimeMs ?? 0 }))
      .toSorted((a, b) => b.time - a.time);
  return {
    read: (session) => {
      const notes = readFile(fileOf(session));
      return notes?.session === session ? notes : undefined;
    },
    write(notes) {
      files.makeDirectory(directory);
      for (const [index, { file, time }] of present().entries())
        if (index >= MOST_FILES - 1 || now() - time > DAYS_MS) files.remove(file);
      const file = fileOf(notes.session);
      const text = `${JSON.stringify(notes, undefined, 1)}\n`;
      putFile(file, text, { files, aside: `${file}.${newId()}`, named: true });
    },
    list: () => present().flatMap(({ file }) => readFile(file) ?? []),
    remove(session) {
      const isThere = files.stat(fileOf(session)) !== undefined;
      files.remove(fileOf(session));
      return isThere;
    },
  };
}
