import list from "./foreign-text.json" with { type: "json" };
import { explicitIn, hasPhrase } from "./phrases.ts";

/**
 * Whose words a text is, as far as the layout shows. `quoted`: someone else's. `doubtful`: perhaps someone else's, or
 * text for a task: no rule writes a note from it, but an agent may be asked about it.
 */
export type Origin = "typed" | "quoted" | "doubtful";

/** The origin of each line of a message, from chats, mails and letters in it. */
export function originsOf(lines: readonly string[]): readonly Origin[] {
  const origins = lines.map((): Origin => "typed");
  markSpeakers(lines, origins);
  markLetter(lines, origins);
  markMail(lines, origins);
  markChat(lines, origins);
  return origins;
}

/** A chat is quoted to the end of its paragraph; what follows may be more of it. */
function markChat(lines: readonly string[], origins: Origin[]): void {
  let state: "none" | "inside" | "after" = "none";
  for (const [at, line] of lines.entries()) {
    if (hasPhrase("chat", line.trim())) state = "inside";
    else if (line.trim() === "" && state === "inside") state = "after";
    if (state !== "none") origins[at] = state === "inside" ? "quoted" : "doubtful";
  }
}

/** "Anna: …" and "Bob: …" in one message: a conversation, or a list with labels. */
function markSpeakers(lines: readonly string[], origins: Origin[]): void {
  const spoken = lines.flatMap((line, at) => (hasPhrase("speaker", line.trim()) ? [at] : []));
  if (spoken.length >= 2) for (const at of spoken) origins[at] = "doubtful";
}

const HEADER = new RegExp(String.raw`^(?:${list.headers}|${list.subjects})\s*[:：]\s*\S`, "iu");
const SURE_HEADER = new RegExp(
  String.raw`^(?:(?:${list.subjects})\s*[:：]\s*\S|(?:${list.headers})\s*[:：].*[\w.+-]@[\w-]+\.\w)`,
  "iu",
);

/** From its head on, a mail is quoted, but its last paragraph may be the person's. */
function markMail(lines: readonly string[], origins: Origin[]): void {
  const isHeader = (at: number): boolean => HEADER.test((lines[at] ?? "").trim());
  const start = lines.findIndex((line, at) => SURE_HEADER.test(line.trim()) || (isHeader(at) && isHeader(at + 1)));
  if (start === -1) return;
  const paragraphs = lines.flatMap((line, at) =>
    line.trim() !== "" && (lines[at - 1] ?? "").trim() === "" ? [at] : [],
  );
  // The head and the first paragraph after it are always the mail's.
  const [, , ...later] = paragraphs.filter((at) => at >= start);
  const last = later.at(-1) ?? lines.length;
  for (let at = start; at < lines.length; at++) origins[at] = at >= last ? "doubtful" : "quoted";
}

const CLOSING = new RegExp(String.raw`^(?:${list.closings})[\s,.!]*$`, "iu");

/** A letter, up to the signature: it may be the person's own. */
function markLetter(lines: readonly string[], origins: Origin[]): void {
  const closing = lines.findIndex((line) => CLOSING.test(line.trim()));
  for (let at = 0; at <= closing; at++) origins[at] = "doubtful";
}

/** The colon that text follows, not that of a time or an address. */
const COLON = String.raw`[^.!?。！？:：]{0,120}(?::(?=[\s"'“„«]|$)|：)`;
const head = (verbs: string): RegExp =>
  new RegExp(String.raw`^(?:${list.lead})*(?:${verbs})(?![\p{Ll}\p{M}])${COLON}`, "iu");
const TRANSLATES = head(list.translates);
const MAKES = head(String.raw`${list.makes}|${list.shows}(?:${list.texts})`);
const OWN = new RegExp(list.own, "iu");

const REPORTS = String.raw`(?:(?<!\p{L})(?:${list.reports})(?!\p{L})|${list.cjkReports})`;
/** A verb at the beginning is an order. */
const REPORTS_ANYWHERE = new RegExp(String.raw`(?<!^)${REPORTS}|(?<!\p{L})(?:${list.sources})(?!\p{L})`, "iu");
const REPORTS_TEXT = new RegExp(String.raw`^[^.!?。！？:：]{0,120}?${REPORTS}${COLON}`, "iu");

/** "Translate this: …", "Add to the page: …", "She wrote: …": whose the text after the colon is, if there is one. */
export function textAfter(plain: string): { readonly head: string; readonly origin: Origin } | undefined {
  const foreign = (TRANSLATES.exec(plain) ?? [])[0];
  if (foreign !== undefined) return { head: foreign, origin: "quoted" };
  const task = (MAKES.exec(plain) ?? REPORTS_TEXT.exec(plain) ?? [])[0];
  return task === undefined || OWN.test(task) || explicitIn(task) !== undefined
    ? undefined
    : { head: task, origin: "doubtful" };
}

/** Where a sentence begins to repeat what someone else said; -1 where it does not. */
export function reportsFrom(plain: string): number {
  return plain.search(REPORTS_ANYWHERE);
}
