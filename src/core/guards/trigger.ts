import { extractClaims } from "../notes/claims/extract.ts";
import type { Note } from "../notes/note.ts";
import { isRecord } from "../shared/json.ts";
import { label } from "../shared/sanitize.ts";
import { cutAtWord } from "../shared/text.ts";
import { parseGuard } from "./guard.ts";
import type { Trigger } from "./triggered.ts";

/** Names that any project has say nothing of which file is meant. */
const COMMON_NAME =
  /^(?:index|main|readme|changelog|package|tsconfig|config|types|utils?|test|setup|app|mod|lib|__init__)\./iu;
/** A shorter name may be any. */
const DISTINCTIVE_CHARACTERS = 8;
const MOST_PATHS = 10;
const MOST_COMMANDS = 6;
const LINE_CHARACTERS = 140;
/** `git push --force` in backticks: a program and what it is to do. */
const COMMAND_SPAN = /(?<!`)`([a-z][\w.-]{1,20}(?: [^`\n]{1,80}))`(?!`)/gu;
const COMMAND_WORD = /^(?:[a-z][\w:.-]*|--?[\w-]+)$/u;

/** When a note is to be brought up at a tool call; `undefined` for a note that names neither file nor command. */
export function triggerOf(
  note: Pick<Note, "file" | "name" | "description" | "body" | "type">,
  frontmatter: Readonly<Record<string, unknown>>,
): Pick<Trigger, "paths" | "commands" | "line" | "when"> | undefined {
  const text = `${note.description}\n\n${note.body}`;
  const paths = extractClaims(text)
    .filter(({ kind }) => kind === "path")
    .map(({ name }) => name.replace(/^\.\//u, ""))
    .filter(isDistinctive)
    .slice(0, MOST_PATHS);
  const commands = note.type === "feedback" ? commandsIn(text) : [];
  const when = whenOf(frontmatter);
  if (paths.length + commands.length === 0 && when === undefined) return undefined;
  const about = note.description === "" ? note.name : note.description;
  return { paths, commands, line: cutAtWord(label(about, 2 * LINE_CHARACTERS), LINE_CHARACTERS), when };
}

function isDistinctive(path: string): boolean {
  const name = path.split("/").at(-1) ?? "";
  if (path.includes("/")) return path.replace(/\/$/u, "").includes("/") || !path.endsWith("/");
  return name.length >= DISTINCTIVE_CHARACTERS && !COMMON_NAME.test(name);
}

/** A program with its subcommand: `git push` of `git push --force-with-lease`. */
function commandsIn(text: string): readonly string[] {
  const found = [...text.matchAll(COMMAND_SPAN)].flatMap(([, span = ""]): string[] => {
    const telling = span.trim().split(/ +/u).slice(0, 2);
    return telling.length >= 2 && telling.every((word) => COMMAND_WORD.test(word)) ? [telling.join(" ")] : [];
  });
  return [...new Set(found)].slice(0, MOST_COMMANDS);
}

/** `metadata.when: { tool, pattern }`, held to what a guard may say; whatever else it is counts for nothing. */
function whenOf(frontmatter: Readonly<Record<string, unknown>>): Trigger["when"] {
  const { metadata } = frontmatter;
  const value = isRecord(metadata) ? metadata["when"] : undefined;
  const read = isRecord(value) ? parseGuard({ ...value, action: "warn" }) : undefined;
  return read?.kind === "guard" ? { tool: read.guard.tool, pattern: read.guard.pattern } : undefined;
}
