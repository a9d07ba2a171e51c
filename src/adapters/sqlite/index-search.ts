import type { SearchCandidate, SearchResult, TermCounts } from "../../core/notes/note-index.ts";
import { placesAround } from "../../core/notes/statement.ts";
import { inTransaction, type SqlDatabase, type SqlStatement } from "./driver.ts";
import { documentFrequencies } from "./index-schema.ts";
import { ENTRY_COLUMNS, entryOf, numberOf, packed, pastOfHeirs, textOf, unpack } from "./index-rows.ts";

/** Bytes that a search never contains: those of JSON syntax, and those that its writers may escape. */
const PASSED_OVER: ReadonlySet<number> = new Set([34, 38, 60, 62, 92, 127]);

/** Each byte as it is indexed: ASCII letters in lower case, 0 for bytes that are skipped. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 32 || PASSED_OVER.has(byte) ? 0 : byte >= 65 && byte <= 90 ? byte + 32 : byte,
);

/** One bit for each three-byte sequence, and the words that represent them. */
const seen = new Uint8Array(1 << 21);

const words = new Map<number, string>();

/** All distinct three-byte sequences of a text, as words for the index. */
export function addGrams(bytes: Uint8Array): string {
  const grams = distinctGrams(bytes);
  return grams.map(wordOf).join(" ");
}

/** The query for texts that may contain `text`; `undefined` if it is too short to look up. */
export function queryOfGrams(text: string): string | undefined {
  const grams = distinctGrams(Buffer.from(text));
  return grams.length === 0
    ? undefined
    : grams
        .slice(0, 40)
        .map((gram) => `"${wordOf(gram)}"`)
        .join(" AND ");
}

function distinctGrams(bytes: Uint8Array): number[] {
  const grams: number[] = [];
  let gram = 0;
  let length = 0;
  for (const byte of bytes) {
    const folded = FOLDED[byte] ?? 0;
    if (folded === 0) {
      length = 0;
      continue;
    }
    gram = ((gram << 8) | folded) & 0xffffff;
    if (++length < 3) continue;
    const at = gram >> 3;
    const bit = 1 << (gram & 7);
    const before = seen[at] ?? 0;
    if ((before & bit) !== 0) continue;
    seen[at] = before | bit;
    grams.push(gram);
  }
  for (const one of grams) seen[one >> 3] = 0;
  return grams;
}

function wordOf(gram: number): string {
  const known = words.get(gram);
  if (known !== undefined) return known;
  const word = gram.toString(36);
  words.set(gram, word);
  return word;
}

type Prepare = (sql: string) => SqlStatement;

/** Terms to search for; those in `also` count less. */
interface Sought {
  readonly terms: readonly string[];
  readonly also: readonly string[];
}

interface ReadCandidate {
  readonly id: number;
  readonly candidate: SearchCandidate;
}

interface ScannedTerm {
  readonly term: string;
  /** The number of notes that contain it. */
  readonly frequency: number;
  /** Its weight, 0 to 1. */
  readonly share: number;
}

/** FTS5's column filter for a word in a note's name, description or questions. */
const IN_HEAD = "{name description asked} : ";

/** At most this many terms, the rarest, decide which notes are read. In those, all terms are counted. */
const SCANNED_TERMS = 32;

/** Word lists are read, rarest first, up to this total number of notes. */
const SCANNED_PLACES = 1500;

/** In a store of at least this many notes, a word in more than a fifth of them finds nothing on its own. */
const LARGE_STORE = 500;

const COMMON_SHARE = 0.2;

/** The weight of a term in `also` when choosing the notes to read. */
const ALSO_SHARE = 0.4;

/**
 * Searches in two steps. The lists of the query's rarer terms give all notes that contain any of them, ordered by the
 * total weight of those terms (a term in the name or description counts double). The best `limit` notes are then read,
 * and every term is counted in them, so that the caller can rank them exactly. FTS5's own ranking took 2–95 ms on
 * 10,000 notes for results that the lists alone give in less than 1 ms.
 */
export function searchNotes(
  database: SqlDatabase,
  prepare: Prepare,
  { terms, also }: Sought,
  limit: number,
): SearchResult {
  const asked = new Set(terms);
  const sought = { terms: [...asked], also: [...new Set(also)].filter((term) => !asked.has(term)) };
  // One snapshot: the numbers must match the notes even if another process is writing.
  return inTransaction(database, () => searchSnapshot(database, prepare, sought, limit), "DEFERRED");
}

