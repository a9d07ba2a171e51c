/** What memdir knows of programs, so that one guard matches all spellings of a command. */

interface Wrapper {
  /** Options that take the next word as their value. */
  readonly valueOptions: readonly string[];
  /** Number of words between the options and the wrapped command. */
  readonly operands: number;
}

const wrapper = (operands: number, ...valueOptions: readonly string[]): Wrapper => ({ operands, valueOptions });

/** Programs that run the command after them. */
const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([
  ["sudo", wrapper(0, "-u", "-g", "-h", "-p", "-C", "-r", "-t", "-T", "-U", "-D", "-R")],
  ["doas", wrapper(0, "-u", "-C")],
  ["env", wrapper(0, "-u", "-C", "--unset", "--chdir")],
  ["command", wrapper(0)],
  ["builtin", wrapper(0)],
  ["exec", wrapper(0, "-a")],
  ["nohup", wrapper(0)],
  ["setsid", wrapper(0)],
  ["time", wrapper(0, "-f", "-o")],
  ["nice", wrapper(0, "-n", "--adjustment")],
  ["ionice", wrapper(0, "-c", "-n")],
  ["stdbuf", wrapper(0, "-i", "-o", "-e")],
  ["timeout", wrapper(1, "-s", "-k", "--signal", "--kill-after")],
  ["xargs", wrapper(0, "-I", "-n", "-P", "-d", "-L", "-s", "-a", "-E")],
]);

/** Options before the subcommand that take the next word as their value. */
const VALUE_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ["git", ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env", "--super-prefix"]],
  ["docker", ["-c", "-H", "-l", "--config", "--context", "--host", "--log-level"]],
  ["podman", ["-c", "--connection", "--log-level", "--url"]],
  ["kubectl", ["-n", "-s", "--namespace", "--context", "--cluster", "--kubeconfig", "--server", "--user", "--as"]],
  ["helm", ["-n", "--namespace", "--kube-context", "--kubeconfig"]],
  ["npm", ["-C", "-w", "--prefix", "--workspace", "--registry"]],
  ["pnpm", ["-C", "-F", "--dir", "--filter"]],
  ["yarn", ["--cwd"]],
  ["gh", ["-R", "--repo"]],
  ["aws", ["--profile", "--region", "--endpoint-url", "--output"]],
  ["gcloud", ["--project", "--account", "--configuration"]],
  ["terraform", []],
  ["systemctl", ["-H", "-M", "--host", "--machine"]],
  ["cargo", ["-C", "--color", "--config", "-Z"]],
  ["make", ["-C", "-f", "--directory", "--file"]],
]);

/** Programs that only print their arguments or search for them. */
const PRINTERS: ReadonlySet<string> = new Set(["echo", "printf", "print", "grep", "egrep", "fgrep", "rg", "ag", "ack"]);

const MESSAGES = ["-m", "-am", "--message"];
const PAGES = ["-t", "--title", "-b", "--body", "-n", "--notes", "-d", "--description"];

/** Options whose value is prose, by program. */
const PROSE_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ["git", MESSAGES],
  ["hg", MESSAGES],
  ["jj", MESSAGES],
  ["svn", MESSAGES],
  ["gh", PAGES],
  ["glab", PAGES],
]);

type Twins = readonly (readonly [short: string, long: string])[];

/** Short and long form of an option, by program or program and subcommand; `+` is a word that begins with `+`. */
const OPTION_TWINS: ReadonlyMap<string, Twins> = new Map<string, Twins>([
  [
    "git push",
    [
      ["-f", "--force"],
      ["+", "--force"],
      ["-d", "--delete"],
      ["-u", "--set-upstream"],
      ["-n", "--dry-run"],
    ],
  ],
  [
    "git commit",
    [
      ["-n", "--no-verify"],
      ["-a", "--all"],
    ],
  ],
  ["git clean", [["-f", "--force"]]],
  ["git checkout", [["-f", "--force"]]],
  [
    "git branch",
    [
      ["-D", "--delete --force"],
      ["-d", "--delete"],
      ["-f", "--force"],
    ],
  ],
  ["git add", [["-A", "--all"]]],
  [
    "rm",
    [
      ["-r", "--recursive"],
      ["-R", "--recursive"],
      ["-f", "--force"],
    ],
  ],
  ["chmod", [["-R", "--recursive"]]],
  ["chown", [["-R", "--recursive"]]],
  ["npm install", [["-g", "--global"]]],
  ["npm publish", [["-w", "--workspace"]]],
  ["docker rm", [["-f", "--force"]]],
  ["docker rmi", [["-f", "--force"]]],
]);

const SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "zsh", "dash", "ksh", "ash"]);

/** Options of `ssh` that take a value, before the host. */
const CODE_OPTIONS = {
  ssh: [
    "-b",
    "-c",
    "-D",
    "-E",
    "-e",
    "-F",
    "-I",
    "-i",
    "-J",
    "-L",
    "-l",
    "-m",
    "-O",
    "-o",
    "-p",
    "-R",
    "-S",
    "-W",
    "-w",
  ],
} as const;

/** One command of a shell script, with quotes and escapes resolved. */
export interface SimpleCommand {
  /** The program and its arguments. */
  readonly words: readonly string[];
  /** As written in the script, assignments and redirections included. */
  readonly source: string;
  /** Content of a here-document or here-string. */
  readonly standardInput: string | undefined;
}

/** All commands of a script, also in pipes, lists and substitutions; `undefined` when it is not a shell script. */
export type ShellParser = (script: string) => readonly SimpleCommand[] | undefined;

/** A text that a guard's pattern is tested against. */
export interface Subject {
  readonly text: string;
  /** A match counts only from the first character, since the command prints or contains prose. */
  readonly fromStart: boolean;
}

/** Depth of nested scripts: enough for `ssh host "bash -c '…'"`. */
const DEPTH = 4;
const MOST_SUBJECTS = 200;

/**
 * The ways to write each command of a script: as written; without wrappers (`sudo`, `env`), a path before the program
 * and options before a subcommand (`git -C . push`); and with both short and long options.
 */
export function commandSubjects(script: string, parse: ShellParser, depth = DEPTH): readonly Subject[] {
  const commands = plainCommand(script) ?? parse(script);
  if (commands === undefined) return [{ text: oneSpaced(script), fromStart: false }];
  const subjects = commands.flatMap(({ words, source, standardInput }) => [
    { text: oneSpaced(source), fromStart: isTalk(words) || hasProse(withoutWrappers(words)) },
    ...wordSubjects(words, parse, depth, standardInput),
  ]);
  return subjects.slice(0, MOST_SUBJECTS);
}

/** Splits a command of plain words, so that the parser need not be loaded. */
function plainCommand(script: string): readonly SimpleCommand[] | undefined {
  if (!/^[A-Za-z0-9_.,:@%+/-][\w.,:@%+/ -]*$/u.test(script) || KEYWORD.test(script)) return undefined;
  return [{ words: script.trim().split(/ +/u), source: script, standardInput: undefined }];
}

const KEYWORD = /\b(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|in|select|function|time|coproc)\b/u;

/** The same for a command given as a list of words. */
export function wordSubjects(
  words: readonly string[],
  parse: ShellParser,
  depth = DEPTH,
  standardInput?: string,
): readonly Subject[] {
  const plain = withoutWrappers(words);
  const program = plain[0];
  if (program === undefined) return [];
  const talks = isTalk(plain);
  const short = withoutGlobalOptions(plain);
  const silent = withoutProse(short);
  const scripts = depth === 0 ? [] : innerScripts(plain, standardInput);
  return [
    { text: plain.join(" "), fromStart: talks || hasProse(plain) },
    { text: short.join(" "), fromStart: talks || hasProse(short) },
    { text: withTwins(silent).join(" "), fromStart: talks },
    ...scripts.flatMap((script) => commandSubjects(script, parse, depth - 1)),
  ];
}

