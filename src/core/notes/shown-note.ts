import { withoutSecrets } from "../shared/redact.ts";
import type { Note } from "./note.ts";

/**
 * A note as memdir shows it and writes lines about it: without the secrets that somebody put into its file by hand. For
 * whatever changes the file, the note as it is written counts.
 */
export function shownNote(note: Note): Note {
  return { ...withShownFields(note), body: withoutSecrets(note.body) };
}

/** The same but for the body, of which lists and lines show nothing. */
export function withShownFields(note: Note): Note {
  return {
    ...note,
    name: withoutSecrets(note.name),
    description: withoutSecrets(note.description),
    writtenType: note.writtenType === undefined ? undefined : withoutSecrets(note.writtenType),
    problems: note.problems.map((problem) => ({ ...problem, message: withoutSecrets(problem.message) })),
  };
}

/** The text of a file as it is shown. */
export function shownText(bytes: Uint8Array): string {
  return withoutSecrets(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
}
