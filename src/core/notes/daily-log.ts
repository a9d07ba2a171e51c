import { sha256 } from "../shared/hash.ts";
import { cutAtWord, oneLine } from "../shared/text.ts";
import type { IndexedNote, IndexEntry } from "./note-index.ts";
import type { ReadableStore } from "./store.ts";

/** Daily logs as recall reads them: `read` and the index take ids such as `2026/11/2026-11-22.md#093939-1f2e3d4c`. */
export interface RecalledLogs {
  readonly store: ReadableStore;
  /** The project that recall works in, as entries name it; entries about other projects are left out. */
  readonly project: string | undefined;
}

/** A user's daily logs: one append-only file per day. */
export interface DailyLogs extends ReadableStore {
  /** The user's store, absolute; logs are in `YYYY/MM` below it. */
  readonly directory: string;
  /**
   * Adds entries in the given order, each to the file of its own local day. On disk on return.
   * @throws MemoryError `locked`, `permission`, `disk-full`, `invalid-input` if something else is in the file's place.
   */
  append(entries: readonly NewLogEntry[]): readonly LogEntry[];
  /** Days that have a file, oldest first. */
  days(): readonly string[];
  /** The size of each day's file (bytes), oldest day first. */
  sizes(): ReadonlyMap<string, number>;
  /** The entries of a day; empty without a file. */
  day(day: string): readonly LogEntry[];
  close(): void;
}

/** One entry of a daily log, as stored. */
export interface LogEntry {
  /** The writer's local day, `YYYY-MM-DD`, which determines the file. */
  readonly day: string;
  /** Its position in that file, from 1; changes when the user removes an earlier entry. */
  readonly number: number;
  /** Its id within the day, made from its time and text; unaffected by changes to other entries. */
  readonly key: string;
  /** When it was said (ms). */
  readonly time: number;
  /** Minutes that the writer's zone is ahead of UTC; `undefined` if the entry does not say. */
  readonly offset: number | undefined;
  /** The project it is about, as a path with `~` for the home directory; `undefined` if none in particular. */
  readonly project: string | undefined;
  /** The session and message it was captured from, if any. */
  readonly session: string | undefined;
  readonly message: string | undefined;
  /** Markdown, line endings as `\n`, trimmed. */
  readonly text: string;
}

/** An entry before it has a position. */
export interface NewLogEntry extends Pick<LogEntry, "time" | "project" | "session" | "message" | "text"> {
  readonly offset: number;
}

const KEY = String.raw`\d{6}-[0-9a-f]{8}(?:-[1-9]\d{0,5})?`;

const ID = new RegExp(String.raw`^((\d{4})/(\d{2})/(\2-\3-\d{2})\.md)#(?:(${KEY})|([1-9]\d{0,8}))$`, "u");

/** `2026-11-22` → `2026/11/2026-11-22.md`. */
export function logFile(day: string): string {
  return `${day.slice(0, 4)}/${day.slice(5, 7)}/${day}.md`;
}

/** The id of an entry: `2026/11/2026-11-22.md#093939-1f2e3d4c`. */
export function entryId({ day, key }: Pick<LogEntry, "day" | "key">): string {
  return `${logFile(day)}#${key}`;
}

/** The day of the entry that an id names; `undefined` if it is not an id. */
export function dayOfId(id: string): string | undefined {
  return ID.exec(id)?.[4];
}

/**
 * The entry of its day that an id names. Older ids are positions (`…#3`) and name the entry now in that position. If
 * its time is not `time` (ms), the only entry of that time is meant.
 */
export function entryCalled(id: string, entries: readonly LogEntry[], time?: number): LogEntry | undefined {
  const [, , , , , key, counted] = ID.exec(id) ?? [];
  if (counted === undefined) return entries.find((entry) => entry.key === key);
  const place = entries[Number(counted) - 1];
  if (time === undefined || place?.time === time) return place;
  const then = entries.filter((entry) => entry.time === time);
  return then.length === 1 ? then[0] : place;
}

