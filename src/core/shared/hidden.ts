/** A run of characters that a person reading the text cannot see, or that changes the order they see it in. */
export interface HiddenRun {
  /** Half-open UTF-16 range. */
  readonly start: number;
  readonly end: number;
  readonly kind: "tag" | "bidi" | "invisible" | "control";
}

/**
 * Hidden characters in `text`, adjacent ones of one kind joined. Joiners and selectors that shape visible text are not
 * hidden: ZWJ between emoji, variation selectors after a visible character, emoji flag tags, ZWJ and ZWNJ between
 * letters of scripts that need them, direction marks next to right-to-left letters.
 */
export function findHidden(text: string): readonly HiddenRun[] {
  if (!SUSPECT.test(text)) return [];
  const visibleTags = flagTagRanges(text);
  const rightToLeft = hasRightToLeft(text);
  const runs: HiddenRun[] = [];
  let index = 0;
  let before = "";
  for (const character of text) {
    const end = index + character.length;
    const kind = kindOf(character);
    const kept =
      kind === undefined ||
      visibleTags.some((range) => index >= range.start && end <= range.end) ||
      shapesVisibleText(character, before, text.slice(end, end + 2), rightToLeft);
    if (!kept) addRun(runs, index, end, kind);
    before = kept ? character : "";
    index = end;
  }
  return runs;
}

/** `text` without what `findHidden` reports. */
export function stripHidden(text: string): string {
  let visible = "";
  let from = 0;
  for (const run of findHidden(text)) {
    visible += text.slice(from, run.start);
    from = run.end;
  }
  return visible + text.slice(from);
}

// Backspaces and the like are typed by accident. NUL stays, since a text that contains one is not text.
const TYPED = /[\u0001-\u0008\u000B\u000C\u000E-\u001F\u007F]/gu;

/** `text` without control characters that a keyboard or terminal leaves: DEL, and C0 except tab, line ends and NUL. */
export function stripTyped(text: string): string {
  return text.replace(TYPED, "");
}

/** One code point, named where the character itself would affect a terminal: `<U+001B>`. */
function named(character: string): string {
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`;
}

/** `text` with every character that a reader cannot see, or that a terminal obeys, replaced by its name: `<U+202E>`. */
export function nameHidden(text: string): string {
  // A carriage return before a line feed is part of a line end; alone it lets text overwrite its own line.
  const lines = text.replace(/\r(?!\n)/gu, named);
  let visible = "";
  let from = 0;
  for (const { start, end } of findHidden(lines)) {
    visible += lines.slice(from, start) + Array.from(lines.slice(start, end), named).join("");
    from = end;
  }
  return visible + lines.slice(from);
}

/** JSON with invisible characters escaped: the same data, safe to print. */
export function escapeHidden(json: string): string {
  let escaped = "";
  let from = 0;
  for (const { start, end } of findHidden(json)) {
    escaped += json.slice(from, start);
    for (let at = start; at < end; at++) escaped += `\\u${json.charCodeAt(at).toString(16).padStart(4, "0")}`;
    from = end;
  }
  return escaped + json.slice(from);
}

function addRun(runs: HiddenRun[], start: number, end: number, kind: HiddenRun["kind"]): void {
  const last = runs.at(-1);
  if (last !== undefined && last.end === start && last.kind === kind) runs[runs.length - 1] = { ...last, end };
  else runs.push({ start, end, kind });
}

const TAGS = /[\u{E0000}-\u{E007F}]/u;
const BIDI = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
// Fillers and format characters without width. Variation selectors are judged by the character before them.
const INVISIBLE =
  /[\u00AD\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200D\u2060-\u2065\u206A-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0080}-\u{E0FFF}]/u;
// All of C0 and C1 except tab, line feed and carriage return.
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/u;
const SUSPECT = new RegExp(`${TAGS.source}|${BIDI.source}|${INVISIBLE.source}|${CONTROL.source}`, "u");
const SELECTOR = /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/u;

// Compiled on use: a pattern of whole scripts takes half a millisecond in a process that has just started.
function hasRightToLeft(text: string): boolean {
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(text);
}

function isJoiningLetter(text: string): boolean {
  return /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u.test(
    text,
  );
}

function isEmoji(text: string): boolean {
  return /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F/u.test(text);
}

function kindOf(character: string): HiddenRun["kind"] | undefined {
  if (TAGS.test(character)) return "tag";
  if (BIDI.test(character)) return "bidi";
  if (CONTROL.test(character)) return "control";
  return INVISIBLE.test(character) ? "invisible" : undefined;
}

function shapesVisibleText(character: string, before: string, after: string, rightToLeft: boolean): boolean {
  if (character === "\u200D") return (isEmoji(before) && isEmoji(after)) || isJoiningLetter(before);
  if (character === "\u200C") return isJoiningLetter(before) && isJoiningLetter(after);
  if (character === "\u200E" || character === "\u200F" || character === "\u061C") return rightToLeft;
  // One selector after one visible base is allowed; a second in a row carries data, not a shape.
  if (SELECTOR.test(character)) return !SELECTOR.test(before) && selects(character, before);
  return false;
}

function selects(selector: string, base: string): boolean {
  if (selector === "\uFE0F" || selector === "\uFE0E") return /[\p{Emoji}\p{Extended_Pictographic}]/u.test(base);
  return /[\p{Script=Han}\p{Script=Mongolian}\p{Sm}]/u.test(base);
}

/** Subdivision flags (England, Scotland, Wales…): a black flag, tags, and the closing tag. */
function flagTagRanges(text: string): readonly { readonly start: number; readonly end: number }[] {
  return [...text.matchAll(/\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{3,6}\u{E007F}/gu)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}
