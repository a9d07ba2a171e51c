import { scriptOf, writtenPaths } from "../transcripts/tool-calls.ts";
import { outputOf } from "../transcripts/result.ts";
import type { ToolCall } from "../transcripts/turn.ts";
import {
  BLINDING,
  EMPTY_COUNTERS,
  FAILED_OUTPUT,
  GIT_DONE,
  GIT_FAILED,
  INTERPRETERS,
  LOOKING,
  LOOKING_HEADS,
  PASSED_OUTPUT,
  PROSE_FILE,
  SCRIPT_RUNNERS,
  SUBCOMMANDS,
  VERIFIERS,
  VERIFYING_NAME,
  WRAPPING,
  WRAPPING_WORD,
} from "./command-words.ts";

/** One command of a script, quotes and escapes resolved. */
export interface RunCommand {
  readonly words: readonly string[];
  /** As it stands in the script. */
  readonly source: string;
  /** Files that its output goes into. */
  readonly writes: readonly string[];
}

export interface Pipeline {
  readonly commands: readonly RunCommand[];
  readonly source: string;
  /** When it fails, the script's exit status says so. */
  readonly decides: boolean;
}

/** All pipelines of a script in order; `undefined` when it is not a shell script. */
export type ParsePipelines = (script: string) => readonly Pipeline[] | undefined;

export type CheckResult = "passed" | "failed" | "unknown";

/** One command that a call ran. */
export interface Ran {
  readonly call: ToolCall;
  /** Place of the call in its task. */
  readonly at: number;
  /** Without what cuts its output. */
  readonly command: string;
  /** What it is called: `pnpm run codegen`, `scripts/gen.sh`. */
  readonly head: string;
  /** It only looks. */
  readonly looks: boolean;
  readonly verifies: boolean;
  readonly result: CheckResult;
}

/** The commands of a task's shell calls, in the order they ran. */
export function ranIn(calls: readonly ToolCall[], parse: ParsePipelines): readonly Ran[] {
  return calls.flatMap((call, at) => {
    const script = scriptOf(call);
    if (script === undefined || script.length > MOST_SCRIPT) return [];
    return (parse(script) ?? []).flatMap((pipeline): Ran[] => {
      const first = pipeline.commands[0];
      const head = first === undefined ? "" : headOf(first.words);
      if (first === undefined || head === "") return [];
      const verifies = isVerification(first.words);
      return [
        {
          call,
          at,
          command: pipeline.commands.every(({ words }, index) => index === 0 || BLINDING.has(words[0] ?? ""))
            ? first.source.replace(/\s+2>&1\s*$/u, "")
            : pipeline.source,
          head,
          looks: !verifies && pipeline.commands.every(looksOnly),
          verifies,
          result: resultOfPipeline(call, pipeline, { verifies, head }),
        },
      ];
    });
  });
}

/** Longer ones are programs, not commands (characters). */
const MOST_SCRIPT = 8_000;

/** Whether a call changed files that a check can be about: by a tool that writes, or by a shell that redirects into one. */
export function edits(call: ToolCall, parse: ParsePipelines): boolean {
  const written = writtenPaths(call);
  if (written.length > 0) return written.some((path) => !PROSE_FILE.test(path));
  if (EDITING_TOOL.test(call.name)) return true;
  const script = scriptOf(call);
  if (script === undefined || script.length > MOST_SCRIPT) return false;
  return (parse(script) ?? []).some(({ commands }) => commands.some(isEdit));
}

function isEdit({ words, writes }: RunCommand): boolean {
  const [program = ""] = words;
  if (program === "apply_patch") return true;
  const files = program === "tee" ? words.slice(1) : writes;
  if (program === "sed" && words.some((word) => /^-\w*i/u.test(word))) return !PROSE_FILE.test(words.at(-1) ?? "");
  return (
    ["cat", "echo", "printf", "tee"].includes(program) &&
    files.some((file) => !TEMPORARY.test(file) && !file.startsWith("-") && !PROSE_FILE.test(file))
  );
}

const TEMPORARY = /^\/(?:private\/)?tmp\//u;
const EDITING_TOOL = /(?:^|_|\.)(?:search_replace|edit_file|delete_file|str_replace|apply_patch|multi_edit)$/iu;

