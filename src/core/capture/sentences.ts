import { once } from "../shared/once.ts";
import { REAL_END } from "../notes/wording/sentence-ends.ts";
import { trimLead } from "../notes/wording/words.ts";
import { hasPhrase } from "./phrases.ts";
import { originsOf, textAfter, type Origin } from "./foreign-text.ts";

/** One sentence of a message, with its origin as far as the layout shows. */
export interface Sentence {
  /** As written, white space collapsed. */
  readonly text: string;
  /** `text` with code spans, URLs and quoted speech replaced by short stand-ins, for pattern matching. */
  readonly plain: string;
  /** `quoted`: in a block quote, a mail, wholly in quotation marks, or under a line such as "the page says:". */
  readonly origin: Origin;
  /** Index of the paragraph in the message, from 0. */
  readonly paragraph: number;
}

/**
 * The sentences a person wrote. Code blocks, logs, stack traces, diffs and listings are left out; quoted text is kept
 * and marked, so that a gate can say why it was not used.
 */
export function splitSentences(message: string): readonly Sentence[] {
  return readUnits(message).flatMap(sentencesOf);
}

/** Text that an order or a report introduces goes on to the end of the line, unless it is in quotation marks. */
function sentencesOf(unit: Unit, paragraph: number): readonly Sentence[] {
  let origin = unit.origin;
  return splitUnit(unit.text).flatMap((piece): Sentence[] => {
    const text = piece.replace(/\s+/gu, " ").trim();
    if (!/[\p{L}\p{N}]/u.test(text)) return [];
    const plain = maskSpans(text);
    const after = origin === "typed" ? textAfter(trimLead(plain)) : undefined;
    const isQuotation = after !== undefined && QUOTED_TEXT.test(trimLead(plain).slice(after.head.length));
    const own: Origin = isQuotation || WHOLLY_QUOTED.test(text) ? "quoted" : (after?.origin ?? origin);
    if (!isQuotation) origin = after?.origin ?? origin;
    return [{ text, plain, origin: own, paragraph }];
  });
}

/** A list item, or prose with its wrapped lines joined. */
interface Unit {
  readonly text: string;
  readonly origin: Origin;
}

const FENCE = /^\s*(?:```|~~~)/u;
const LIST_ITEM = /^\s*(?:[-*•+]|\d{1,2}[.)])\s+/u;

function readUnits(message: string): readonly Unit[] {
  const units: Unit[] = [];
  let quoting: "no" | "announced" | "running" | "paused" = "no";
  let announced: Origin = "quoted";
  // Pasted lines in the current run of lines: what follows two of them is still part of the paste.
  let pasted = 0;
  let isFirst = true;
  const lines = linesOf(message);
  const origins = originsOf(lines);
  for (const [index, line] of lines.entries()) {
    if (line === FENCED) {
      if (quoting === "announced") quoting = "no";
      continue;
    }
    if (line.trim() === "") {
      if (quoting === "running") quoting = "paused";
      pasted = 0;
      isFirst = true;
      continue;
    }
    if (quoting === "announced") quoting = "running";
    // A quoted page may have several paragraphs; it ends with a paragraph in the first or second person.
    if (quoting === "paused") quoting = hasPhrase("personal", paragraphAt(lines, index)) ? "no" : "running";
    const text = line.replace(/^\s*(?:>\s?)+/u, "");
    const isForeign = /^\s*>\s?/u.test(line) || pasted >= 2;
    if (looksPasted(text)) pasted++;
    else {
      const unit = {
        text: text.replace(LIST_ITEM, "").replace(/^#{1,6}\s+/u, ""),
        origin: isForeign ? "quoted" : quoting === "running" ? announced : (origins[index] ?? "typed"),
      };
      const last = isFirst || LIST_ITEM.test(text) ? undefined : units.at(-1);
      if (last !== undefined && continues(last, unit))
        units[units.length - 1] = { ...last, text: `${last.text} ${unit.text.trim()}` };
      else units.push(unit);
      isFirst = false;
    }
    const after = announces(line);
    if (after !== undefined) [quoting, announced] = ["announced", after];
  }
  return units;
}

/** Whether a line goes on with hard-wrapped prose. */
function continues(last: Unit, { text, origin }: Unit): boolean {
  const isOpen = last.text.length >= 50 && !/[.!?:;。！？…]["')\]]*$/u.test(last.text);
  return last.origin === origin && isOpen && /^[\p{Ll}\d`(]/u.test(text.trim());
}

