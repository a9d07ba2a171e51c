import type { NoteType } from "../../core/notes/note.ts";
import { REDACTED } from "../../core/shared/sanitize.ts";
import { oneLine } from "../../core/shared/text.ts";

/** What stands between two entries of Hermes' files. */
const BETWEEN = "\n§\n";

/** Hermes' own files: whose notes go there, and how many characters it takes where its settings say nothing else. */
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

/** A note on its way to Hermes. */
export interface NoteForHermes {
  /** As people name it: with its scope where that is not the project's. */
  readonly file: string;
  readonly type: NoteType;
  readonly body: string;
}

export interface HermesFilePlan {
  readonly name: string;
  /** The whole file as it will be. */
  readonly text: string;
  readonly characters: number;
  readonly most: number;
  readonly added: readonly string[];
  /** Notes whose text stands there already. */
  readonly known: readonly string[];
  readonly leftOut: readonly { readonly file: string; readonly why: string }[];
}

/**
 * What stands in Hermes' files stays as it is; notes come after it as long as there is room, in the order given. Hermes
 * refuses to write a file above its limit, so nothing goes over that. A second export adds nothing.
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
      // A line that stands between entries would cut the note in two.
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
