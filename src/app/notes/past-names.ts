import { sha256 } from "../../core/shared/hash.ts";
import type { History, Version } from "../../core/notes/history.ts";

/** A file name that a note had, from one version on. */
export interface PastName {
  readonly file: string;
  readonly from: number;
  /** The last version in which it had it. */
  readonly through: number;
}

/** A chain longer than this is not followed. */
const MOST_NAMES = 50;

/** Names of a note, the present one first: a file that went in the version in which another came with its text was renamed. */
export function pastNames(history: History, file: string): readonly PastName[] {
  const names: PastName[] = [];
  let through = Number.POSITIVE_INFINITY;
  for (let name: string | undefined = file; name !== undefined && names.length < MOST_NAMES;) {
    const here: readonly Version[] = history.versions(name).filter(({ seq }) => seq <= through);
    const came: Version | undefined = here.find(({ files }) =>
      files.some((change) => change.file === name && change.kind === "added"),
    );
    const before: string | undefined = came === undefined ? undefined : renamedFrom(history, came, name);
    names.push({ file: name, from: before === undefined ? 0 : (came?.seq ?? 0), through });
    through = (came?.seq ?? 0) - 1;
    name = before;
  }
  return names;
}

function renamedFrom(history: History, { seq, files, actor }: Version, file: string): string | undefined {
  if (actor !== "external") return undefined;
  const gone = files.filter(({ kind }) => kind === "deleted");
  if (gone.length === 0) return undefined;
  const content = history.contentAt(seq, file);
  const hash = content && sha256(content);
  return gone.find((change) => {
    const earlier = history.contentAt(seq - 1, change.file);
    return earlier !== undefined && sha256(earlier) === hash;
  })?.file;
}

/** The name that the note had in a version; its oldest for earlier ones. */
export function nameAt(names: readonly PastName[], seq: number): string {
  return names.find(({ from }) => seq >= from)?.file ?? names.at(-1)?.file ?? "";
}

/** Versions of a note under all its names, newest first. */
export function versionsUnder(history: History, file: string): readonly Version[] {
  return pastNames(history, file).flatMap(({ file: name, from, through }) =>
    history.versions(name).filter(({ seq }) => seq >= from && seq <= through),
  );
}
