import { dayIn } from "../shared/clock.ts";
import { type DreamNote, isOpen, isProtected } from "./note.ts";
import type { DreamEdit, DreamOperation } from "./operation.ts";
import { flag } from "./references.ts";

/** Relative expressions in a text with the day that each means. */
export type ResolveDays = (text: string, said: number) => readonly { readonly start: number; readonly end: number; readonly day: string }[];

/** Recall shows at most this much of one note (bytes); what is longer is a document. */
const LONG_CHARACTERS = 4_096;

/** "next Thursday" gets its date, counted from the day it was written; a date that stands there already is left. */
export function mendDates(note: DreamNote, resolve: ResolveDays, timeZone: string | undefined): DreamOperation[] {
  const found = [note.body, note.description].flatMap((text) => undated(text, note, resolve));
  if (found.length === 0) return [];
  if (isProtected(note)) return [];
  if (note.said === undefined) return [flag(note, "date", `says "${found[0]?.words ?? ""}", and when that was written is not known`)];
  const edits = [...new Map(found.map(({ words, day }): [string, DreamEdit] => [words, { kind: "replace", file: note.file, from: words, to: `${words} (${day})` }])).values()];
  const said = [...new Set(found.map(({ words, day }) => `"${words}" is ${day}`))].join("; ");
  return [{ kind: "correct", cause: "date", files: [note.file], reason: `written on ${dayIn(timeZone, note.said)}: ${said}`, edits, ask: !isOpen(note) }];
}

function undated(text: string, note: DreamNote, resolve: ResolveDays): { readonly words: string; readonly day: string }[] {
  return resolve(text, note.said ?? note.time)
    .filter(({ end }) => !/^[\s,]*\(?(?:around |about |on |from |until |by )?\d{4}-\d{2}/u.test(text.slice(end, end + 20)))
    .filter(({ start, end }) => isOneDay(text.slice(start, end), text.slice(0, start)))
    .map(({ start, end, day }) => ({ words: text.slice(start, end), day }))
    .filter(({ words }) => !/\d{4}/u.test(words));
}

/** "On Monday" may mean every Monday: only what can mean but one day is given its date. */
function isOneDay(words: string, before: string): boolean {
  return ONE_DAY.test(words) || /(?:\b(?:by|until|till|due|due on|deadline(?: is)?)|\bbis|\bjusqu'à|\bhasta el|\baté)\s+$/iu.test(before.slice(-24)) && !/\b(?:every|each)\b/iu.test(before.slice(-24));
}

const ONE_DAY = /\b(?:next|this|last|coming|tomorrow|yesterday|today|tonight|ago|in (?:\w+ ){1,2}(?:days?|weeks?|months?)|(?:end|beginning) of)\b|\b(?:nächste\p{L}*|kommende\p{L}*|letzte\p{L}*|morgen|gestern|heute|demain|hier|prochaine?|mañana|ayer|próxim[oa]|amanhã|ontem)(?!\p{L})|明日|昨日|今日|来週|先週|明天|昨天|今天|下周|上周|내일|어제|오늘|다음 주|завтра|вчера|сегодня|следующ/iu;

/** A link to a note that was retired points at its heir; one to nothing is told. */
export function mendLinks(note: DreamNote, heirOf: (link: string) => string | "missing" | undefined): DreamOperation[] {
  const edits: DreamEdit[] = [];
  const missing: string[] = [];
  for (const link of note.links) {
    const heir = heirOf(link);
    if (heir === "missing") missing.push(link);
    else if (heir !== undefined && heir !== link) edits.push({ kind: "replace", file: note.file, from: `[[${link}]]`, to: `[[${heir}]]` });
  }
  const told = missing.length === 0 ? [] : [flag(note, "link", `links to ${missing.join(", ")}, which ${missing.length === 1 ? "does" : "do"} not exist`)];
  const mended = edits.filter((edit) => edit.kind === "replace" && note.body.includes(edit.from));
  if (mended.length === 0 || isProtected(note)) return told;
  return [...told, { kind: "correct", cause: "link", files: [note.file], reason: "links to notes that were retired now point at the notes that replaced them", edits: mended, ask: !isOpen(note) }];
}

export function flagLong(note: DreamNote): DreamOperation[] {
  return note.body.length <= LONG_CHARACTERS ? [] : [flag(note, "length", `has ${note.body.length} characters; recall shows the first ${LONG_CHARACTERS}: split it, or keep the document elsewhere and remember where`)];
}
