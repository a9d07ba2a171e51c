import type { DateResolver } from "../notes/dates/date-resolver.ts";
import { withDates } from "../notes/dates/write-dates.ts";
import { dayIn } from "../shared/clock.ts";
import { type DreamNote, isOpen, isProtected } from "./note.ts";
import type { DreamEdit, DreamOperation } from "./operation.ts";
import { flag } from "./references.ts";

/** Recall shows at most this much of one note (bytes); what is longer is a document. */
const LONG_CHARACTERS = 4_096;

/** "next Thursday" gets its date, counted from the day on which it was said; where that is not known it stays in words. */
export function mendDates(note: DreamNote, dates: DateResolver, timeZone: string | undefined): DreamOperation[] {
  const said = { ms: note.said ?? note.time, timeZone };
  const texts = [note.body, note.description];
  const found = texts.flatMap((text) =>
    dates.resolve(text, said).map(({ start, end, shown }) => ({ words: text.slice(start, end), shown })),
  );
  const [first] = found;
  if (first === undefined || isProtected(note)) return [];
  if (note.said === undefined)
    return [flag(note, "date", `says "${first.words}", and when that was written is not known`)];
  const told = [...new Set(found.map(({ words, shown }) => `"${words}" is ${shown}`))].join("; ");
  return [
    {
      kind: "correct",
      cause: "date",
      files: [note.file],
      reason: `written on ${dayIn(timeZone, note.said)}: ${told}`,
      edits: texts.flatMap((text) => changedLines(note, text, withDates(text, said, dates))),
      ask: !isOpen(note),
    },
  ];
}

/** Whole lines, so that the same words in another sentence, in a quotation or in code stay as they are. */
function changedLines({ file }: DreamNote, before: string, after: string): DreamEdit[] {
  const lines = after.split("\n");
  return before.split("\n").flatMap((line, at): DreamEdit[] => {
    const from = line.trim();
    const to = lines[at]?.trim() ?? from;
    return from === to ? [] : [{ kind: "replace", file, from, to }];
  });
}

/** A link to a note that was retired points at its successor; one to nothing is told. */
export function mendLinks(
  note: DreamNote,
  successorOf: (link: string) => string | "missing" | undefined,
): DreamOperation[] {
  const edits: DreamEdit[] = [];
  const missing: string[] = [];
  for (const link of note.links) {
    const successor = successorOf(link);
    if (successor === "missing") missing.push(link);
    else if (successor !== undefined && successor !== link)
      edits.push({ kind: "replace", file: note.file, from: `[[${link}]]`, to: `[[${successor}]]` });
  }
  const told =
    missing.length === 0
      ? []
      : [flag(note, "link", `links to ${missing.join(", ")}, which ${missing.length === 1 ? "does" : "do"} not exist`)];
  const mended = edits.filter((edit) => edit.kind === "replace" && note.body.includes(edit.from));
  if (mended.length === 0 || isProtected(note)) return told;
  return [
    ...told,
    {
      kind: "correct",
      cause: "link",
      files: [note.file],
      reason: "links to notes that were retired now point at the notes that replaced them",
      edits: mended,
      ask: !isOpen(note),
    },
  ];
}

export function flagLong(note: DreamNote): DreamOperation[] {
  return note.body.length <= LONG_CHARACTERS
    ? []
    : [
        flag(
          note,
          "length",
          `has ${note.body.length} characters; recall shows the first ${LONG_CHARACTERS}: split it, or keep the document elsewhere and remember where`,
        ),
      ];
}
