import { putFile } from "./put-file.ts";
import type { FilePort } from "../../core/notes/file-port.ts";
import { anonymousId } from "../../core/notes/names.ts";

/** Where the record lies: a store, as far as it matters here. */
interface Place {
  readonly state: string;
  readonly files: FilePort;
}

/** Ids of forgotten notes; a file that comes back under such a name stays out of recall. */
export function forgottenIds(place: Place): ReadonlySet<string> {
  return new Set(recordLines(place).map(idIn));
}

export function recordForgotten(place: Place, files: readonly string[], time: string): void {
  // Every record starts on a line of its own: a killed process may have left half of one.
  place.files.append(recordPath(place), encode(files.map((file) => `\n${anonymousId(file)} ${time}\n`).join("")));
}

/** Somebody who saves a note under a forgotten name again wants it. */
export function allowAgain(place: Place, files: readonly string[]): void {
  const ids = new Set(files.map(anonymousId));
  const lines = recordLines(place);
  const kept = lines.filter((line) => !ids.has(idIn(line)));
  if (kept.length === lines.length) return;
  const path = recordPath(place);
  putFile(path, kept.map((line) => `${line}\n`).join(""), { files: place.files, aside: `${path}.new` });
}

function recordPath(place: Place): string {
  return `${place.state}/forgotten`;
}

function recordLines(place: Place): string[] {
  const text = new TextDecoder().decode(place.files.read(recordPath(place)));
  return text.split("\n").filter((line) => line !== "");
}

/** A line is an id and a time, or what a killed process left of them. */
const idIn = (line: string): string => line.split(" ", 1)[0] ?? "";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