function oneSpaced(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

function programOf(word: string): string {
  return word.replace(/.*[\\/](?=[^\\/])/u, "").replace(/\.exe$/iu, "");
}

/** `FOO=1 sudo -u me timeout 5 /usr/bin/git push` is `git push`. */
function withoutWrappers(words: readonly string[]): readonly string[] {
  let rest = [...words];
  for (;;) {
    const at = rest.findIndex((word) => !/^\w+=/u.test(word));
    if (at === -1) return [];
    const [first = "", ...others] = rest.slice(at);
    const program = programOf(first);
    const known = WRAPPERS.get(program);
    if (known === undefined) return [program, ...others];
    const next = afterOptions(others, known.valueOptions) + known.operands;
    if (next >= others.length) return [program, ...others];
    rest = others.slice(next);
  }
}

/** Index of the first word that is neither an option nor an option's value. */
function afterOptions(words: readonly string[], valueOptions: readonly string[]): number {
  let isValue = false;
  for (const [at, word] of words.entries()) {
    if (!isValue && !/^-./u.test(word)) return at;
    isValue = !isValue && valueOptions.includes(word);
  }
  return words.length;
}

function withoutGlobalOptions(words: readonly string[]): readonly string[] {
  const [program = "", ...rest] = words;
  const valueOptions = VALUE_OPTIONS.get(program);
  if (valueOptions === undefined) return words;
  const at = afterOptions(rest, valueOptions);
  return at >= rest.length ? words : [program, ...rest.slice(at)];
}

function isTalk(words: readonly string[]): boolean {
  const [program = ""] = withoutWrappers(words);
  return PRINTERS.has(program);
}

function proseOptionsOf([program = ""]: readonly string[]): readonly string[] {
  return PROSE_OPTIONS.get(program) ?? [];
}

function hasProse(words: readonly string[]): boolean {
  return withoutProse(words).length < words.length;
}

/** Without messages, titles and bodies: the text of a commit is not what the command does. */
function withoutProse(words: readonly string[]): readonly string[] {
  const options = proseOptionsOf(words);
  return words.filter(
    (word, at) => !options.some((option) => words[at - 1] === option || word.startsWith(`${option}=`)),
  );
}

/** Splits clusters (`-fu` is `-f -u`) and adds the other spelling of each known option. */
function withTwins(words: readonly string[]): readonly string[] {
  const [program = "", subcommand = "", ...rest] = words;
  const named = OPTION_TWINS.get(`${program} ${subcommand}`);
  const twins = named ?? OPTION_TWINS.get(program) ?? [];
  const fixed = named === undefined ? [program] : [program, subcommand];
  const single = (named === undefined ? [subcommand, ...rest] : rest).flatMap((word) =>
    /^-[A-Za-z]{2,}$/u.test(word) ? Array.from(word.slice(1), (letter) => `-${letter}`) : [word],
  );
  const added = twins.flatMap(([short, long]) => {
    if (short === "+") return single.some((word) => /^\+./u.test(word)) ? [long] : [];
    const isShort = single.includes(short);
    const isLong = single.some((word) => word === long || word.startsWith(`${long}=`));
    return isShort === isLong ? [] : [isShort ? long : short];
  });
  return [...fixed, ...single, ...new Set(added)];
}

/** Scripts that a command runs: `bash -c TEXT`, `eval TEXT`, `ssh HOST TEXT`, a here-document given to a shell. */
function innerScripts(words: readonly string[], standardInput: string | undefined): readonly string[] {
  const [program = "", ...rest] = words;
  if (program === "eval") return [rest.join(" ")];
  if (program === "ssh") return [rest.slice(afterOptions(rest, CODE_OPTIONS.ssh) + 1).join(" ")];
  if (!SHELLS.has(program)) return [];
  const at = rest.findIndex((word) => /^-[a-zA-Z]*c[a-zA-Z]*$/u.test(word));
  const given = at === -1 ? [] : rest.slice(at + 1, at + 2);
  return [...given, ...(standardInput === undefined ? [] : [standardInput])];
}
