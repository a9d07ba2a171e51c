import { scanBlocks, type Span } from "./markdown-blocks.ts";

/** `@path` in prose. */
export interface ImportMention extends Span {
  /** As written, with `\ ` unescaped; neither resolved nor looked for. */
  readonly target: string;
}

const TOKEN = /@((?:[^\s\\]|\\ |\\(?! ))+)/uy;
/** What a file name may begin with; excludes `@`, quotes and marks that no person begins a path with. */
const PATH_START = /^(?:~\/|\.{0,2}\/|[\p{L}\p{N}._-])/u;

/**
 * Every `@path` in prose, in order of position: after white space or at the start of a line, never inside
 * code spans, code fences, indented code or HTML comments. Whether the path leads anywhere is the caller's
 * to find out. Never throws; linear in the text.
 */
export function findImports(text: string): readonly ImportMention[] {
  if (!text.includes("@")) return [];
  const found: ImportMention[] = [];
  for (const lines of scanBlocks(text).prose) {
    if (!lines.some(({ start, end }) => text.slice(start, end).includes("@"))) continue;
    for (const span of visibleSpans(text, lines)) importsIn(text, span, found);
  }
  return found;
}

interface VisibleSpan extends Span {
  /** Begins where its line begins, list and quote marks aside. */
  readonly atLineStart: boolean;
  /** Ends where its line ends. */
  readonly atLineEnd: boolean;
}

function importsIn(text: string, span: VisibleSpan, found: ImportMention[]): void {
  const visible = text.slice(span.start, span.end);
  for (let at = visible.indexOf("@"); at !== -1; at = visible.indexOf("@", at + 1)) {
    const before = at === 0 ? (span.atLineStart ? " " : "x") : (visible[at - 1] ?? "");
    if (!/\s/u.test(before)) continue;
    TOKEN.lastIndex = at;
    const raw = TOKEN.exec(visible)?.[1];
    if (raw === undefined) continue;
    const end = at + 1 + raw.length;
    // A path that runs into code or a comment is not one that somebody wrote out.
    if (end === visible.length && !span.atLineEnd) continue;
    const target = raw.replaceAll("\\ ", " ");
    if (PATH_START.test(target)) found.push({ start: span.start + at, end: span.start + end, target });
  }
}

/** The lines of a paragraph without its code spans and inline comments. */
function visibleSpans(text: string, lines: readonly Span[]): VisibleSpan[] {
  const hidden = hiddenInline(text, lines);
  const out: VisibleSpan[] = [];
  let next = 0;
  for (const line of lines) {
    let from = line.start;
    while ((hidden[next]?.end ?? Number.POSITIVE_INFINITY) <= line.start) next++;
    for (let span = hidden[next]; span !== undefined && span.start < line.end; span = hidden[++next]) {
      if (span.start > from) out.push({ start: from, end: span.start, atLineStart: from === line.start, atLineEnd: false });
      from = span.end;
      if (span.end > line.end) break; // it goes on in the next line
    }
    if (from < line.end) out.push({ start: from, end: line.end, atLineStart: from === line.start, atLineEnd: true });
  }
  return out;
}

interface Opener extends Span {
  readonly kind: "code" | "comment";
}

/** Code spans and inline comments of one paragraph, in order; what opens first wins, what never closes is text. */
function hiddenInline(text: string, lines: readonly Span[]): Span[] {
  const openers = lines.flatMap((line) => openersIn(text.slice(line.start, line.end), line.start));
  const closers = new Map<number, number[]>();
  for (const { kind, start, end } of openers) {
    if (kind === "comment") continue;
    const known = closers.get(end - start);
    if (known === undefined) closers.set(end - start, [start]);
    else known.push(start);
  }
  const last = lines.at(-1)?.end ?? 0;
  const used = new Map<number, number>();
  const hidden: Span[] = [];
  let from = 0;
  let commentsClose = true;
  for (const opener of openers) {
    if (opener.start < from || isEscaped(text, opener.start)) continue;
    const close = opener.kind === "code" ? closeOfCode(closers, used, opener) : commentsClose ? closeOfComment(text, opener, last) : undefined;
    if (opener.kind === "comment" && close === undefined) commentsClose = false;
    if (close === undefined) continue;
    hidden.push({ start: opener.start, end: close });
    from = close;
  }
  return hidden;
}

function openersIn(line: string, offset: number): Opener[] {
  return [...line.matchAll(/`+|<!--/gu)].map((match) => ({ kind: match[0] === "<!--" ? "comment" : "code", start: offset + match.index, end: offset + match.index + match[0].length }));
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === "\\") slashes++;
  return slashes % 2 === 1;
}

function closeOfCode(closers: ReadonlyMap<number, readonly number[]>, used: Map<number, number>, run: Span): number | undefined {
  const length = run.end - run.start;
  const positions = closers.get(length) ?? [];
  let at = used.get(length) ?? 0;
  while ((positions[at] ?? Number.POSITIVE_INFINITY) <= run.start) at++;
  used.set(length, at);
  const start = positions[at];
  return start === undefined ? undefined : start + length;
}

function closeOfComment(text: string, opener: Span, last: number): number | undefined {
  const close = text.slice(opener.end, last).indexOf("-->");
  return close === -1 ? undefined : opener.end + close + 3;
}
