import path from "node:path";
import { nodeFiles, putFile } from "../../adapters/files/node-files.ts";
import { withHandLines } from "../../core/notes/index-file.ts";
import { INDEX_FILE } from "../../core/notes/names.ts";

/**
 * Adds hand-written lines to a store's MEMORY.md and returns those that were missing. A link or directory in its place
 * is left unchanged.
 */
export function addHandLines(directory: string, lines: readonly string[]): readonly string[] {
  const before = pageOf(directory);
  const present = new Set(before?.split(/\r\n?|\n/u));
  const after = before === undefined ? undefined : withHandLines(before, lines);
  if (after === undefined || after === before) return [];
  replacePage(directory, after);
  return lines.filter((line) => line.trim() !== "" && !present.has(line));
}

/** Removes lines, each once if it is still there, and returns the removed ones. */
export function removeHandLines(directory: string, lines: readonly string[]): readonly string[] {
  const before = pageOf(directory) ?? "";
  const left = new Set(lines);
  const after = before
    .split("\n")
    .filter((line) => !left.delete(line))
    .join("\n");
  if (after !== before) replacePage(directory, after);
  return lines.filter((line) => !left.has(line));
}

/** The text of MEMORY.md, empty if missing; `undefined` if it is not a file. */
function pageOf(directory: string): string | undefined {
  const file = path.join(directory, INDEX_FILE);
  const kind = nodeFiles.stat(file)?.kind ?? "file";
  return kind === "file" ? new TextDecoder().decode(nodeFiles.read(file)) : undefined;
}

function replacePage(directory: string, text: string): void {
  nodeFiles.makeDirectory(directory);
  const aside = path.join(directory, `.memdir-${process.pid}.tmp`);
  putFile(path.join(directory, INDEX_FILE), text, { aside, named: true });
}
