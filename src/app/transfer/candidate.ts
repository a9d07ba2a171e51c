import type { NoteType } from "../../core/notes/note.ts";
import { describeBeside, titleOf as titleOfText } from "../../core/notes/title.ts";
import { cutAtWord, oneLine } from "../../core/shared/text.ts";

export const IMPORT_KINDS = [
  "claude-code",
  "codex",
  "gemini",
  "server-memory",
  "basic-memory",
  "openclaw",
  "hermes",
  "db0",
] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** A file of another tool, with its path below the given place (separated by `/`). */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** ISO time. */
  readonly changed?: string;
}

/** A memory of another tool, in the form of a note. */
export interface ImportCandidate {
  readonly type: NoteType;
  readonly name: string;
  readonly description: string;
  /** Markdown. */
  readonly body: string;
  /** Its place in the source: `MEMORY.md#Testing`. The same on every import. */
  readonly origin: string;
  /** The file, if it is a note in memdir's own form: pin, guard, times, source and unknown keys are kept. */
  readonly original?: OriginalNote;
}

export interface OriginalNote {
  readonly text: string;
  /** ISO time of the file's last change, for a note without times of its own. */
  readonly changed?: string;
  readonly pinned: boolean;
}

/** What an import does not accept, and why. The reason never quotes the text. */
export interface SkippedPiece {
  readonly path: string;
  /** Counted from 1. */
  readonly line?: number;
  readonly why: string;
}

export interface ReadCandidates {
  readonly candidates: readonly ImportCandidate[];
  readonly skipped: readonly SkippedPiece[];
}

/** Joins them in order. */
export function joined(all: readonly ReadCandidates[]): ReadCandidates {
  return { candidates: all.flatMap(({ candidates }) => candidates), skipped: all.flatMap(({ skipped }) => skipped) };
}

export function skippedPiece(path: string, why: string, line?: number): ReadCandidates {
  return { candidates: [], skipped: [{ path, why, ...(line === undefined ? {} : { line }) }] };
}

/** The candidates of a file; a file without any is reported as skipped. */
export function orSkipped(
  path: string,
  candidates: readonly ImportCandidate[],
  why = "there are no words in it",
): ReadCandidates {
  return candidates.length === 0 ? skippedPiece(path, why) : { candidates, skipped: [] };
}

/** The candidate of a piece of Markdown; empty if it has no words. */
export function candidate(
  origin: string,
  name: string,
  body: string,
  more: Partial<Pick<ImportCandidate, "type" | "description">> = {},
): readonly ImportCandidate[] {
  const text = body.replace(/\r\n?/gu, "\n").trim();
  if (text.replace(/[\s>*#+-]+/gu, "") === "") return [];
  const title = cutAtWord(oneLine(name), 60, "") || titleOfText(text);
  return [
    {
      type: more.type ?? guessType(text),
      name: title,
      description: cutAtWord(oneLine(more.description ?? "").replace(/\.$/u, "") || describeBeside(title, text), 200),
      body: text,
      origin,
    },
  ];
}

/** Other tools have other types or none. A wrong `project` does the least harm: it is the default type of a note. */
function guessType(text: string): NoteType {
  if (/\b(?:always|never|prefers?|do not|don['’]?t|must|instead of|avoid)\b/iu.test(text)) return "feedback";
  return /^\s*(?:[-*]\s*)?https?:\/\/\S+\s*$/mu.test(text) ? "reference" : "project";
}

interface Section {
  /** All headings above the text, `A > B`; empty before the first. */
  readonly heading: string;
  readonly text: string;
}

/** Markdown split at its headings, except those in code blocks. */
function sectionsOf(markdown: string): readonly Section[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: "", lines: [] }];
  const path: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.replace(/\r\n?/gu, "\n").split("\n")) {
    const [, mark] = /^\s*(`{3,}|~{3,})/u.exec(line) ?? [];
    if (mark !== undefined) fence = fence === undefined ? mark : mark.startsWith(fence) ? undefined : fence;
    const [, level, title = ""] = fence === undefined ? (/^(#{1,6})\s+(.*?)\s*#*$/u.exec(line) ?? []) : [];
    if (level === undefined) {
      sections.at(-1)?.lines.push(line);
      continue;
    }
    // Skipped levels are holes, which `filter` leaves out.
    path.length = level.length - 1;
    path.push(title);
    sections.push({ heading: path.filter((part) => part !== "").join(" > "), lines: [] });
  }
  return sections.map(({ heading, lines }) => ({ heading, text: lines.join("\n") }));
}

/** One candidate for each section of a file. */
export function candidatesOfSections({ path, text }: SourceFile, title: string): readonly ImportCandidate[] {
  return sectionsOf(text).flatMap((section) =>
    candidate(
      section.heading === "" ? path : `${path}#${section.heading}`,
      lastOf(section.heading) || title,
      section.text,
    ),
  );
}

/** The same, but a section that is a list gives one candidate per item. */
export function candidatesOfItems(file: SourceFile, title: string): readonly ImportCandidate[] {
  return candidatesOfSections(file, title).flatMap((section) => {
    const items = section.body.split(/^[-*+][ \t]+/mu).map((item) => item.trim());
    const isList = items[0] === "" && items.length > 2 && !/^\s*(?:`{3}|~{3})/mu.test(section.body);
    return isList ? items.flatMap((item) => candidate(placeOf(section.origin, item), "", item)) : [section];
  });
}

/** The origin of one of several pieces of a file, identified by its beginning. */
export function placeOf(file: string, text: string): string {
  return `${file}: ${oneLine(text).slice(0, 60)}`;
}

function lastOf(heading: string): string {
  return heading.split(" > ").at(-1) ?? "";
}

/** `memory/rollout_x.md` → `rollout x`. */
export function titleOf(path: string): string {
  return path
    .slice(path.lastIndexOf("/") + 1)
    .replace(/\.[^.]+$/u, "")
    .replace(/[_-]+/gu, " ");
}
