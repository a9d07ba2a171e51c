import type { FilePort } from "../../core/notes/file-port.ts";
import { LATE_RECALL_MS, type LateRecall, type LateRecalls } from "../../core/recall/ledger.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { unlessImpossible } from "./node-files.ts";

/** More sessions than this at once are not kept for. */
const MOST_FILES = 64;

export interface LateRecallFiles {
  /** Absolute; made when first needed. */
  readonly directory: string;
  readonly files: Pick<FilePort, "read" | "stat" | "list" | "note" | "rename" | "remove" | "makeDirectory">;
  /** For names that no other process uses. */
  readonly newId: () => string;
  readonly now: () => number;
}

/** One small file a session, named after a hash of it; taking it is a rename, so that of two takers one gets it. */
export function openLateRecalls(place: LateRecallFiles): LateRecalls {
  const { directory, files } = place;
  const path = (session: string): string => `${directory}/${sha256(session).slice(0, 32)}.json`;
  return {
    keep: (session, late) =>
      unlessImpossible(() => {
        files.makeDirectory(directory);
        removeExpired(place);
        const temporary = `${path(session)}.${place.newId()}`;
        files.note(temporary, new TextEncoder().encode(JSON.stringify(late)));
        files.rename(temporary, path(session));
      }),
    take: (session) =>
      unlessImpossible(() => {
        const taken = `${path(session)}.${place.newId()}`;
        if (files.stat(path(session)) === undefined || files.rename(path(session), taken) !== "renamed")
          return undefined;
        const bytes = files.read(taken);
        files.remove(taken);
        return bytes === undefined ? undefined : parse(new TextDecoder().decode(bytes));
      }),
  };
}

function removeExpired({ directory, files, now }: LateRecallFiles): void {
  const kept = (files.list(directory) ?? [])
    .filter(({ kind }) => kind === "file")
    .map(({ name }) => ({ file: `${directory}/${name}`, time: files.stat(`${directory}/${name}`)?.mtimeMs ?? 0 }))
    .toSorted((a, b) => b.time - a.time);
  for (const [index, { file, time }] of kept.entries())
    if (index >= MOST_FILES - 1 || now() - time > LATE_RECALL_MS) files.remove(file);
}

function parse(text: string): LateRecall | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("text" in value) || !("files" in value) || !("time" in value))
      return undefined;
    if (typeof value.text !== "string" || !Array.isArray(value.files) || typeof value.time !== "number")
      return undefined;
    return {
      text: value.text,
      files: value.files.map(String),
      time: value.time,
      turn: "turn" in value && typeof value.turn === "string" ? value.turn : undefined,
      ...("asksToSave" in value && value.asksToSave === true && { asksToSave: true }),
    };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined; // torn: it is only a second chance
    throw error;
  }
}
