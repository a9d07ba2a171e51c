import type { Scope } from "../../core/notes/note.ts";
import { label } from "../../core/shared/sanitize.ts";

interface NotesPlace {
  readonly scope: Scope;
  readonly directory: string;
}

/**
 * How an agent opens a note if the `memdir` command may not be on the path (memdir came as a plugin or through npx):
 * with the read tool of memdir's MCP server, or by the note's file. The same places give the same bytes. `FILE` stands
 * for any note; a scope before the name (`user:role.md`) determines the directory.
 */
export function readByFile(places: readonly NotesPlace[]): (reference: string) => string {
  return (reference) => {
    if (reference === "FILE") {
      const shown = places
        .filter(({ scope }) => scope === "project" || scope === "user")
        .map(({ scope, directory }) => `${scope === "project" ? "FILE" : `${scope}:FILE`} in ${code(directory)}`);
      return shown.length === 0 ? "memdir's read tool" : `memdir's read tool or from its file (${shown.join(", ")})`;
    }
    const place =
      places.find(({ scope }) => reference.startsWith(`${scope}:`)) ?? places.find(({ scope }) => scope === "project");
    if (place === undefined) return "memdir's read tool";
    return `memdir's read tool or from ${fileOf(place, reference)}`;
  };
}

/** A note's file, formatted for a sentence. */
export function fileOf({ scope, directory }: NotesPlace, reference: string): string {
  return code(`${directory}/${reference.startsWith(`${scope}:`) ? reference.slice(scope.length + 1) : reference}`);
}

/** A backtick in a path would end the code span. */
function code(path: string): string {
  return `\`${label(path, 400).replaceAll("`", "?")}\``;
}
