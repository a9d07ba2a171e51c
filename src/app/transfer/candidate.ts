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

/** A file of another tool's, with its path below the place that was named (`/` between). */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** ISO time. */
  readonly changed?: string;
}

/** What another tool remembers, as a note of ours would say it. */
export interface ImportCandidate {
  readonly type: NoteType;
  readonly name: string;
  readonly description: string;
  /** Markdown. */
  readonly body: string;
  /** Where it stands there: `MEMORY.md#Testing`. The same again on the next import. */
  readonly origin: string;
  /** The file, where it is a note in our own form: pin, guard, times, source and unknown keys come along. */
  readonly original?: OriginalNote;
}

export interface OriginalNote {
  readonly text: string;
  /** ISO time the file was changed, for a note that says nothing of when it was written. */
  readonly changed?: string;
  readonly pinned: boolean;
}

/** What an import does not take, and why. The reason never quotes what stands there. */
export interface SkippedPiece {
  readonly path: string;
  /** From 1. */
  readonly line?: number;
  readonly why: string;
}

export interface ReadCandidates {
  readonly candidates: readonly ImportCandidate[];
  readonly skipped: readonly SkippedPiece[];
}

/** Together, in order. */
export function joined(all: readonly ReadCandidates[]): ReadCandidates {
  return { candidates: all.flatMap(({ candidates }) => candidates), skipped: all.flatMap(({ skipped }) => skipped) };
}

export function skippedPiece(path: string, why: string, line?: number): ReadCandidates {
  return { candidates: [], skipped: [{ path, why, ...(line === undefined ? {} : { line }) }] };
}

/** The candidates of a file; one without any is named. */
export function orSkipped(
  path: string,
  candidates: readonly ImportCandidate[],
  why = "there are no words in it",
): ReadCandidates {
  return candidates.length === 0 ? skippedPiece(path, why) : { candidates, skipped: [] };
}

/** The candidate of a piece of Markdown; nothing where there are no words in it. */
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

/** Other tools have other kinds or none. Wrongly `project` does least harm: it is what a note is without a type. */
function guessType(text: string): NoteType {
  if (/\b(?:always|never|prefers?|do not|don['’]?t|must|instead of|avoid)\b/iu.test(text)) return "feedback";
  return /^\s*(?:[-*]\s*)?https?:\/\/\S+\s*$/mu.test(text) ? "reference" : "project";
}

interface Section {
  /** Of all headings above the text, `A > B`; empty before the first. */
  readonly heading: string;
  readonly text: string;
}

/** Markdown cut at its headings; those inside code blocks are none. */
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
    // Levels that were passed over are holes, which `filter` leaves out.
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

/** The same, where a section that is a list gives one candidate for each of its items. */
export function candidatesOfItems(file: SourceFile, title: string): readonly ImportCandidate[] {
  return candidatesOfSections(file, title).flatMap((section) => {
    const items = section.body.split(/^[-*+][ \t]+/mu).map((item) => item.trim());
    const isList = items[0] === "" && items.length > 2 && !/^\s*(?:`{3}|~{3})/mu.test(section.body);
    return isList ? items.flatMap((item) => candidate(placeOf(section.origin, item), "", item)) : [section];
  });
}

/** Where one of several pieces of a file stands: by how it begins. */
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