/** What a command is called, without wrappers, options and what it is given. */
export function headOf(words: readonly string[]): string {
  const [program, ...rest] = bare(words);
  if (program === undefined) return "";
  const name = program.replace(/^\.\//u, "");
  const short = name.startsWith("/") || name.startsWith("~") ? (name.split("/").at(-1) ?? name) : name;
  if (INTERPRETERS.has(short) && !(SCRIPT_RUNNERS.has(short) && ["run", "test", "task"].includes(rest[0] ?? ""))) {
    const module = rest[0] === "-m" ? rest[1] : undefined;
    if (module !== undefined) return headOf([module, ...rest.slice(2)]);
    const file = rest.find((word) => !word.startsWith("-"));
    const inline = rest.some((word) => /^-\w*[ce]$|^--eval$|^-$/u.test(word));
    if (inline || file === undefined) return short;
    const path = file.replace(/^\.\//u, "");
    return path.endsWith("manage.py")
      ? ["manage.py", ...plainWords(rest.slice(rest.indexOf(file) + 1)).slice(0, 1)].join(" ")
      : path;
  }
  if (SCRIPT_RUNNERS.has(short) && rest[0] === "run")
    return ["npm", "run", ...plainWords(rest.slice(1)).slice(0, 1)].join(" ");
  return [short, ...plainWords(rest).slice(0, SUBCOMMANDS[short] ?? 0)].join(" ");
}

/** The command without what stands before the program: assignments, `sudo`, `env`, `timeout 60`, `npx`. */
function bare(words: readonly string[]): readonly string[] {
  const [first = "", second = ""] = words;
  if (/^[A-Za-z_]\w*=/u.test(first)) return bare(words.slice(1));
  if (first === "timeout") {
    const at = words.findIndex((word, place) => place > 0 && !/^(?:-.*|\d.*|[A-Z]+)$/u.test(word));
    return at < 0 ? [] : bare(words.slice(at));
  }
  if (!WRAPPING.has(first) || words.length < 2) return words;
  if (second.startsWith("-") && second !== "--") return bare([first, ...words.slice(2)]);
  if (WRAPPING_WORD.has(second)) return bare(words.slice(2));
  return ["uv", "poetry", "pipenv", "bundle", "corepack"].includes(first) ? words : bare(words.slice(1));
}

/** Words that are no options; the value of an option that stands before a subcommand (`git -C DIR`) goes with it. */
function plainWords(words: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (/^(?:-C|-c|--prefix|--cwd|--filter|-F|--dir|-w|--workspace|-f|--file)$/u.test(word) && kept.length === 0) at++;
    else if (!word.startsWith("-")) kept.push(word);
  }
  return kept;
}

function looksOnly({ words, writes }: RunCommand): boolean {
  const head = headOf(words);
  return writes.length === 0 && (LOOKING.has(head) || LOOKING_HEADS.has(head) || isLooking(words));
}

function isLooking(words: readonly string[]): boolean {
  const [program = "", ...rest] = bare(words);
  return (
    (program === "sed" && rest.includes("-n")) ||
    rest.some((word) => word === "--version" || word === "--help" || word === "-h") ||
    (program === "curl" && !rest.some((word) => /^(?:-X|--request|-d|--data.*|-o|-O|-F)$/u.test(word)))
  );
}

/** Whether a command checks something: tests, lint, types, build. */
function isVerification(words: readonly string[]): boolean {
  const [program = "", ...rest] = bare(words);
  if ((program === "test" || program === "[") && rest.some((word) => /^-[fedxs]$/u.test(word))) return true;
  const name = (program.split("/").at(-1) ?? program).replace(/\.(?:sh|py|mjs|js|ts|rb)$/u, "");
  if (INTERPRETERS.has(name) && rest[0] === "-m") return isVerification(rest.slice(1));
  const allowed = VERIFIERS[name];
  const plain = plainWords(rest);
  if (allowed === "*") return true;
  if (allowed?.split(" ").some((word) => plain[0] === word || rest[0] === word) === true) return true;
  if (
    SCRIPT_RUNNERS.has(name) ||
    name === "make" ||
    name === "just" ||
    name === "task" ||
    name === "nx" ||
    name === "turbo"
  ) {
    const target = plain[0] === "run" ? plain[1] : plain[0];
    return target !== undefined && VERIFYING_NAME.test(target);
  }
  if (INTERPRETERS.has(name)) {
    const file = rest.find((word) => !word.startsWith("-"));
    return file !== undefined && isVerification([file]);
  }
  return (program.includes("/") || program !== name) && VERIFYING_NAME.test(name);
}

function resultOfPipeline(
  call: ToolCall,
  { commands, decides }: Pipeline,
  { verifies, head }: Pick<Ran, "verifies" | "head">,
): CheckResult {
  const { result } = call;
  if (result === undefined || result.status === "rejected") return "unknown";
  const blind = commands.length > 1 || !decides;
  if (!blind && result.status === "failed") return "failed";
  const output = outputOf(result);
  if (!verifies) {
    if (result.status === "failed") return "unknown";
    if (!blind && result.status === "ok") return "passed";
    if (head === "git commit" || head === "git push")
      return GIT_FAILED.test(output) ? "failed" : GIT_DONE.test(output) ? "passed" : "unknown";
    return result.status === "ok" ? "passed" : "unknown";
  }
  const said = readCheck(output);
  if (!blind && result.status === "ok") return "passed";
  if (said !== "unknown") return said;
  // Linters and compilers that found nothing say nothing; a search in their output would also say nothing.
  const searched = commands.slice(1).some(({ words }) => /^(?:e?grep|rg|awk|sed)$/u.test(words[0] ?? ""));
  return output.trim() === "" && result.status === "ok" && decides && !searched ? "passed" : "unknown";
}

/** What a check says of itself. */
export function readCheck(output: string): CheckResult {
  const counted = output.replace(EMPTY_COUNTERS, "");
  if (FAILED_OUTPUT.some((pattern) => pattern.test(counted))) return "failed";
  return PASSED_OUTPUT.some((pattern) => pattern.test(output)) ? "passed" : "unknown";
}
