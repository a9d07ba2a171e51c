import { percent } from "./explanation-words.ts";
import type { Absence } from "./explain-absence.ts";

/** The answer in one or two sentences; every reason has one. */
export function absenceSentence(absence: Absence): string {
  const { file, score, floors, supersededBy } = absence;
  switch (absence.reason) {
    case "shown":
      return `${file} is recalled for this prompt: it is shown whole${rankWords(absence)}.`;
    case "pointed":
      return `${file} is recalled for this prompt in one line, not whole: it is ${percent(score)} likely to help${rankWords(absence)}, and ${percent(floors.whole)} is needed to be sure.`;
    case "off":
      return "Memory is off, so nothing is recalled.";
    case "superseded":
      return `${file} is not recalled because a newer note took its place: ${supersededBy ?? "another note"}. It is kept for the record.`;
    case "common-words":
      return "The prompt has only words that are too common to look for, so it finds no note.";
    case "shares-nothing":
      return `${file} has none of the prompt's words, so it cannot be found by it.`;
    case "crowded-out":
      return `${file} has words of the prompt, but at least fifty other notes are likelier.`;
    case "surfaced":
      return `${file} is not shown again: this session has it already. It is shown once more when it changes.`;
    case "no-room":
      return `${file} was chosen, but there was no room left for it.`;
    case "unlikely":
      return `${file} is ${percent(score)} likely to help${rankWords(absence)}; ${percent(floors.pointer)} is needed for a line, ${percent(floors.whole)} to be shown whole.`;
    case "too-many":
      return `${file} is ${percent(score)} likely to help, enough to be shown, but likelier notes came first${rankWords(absence)}.`;
  }
}

function rankWords({ rank }: Absence): string {
  return rank === undefined ? "" : rank === 1 ? ", the likeliest of all notes" : `, number ${rank} of all notes`;
}

/** Which of the prompt's words the note has, and where. */
export function placeSentences({ words, noteWords }: Absence): readonly string[] {
  const fields = [
    ["name", words.name],
    ["description", words.description],
    ["text", words.body],
    ["words it is looked for by, or those of notes that it superseded", words.asked],
  ] as const;
  const places = fields
    .filter(([, found]) => found.length > 0)
    .map(([field, found]) => `in its ${field}: ${some(found)}`);
  return [
    ...(places.length === 0 ? [] : [`It has, ${places.join("; ")}.`]),
    ...(words.related.length === 0 ? [] : [`It has words related to: ${some(words.related)}.`]),
    ...(words.missing.length === 0 ? [] : [`It lacks: ${some(words.missing)}.`]),
    ...(places.length > 0 || noteWords.length === 0 ? [] : [`It is found by words such as: ${some(noteWords)}.`]),
  ];
}

/** What would make the note be found; `undefined` where nothing is to be done. */
export function remedySentence({ remedy, reason, file }: Absence): string | undefined {
  if (remedy === undefined || reason === "surfaced" || reason === "no-room" || reason === "off") return undefined;
  if (remedy.words.length === 0)
    return reason === "too-many" || remedy.enough
      ? undefined
      : "More of the prompt's words in its description would not change that: the prompt is about more than this note.";
  const words = remedy.words.map((word) => `\`${word}\``).join(", ");
  if (remedy.enough)
    return `With ${words} in its description it would be about ${percent(remedy.score)} likely to help, and be shown whole. If the note is about that, say so in its description: \`memdir edit ${file} --description '…'\`.`;
  return `Even with ${words} in its description it would be about ${percent(remedy.score)} likely to help: the prompt is about more than this note.`;
}

const LISTED = 12;

function some(words: readonly string[]): string {
  return `${words.slice(0, LISTED).join(", ")}${words.length > LISTED ? ` and ${words.length - LISTED} more` : ""}`;
}