/** Whose text follows a line that ends with a colon. */
function announces(line: string): Origin | undefined {
  if (hasPhrase("announcesQuote", line)) return "quoted";
  return /[:：]\s*$/u.test(line) ? textAfter(trimLead(line))?.origin : undefined;
}

/** Stands for a line of a code block. */
const FENCED = "\u0000";

/** The lines without comments in markup, which were invisible in the source of the text. */
function linesOf(message: string): readonly string[] {
  let fenced = false;
  const lines = message
    .replace(/\r\n?/gu, "\n")
    .replace(/<!--[\s\S]*?(?:-->|$)/gu, "")
    .split("\n");
  return lines.map((line) => {
    if (!FENCE.test(line)) return fenced ? FENCED : line;
    fenced = !fenced && !/^\s*(```|~~~).*\1\s*$/u.test(line);
    return FENCED;
  });
}

function paragraphAt(lines: readonly string[], from: number): string {
  const end = lines.findIndex((line, index) => index > from && line.trim() === "");
  return lines.slice(from, end === -1 ? undefined : end).join("\n");
}

/** Log lines, stack traces, diffs, file listings, markup: text not typed as a sentence. */
function looksPasted(line: string): boolean {
  const text = line.trim();
  if (hasPhrase("pasted", text)) return true;
  // Only ASCII symbols indicate code; "[^\p{L}…]" would count other scripts as symbols.
  const symbols =
    text.replace(/`[^`]*`|https?:\/\/\S+|"[^"]*"/gu, "").match(/[{}[\]()<>=;|\\/*&^$#@%~+_]/gu)?.length ?? 0;
  return text.length >= 12 && symbols / text.length > 0.16;
}

const CODE_SPAN = /`[^`\n]+`/gu;
// With a scheme, or a host of at least two labels and a path: `grafana.internal/d/latency`.
const URL = /\bhttps?:\/\/[^\s)>\]"'」』]+|(?<![\w/.@-])[a-z][\w-]*(?:\.[a-z][\w-]*)+\/(?!\s)[\w./#?=&%-]*[\w/]/giu;
const QUOTATION =
  /"[^"\n]{1,300}"|“[^”\n]{1,300}”|«[^»\n]{1,300}»|「[^」\n]{1,300}」|『[^』\n]{1,300}』|(?<![\p{L}\p{N}])'[^'\n]{3,200}'(?![\p{L}\p{N}])/gu;
/** What stands after a colon, with its quotation masked. */
const QUOTED_TEXT = /^\s*(?:“…”|["'“”«„»「『].*["'“”«„»」』])[.!?]*$/u;
const WHOLLY_QUOTED = /^(?:"[^"]+"|“[^”]+”|「[^」]+」)[.。]?$/u;
/** A sentence's end with the white space after it. */
const END = once(
  () => new RegExp(String.raw`(?:[.!?…]+(?=["'”’)\]]*\s)${REAL_END}["'”’)\]]*|[。！？]+[」』”]?)\s*`, "gu"),
);

/** Splits at sentence ends, but never inside code, a URL or quoted speech. */
function splitUnit(text: string): readonly string[] {
  const shielded = shield(text);
  const pieces: string[] = [];
  let from = 0;
  for (const match of shielded.matchAll(END())) {
    const end = match.index + match[0].length;
    // `never ask "shall I …?" when it is obvious`: the quotation ends, the sentence does not.
    if (/["”’]/u.test(match[0]) && /^\p{Ll}/u.test(text.slice(end))) continue;
    pieces.push(text.slice(from, end));
    from = end;
  }
  pieces.push(text.slice(from));
  return pieces;
}

/** Blanks protected spans so that no sentence ends inside them; the length stays the same. */
function shield(text: string): string {
  const blank = (span: string): string => "_".repeat(span.length);
  // The end of a quotation stays, so that `… done."` can end a sentence.
  return text
    .replace(CODE_SPAN, blank)
    .replace(URL, blank)
    .replace(QUOTATION, (span) =>
      /[.!?。！？]["”」』»']$/u.test(span) ? "_".repeat(span.length - 2) + span.slice(-2) : blank(span),
    );
}

const PROTECTED = new RegExp(`(${CODE_SPAN.source}|${URL.source}|${QUOTATION.source})`, "iu");

/** A text in pieces: prose, and at every odd place a piece of code, an address or quoted speech. */
export function proseAndCode(text: string): readonly string[] {
  return text.split(PROTECTED);
}

function maskSpans(text: string): string {
  return text
    .replace(CODE_SPAN, "`x`")
    .replace(URL, "⟨url⟩")
    .replace(QUOTATION, (span) => (/\s/u.test(span.trim()) ? "“…”" : span));
}
