import { sha256 } from "../shared/hash.ts";
import { counted, cutAtWord, oneLine, truncate } from "../shared/text.ts";
import { lineEnding, splitFrontmatter } from "./frontmatter.ts";
import { beyondTitle } from "./title.ts";

/** Claude Code loads at most this much of MEMORY.md (fixed); characters as JavaScript counts them. */
export const INDEX_MAX_LINES = 200;
export const INDEX_MAX_CHARACTERS = 25_000;
const LINE_CHARACTERS = 150;
/** Room for the line that names notes not listed. */
const NOTICE_CHARACTERS = 1_200;
/** The most entries that `generateIndex` can use: the listed ones and the names in the notice. */
export const INDEX_ENTRIES_WANTED = INDEX_MAX_LINES + 24;

export interface IndexableNote {
  readonly file: string;
  readonly name: string;
  readonly description: string;
}

export interface GeneratedIndex {
  readonly content: string;
  /** Whether hand-written lines for retired notes were left out. */
  readonly dropsHandLines: boolean;
  /** Notes that have a line, hand-written ones included. */
  readonly listed: number;
  /** Notes left out for lack of room, best first; `total - listed` may be larger than this list. */
  readonly omitted: readonly string[];
  readonly headroom: { readonly lines: number; readonly characters: number };
}

