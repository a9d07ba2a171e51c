/**
 * The command lines that the extractor may use to look. They are parsed here and run without a shell: git for
 * history, memdir's own code for the rest. Anything not on the lists is refused, whatever it would do.
 */
export type LookCommand =
  | {
      readonly kind: "git";
      readonly verb: GitVerb;
      readonly flags: readonly string[];
      /** Revisions and paths, not yet told apart. */ readonly words: readonly string[];
      /** After `--`. */ readonly paths: readonly string[];
    }
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

export type GitVerb = "log" | "show" | "diff" | "blame";

/** Longer than any legitimate command. */
const MOST_CHARACTERS = 500;
const MOST_WORDS = 24;
const ALL_LINES = 400;

/** Parses one command line. Never throws; a command that is not allowed is `refused` with the reason. */
export function readLookCommand(text: string): LookCommand {
  if (text.length > MOST_CHARACTERS) return refused(`a command has at most ${MOST_CHARACTERS} characters`);
  const words = wordsOf(text);
  if (typeof words === "string") return refused(words);
  if (words.length > MOST_WORDS) return refused(`a command has at most ${MOST_WORDS} words`);
  const [program = "", ...rest] = words;
  switch (program) {
    case "git":
      return readGit(rest);
    case "ls":
      return readList(rest);
    case "cat":
      return readLines(rest, "start", ALL_LINES);
    case "head":
      return readLines(rest, "start", 10);
    case "tail":
      return readLines(rest, "end", 10);
    case "wc": {
      const paths = rest.filter((word) => word !== "-l" && word !== "--lines");
      return paths.length === 0 || paths.some(isFlag) ? refused("wc takes -l and files") : { kind: "count", paths };
    }
    default:
      return refused(
        `"${program.slice(0, 40)}" is not allowed; git log, show, diff, status, blame and branch, ls, cat, head, tail and wc are`,
      );
  }
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
  return words.length === 0 ? "there is no command" : words;
}

function isFlag(word: string): boolean {
  return word.startsWith("-");
}

const COMMON =
  /^(?:--stat|--shortstat|--numstat|--name-only|--name-status|--no-color|-w|--ignore-all-space|-U\d{1,2}|--unified=\d{1,2}|--no-renames|-M|--find-renames)$/u;
const LOG_LIKE =
  /^(?:--oneline|-p|--patch|-s|--no-patch|--date=(?:short|iso|relative)|--(?:format|pretty)=(?:oneline|short|medium|full|fuller)|--no-merges|--merges|--first-parent)$/u;
const FLAGS: Readonly<Record<GitVerb, readonly RegExp[]>> = {
  log: [
    COMMON,
    LOG_LIKE,
    /^(?:-\d{1,3}|-n\d{1,3}|--max-count=\d{1,3}|--skip=\d{1,4}|--reverse|-i|--all-match|--(?:since|until|after|before|author|grep)=[^\0]{1,80}|-[SG][^\0]{1,80})$/u,
  ],
  show: [COMMON, LOG_LIKE],
  diff: [COMMON, /^(?:--cached|--staged)$/u],
  blame: [/^(?:-w|-s|-e|-L\d{1,6},\+?\d{1,6}|--date=(?:short|iso|relative))$/u],
};
/** Flags whose value may be the next word. */
const WITH_VALUE =
  /^(?:-n|-L|-S|-G|-U|--max-count|--since|--until|--after|--before|--author|--grep|--skip|--date|--format|--pretty)$/u;

function readGit(words: readonly string[]): LookCommand {
  const [verb = "", ...rest] = words;
  if (verb === "status")
    return rest.every((word) => /^(?:-s|-b|-sb|--short|--branch|--porcelain)$/u.test(word))
      ? { kind: "status" }
      : refused("git status takes -s and -b only");
  if (verb === "branch")
    return rest.every((word) => /^(?:-a|-r|-l|--all|--list|--remotes|--show-current)$/u.test(word))
      ? { kind: "branches" }
      : refused("git branch may only list: -a, -r, --list, --show-current");
  if (!isGitVerb(verb))
    return refused(`"git ${verb.slice(0, 40)}" is not allowed; log, show, diff, status, blame and branch are`);
  const end = rest.indexOf("--");
  const joined = withValues(end === -1 ? rest : rest.slice(0, end));
  const flags = joined.filter(isFlag);
  const wrong = flags.find((flag) => !FLAGS[verb].some((allowed) => allowed.test(flag)));
  if (wrong !== undefined) return refused(`git ${verb} ${wrong.slice(0, 40)} is not allowed`);
  const paths = end === -1 ? [] : rest.slice(end + 1);
  if (paths.some((path) => path.startsWith(":") || path.startsWith("-"))) return refused("a path is a plain path");
  return { kind: "git", verb, flags, words: joined.filter((word) => !isFlag(word)), paths };
}

function isGitVerb(word: string): word is GitVerb {
  return Object.hasOwn(FLAGS, word);
}

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

function readList(words: readonly string[]): LookCommand {
  const flags = words.filter(isFlag);
  const [path = ".", ...more] = words.filter((word) => !isFlag(word));
  return flags.every((flag) => /^-[la1AhF]{1,5}$/u.test(flag)) && more.length === 0
    ? { kind: "list", path }
    : refused("ls takes -l, -a and one directory");
}

function readLines(words: readonly string[], from: "start" | "end", usual: number): LookCommand {
  const [first = "", second = "", ...rest] = words;
  const short = /^-n?(\d{1,5})$/u.exec(first)?.[1];
  const count = first === "-n" ? /^\d{1,5}$/u.exec(second)?.[0] : short;
  const paths = first === "-n" ? rest : short === undefined ? words : words.slice(1);
  if (paths.length === 0 || paths.some(isFlag) || (first === "-n" && count === undefined))
    return refused("head, tail and cat take -n NUMBER and files");
  return { kind: "lines", from, count: Math.min(count === undefined ? usual : Number(count), ALL_LINES), paths };
}
