import fs from "node:fs";
import path from "node:path";
import type { CommitMark, WordFact } from "../../core/notes/claims/claim.ts";
import { isInVain, type Look, triedAgain } from "./history.ts";

/** A word in a document or a note is only a mention, not a definition. */
const NOT_IN_DOCUMENTS = [
  ".",
  ":(top,exclude,icase,glob)**/*.md",
  ":(top,exclude,icase,glob)**/*.mdx",
  ":(top,exclude,icase,glob)**/*.rst",
  ":(top,exclude,icase,glob)**/*.txt",
  ":(top,exclude,icase,glob)**/*.jsonl",
];

/** A word that was found, and the state of a file that contains it. */
interface Seen {
  readonly file: string;
  readonly stamp: string;
}

type Kept = Seen | { readonly former: WordFact } | { readonly never: true };

/** Whether a word's cached answer depends only on a file. */
export function isSeen(value: unknown): value is Seen {
  return (
    typeof value === "object" &&
    value !== null &&
    "file" in value &&
    typeof value.file === "string" &&
    "stamp" in value &&
    typeof value.stamp === "string"
  );
}

/**
 * Which words occur in tracked files. A missing word is called `former` only if a commit is known that contained it,
 * and no file contains it now, not even an untracked one.
 */
export function wordFacts(look: Look, wanted: readonly string[]): Map<string, WordFact> {
  const facts = new Map<string, WordFact>();
  const unknown: string[] = [];
  const doubtful: string[] = [];
  for (const word of wanted) {
    const kept = look.cache.get(keyOf(word));
    if (isSeen(kept) && stampOf(look, kept.file) === kept.stamp) facts.set(word, { state: "here" });
    else if (isNever(kept)) facts.set(word, { state: "never" });
    else if (isFormer(kept)) {
      doubtful.push(word);
      facts.set(word, kept.former);
    } else if (!isInVain(kept, look.budgetMs)) unknown.push(word);
  }
  if (look.checkout.git === undefined) return facts;
  const absent = unknown.length === 0 ? [] : searchNow(look, unknown, facts);
  if (absent.length > 0) searchPast(look, absent, facts);
  // A later edit may have brought it back: a cached answer alone never makes a word "gone".
  withdrawPresent(
    look,
    [...doubtful, ...absent].filter((word) => facts.get(word)?.state === "former"),
    facts,
  );
  return facts;
}

function keyOf(word: string): string {
  return `word ${word}`;
}

function isNever(value: unknown): value is { readonly never: true } {
  return typeof value === "object" && value !== null && "never" in value;
}

function isFormer(value: unknown): value is { readonly former: WordFact } {
  return typeof value === "object" && value !== null && "former" in value && typeof value.former === "object";
}