const BEGIN = /^<!-- memdir:index ([0-9a-f]{12})\b[^\n]*-->$/u;
const END = "<!-- memdir:end -->";
const ENTRY = /^\s*[-*+]\s*\[[^\]]*\]\((?:<([^>]+)>|([^)\s]+))\)/u;
const NOTICE = /^- \(\d+ more notes? (?:is|are) not listed/u;

/**
 * Generates MEMORY.md from the notes. Lines outside memdir's markers are hand-written and kept, except
 * entries of retired notes. Between the markers is one line for each note not listed by hand, best
 * first, within the client's limits. If some notes do not fit, the last line names them.
 */
export function generateIndex(
  existing: string | undefined,
  ranked: readonly IndexableNote[],
  total: number,
  isRetired: (file: string) => boolean,
): GeneratedIndex {
  const generated = new Map(ranked.map((note) => [note.file, entryLine(note)]));
  const page = existing ?? "";
  const written = handWritten(page, new Set(generated.values()));
  const isKept = (line: string): boolean => {
    const file = entryTarget(line);
    return file === undefined || !isRetired(file);
  };
  const above = written.above.filter(isKept);
  const below = written.below.filter(isKept);
  const hand = [...above, ...below];
  const byHand = new Set(hand.map(entryTarget).filter((file) => file !== undefined));
  const visible = visibleLines(hand.join("\n"));
  const eol = lineEnding(page);
  // The client removes comments before it counts; memdir's are counted here too, so that the file itself fits.
  let lines = visible.length + MARKERS;
  let characters = visible.join(eol).length + marked([]).join(eol).length + (MARKERS + 1) * eol.length;
  const own: string[] = [];
  const left: string[] = [];
  let listedByHand = 0;
  for (const note of ranked) {
    if (byHand.has(note.file)) {
      listedByHand++;
      continue;
    }
    const line = generated.get(note.file) ?? "";
    const fits =
      left.length === 0 &&
      lines + 2 <= INDEX_MAX_LINES &&
      characters + line.length + eol.length <= INDEX_MAX_CHARACTERS - NOTICE_CHARACTERS;
    if (!fits) {
      left.push(note.file);
      continue;
    }
    own.push(line);
    lines++;
    characters += line.length + eol.length;
  }
  const missing = total - own.length - listedByHand;
  const isOverfull = lines >= INDEX_MAX_LINES || characters > INDEX_MAX_CHARACTERS;
  const room = isOverfull ? NOTICE_CHARACTERS : Math.min(NOTICE_CHARACTERS, INDEX_MAX_CHARACTERS - characters);
  if (missing > 0) own.push(notice(missing, left, room));
  const content = isBehindLimit(above, own)
    ? assemble([], own, [...above, ...below], eol)
    : assemble(above, own, below, eol);
  const dropsHandLines = hand.length < written.above.length + written.below.length;
  return { content, dropsHandLines, listed: total - missing, omitted: left, headroom: headroomOf(content) };
}

/**
 * Notes in their order, but each before the older ones that it contradicts. As long as that is unsettled, the
 * descriptions of the older ones begin by saying so. `contradictions`: the older files, by the newer.
 */
export function newerRivalsFirst<Note extends IndexableNote>(
  notes: readonly Note[],
  contradictions: ReadonlyMap<string, readonly string[]>,
): readonly Note[] {
  if (contradictions.size === 0) return notes;
  const byFile = new Map(notes.map((note) => [note.file, note]));
  const newerThan = new Map<string, string>();
  for (const [newer, older] of contradictions)
    if (byFile.has(newer)) for (const file of older) newerThan.set(file, newer);
  const placed = new Set<string>();
  const place = (note: Note): Note[] => {
    if (placed.has(note.file)) return [];
    placed.add(note.file);
    const newer = newerThan.get(note.file);
    if (newer === undefined) return [note];
    const first = byFile.get(newer);
    const description = `contradicted by the newer ${newer}: ${note.description}`;
    return [...(first === undefined ? [] : place(first)), { ...note, description }];
  };
  return notes.flatMap(place);
}

/**
 * Whether the hand-written lines above the generated part alone fill what the client loads. The generated part then
 * comes first, so that notes not listed are named. Frontmatter must stay at the top.
 */
function isBehindLimit(above: readonly string[], own: readonly string[]): boolean {
  const text = above.join("\n");
  if (splitFrontmatter(text).state === "closed") return false;
  const shown = visibleLines(text);
  const characters = [...shown, ...own].join("\n").length;
  return shown.length + own.length > INDEX_MAX_LINES || characters > INDEX_MAX_CHARACTERS;
}

const entryLines = new Map<string, { readonly of: IndexableNote; readonly line: string }>();

/** A page is made anew for each note that is written, and nearly all its lines stay. */
function entryLine(note: IndexableNote): string {
  const known = entryLines.get(note.file);
  if (known?.of.name === note.name && known.of.description === note.description) return known.line;
  if (entryLines.size >= 2 * INDEX_ENTRIES_WANTED) entryLines.clear();
  const line = lineOf(note);
  entryLines.set(note.file, { of: note, line });
  return line;
}

/** `- [Title](file.md) — hook`, at most 150 characters. */
function lineOf(note: IndexableNote): string {
  const title = cutAtWord(oneLine(shownTitle(note.name)).replace(/[[\]]/gu, ""), 60);
  const target = /[\s()]/u.test(note.file) ? `<${note.file}>` : note.file;
  const head = `- [${title}](${target})`;
  const hook = beyondTitle(title.replace(/…$/u, ""), oneLine(note.description).replace(/<!--|-->/gu, ""));
  const room = LINE_CHARACTERS - head.length - 3;
  return hook === "" || room < 20 ? head : `${head} — ${cutAtWord(hook, room)}`;
}

/** `no-database-mocks` → `No database mocks`; a title with spaces stays as it is. */
function shownTitle(name: string): string {
  if (/\s/u.test(name)) return name;
  const words = name.replace(/[-_]+/gu, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The note that an index line links to, if it is an entry. */
export function entryTarget(line: string): string | undefined {
  const [, bracketed, target = bracketed] = ENTRY.exec(line) ?? [];
  return target === undefined ? undefined : safeDecode(target).replace(/^\.\//u, "");
}

function safeDecode(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch (error) {
    if (error instanceof URIError) return target;
    throw error;
  }
}

export interface HandWritten {
  readonly above: readonly string[];
  readonly below: readonly string[];
}

/** Everything written by hand: the lines above and below the generated part, and lines changed inside it. */
function handWritten(existing: string, generated: ReadonlySet<string>): HandWritten {
  const lines = existing.replace(/^\uFEFF/u, "").split(/\r\n?|\n/u);
  let above: readonly string[] | undefined;
  let hand: string[] = [];
  // A merge of two copies leaves more than one region.
  for (let at = 0; at < lines.length;) {
    const sum = BEGIN.exec(lines[at] ?? "")?.[1];
    if (sum === undefined) {
      hand.push(lines[at++] ?? "");
      continue;
    }
    const end = lines.findIndex((line, position) => position > at && (line === END || BEGIN.test(line)));
    const stop = end === -1 ? lines.length : end;
    const region = lines.slice(at + 1, stop);
    const kept =
      checksum(region) === sum
        ? []
        : region.filter((line) => line.trim() !== "" && !generated.has(line) && !NOTICE.test(line));
    hand = [...trimEnd(hand), ...kept];
    if (above === undefined) [above, hand] = [hand, []];
    at = lines[stop] === END ? stop + 1 : stop;
  }
  return above === undefined ? { above: trimEnd(hand), below: [] } : { above, below: trimEnd(hand) };
}

/** The hand-written lines of a MEMORY.md, as far as it alone tells; entries between the markers do not count. */
export function handLinesOf(content: string): readonly string[] {
  const { above, below } = handSectionsOf(content);
  return [...above, ...below];
}

const GENERATED = "^<!-- memdir:index [\\s\\S]*?^<!-- memdir:end -->$";

/** The lines of the generated part, with its markers. */
export function generatedLinesOf(content: string): readonly string[] {
  return new RegExp(GENERATED, "mu").exec(content)?.[0].split(/\r?\n/u) ?? [];
}

/** The hand-written lines as in `handLinesOf`, above and below the generated part. */
export function handSectionsOf(content: string): HandWritten {
  const region = content.split(/\r\n?|\n/u).filter((line) => ENTRY.test(line));
  const outside = content.replace(new RegExp(GENERATED, "gmu"), "").split(/\r\n?|\n/u);
  const isOutside = new Set(outside);
  return handWritten(content, new Set(region.filter((line) => !isOutside.has(line))));
}

/**
 * Makes the hand-written lines of `content` for renamed notes link to the new names. Every other byte stays, above all
 * in the generated part: if it changed, it would count as hand-written.
 */
export function withNewTargets(content: string, renamed: ReadonlyMap<string, string>): string {
  if (renamed.size === 0) return content;
  const parts = content.split(/(\r\n?|\n)/u);
  const generated = generatedLines(parts.filter((_, at) => at % 2 === 0));
  return parts.map((part, at) => (at % 2 === 1 || generated.has(at / 2) ? part : pointedAnew(part, renamed))).join("");
}

/** The indexes of the lines between the markers that are as memdir wrote them. */
function generatedLines(lines: readonly string[]): ReadonlySet<number> {
  return new Set(
    lines.flatMap((line, at) => {
      const sum = BEGIN.exec(line)?.[1];
      const length = sum === undefined ? 0 : lines.slice(at + 1).indexOf(END);
      if (length < 1 || checksum(lines.slice(at + 1, at + 1 + length)) !== sum) return [];
      return Array.from({ length }, (_, n) => at + 1 + n);
    }),
  );
}

function pointedAnew(line: string, renamed: ReadonlyMap<string, string>): string {
  const to = renamed.get(entryTarget(line) ?? "");
  const target = to === undefined || !/[\s()]/u.test(to) ? to : `<${to}>`;
  return target === undefined ? line : line.replace(/\]\((?:<[^>]+>|[^)\s]+)\)/u, () => `](${target})`);
}

/** `content` with those of `lines` that it lacks put before its generated part. */
export function withHandLines(content: string | undefined, lines: readonly string[]): string | undefined {
  const present = new Set((content ?? "").split(/\r\n?|\n/u));
  const missing = lines.filter((line) => line.trim() !== "" && !present.has(line));
  if (missing.length === 0) return content;
  return `${missing.join("\n")}\n${content ?? ""}`;
}

function assemble(above: readonly string[], own: readonly string[], below: readonly string[], eol: string): string {
  const all = [...above, ...(own.length === 0 ? [] : marked(own)), ...below];
  return all.length === 0 ? "" : all.join(eol) + eol;
}

/** How many lines `marked` adds. */
const MARKERS = 2;

function marked(own: readonly string[]): readonly string[] {
  const begin = `<!-- memdir:index ${checksum(own)} generated from the notes; write your own lines outside these marks -->`;
  return [begin, ...own, END];
}

function notice(missing: number, left: readonly string[], room: number): string {
  const noun = missing === 1 ? "note is" : "notes are";
  const start = `- (${missing} more ${noun} not listed: this index holds ${INDEX_MAX_LINES} lines and ${INDEX_MAX_CHARACTERS} characters, so the least used and oldest are left out. All: \`memdir list\`, or look in this directory. Left out:`;
  let names = "";
  for (const file of left) {
    if (start.length + names.length + file.length + 10 > room) break;
    names += ` ${file},`;
  }
  const rest = left.length > 0 && names.split(",").length - 1 < missing ? " …" : "";
  return `${start}${names.replace(/,$/u, rest === "" ? "" : ",")}${rest})`;
}

function checksum(lines: readonly string[]): string {
  return sha256(lines.join("\n")).slice(0, 12);
}

/** Removes blank lines at the end. */
export function trimEnd(lines: readonly string[]): string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== "") + 1);
}