/** Entries of the same second with the same text are distinguished by their order. */
function withKeys(entries: readonly Omit<LogEntry, "key">[], clocks: readonly string[]): readonly LogEntry[] {
  const seen = new Map<string, number>();
  return entries.map((entry, at) => {
    const words = [entry.project, entry.session, entry.message, entry.text].map((part) => part ?? null);
    const clock = (clocks[at] ?? "").replaceAll(":", "");
    const base = `${clock}-${sha256(JSON.stringify([clock, entry.offset ?? null, ...words])).slice(0, 8)}`;
    const count = (seen.get(base) ?? 0) + 1;
    seen.set(base, count);
    return { ...entry, key: count === 1 ? base : `${base}-${count}` };
  });
}

export function isEntryId(file: string): boolean {
  return ID.test(file);
}

/** The text as an entry stores it. */
export function entryText(text: string): string {
  return text.replace(/\r\n?/gu, "\n").trim();
}

/** The local day and time of day of a moment; `offset` is in minutes ahead of UTC. */
function localTime(time: number, offset: number): { readonly day: string; readonly clock: string } {
  const iso = new Date(time + offset * 60_000).toISOString();
  return { day: iso.slice(0, 10), clock: iso.slice(11, 19) };
}

export function dayOf({ time, offset }: Pick<NewLogEntry, "time" | "offset">): string {
  return localTime(time, offset).day;
}

/** Minutes that a zone is ahead of UTC at a moment; `undefined` is the machine's own zone. */
export function offsetIn(timeZone: string | undefined, ms: number): number {
  if (timeZone === undefined) return -new Date(ms).getTimezoneOffset();
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  }).formatToParts(ms);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value);
  const local = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"));
  return Math.round((local - Math.floor(ms / 60_000) * 60_000) / 60_000);
}

/** The heading above the first entry of a day. */
export function logHeading(day: string): string {
  return `# ${day}\n\n`;
}

/**
 * An entry as Markdown: a list item whose first line gives time, project and source. The text is indented below it, so
 * that it cannot look like the start of another entry. Ends with a blank line.
 */
export function writeEntry({ time, offset, project, session, message, text }: NewLogEntry): string {
  const origin =
    session === undefined
      ? []
      : [`session ${escaped(session)}${message === undefined ? "" : `, message ${escaped(message)}`}`];
  const head = [
    `- ${localTime(time, offset).clock} ${writeOffset(offset)}`,
    ...(project === undefined ? [] : [escaped(project)]),
    ...origin,
  ].join(" · ");
  const lines = entryText(text)
    .split("\n")
    .map((line) => (line === "" ? "" : `  ${line}`));
  return `${[head, ...lines].join("\n")}\n\n`;
}