function stampOf({ checkout: { root } }: Look, file: string): string {
  const stat = fs.statSync(path.join(root, file), { throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.mtimeMs}:${stat.size}:${stat.ino}`;
}

/** Searches the working tree; returns the words that are definitely in no tracked file. */
function searchNow(look: Look, words: readonly string[], facts: Map<string, WordFact>): string[] {
  const answer = look.git([
    "grep",
    "-I",
    "-F",
    "-w",
    "-o",
    "--null",
    "--no-color",
    "--no-textconv",
    ...patterns(words),
    "--",
    ...NOT_IN_DOCUMENTS,
  ]);
  if (answer === undefined) return [];
  const found = filesByWord(answer.text, words);
  for (const word of words) {
    const file = found.get(word);
    if (file === undefined) continue;
    settle(look, word, { state: "here" }, { file, stamp: stampOf(look, file) }, facts);
  }
  const rest = words.filter((word) => !found.has(word));
  if (answer.complete) return rest;
  for (const word of rest) look.cache.set(keyOf(word), triedAgain(look.cache.get(keyOf(word)), look.budgetMs));
  return [];
}

/** The most commits searched for removed words; words still left stay unchecked. */
const MOST_COMMITS = 6;

/**
 * Searches for the commits that removed the words, all words at once, newest first: most words never existed, and one
 * process shows that for all of them. A word counts only if the commit before contained it as a whole word.
 */
function searchPast(look: Look, absent: readonly string[], facts: Map<string, WordFact>): void {
  let left = absent;
  let from = look.head;
  for (let step = 0; step < MOST_COMMITS && left.length > 0 && from !== undefined; step++) {
    const change = lastChange(look, left, from);
    if (change === undefined) break;
    if (change === "none") {
      if (look.checkout.git?.shallow === false)
        for (const word of left) settle(look, word, { state: "never" }, { never: true }, facts);
      break;
    }
    const before = wholeWords(look, left, `${change.id}^`);
    for (const [word, file] of before) {
      const former: WordFact = { state: "former", by: { commit: change.commit, date: change.date }, file };
      settle(look, word, former, { former }, facts);
    }
    left = left.filter((word) => !before.has(word));
    from = `${change.id}^`;
  }
  for (const word of left)
    if (!facts.has(word)) look.cache.set(keyOf(word), triedAgain(look.cache.get(keyOf(word)), look.budgetMs));
}

function settle(look: Look, word: string, fact: WordFact, kept: Kept, facts: Map<string, WordFact>): void {
  facts.set(word, fact);
  look.cache.set(keyOf(word), kept);
}

/** The newest commit that changed the number of occurrences of the words. */
function lastChange(
  { git }: Look,
  words: readonly string[],
  from: string,
): (CommitMark & { readonly id: string }) | "none" | undefined {
  const pattern = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`)).join("|");
  const answer = git([
    "log",
    "-1",
    "--no-ext-diff",
    "--no-textconv",
    "--format=%H%x1f%h%x1f%cs",
    "--pickaxe-regex",
    `-S${pattern}`,
    from,
    "--",
    ...NOT_IN_DOCUMENTS,
  ]);
  if (answer?.complete !== true) return undefined;
  const [id = "", commit = "", date = ""] = answer.text.trim().split("\x1f");
  return id === "" ? "none" : { id, commit, date };
}

/** The words that a commit's tree contains as whole words, each with a file. */
function wholeWords({ git }: Look, words: readonly string[], tree: string): Map<string, string> {
  const answer = git([
    "grep",
    "-I",
    "-F",
    "-w",
    "-o",
    "--null",
    "--no-color",
    "--no-textconv",
    ...patterns(words),
    tree,
    "--",
    ...NOT_IN_DOCUMENTS,
  ]);
  return new Map(
    [...filesByWord(answer?.text ?? "", words)].map(([word, file]) => [word, file.slice(file.indexOf(":") + 1)]),
  );
}

function patterns(words: readonly string[]): string[] {
  return words.flatMap((word) => ["-e", word]);
}

/** The first file of each word in lines `file NUL word`. Git reports the longest match; words inside it count too. */
function filesByWord(text: string, words: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  // The text after the last line feed is incomplete or empty.
  for (const line of text.split("\n").slice(0, -1)) {
    const [file = "", word = ""] = line.split("\0");
    if (word !== "" && !found.has(word)) found.set(word, file);
  }
  const within = [...found].flatMap(([longer, file]) =>
    words.filter((word) => !found.has(word) && hasWhole(longer, word)).map((word): [string, string] => [word, file]),
  );
  return new Map([...within, ...found]);
}

function hasWhole(text: string, word: string): boolean {
  const at = text.indexOf(word);
  return at !== -1 && !/\w/u.test(text.charAt(at - 1)) && !/\w/u.test(text.charAt(at + word.length));
}

/** Removes every `former` fact for a word that occurs in a file now; all of them if git could not answer. */
function withdrawPresent({ git }: Look, words: readonly string[], facts: Map<string, WordFact>): void {
  if (words.length === 0) return;
  const answer = git([
    "grep",
    "--untracked",
    "-I",
    "-F",
    "-w",
    "-o",
    "--null",
    "--no-color",
    "--no-textconv",
    ...patterns(words),
    "--",
    ...NOT_IN_DOCUMENTS,
  ]);
  const present = filesByWord(answer?.text ?? "", words);
  for (const word of words) if (answer?.complete !== true || present.has(word)) facts.delete(word);
}
