import { MemoryError, type MemoryErrorCode } from "../../core/shared/errors.ts";

/** What went wrong in SQLite, as far as a caller can act on it. `not-sqlite` is somebody else's error. */
export type SqliteFailure = "busy" | "corrupt" | "read-only" | "cannot-open" | "full" | "io" | "other" | "not-sqlite";

/** Primary result codes, https://www.sqlite.org/rescode.html */
const PRIMARY: ReadonlyMap<number, SqliteFailure> = new Map<number, SqliteFailure>([
  [3, "read-only"],
  [5, "busy"],
  [6, "busy"],
  [8, "read-only"],
  [10, "io"],
  [11, "corrupt"],
  [13, "full"],
  [14, "cannot-open"],
  [23, "read-only"],
  [26, "corrupt"],
]);

/** Classifies an error of either engine. */
export function sqliteFailure(error: unknown): SqliteFailure {
  if (!(error instanceof Error)) return "not-sqlite";
  const code = resultCode(error);
  if (code !== undefined) return PRIMARY.get(code & 0xff) ?? (DAMAGE.test(error.message) ? "corrupt" : "other");
  // libsql reports a failed open as text: `ConnectionFailed("Unable to open connection to local database PATH: 14")`.
  const opening = /Unable to open connection to local database .*: (\d+)/su.exec(error.message);
  if (opening !== null) return PRIMARY.get(Number(opening[1]) & 0xff) ?? "cannot-open";
  return "not-sqlite";
}

/** Damage that SQLite reports under its general error code: tables of ours that are gone or cannot be understood. */
const DAMAGE = /malformed|not a database|vtable constructor failed|no such (?:table|column|module)|fts5: corrupt/iu;

function resultCode(error: Error): number | undefined {
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode;
  if ("rawCode" in error && typeof error.rawCode === "number") return error.rawCode;
  return undefined;
}

const MEMORY_CODES: Readonly<Record<Exclude<SqliteFailure, "not-sqlite">, MemoryErrorCode>> = {
  busy: "locked",
  corrupt: "corrupt",
  "read-only": "permission",
  "cannot-open": "permission",
  full: "disk-full",
  io: "io",
  other: "io",
};

/** The error to throw for a failed operation on `path`; an error that is not SQLite's comes back as it is. */
export function memoryErrorOf(error: unknown, path: string, doing: string): unknown {
  const failure = sqliteFailure(error);
  if (failure === "not-sqlite" || !(error instanceof Error)) return error;
  return new MemoryError(MEMORY_CODES[failure], `${doing} failed on ${path}: ${error.message}. ${ADVICE[failure]}`, {
    cause: error,
  });
}

const ADVICE: Readonly<Record<Exclude<SqliteFailure, "not-sqlite">, string>> = {
  busy: "Another process holds it; try again in a moment",
  corrupt: "The file is damaged; it is derived and may be deleted",
  "read-only": "The file or its directory is read-only for this user; check its permissions",
  "cannot-open": "Check that the directory exists and that this user may write there",
  full: "The disk is full; free some space and try again",
  io: "The disk reported an error; check it and try again",
  other: "Run `memdir doctor` to look into it",
};
