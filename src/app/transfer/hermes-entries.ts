import type { NoteType } from "../../core/notes/note.ts";
import { REDACTED } from "../../core/shared/sanitize.ts";
import { oneLine } from "../../core/shared/text.ts";

/** The separator of entries in Hermes' files. */
const BETWEEN = "\n§\n";

/** Hermes' own files, with the types of notes for each and its default limit in characters. */
const FILES: readonly { readonly name: string; readonly types: readonly NoteType[]; readonly most: number }[] = [
  { name: "USER.md", types: ["user", "feedback"], most: 1375 },
  { name: "MEMORY.md", types: ["project", "reference"], most: 2200 },
];

export const HERMES_FILES = FILES.map(({ name }) => name);

export function entriesOf(text: string): readonly string[] {
  return text
    .replace(/\r\n?/gu, "\n")
    .split(BETWEEN)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

export interface NoteForHermes {
  /** Its name as shown to the user: with its scope unless that is the project's. */
  readonly file: string;
  readonly type: NoteType;
  readonly body: string;
}

export interface HermesFilePlan {
  readonly name: string;
  /** The whole new text of the file. */
  readonly text: string;
  readonly characters: number;
  readonly most: number;
  readonly added: readonly string[];
  /** Notes whose text is already there. */
  readonly known: readonly string[];
  readonly leftOut: readonly { readonly file: string; readonly why: string }[];
}

/**
 * Existing entries in Hermes' files stay unchanged. Notes are added after them in the given order while there is room:
 * Hermes refuses to write a file above its limit. A second export adds nothing.
 */
export function planHermesFiles(
  notes: readonly NoteForHermes[],
  present: Readonly<Record<string, string>>,
): readonly HermesFilePlan[] {
  return FILES.map(({ name, types, most }) => {
    const entries = [...entriesOf(present[name] ?? "")];
    const said = new Set(entries.map(folded));
    const [added, known, leftOut]: [string[], string[], { file: string; why: string }[]] = [[], [], []];
    let text = entries.join(BETWEEN);
    for (const { file, type, body } of notes) {
      if (!types.includes(type)) continue;
      // A separator line inside a note would cut it in two.
      const entry = body.replace(/\r\n?/gu, "\n").trim().replace(/^§$/gmu, "- §");
      const longer = text === "" ? entry : text + BETWEEN + entry;
      if (entry === "") leftOut.push({ file, why: "there are no words in it" });
      else if (entry.includes(REDACTED)) leftOut.push({ file, why: "it holds a secret" });
      else if (said.has(folded(entry))) known.push(file);
      else if (longer.length > most) leftOut.push({ file, why: `Hermes takes ${most} characters in ${name}` });
      else {
        text = longer;
        said.add(folded(entry));
        added.push(file);
      }
    }
    return { name, text, characters: text.length, most, added, known, leftOut };
  });
}

function folded(entry: string): string {
  return oneLine(entry).toLowerCase();
}