/** The lines of a MEMORY.md that the client shows: without frontmatter and block comments. */
function visibleLines(content: string): string[] {
  const body = splitFrontmatter(content).body.replace(/\r\n?/gu, "\n");
  const shown = body.replace(/^[ \t]*<!--[\s\S]*?-->[ \t]*(?:\n|$)/gmu, "").trim();
  return shown === "" ? [] : shown.split("\n");
}

/** Counted as the client does: without the markers. */
function headroomOf(content: string): { lines: number; characters: number } {
  const visible = visibleLines(content);
  return { lines: INDEX_MAX_LINES - visible.length, characters: INDEX_MAX_CHARACTERS - visible.join("\n").length };
}

/** The hand-written text of MEMORY.md except lines that name a note: whole lines, no headings of empty sections. */
export function proseOf(content: string, isNote: (file: string) => boolean): string {
  const prose = visibleLines(content).filter((line) => {
    const file = entryTarget(line);
    return (file === undefined || !isNote(file)) && !NOTICE.test(line);
  });
  const kept = prose.filter((line, at) => {
    if (!HEADING.test(line)) return true;
    const next = prose.slice(at + 1).find((other) => other.trim() !== "");
    return next !== undefined && !HEADING.test(next);
  });
  return kept
    .join("\n")
    .replace(/\n{3,}/gu, "\n\n")
    .trim();
}

