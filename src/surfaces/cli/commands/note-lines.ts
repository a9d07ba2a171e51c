import type { ReviseResult } from "../../../core/memory/revise.ts";
import type { Headroom } from "../../../core/notes/store.ts";
import { EXIT } from "../exit.ts";
import { type Io, json, line } from "../io.ts";
import { counted } from "../../../core/shared/text.ts";

/** Warns while there is still room in MEMORY.md. */
const LOW_LINES = 20;

export function headroomLine(headroom: Headroom): string {
  if (headroom.omitted > 0) return `MEMORY.md is full: ${counted(headroom.omitted, "note has", "notes have")} no line in it (recall still finds them)`;
  const low = headroom.lines < LOW_LINES ? ", nearly full" : "";
  return `room in MEMORY.md: ${counted(headroom.lines, "line")}, ${counted(headroom.characters, "character")}${low}`;
}

/** Prints what became of one change and gives the exit code. */
export function reportChange(io: Io, asJson: boolean, result: ReviseResult, done: string): number {
  if (asJson) json(io, result);
  const { file } = result;
  switch (result.outcome) {
    case "created":
    case "written":
    case "deleted":
      if (!asJson) line(io, `${done} ${file}${result.headroom === undefined ? "" : ` (${headroomLine(result.headroom)})`}`);
      return EXIT.ok;
    case "merged":
      if (!asJson) line(io, `${done} ${file}, merged with an edit made meanwhile`);
      return EXIT.ok;
    case "unchanged":
      if (!asJson) line(io, `${file} is as it was`);
      return EXIT.ok;
    case "kept-both":
      if (!asJson) line(io, `${file} was changed meanwhile in the same lines; your text is beside it in ${result.conflict}`);
      return EXIT.conflict;
    case "refused":
      if (!asJson) io.err(`memdir: refused: ${result.message}\n`);
      return EXIT.refused;
    case "exists":
    case "gone":
    case "changed":
      if (!asJson) io.err(`memdir: ${file} ${REASONS[result.outcome]}; nothing was written\n`);
      return EXIT.conflict;
  }
}

const REASONS = { exists: "exists already", gone: "was removed meanwhile", changed: "was changed meanwhile" } as const;