function searchSnapshot(database: SqlDatabase, prepare: Prepare, sought: Sought, limit: number): SearchResult {
  const totals = prepare("SELECT * FROM totals").get([]) ?? {};
  const documents = numberOf(totals, "live");
  const mean = (column: string): number => (documents === 0 ? 0 : numberOf(totals, column) / documents);
  const documentFrequency = documentFrequencies(database, prepare, [...sought.terms, ...sought.also]);
  const known = [...documentFrequency.keys()];
  const past = pastOfHeirs(prepare, sought.terms);
  const likely = likeliest(prepare, termsToScan(sought, documentFrequency, documents, limit), documents, limit);
  const heirs = [...past.keys()].filter((id) => !likely.has(id)).map((id) => [id, 0] as const);
  const read = readCandidates(prepare, new Map([...likely, ...heirs]), known);
  const candidates = read.map(({ id, candidate }) => withPast(candidate, past.get(id), sought.terms));
  return {
    documents,
    averages: { name: mean("name_length"), description: mean("description_length"), body: mean("body_length") },
    documentFrequency,
    candidates: [...candidates, ...readAround(prepare, candidates, known)],
  };
}

/** Ids of the notes to read, with their weight. The choice never depends on ids: a rebuilt index must agree. */
function likeliest(
  prepare: Prepare,
  scanned: readonly ScannedTerm[],
  documents: number,
  limit: number,
): ReadonlyMap<number, number> {
  const weights = new Map<number, number>();
  const addAll = (column: string): void => {
    for (const { term, frequency, share } of scanned) {
      const weight = share * Math.log(1 + documents / frequency);
      for (const id of idsWith(prepare, `${column}"${term.replaceAll('"', '""')}"`))
        weights.set(id, (weights.get(id) ?? 0) + weight);
    }
  };
  const places = scanned.reduce((sum, { frequency }) => sum + frequency, 0);
  // If the prompt's words are in most notes, those with them in name or description come first, if there are enough.
  if (places > SCANNED_PLACES) addAll(IN_HEAD);
  if (places <= SCANNED_PLACES || weights.size < limit) {
    addAll("");
    if (weights.size > limit && places <= SCANNED_PLACES) addAll(IN_HEAD);
  }
  if (weights.size <= limit) return weights;
  const heaviest = Float64Array.from(weights.values()).toSorted();
  const last = heaviest[heaviest.length - limit] ?? 0;
  const kept = new Map<number, number>();
  const tied: number[] = [];
  for (const [id, weight] of weights) {
    if (weight > last) kept.set(id, weight);
    else if (weight === last) tied.push(id);
  }
  for (const id of shortest(prepare, tied, limit - kept.size)) kept.set(id, last);
  return kept;
}

/** The lists of the query's own terms first, then those of the terms in `also` while there is room. */
function termsToScan(
  { terms, also }: Sought,
  frequencies: ReadonlyMap<string, number>,
  documents: number,
  limit: number,
): readonly ScannedTerm[] {
  const scanned: ScannedTerm[] = [];
  const common = documents < LARGE_STORE ? documents : documents * COMMON_SHARE;
  let places = 0;
  for (const { term, frequency, share } of [
    ...rarestFirst(terms, frequencies, 1),
    ...rarestFirst(also, frequencies, ALSO_SHARE),
  ]) {
    places += frequency;
    // The rarest term is always read, even if it is common: otherwise a prompt of common words would find nothing.
    if (documents > limit && scanned.length > 0 && (frequency > common || places > SCANNED_PLACES)) break;
    scanned.push({ term, frequency, share });
    if (documents > limit && scanned.length === SCANNED_TERMS) break;
  }
  return scanned;
}

function rarestFirst(
  terms: readonly string[],
  frequencies: ReadonlyMap<string, number>,
  share: number,
): readonly ScannedTerm[] {
  const known = terms
    .map((term) => ({ term, frequency: frequencies.get(term) ?? 0, share }))
    .filter(({ frequency }) => frequency > 0);
  return known.toSorted((a, b) => a.frequency - b.frequency || (a.term < b.term ? -1 : 1));
}

function idsWith(prepare: Prepare, match: string): readonly number[] {
  const row = prepare("SELECT group_concat(rowid) AS ids FROM found WHERE found MATCH ?").get([match]);
  const ids = row?.["ids"];
  // One string for the whole list: entering JavaScript once per row costs more than finding the rows.
  const parsed: unknown = typeof ids === "string" ? JSON.parse(`[${ids}]`) : [];
  return Array.isArray(parsed) ? parsed.filter((id) => typeof id === "number") : [];
}

function shortest(prepare: Prepare, ids: readonly number[], count: number): readonly number[] {
  if (ids.length === 0 || count <= 0) return [];
  const rows = prepare(
    "SELECT id FROM note_size WHERE id IN (SELECT value FROM json_each(?)) ORDER BY body_length, mark LIMIT ?",
  ).all([JSON.stringify(ids), count]);
  return rows.map((row) => numberOf(row, "id"));
}

