import { findHidden } from "../hidden.ts";
import { decodeText, type SecretShape, SHAPES } from "./shapes.ts";
import { findBare, findLabelled } from "./find-labelled.ts";
import { findVendorTokens } from "./vendor-formats.ts";
import type { FoundSecret } from "./found-secret.ts";

/**
 * The one scan for secrets, wherever memdir decides whether a text holds one: notes, logs, prompts, pastes. In
 * order, without overlaps. Characters that cannot be seen do not hide a secret. Time is linear in the length.
 */
export function findSecrets(text: string): readonly FoundSecret[] {
  if (text === "") return [];
  const hidden = findHidden(text);
  if (hidden.length === 0) return joinOverlaps(findVisible(text));
  const { visible, positions } = withoutHidden(text, hidden);
  const found = findVisible(visible).map(({ start, end, rule }) => ({
    start: positions[start] ?? text.length,
    end: (positions[end - 1] ?? text.length - 1) + 1,
    rule,
  }));
  return joinOverlaps(found);
}

function findVisible(text: string): readonly FoundSecret[] {
  return [...findVendorTokens(text), ...findGeneral(text), ...findEncoded(text)];
}

/** What no vendor's beginning gives away: it stands where a secret stands, or is called one, or looks like one. */
export function findGeneral(text: string): readonly FoundSecret[] {
  const small = text.toLowerCase();
  const shapes = SHAPES.filter(({ hints }) => hints.length === 0 || hints.some((hint) => small.includes(hint)));
  return [...shapes.flatMap((shape) => findShape(shape, text)), ...findLabelled(text), ...findBare(text)];
}

const BEFORE_CHARACTERS = 300;

/** Exported for the gate that runs each shape over input made to slow it down. */
export function findShape({ name, pattern, more, accepts }: SecretShape, text: string): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const value = match.slice(1).findLast((group) => group !== undefined && group.length > 1) ?? match[0];
    const before = text.slice(Math.max(0, match.index - BEFORE_CHARACTERS), match.index);
    if (accepts !== undefined && !accepts(value, before)) {
      pattern.lastIndex = match.index + 1; // what was refused may hold another
      continue;
    }
    const start = match.index + match[0].lastIndexOf(value);
    const end = endOf(more, text, start + value.length);
    found.push({ start, end, rule: name });
    pattern.lastIndex = Math.max(end, match.index + 1);
  }
  return found;
}

function endOf(more: RegExp | undefined, text: string, end: number): number {
  if (more === undefined) return end;
  more.lastIndex = end;
  return more.test(text) ? more.lastIndex : end;
}

/** A vendor's token or a key wrapped in base64. */
function findEncoded(text: string): readonly FoundSecret[] {
  return [...text.matchAll(/[A-Za-z0-9+/_-]{24,}={0,2}/gu)].flatMap((match) => {
    const decoded = decodeText(match[0]);
    if (
      decoded === undefined ||
      (findVendorTokens(decoded).length === 0 && !/-BEGIN [A-Z ]{0,40}PRIVATE KEY/u.test(decoded))
    )
      return [];
    return [{ start: match.index, end: match.index + match[0].length, rule: "base64" }];
  });
}

function withoutHidden(
  text: string,
  hidden: readonly { readonly start: number; readonly end: number }[],
): { readonly visible: string; readonly positions: readonly number[] } {
  const positions: number[] = [];
  let visible = "";
  let from = 0;
  for (const { start, end } of [...hidden, { start: text.length, end: text.length }]) {
    visible += text.slice(from, start);
    for (; from < start; from++) positions.push(from);
    from = end;
  }
  return { visible, positions };
}

function joinOverlaps(found: readonly FoundSecret[]): readonly FoundSecret[] {
  const joined: FoundSecret[] = [];
  for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = joined.at(-1);
    if (last === undefined || one.start >= last.end) joined.push(one);
    else if (one.end > last.end) joined[joined.length - 1] = { ...last, end: one.end };
  }
  return joined;
}
