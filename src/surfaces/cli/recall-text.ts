import { checksOf, factsOf } from "../../app/recall/facts-of-note.ts";
import type { RecallOutcome } from "../../app/recall/recall-notes.ts";
import type { Clock } from "../../core/shared/clock.ts";
import { oneLine } from "../../core/shared/text.ts";
import { type Io, line, paint } from "./io.ts";
import { fitted, paragraph } from "./wrap.ts";

/** What recall found, for a person at a terminal: without the fence and the advice that an agent gets. */
export function printForPerson(io: Io, clock: Clock, { selected, pointed }: RecallOutcome): void {
  for (const [at, note] of selected.entries()) {
    if (at > 0) line(io);
    line(io, paint(io, "bold", note.entry.name));
    line(io, paint(io, "dim", `${referenceOf(note)} (${factsOf(note, clock).join(", ")})`));
    for (const check of checksOf(note)) line(io, paint(io, "yellow", check));
    const body = note.body.trim();
    const description = oneLine(note.entry.description);
    if (!oneLine(body).includes(description)) paragraph(io, description);
    for (const text of body.split("\n")) line(io, text.trimEnd());
  }
  if (pointed.length === 0) return;
  if (selected.length > 0) line(io);
  line(io, paint(io, "dim", "Perhaps (`memdir show NOTE` prints one):"));
  const rows = pointed.map((note) => [`  ${referenceOf(note)}`, oneLine(note.entry.description)]);
  for (const text of fitted(rows, io.width, true)) line(io, text);
}

function referenceOf({ scope, file }: RecallOutcome["pointed"][number]): string {
  return scope === "project" ? file : `${scope}:${file}`;
}