const HEADING = /^#{1,6}\s/u;

export interface LoadedIndex {
  /** What a session starts with; its last lines explain a cut. */
  readonly text: string;
  readonly lines: number;
  readonly characters: number;
  /** Notes whose entries are loaded. */
  readonly listed: readonly string[];
  /** Entries that the limits cut off. */
  readonly cut: readonly string[];
}

/** The message about notes that have no line in MEMORY.md: `7 notes have no line in it: a.md, b.md …`. */
export function withoutLine(count: number, some: readonly string[] = []): string {
  const names = some.length === 0 ? "" : `: ${some.join(", ")}${some.length < count ? " …" : ""}`;
  return `${counted(count, "note has", "notes have")} no line in it${names}`;
}

/** Loads MEMORY.md as the client does. If it is cut, says which entries are missing and how to reach them. */
export function loadIndex(content: string): LoadedIndex {
  const all = visibleLines(content);
  const kept: string[] = [];
  let characters = 0;
  for (const line of all) {
    if (kept.length === INDEX_MAX_LINES || characters + line.length > INDEX_MAX_CHARACTERS) break;
    kept.push(line);
    characters += line.length + 1; // with the line ending, which the last line lacks
  }
  const dropped = all.slice(kept.length);
  if (kept.length === 0 && all[0] !== undefined) kept.push(truncate(all[0], INDEX_MAX_CHARACTERS));
  const listed = kept.map(entryTarget).filter((file) => file !== undefined);
  const cut = dropped.map(entryTarget).filter((file) => file !== undefined);
  const warning =
    dropped.length === 0
      ? ""
      : `\n\n> MEMORY.md has ${all.length} lines and ${all.join("\n").length} characters; ${INDEX_MAX_LINES} lines and ${INDEX_MAX_CHARACTERS} characters are loaded. Left out from line ${kept.length + 1} on: ${truncate(cut.join(", "), 600)}. Read them with \`memdir list\` and \`memdir show FILE\`.`;
  return { text: kept.join("\n") + warning, lines: all.length, characters: all.join("\n").length, listed, cut };
}