function readCandidates(
  prepare: Prepare,
  likely: ReadonlyMap<number, number>,
  terms: readonly string[],
): readonly ReadCandidate[] {
  if (likely.size === 0) return [];
  const read = prepare(
    `SELECT ${packed([...NOTE_COLUMNS.map((column) => `note.${column}`), ...SIZE_COLUMNS])} AS rows,
       group_concat(t.name || char(10) || t.description || char(10) || t.body || char(10) || t.asked, char(10)) AS texts
     FROM note JOIN note_terms AS t ON t.id = note.id JOIN note_size ON note_size.id = note.id WHERE note.id IN (SELECT value FROM json_each(?))`,
  ).get([JSON.stringify([...likely.keys()])]);
  const rows = unpack(read?.["rows"], [...NOTE_COLUMNS, ...SIZE_COLUMNS]);
  const counts = countsByLine(textOf(read ?? {}, "texts"), terms);
  const weighed = rows.map((row, index): ReadCandidate & { readonly weight: number } => {
    const fieldCounts = (field: number): TermCounts => counts[index * 4 + field] ?? NO_COUNTS;
    const candidate = {
      entry: entryOf(row),
      counts: { name: fieldCounts(0), description: fieldCounts(1), body: fieldCounts(2), asked: fieldCounts(3) },
      lengths: {
        name: numberOf(row, "name_length"),
        description: numberOf(row, "description_length"),
        body: numberOf(row, "body_length"),
      },
      links: linesIn(textOf(row, "links")),
    };
    const id = numberOf(row, "id");
    return { id, weight: likely.get(id) ?? 0, candidate };
  });
  return weighed.toSorted((a, b) => b.weight - a.weight || (a.candidate.entry.file < b.candidate.entry.file ? -1 : 1));
}

/** Adds the terms counted in the topics of the notes that the candidate superseded. */
function withPast(candidate: SearchCandidate, about: string | undefined, terms: readonly string[]): SearchCandidate {
  const [before] = about === undefined ? [] : countsByLine(about, terms);
  return before === undefined ? candidate : { ...candidate, counts: { ...candidate.counts, before } };
}

/** The neighbours of entries among `candidates` that are not candidates themselves. */
function readAround(
  prepare: Prepare,
  candidates: readonly SearchCandidate[],
  terms: readonly string[],
): readonly SearchCandidate[] {
  const around = new Map<string, Set<number>>();
  for (const { entry } of candidates)
    for (const { series, number } of placesAround(entry))
      around.set(series, (around.get(series) ?? new Set()).add(number));
  const known = new Set(candidates.map(({ entry }) => entry.file));
  // "$" is the character after "#", so the entries of one series lie between the two in the order of the file index.
  const ofSeries = prepare(
    "SELECT id, file FROM note WHERE file > ? || '#' AND file < ? || '$' AND CAST(mtime_ms AS INTEGER) IN (SELECT value FROM json_each(?))",
  );
  const rows = [...around].flatMap(([series, numbers]) =>
    ofSeries.all([series, series, JSON.stringify([...numbers])]).filter((row) => !known.has(textOf(row, "file"))),
  );
  const ids = new Map(rows.map((row) => [numberOf(row, "id"), 0]));
  return readCandidates(prepare, ids, terms).map(({ candidate }) => candidate);
}

function linesIn(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n");
}

const NO_COUNTS: TermCounts = new Map();

const NOTE_COLUMNS = ["id", ...ENTRY_COLUMNS] as const;

const SIZE_COLUMNS = ["name_length", "description_length", "body_length", "links"] as const;

/**
 * Counts each term in each line of `text`, whose lines are terms separated by single spaces. It searches all lines for
 * one term at a time: the engine's own search does the work, which matters in a process that has just started.
 */
function countsByLine(text: string, terms: readonly string[]): readonly TermCounts[] {
  const ends = lineEnds(text);
  const counts = ends.map(() => new Map<string, number>());
  for (const term of terms) {
    let line = 0;
    for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + term.length)) {
      if (!isBoundary(text, at - 1) || !isBoundary(text, at + term.length)) continue;
      while (at > (ends[line] ?? text.length)) line++;
      const found = counts[line];
      found?.set(term, (found.get(term) ?? 0) + 1);
    }
  }
  return counts;
}

function lineEnds(text: string): readonly number[] {
  const ends: number[] = [];
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1)) ends.push(end);
  ends.push(text.length);
  return ends;
}

/** Before the first character, after the last, a space or a line end. */
function isBoundary(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return Number.isNaN(code) || code === 32 || code === 10;
}
