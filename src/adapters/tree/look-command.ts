/**
 * The command lines that the extractor may use to look. They are parsed here and run without a shell: git for
 * history, memdir's own code for the rest. Anything not on the lists is refused, whatever it would do.
 */
export type LookCommand =
  | GitLook
  | { readonly kind: "status" }
  | { readonly kind: "branches" }
  | { readonly kind: "list"; readonly path: string }
  /** Lines from the beginning or the end of files. */
  | {
      readonly kind: "lines";
      readonly from: "start" | "end";
      readonly count: number;
      readonly paths: readonly string[];
    }
  | { readonly kind: "count"; readonly paths: readonly string[] }
  | { readonly kind: "refused"; readonly why: string };

interface Given {
  readonly flags: readonly string[];
  /** For git revisions and paths, not yet told apart. */
  readonly words: readonly string[];
  /** After `--`. */
  readonly paths: readonly string[];
}

export interface GitLook extends Given {
  readonly kind: "git";
  readonly verb: "log" | "show" | "diff" | "blame";
}

/** Longer than any legitimate command. */
const MOST_CHARACTERS = 500;
const MOST_WORDS = 24;
const ALL_LINES = 400;

/** The form of each flag, the least and the most words and paths, and what the command asks for. */
type Allowed = readonly [flag: RegExp, least: number, most: number, read: (given: Given) => LookCommand];

const COMMON =
  "--stat|--shortstat|--numstat|--name-only|--name-status|--no-color|-w|--ignore-all-space|-U\\d{1,2}|--unified=\\d{1,2}|--no-renames|-M|--find-renames";
const LOG_LIKE =
  "--oneline|-p|--patch|-s|--no-patch|--date=(?:short|iso|relative)|--(?:format|pretty)=(?:oneline|short|medium|full|fuller)|--no-merges|--merges|--first-parent";
const LOG =
  "-\\d{1,3}|-n\\d{1,3}|--max-count=\\d{1,3}|--skip=\\d{1,4}|--reverse|-i|--all-match|--(?:since|until|after|before|author|grep)=[^\\0]{1,80}|-[SG][^\\0]{1,80}";

const ALLOWED: Readonly<Record<string, Allowed>> = {
  "git log": git("log", `${COMMON}|${LOG_LIKE}|${LOG}`),
  "git show": git("show", `${COMMON}|${LOG_LIKE}`),
  "git diff": git("diff", `${COMMON}|--cached|--staged`),
  "git blame": git("blame", "-w|-s|-e|-L\\d{1,6},\\+?\\d{1,6}|--date=(?:short|iso|relative)"),
  "git status": [/^(?:-s|-b|-sb|--short|--branch|--porcelain)$/u, 0, 0, () => ({ kind: "status" })],
  "git branch": [/^(?:-a|-r|-l|--all|--list|--remotes|--show-current)$/u, 0, 0, () => ({ kind: "branches" })],
  ls: [/^-[la1AhF]{1,5}$/u, 0, 1, ({ words, paths: [path = "."] }) => ({ kind: "list", path: words[0] ?? path })],
  cat: lines("start", ALL_LINES),
  head: lines("start", 10),
  tail: lines("end", 10),
  wc: [/^(?:-l|--lines)$/u, 1, MOST_WORDS, ({ words, paths }) => ({ kind: "count", paths: [...words, ...paths] })],
};

function git(verb: GitLook["verb"], flags: string): Allowed {
  return [new RegExp(`^(?:${flags})$`, "u"), 0, MOST_WORDS, (given) => ({ kind: "git", verb, ...given })];
}

function lines(from: "start" | "end", usual: number): Allowed {
  return [
    /^-n?\d{1,5}$/u,
    1,
    MOST_WORDS,
    ({ flags, words, paths }) => {
      const count = flags.at(-1)?.replace(/^-n?/u, "") ?? usual;
      return { kind: "lines", from, count: Math.min(Number(count), ALL_LINES), paths: [...words, ...paths] };
    },
  ];
}

/** Parses one command line. Never throws; a command that is not allowed is `refused` with the reason. */
export function readLookCommand(text: string): LookCommand {
  if (text.length > MOST_CHARACTERS) return refused(`a command has at most ${MOST_CHARACTERS} characters`);
  const words = wordsOf(text);
  if (typeof words === "string") return refused(words);
  if (words.length > MOST_WORDS) return refused(`a command has at most ${MOST_WORDS} words`);
  const name = words.slice(0, words[0] === "git" ? 2 : 1).join(" ");
  const allowed = Object.hasOwn(ALLOWED, name) ? ALLOWED[name] : undefined;
  if (allowed === undefined)
    return refused(`"${name.slice(0, 40)}" is not allowed; ${Object.keys(ALLOWED).join(", ")} are`);
  const [flag, least, most, read] = allowed;
  const given = givenTo(words.slice(name.split(" ").length));
  const wrong = given.flags.find((one) => !flag.test(one));
  if (wrong !== undefined) return refused(`${name} ${wrong.slice(0, 40)} is not allowed`);
  if (given.paths.some((path) => /^[:-]/u.test(path))) return refused("a path is a plain path");
  const count = given.words.length + given.paths.length;
  return count < least || count > most ? refused(`${name} takes ${least} to ${most} paths`) : read(given);
}

/** Flags with their values, the words beside them, and the paths after `--`. */
function givenTo(words: readonly string[]): Given {
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  const joined = withValues(words.slice(0, end));
  const isFlag = (word: string): boolean => word.startsWith("-");
  return { flags: joined.filter(isFlag), words: joined.filter((word) => !isFlag(word)), paths: words.slice(end + 1) };
}

function refused(why: string): LookCommand {
  return { kind: "refused", why };
}

/** Splits words as a shell would, without expansions; a string describes an error. */
function wordsOf(text: string): readonly string[] | string {
  const words: string[] = [];
  for (const match of text.trim().matchAll(/\s+|((?:"[^"]*"|'[^']*'|[^\s"'])+)|./gsu)) {
    const [whole, word] = match;
    if (word === undefined) {
      if (whole.trim() !== "") return "a quotation mark is not closed";
      if (/[\n\r\0]/u.test(whole)) return "one command at a time";
      continue;
    }
    if (/[\0-\u001F\u007F]/u.test(word)) return "control characters are not allowed";
    // These have no meaning within single quotes; elsewhere a shell would act on them.
    if (
      /[;&|<>$`\\(){}!#]/u.test(word.replace(/'[^']*'/gu, "")) ||
      /^~|[*?[]/u.test(word.replace(/"[^"]*"|'[^']*'/gu, ""))
    )
      return "no pipes, redirections, variables, patterns or second commands: nothing is run by a shell";
    words.push(word.replace(/"([^"]*)"|'([^']*)'/gu, "$1$2"));
  }
  return words.length === 0 ? "the command is empty" : words;
}

/** Flags whose value may be the next word. */
const WITH_VALUE =
  /^(?:-n|-L|-S|-G|-U|--max-count|--since|--until|--after|--before|--author|--grep|--skip|--date|--format|--pretty)$/u;

/** `-n 5` → `-n5`, `--since 2026-01-01` → `--since=2026-01-01`. */
function withValues(words: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const [index, word] of words.entries()) {
    const previous = words[index - 1];
    if (previous !== undefined && WITH_VALUE.test(previous) && joined.at(-1) === previous)
      joined[joined.length - 1] = `${previous}${previous.startsWith("--") ? "=" : ""}${word}`;
    else joined.push(word);
  }
  return joined;
}
