import type { NotesSection, SessionNotes } from "./notes.ts";
import { parseJson, record } from "../shared/json.ts";

/** A file of session notes; `undefined` when it is none. */
export function parseNotes(text: string): SessionNotes | undefined {
  const value = fieldsOf(text);
  const { session, project, updated, lastTurn } = value;
  const progress = record(value["progress"]);
  const { tokens, toolCalls } = progress;
  if (
    typeof session !== "string" ||
    typeof project !== "string" ||
    typeof updated !== "string" ||
    typeof lastTurn !== "string"
  )
    return undefined;
  if (typeof tokens !== "number" || typeof toolCalls !== "number" || !Array.isArray(value["sections"]))
    return undefined;
  const sections = value["sections"].flatMap((one): NotesSection[] => {
    const { id, title, text: body } = record(one);
    return typeof id === "string" && typeof title === "string" && typeof body === "string"
      ? [{ id, title, text: body }]
      : [];
  });
  return {
    session,
    project,
    updated,
    lastTurn,
    by: value["by"] === "model" ? "model" : "rules",
    progress: { tokens, toolCalls },
    sections,
  };
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  return record(parseJson(text)); // where they are damaged the notes are made again
}