function writeOffset(offset: number): string {
  const two = (part: number): string => String(part).padStart(2, "0");
  const minutes = Math.abs(offset);
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Escapes characters that would be read as the end of a field, as in a URL. */
function escaped(field: string): string {
  return field.replace(/[%·,\p{Cc}\u2028\u2029]|^\s|\s$/gu, (found) => encodeURIComponent(found));
}

function unescaped(field: string): string {
  try {
    return decodeURIComponent(field);
  } catch {
    return field; // written by hand, with a literal per cent sign
  }
}

/** Parses every entry of a day's file, even if it was edited by hand; skips what is not an entry. */
export function parseDailyLog(day: string, content: string): readonly LogEntry[] {
  const entries: Omit<LogEntry, "key">[] = [];
  const clocks: string[] = [];
  let lines: string[] | undefined;
  let head: Omit<LogEntry, "text" | "key"> | undefined;
  const finish = (): void => {
    if (head !== undefined) entries.push({ ...head, text: entryText((lines ?? []).join("\n")) });
    head = undefined;
  };
  for (const line of content.replace(/^\uFEFF/u, "").split(/\r?\n/u)) {
    const started = readHead(day, line);
    if (started !== undefined) {
      finish();
      head = { ...started.head, number: entries.length + 1 };
      clocks.push(started.clock);
      lines = [started.rest];
    } else if (line === "" || line.startsWith("  ")) lines?.push(line.slice(2));
    else if (lines?.at(-1) === "" && lines.length > 1) finish(); // a paragraph written between entries by hand
    else if (/^(?:[-*+#>]|\d+[.)])/u.test(line)) finish();
    else lines?.push(line);
  }
  finish();
  return withKeys(entries, clocks);
}

const HEAD = /^- (\d{2}:\d{2})(:\d{2})?(?: ([+-])(\d{2}):(\d{2}))?(?:$| (.*)$)/u;

function readHead(
  day: string,
  line: string,
):
  | { readonly head: Omit<LogEntry, "text" | "number" | "key">; readonly clock: string; readonly rest: string }
  | undefined {
  const [, clock, seconds = ":00", sign, hours, minutes, rest = ""] = HEAD.exec(line) ?? [];
  if (clock === undefined) return undefined;
  const offset = sign === undefined ? undefined : (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  const local = `${day}T${clock}${seconds}`;
  const time = offset === undefined ? Date.parse(local) : Date.parse(`${local}Z`) - offset * 60_000;
  if (!Number.isFinite(time)) return undefined;
  if (rest !== "" && !rest.startsWith("· "))
    return {
      head: { day, time, offset, project: undefined, session: undefined, message: undefined },
      clock: `${clock}${seconds}`,
      rest,
    };
  const fields = rest === "" ? [] : rest.slice(2).split(" · ");
  const origin = fields
    .map((field) => /^session ([^,]+)(?:, message ([^,]+))?$/u.exec(field))
    .find((found) => found !== null);
  const project = fields.find((field) => !field.startsWith("session "));
  const read = (field: string | undefined): string | undefined => (field === undefined ? undefined : unescaped(field));
  return {
    head: { day, time, offset, project: read(project), session: read(origin?.[1]), message: read(origin?.[2]) },
    clock: `${clock}${seconds}`,
    rest: "",
  };
}

/** What an entry shows as its name: `log of 2026-11-22, 14:03`. */
export function entryLabel({ day, time, offset }: Pick<LogEntry, "day" | "time" | "offset">): string {
  const { clock } = localTime(time, offset ?? offsetIn(undefined, time));
  return `log of ${day}, ${clock.slice(0, 5)}`;
}

/** The type of an entry names its project: the user sees it as provenance, and recall filters by it. */
const TYPE = "log";

const TYPE_OF = "log of ";

/** An entry as the index takes it: a document in the series of its day's file, at the position that `mtimeMs` gives. */
export function indexedEntry(entry: LogEntry): IndexedNote {
  const file = entryId(entry);
  const writtenType = entry.project === undefined ? TYPE : `${TYPE_OF}${entry.project}`;
  const note = {
    file,
    name: entryLabel(entry),
    description: cutAtWord(oneLine(entry.text.split("\n", 1)[0] ?? ""), 150),
    type: undefined,
    writtenType,
    body: entry.text,
    pinned: false,
    modified: new Date(entry.time).toISOString(),
    supersededBy: undefined,
    validFrom: undefined,
    validTo: undefined,
    evidence: undefined,
    contradicts: [],
    asked: [],
    problems: [],
  };
  return {
    file,
    hash: sha256(`${entry.time}\n${writtenType}\n${entry.text}`),
    size: new TextEncoder().encode(entry.text).byteLength,
    mtimeMs: entry.number,
    note,
  };
}

/** The project that an indexed entry is about. */
export function projectOfEntry({ writtenType }: Pick<IndexEntry, "writtenType">): string | undefined {
  return writtenType?.startsWith(TYPE_OF) === true ? writtenType.slice(TYPE_OF.length) : undefined;
}
