import { sharedEnds } from "./ends.ts";
import type { Leaving, Said } from "./reading.ts";
import lists from "./unspaced.json" with { type: "json" };
import type { ChangeKind } from "./value.ts";

/**
 * Changes in Chinese, Japanese and Korean. Words are not told apart there, so two texts are compared by the stretches
 * that they share.
 */

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;

export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text);
}

interface Text {
  readonly text: string;
}

/** "从X迁到Y", "用Y，不要用X": what a note about X says apart from it. */
export function leavingUnspaced(after: Leaving, before: Said): ChangeKind | undefined {
  const [old, now] = [joined(after.from), joined(after.to)];
  const noted = before.from === undefined ? before.text : joined(before.tokens);
  const around = unspaced(noted.toLowerCase()).split(old);
  if (old.length < 2 || around.length !== 2) return undefined;
  const said = unspaced(after.text.toLowerCase());
  if (!AROUND.test(withoutShared(around.join("\n"), said))) return "beside";
  const own = said.replace(now, " ").replace(old, " ");
  return ANNOUNCING.test(withoutShared(own, around.join("\n"))) ? "replaces" : "contradicts";
}

const AROUND = new RegExp(`^(?:${lists.around}|\\s)*$`, "u");
const ANNOUNCING = new RegExp(`^(?:${lists.announcing}| )*$`, "u");

function joined(tokens: readonly { readonly written: string }[]): string {
  return tokens.map(({ written }) => written.toLowerCase()).join("");
}

/** "AがBを呼ぶ", "BがAを呼ぶ": who does it, and to whom, are exchanged. */
export function exchangesParticles(after: string, before: string): boolean {
  const then = new Map(partsIn(before));
  const isExchanged = partsIn(after).some(([particle, noun]) => {
    const other = then.get(particle);
    return other !== undefined && other !== noun && before.includes(noun);
  });
  return isExchanged || turnsObject(after, before) || turnsObject(before, after);
}

/** "Aをコピーする", "Aにコピーする": what is copied, and where to. */
function turnsObject(one: string, other: string): boolean {
  const targets = new Set(Array.from(other.matchAll(TARGETS), ([, noun]) => noun));
  return Array.from(one.matchAll(OBJECTS), ([, noun]) => noun).some((noun) => targets.has(noun));
}

const NOUN = String.raw`([\p{sc=Han}\p{sc=Katakana}ーA-Za-z0-9]{2,})`;
const OBJECTS = new RegExp(`${NOUN}を`, "gu");
const TARGETS = new RegExp(`${NOUN}(?:に|へ|から)`, "gu");

function partsIn(text: string): readonly (readonly [particle: string, noun: string])[] {
  return [...text.matchAll(PARTICLES)].map(({ groups = {} }) => [groups["particle"] ?? "", groups["noun"] ?? ""]);
}

const PARTICLES = new RegExp(lists.particles, "gu");

/** One differing stretch between text that both share, with "now", or of who or what holds alone. */
export function isUnspacedChange(after: Text & { readonly isChange: boolean }, before: Text): boolean {
  if (!isUnspaced(after.text) || !isUnspaced(before.text)) return false;
  const [now, old] = [plain(after.text), plain(before.text)];
  if (old !== unspaced(before.text)) return false;
  const { start, end } = endsBesideNumbers(now, old);
  const parts = [now.slice(start, now.length - end), old.slice(start, old.length - end)];
  const isAlone = HELD_BY.test(now.slice(0, start)) || HELD.test(now.slice(now.length - end));
  const isTold = after.isChange || now !== unspaced(after.text) || isAlone;
  return isTold && start >= LEAST_SHARED && start + end > LEAST_SHARED * 2 && parts.every((part) => VALUE.test(part));
}

const LEAST_SHARED = 2;
const VALUE = /^[\p{L}\p{N}.-]{1,12}$/u;
const HELD_BY = new RegExp(`(?:${lists["held by"]})$`, "u");
const HELD = new RegExp(`^(?:${lists.held})`, "u");

/** "提交前不用再跑测试了", of a note that says "提交前必须先跑测试". */
export function isUnspacedEnding(after: string, before: string): boolean {
  if (!isUnspaced(after) || !isUnspaced(before)) return false;
  const ended = after.replaceAll(SPACES, "").replace(ENDED, "");
  if (ended === after.replaceAll(SPACES, "")) return false;
  const [rest, asked] = [ended, before].map((text) => unspaced(text).replaceAll(ASKED, ""));
  return rest !== undefined && rest.length > LEAST_SHARED * 2 && rest === asked;
}

const ENDED = new RegExp(lists.ended, "u");
const ASKED = new RegExp(lists.asked, "gu");

/** "8000" and "8500" are two numbers. */
function endsBesideNumbers(one: string, other: string): { readonly start: number; readonly end: number } {
  let { start, end } = sharedEnds(one, other);
  while (start > 0 && /\d/u.test(one[start - 1] ?? "")) start--;
  while (end > 0 && /\d/u.test(one.at(-end) ?? "")) end--;
  return { start, end };
}

/** "代码注释用英文写", "代码里的注释都用英文": the same but for words that add nothing. */
export function isUnspacedSame(after: string, before: string): boolean {
  if (!isUnspaced(after) || !isUnspaced(before)) return false;
  const [now, then] = [after, before].map((text) => unspaced(text.toLowerCase()).replaceAll(FILLING, ""));
  return now !== undefined && now.length > LEAST_SHARED && now === then;
}

const FILLING = new RegExp(lists.filling, "gu");

/** What is left of a text without the stretches of two and more characters that the other has as well. */
function withoutShared(text: string, other: string): string {
  let rest = "";
  for (let at = 0; at < text.length;) {
    let length = 0;
    while (at + length < text.length && other.includes(text.slice(at, at + length + 1))) length++;
    if (length < 2) rest += text[at] ?? "";
    at += length < 2 ? 1 : length;
  }
  return rest;
}

/** Without white space and commas, and in one form where several mean the same. */
function unspaced(text: string): string {
  return ALIKE.reduce((rest, [pattern, form]) => rest.replace(pattern, form), text.replaceAll(SPACES, ""));
}

const SPACES = /[\s、，,。]+/gu;

function plain(text: string): string {
  return BECOME.reduce((rest, [pattern, is]) => rest.replace(pattern, is), unspaced(text).replace(NOW, ""));
}

const NOW = new RegExp(lists.now, "gu");
const BECOME = formsOf(lists.become);
const ALIKE = formsOf(lists.alike);

function formsOf(rows: readonly (readonly string[])[]): readonly (readonly [RegExp, string])[] {
  return rows.map(([pattern = "", form = ""]) => [new RegExp(pattern, "gu"), form]);
}
