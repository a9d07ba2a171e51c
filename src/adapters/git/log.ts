import { type Version, isLineage, type Lineage } from "../../core/notes/history.ts";

/** One commit of the archive: its version and the new blob of each changed file (absent for deletions). */
export interface Commit {
  readonly version: Version;
  readonly blobs: ReadonlyMap<string, string | undefined>;
  /** Recorded lineages, by file. */
  readonly lineages: ReadonlyMap<string, Lineage>;
}

/** Every commit of the archive, newest first. */
export function readCommits(git: (args: readonly string[]) => Buffer): Commit[] {
  const text = git([
    "log",
    "refs/heads/main",
    "-z",
    "--root",
    "--no-renames",
    "--raw",
    "--no-abbrev",
    "--format=%x1e%B%x1f",
  ]).toString("utf8");
  return text.split("\x1e").flatMap((record) => {
    const [message = "", changes = ""] = record.split("\x1f");
    const seq = Number(trailer(message, "Memdir-Seq"));
    if (!Number.isInteger(seq)) return [];
    const entries = parseChanges(changes);
    const version: Version = {
      id: String(seq),
      seq,
      time: trailer(message, "Memdir-Time") ?? "",
      actor: trailer(message, "Memdir-Actor") ?? "",
      reason: message.split("\n")[0] ?? "",
      files: entries.map(({ file, kind }) => ({ file, kind })),
    };
    return [
      {
        version,
        blobs: new Map(entries.map(({ file, blob }) => [file, blob])),
        lineages: lineagesIn(trailersOf(message)),
      },
    ];
  });
}

interface Entry {
  readonly file: string;
  readonly kind: "added" | "changed" | "deleted";
  readonly blob: string | undefined;
}

/** `:100644 100644 <old> <new> M` and the path, each followed by NUL. */
const CHANGE = /:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) ([A-Z])\0([^\0]+)\0/gu;

function parseChanges(raw: string): Entry[] {
  return Array.from(raw.matchAll(CHANGE), ([, blob, letter, file = ""]) =>
    letter === "D"
      ? { file, kind: "deleted", blob: undefined }
      : { file, kind: letter === "A" ? "added" : "changed", blob },
  );
}

function lineagesIn(trailers: string): Map<string, Lineage> {
  return new Map(
    [...trailers.matchAll(/^Memdir-Lineage: ([0-9a-f]{24}) (\S+)$/gmu)].flatMap(([, lineage, file]) =>
      isLineage(lineage) && file !== undefined ? [[decodeURI(file), lineage] as const] : [],
    ),
  );
}

function trailer(message: string, key: string): string | undefined {
  return new RegExp(`^${key}: (.*)$`, "mu").exec(trailersOf(message))?.[1];
}

/** The first line is the reason, which may contain anything. */
function trailersOf(message: string): string {
  return message.slice(message.indexOf("\n") + 1);
}
