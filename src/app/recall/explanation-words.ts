import type { NoteOutcome } from "../../core/recall/outcome.ts";
import type { ExplainedNote, Explanation } from "../../core/recall/explanation.ts";
import { counted } from "../../core/shared/text.ts";

/** A share as people read it, never rounded up over a floor that was missed: `22.9%`. */
export function percent(share: number): string {
  return `${Math.floor(share * 1000 + 1e-6) / 10}%`;
}

/** The answer in one or two sentences; every outcome has one. */
export function verdictSentence(explanation: Explanation): string {
  const { verdict, candidates, floors } = explanation;
  const names = (outcome: NoteOutcome): string =>
    candidates
      .filter((note) => note.fate === outcome)
      .map(({ file }) => file)
      .join(", ");
  const count = (outcome: NoteOutcome): string =>
    counted(candidates.filter((note) => note.fate === outcome).length, "note was", "notes were");
  const best = candidates[0];
  if (explanation.by === "model") return modelSentence(names("shown"), names("surfaced"));
  switch (verdict) {
    case "off":
      return "Memory is off, so nothing is read and nothing is recalled.";
    case "empty-prompt":
      return "The prompt is empty, so there is nothing to look for.";
    case "no-notes":
      return "There are no notes here yet, so there is nothing to recall. `memdir remember TEXT` saves one.";
    case "common-words":
      return "The prompt has only words that are too common to look for, so nothing was shown.";
    case "no-match":
      return explanation.prompt === undefined
        ? "Nothing was shown: no note had a word of the prompt."
        : "Nothing was shown: no note has any of the prompt's words. memdir finds notes by their words, so put the words you would ask with into a note's description.";
    case "shown":
      return `${count("shown")} shown whole: ${names("shown")}.${names("pointed") === "" ? "" : ` In one line: ${names("pointed")}.`}`;
    case "pointed":
      return `No note was sure enough to be shown whole; ${count("pointed")} shown in one line: ${names("pointed")}.`;
    case "surfaced":
      return `Nothing was shown again: this session has ${names("surfaced")} already. A note that changes is shown once more.`;
    case "no-room":
      return `Nothing was shown: ${names("no-room")} would help, but what one session may receive is used up.`;
    case "unlikely":
      return best === undefined
        ? "Nothing was shown."
        : `Nothing was shown: the likeliest note, ${best.file}, is ${percent(best.score)} likely to help, and ${percent(floors.pointer)} is needed for a line. That is right where no note helps; if this one would, ask why-not.`;
  }
}

/** What a model chose beside the fast answer, which is logged on its own. */
function modelSentence(added: string, had: string): string {
  const also = had === "" ? "" : ` It also chose what the fast answer had shown: ${had}.`;
  return added === ""
    ? `Chosen by a model: it added nothing to the fast answer.${also}`
    : `Chosen by a model, beside the fast answer: ${added}.${also}`;
}

/** What became of one note, in a few words. */
export function outcomeWords(
  { fate, scope, file }: Pick<ExplainedNote, "fate" | "scope" | "file">,
  { floors, cut }: Pick<Explanation, "floors" | "cut">,
): string {
  const left = cut.find((one) => one.file === file && one.scope === scope)?.characters ?? 0;
  switch (fate) {
    case "shown":
      return left > 0
        ? `shown whole but for its end: ${counted(left, "character was", "characters were")} cut for space`
        : "shown whole";
    case "pointed":
      return "shown in one line";
    case "surfaced":
      return "not shown again: this session has it already";
    case "no-room":
      return "not shown: no room was left for it";
    case "unlikely":
      return `not shown: less than ${percent(floors.pointer)}`;
    case "too-many":
      return "not shown: enough likelier notes came first";
  }
}

/** Which words were looked for, and which of them no note has. */
export function wordSentences({ words, logEntries }: Pick<Explanation, "words" | "logEntries">): readonly string[] {
  const [those, none] =
    logEntries === undefined
      ? ["notes have", "no note has"]
      : ["notes or log entries have", "no note or log entry has"];
  const telling = words.filter(({ terms }) => terms.length > 0);
  const known = telling.filter(({ notes }) => notes > 0);
  const unknown = telling.filter(({ notes }) => notes === 0);
  const common = words.filter(({ terms }) => terms.length === 0);
  return [
    ...(known.length === 0
      ? []
      : [`Words that ${those}: ${some(known.map(({ word, notes }) => `${word} (${notes})`))}.`]),
    ...(unknown.length === 0 ? [] : [`Words that ${none}: ${some(unknown.map(({ word }) => word))}.`]),
    ...(common.length === 0 ? [] : [`Too common to look for: ${some(common.map(({ word }) => word))}.`]),
  ];
}

/** How the choice was made. */
export function ruleSentence({ by, floors }: Pick<Explanation, "by" | "floors">): string {
  if (by === "model")
    return "Chosen by a model, which saw one line of each of the likeliest notes; the percentages are what the rules had judged.";
  return `Chosen by rules, without a model. A note is shown whole when it is ${percent(floors.whole)} likely to help or more, in one line from ${percent(floors.pointer)} on. Rare words of the prompt weigh most, most of all in a note's name and description.`;
}

const LISTED = 12;

function some(items: readonly string[]): string {
  const shown = items.slice(0, LISTED).map((item) => (item.length > 40 ? `${item.slice(0, 39)}…` : item));
  return `${shown.join(", ")}${items.length > LISTED ? ` and ${items.length - LISTED} more` : ""}`;
}
