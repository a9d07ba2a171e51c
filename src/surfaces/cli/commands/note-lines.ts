import { isExclusion, withoutLine } from "../../../app/notes/gate.ts";
import type { ReviseResult } from "../../../app/notes/revise.ts";
import type { Headroom } from "../../../core/notes/store.ts";
import { EXIT, type Io, json, line } from "../io.ts";
import { counted } from "../../../core/shared/text.ts";

/** The free space in MEMORY.md is mentioned when less than this is left. */
const LOW_LINES = 20;
const LOW_CHARACTERS = 2_500;

/** What to say about MEMORY.md after a change, in brackets; empty while there is space. */
export function headroomNote({ behind, omitted, left, lines, characters }: Headroom): string {
  if (behind !== undefined)
    return ` (saved, but the index is behind: ${behind}; the next command that can write updates it)`;
  if (omitted > 0) return ` (MEMORY.md is full: ${withoutLine(omitted, left)}; recall still finds them)`;
  if (lines >= LOW_LINES && characters >= LOW_CHARACTERS) return "";
  return ` (MEMORY.md is nearly full: room for ${counted(lines, "line")}, ${counted(characters, "character")})`;
}

/** Prints the outcome of one change and returns the exit code; `more` follows the file. */
export function reportChange(io: Io, asJson: boolean, result: ReviseResult, done: string, more = ""): number {
  if (asJson) json(io, result);
  const { file } = result;
  switch (result.outcome) {
    case "created":
    case "written":
    case "deleted":
      if (!asJson)
        line(io, `${done} ${file}${more}${result.headroom === undefined ? "" : headroomNote(result.headroom)}`);
      return EXIT.ok;
    case "merged":
      if (!asJson) line(io, `${done} ${file} and merged it with another edit made meanwhile`);
      return EXIT.ok;
    case "unchanged":
      if (!asJson) line(io, `${file} is unchanged`);
      return EXIT.ok;
    case "kept-both":
      if (!asJson) line(io, `the same lines of ${file} changed meanwhile; your text is in ${result.conflict}`);
      return EXIT.conflict;
    case "refused":
      if (!asJson)
        io.err(`memdir: refused: ${result.message}${isExclusion(result) ? ", or keep this with --force" : ""}\n`);
      return EXIT.refused;
    case "exists":
    case "gone":
    case "changed":
      if (!asJson) io.err(`memdir: ${file} ${REASONS[result.outcome]}; nothing was written\n`);
      return EXIT.conflict;
  }
}

const REASONS = { exists: "already exists", gone: "was removed meanwhile", changed: "changed meanwhile" } as const;
