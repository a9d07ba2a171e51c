import { parseLine } from "../../core/transcripts/format.ts";
import { type SaidInLine, searchableText, type Speaker } from "../../core/transcripts/said.ts";
import type { SearchTerm } from "../../core/transcripts/past.ts";

/** A message in which the term stands. */
export interface FoundInLine {
  /** Which of the things that its message says. */
  readonly part: number;
  /** Of the message, where it has one: a later line with it replaces this one. */
  readonly id: string | undefined;
  readonly speaker: Speaker;
  /** ISO time. */
  readonly time: string | undefined;
  /** The whole text, and where the term first stands in it. */
  readonly text: string;
  readonly at: number;
}

/** Looks for the term in what one line of a transcript says; what nobody said is not looked at. */
export function findInLine(line: string, said: SaidInLine, term: SearchTerm): readonly FoundInLine[] {
  const parsed = parseLine(line);
  if (!parsed.ok) return [];
  return said(parsed.record).flatMap((message) =>
    message.said.flatMap((one, part) => {
      const text = searchableText(one);
      const at = term.find(text, 0);
      return at < 0 ? [] : [{ part, id: message.id, speaker: one.speaker, time: message.time, text, at }];
    }),
  );
}

/** The line of a text that holds a position, with its neighbours, and how many lines more have the term. */
export function linesAround(
  text: string,
  at: number,
  term: SearchTerm,
): { readonly line: string; readonly before: string; readonly after: string; readonly more: number } {
  const start = at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
  const end = endOf(text, at);
  const beforeStart = start < 2 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
  const before = start === 0 ? "" : text.slice(beforeStart, start - 1);
  const after = end >= text.length ? "" : text.slice(end + 1, endOf(text, end + 1));
  return { line: text.slice(start, end), before, after, more: linesBehind(text, end, term) };
}

function linesBehind(text: string, end: number, term: SearchTerm): number {
  const next = end >= text.length ? -1 : term.find(text, end + 1);
  let lines = 0;
  for (let at = next; at >= 0;) {
    lines++;
    const lineEnd = endOf(text, at);
    at = lineEnd >= text.length ? -1 : term.find(text, lineEnd + 1);
  }
  return lines;
}

function endOf(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}
