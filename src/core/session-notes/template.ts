/** A section that notes of a session have. */
export interface TemplateSection {
  /** Made from the title: rules fill the sections whose ids they know, a model all. */
  readonly id: string;
  readonly title: string;
  /** What belongs there, for a model. */
  readonly guidance: string;
}

export type Template = readonly TemplateSection[];

/** What `memdir session template` writes. */
export const DEFAULT_TEMPLATE = `# Session notes

Each heading of the second level is a section; the words under it tell what belongs there.
Change, add or remove sections as you like (at most 12). With a model all of them are filled;
without one only those that are here now, by their titles.

## Current state
What is being worked on at this moment, and what is not finished.

## Task and goal
What the person asked for, and what it is for.

## Files and functions
Which files were changed, what in them, and why they matter.

## Errors and corrections
What failed and what mended it; what the person corrected; what was tried and is not to be tried again.

## Decisions
What was decided, with the reason.

## Worklog
What was done, step by step, one line each.

## Next steps
What is still to be done, in order.
`;

const MOST_SECTIONS = 12;
const MOST_CHARACTERS = 8_000;
const TITLE_CHARACTERS = 80;

export type ParsedTemplate =
  | { readonly ok: true; readonly template: Template }
  | { readonly ok: false; readonly problem: string };

export function parseTemplate(text: string): ParsedTemplate {
  if (text.length > MOST_CHARACTERS)
    return broken(`it has ${text.length} characters; at most ${MOST_CHARACTERS} are read`);
  if (text.includes("\uFFFD") || text.includes("\0")) return broken("it is not UTF-8 text");
  const template = text
    .replace(/\r\n?/gu, "\n")
    .split(/^## +/mu)
    .slice(1)
    .map((part): TemplateSection => {
      const [title = "", ...rest] = part.split("\n");
      return { id: idOf(title), title: title.trim(), guidance: rest.join("\n").trim() };
    });
  const ids = template.map(({ id }) => id);
  if (template.length === 0) return broken("it has no heading of the second level (`## Title`)");
  if (template.length > MOST_SECTIONS)
    return broken(`it has ${template.length} sections; at most ${MOST_SECTIONS} are filled`);
  if (ids.includes("")) return broken("a heading has no words");
  if (template.some(({ title }) => title.length > TITLE_CHARACTERS))
    return broken(`a heading has more than ${TITLE_CHARACTERS} characters`);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  return twice === undefined ? { ok: true, template } : broken(`two sections are called "${twice}"`);
}

function broken(problem: string): ParsedTemplate {
  return { ok: false, problem };
}

function idOf(title: string): string {
  return title
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/gu, "");
}
