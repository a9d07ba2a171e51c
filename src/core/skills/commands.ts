import { scriptOf, writtenPaths } from "../transcripts/tool-calls.ts";
import { outputOf } from "../transcripts/result.ts";
import type { ToolCall } from "../transcripts/turn.ts";

/** What programs do, as data, so that a new tool needs no new code. */

/** Programs that start another program, named after them. */
const WRAPPING: ReadonlySet<string> = new Set(
  "sudo env time nice nohup command exec npx bunx pnpx xvfb-run stdbuf uv poetry pipenv bundle dotenv corepack".split(
    " ",
  ),
);
/** A word after a wrapper that belongs to it: `uv run pytest`, `bundle exec rspec`. */
const WRAPPING_WORD: ReadonlySet<string> = new Set(["run", "exec", "dlx", "--"]);

/** Programs that only read, so they are never a step of a procedure. */
export const LOOKING: ReadonlySet<string> = new Set(
  (
    "ls cat head tail grep egrep rg ag find fd wc pwd cd pushd popd echo printf which type whereis tree stat file less " +
    "more du df jq yq sort uniq cut awk tr diff cmp test [ [[ true false sleep wait set export source . date whoami " +
    "hostname uname env printenv ps top history clear man open xargs tee basename dirname realpath readlink seq nl lsof " +
    "pgrep column strings md5sum sha256sum ll bat"
  ).split(" "),
);

/** Programs with subcommands: the number of words that belong to their name. */
export const SUBCOMMANDS: Readonly<Record<string, number>> = {
  git: 1, gh: 2, docker: 1, "docker-compose": 1, podman: 1, kubectl: 1, helm: 1, terraform: 1, cargo: 1, go: 1, npm: 1,
  pnpm: 1, yarn: 1, bun: 1, deno: 1, make: 1, just: 1, task: 1, rake: 1, mix: 1, dotnet: 1, swift: 1, gradle: 1,
  gradlew: 1, mvn: 1, mvnw: 1, pip: 1, pip3: 1, conda: 1, brew: 1, apt: 1, "apt-get": 1, systemctl: 1, aws: 2,
  gcloud: 3, az: 2, heroku: 1, fly: 1, vercel: 1, supabase: 2, prisma: 2, alembic: 1, flutter: 1, dart: 1, rails: 1,
  "manage.py": 1, artisan: 1, composer: 1, nx: 1, turbo: 1, playwright: 1, cypress: 1, changeset: 1, ng: 1, expo: 1,
  lerna: 1, ansible: 0, bazel: 1, zig: 1, stack: 1, cabal: 1, ruff: 1, memdir: 1,
}; // prettier-ignore

/** `npm run NAME`: the name is the program. */
const SCRIPT_RUNNERS: ReadonlySet<string> = new Set(["npm", "pnpm", "yarn", "bun", "deno", "composer"]);
/** Programs that run a file: that file is the program. */
const INTERPRETERS: ReadonlySet<string> = new Set(
  "node python python3 ruby perl php bash sh zsh tsx ts-node deno bun Rscript java".split(" "),
);

/** Subcommands that only read. */
const LOOKING_HEADS: ReadonlySet<string> = new Set(
  (
    "git status,git log,git diff,git show,git branch,git blame,git rev-parse,git ls-files,git remote,git stash,git fetch," +
    "git config,git grep,git describe,git worktree,gh pr,gh issue,gh run,gh api,gh repo,npm ls,npm list,npm view,npm config," +
    "docker ps,docker logs,docker images,docker inspect,kubectl get,kubectl describe,kubectl logs,go list,go version,go doc," +
    "go env,pip list,pip show,cargo tree,systemctl status,node --version,memdir skill,memdir recall,memdir search"
  ).split(","),
);

/** Names of scripts and targets that verify. */
const VERIFYING_NAME =
  /^(?:tests?|lint|check|verify|validate|build|compile|type-?check|types|tsc|ci|e2e|spec|specs|coverage|vet|fmt-check|format-check|smoke|qa|integration|unit)(?:[-:_.].*)?$|[-:_.](?:tests?|lint|check|verify|build|e2e|types?|typecheck)$/u;

/** Programs that verify, with the subcommands that do; `*`: with any. */
const VERIFIERS: Readonly<Record<string, string>> = {
  vitest: "*", jest: "*", mocha: "*", ava: "*", tap: "*", pytest: "*", "py.test": "*", tox: "*", nox: "*", rspec: "*",
  phpunit: "*", pest: "*", ctest: "*", bats: "*", eslint: "*", oxlint: "*", biome: "*", tsc: "*", "vue-tsc": "*", mypy: "*",
  pyright: "*", flake8: "*", pylint: "*", rubocop: "*", shellcheck: "*", "golangci-lint": "*", staticcheck: "*",
  gotestsum: "*", stylelint: "*", phpstan: "*", psalm: "*", "cargo-nextest": "*", actionlint: "*", act: "*", hadolint: "*",
  go: "test vet build", cargo: "test check build clippy nextest", deno: "test check lint", bun: "test", npm: "test t",
  pnpm: "test", yarn: "test", dotnet: "test build", swift: "test build", mvn: "test verify package compile",
  mvnw: "test verify package compile", gradle: "test build check", gradlew: "test build check", mix: "test compile",
  rails: "test", rake: "test spec", ruff: "check", playwright: "test", cypress: "run", flutter: "test analyze",
  dart: "test analyze", next: "build lint", vite: "build", webpack: "*", terraform: "validate plan", zig: "test build",
  bazel: "test build", node: "--test", "manage.py": "test check",
}; // prettier-ignore

/** Programs that cut or search a check's output, and hide its exit status. */
const BLINDING: ReadonlySet<string> = new Set(
  "tail head grep egrep rg awk sed cut sort uniq wc tee cat less more tr jq xargs column".split(" "),
);

/** What checks print when they fail; zero counts are removed first. */
const FAILED_OUTPUT: readonly RegExp[] = [
  /\b[1-9]\d* (?:tests? |test suites? |specs? |checks? )?(?:failed|failing|failures?|errored)\b/iu,
  /\b(?:failed|failures|errors)\s*[:=|]\s*[1-9]\d*/iu,
  /^\s*(?:\S+ )?(?:FAIL|FAILED|✗|✘|❌)(?:\s|:|$)/mu,
  /^\s*(?:--- FAIL|not ok\b|# fail [1-9])/mu,
  /\berror TS\d+|\bSyntaxError\b|^Traceback \(most recent call last\)|\berror\[E\d+\]|^error: /mu,
  /✖ [1-9]\d* problems? \([1-9]|\b[1-9]\d* (?:errors?|issues?|problems?)\b(?! fixed| auto)/iu,
  /\b(?:BUILD FAILED|BUILD FAILURE|Failed to compile|Build failed|Compilation failed|could not compile|test result: FAILED)/u,
  /^(?:npm (?:ERR!|error)|\s*ELIFECYCLE|make(?:\[\d+\])?: \*\*\*|panic: )/mu,
  /\bexit(?:ed with)? (?:code|status) [1-9]|\bcommand not found\b|\bCannot find module\b|\b(?:Command|Job|Pipeline) failed\b/iu,
];
/** What checks print when they pass. */
const PASSED_OUTPUT: readonly RegExp[] = [
  /\b[1-9]\d* (?:tests? |specs? |checks? |examples?,? )?(?:passed|passing|ok)\b/iu,
  /\b(?:passed|passing)\s*[:=]\s*[1-9]\d*/iu,
  /^ok\s+\S+|^PASS\b|^\s*(?:PASS|✓|✔)\s|^OK\b(?: \(|$)|^# pass [1-9]/mu,
  /\btest result: ok\b|\bBUILD SUCCESS(?:FUL)?\b|\bCompiled successfully\b|\bbuilt in \d|\bBuild (?:succeeded|completed)\b/iu,
  /\b(?:found )?0 (?:errors?|issues?|problems?|failures?|failed)\b|\bno (?:issues|errors|problems) found\b|\ball (?:checks|tests) pass(?:ed)?\b/iu,
  /\bSuccess: no issues\b|\bFinished `?\w+`? .*target\b|\bResult: PASS\b/iu,
];
const EMPTY_COUNTERS =
  /(?:[✗✘✖❌×]\s*)?\b(?:0|no) (?:tests? |test suites? )?(?:failed|failing|failures?|errors?|warnings?|issues?|problems?|skipped)\b|(?:[✗✘✖❌×]\s*)?\b(?:failed|failures|errors|fail)\s*[:=]?\s*0\b/giu;

/** Commands that discard work. */
export const REVERTING = /^git (?:restore (?!--staged)|checkout (?:.* )?--(?: |$)|checkout \.|reset --hard|revert )/u;

/** What git prints for a commit or push that succeeded, and for one that did not. */
const GIT_DONE =
  /^\[\S+(?: \([\w-]+\))? [0-9a-f]{7,}\]|\bfiles? changed,|^\s+(?:[0-9a-f]{7,}\.\.[0-9a-f]{7,}|\* \[new (?:branch|tag)\])\s/mu;
const GIT_FAILED = /^(?:error|fatal):|^\s*! \[(?:remote )?rejected\]|\bnothing (?:added )?to commit\b/mu;

/** Files whose change cannot alter the result of a check. */
const PROSE_FILE = /(?:\.(?:md|mdx|mdc|txt|rst|adoc)|(?:^|\/)(?:CHANGELOG|README|LICENSE|NOTES)[^/]*)$/iu;

/** Heads that occur in any project's work; they never identify a procedure. */
export const EVERYDAY: ReadonlySet<string> = new Set(
  (
    "git add,git commit,git push,git pull,git checkout,git switch,git merge,git rebase,git restore,git reset,git rm,git mv," +
    "git init,git clone,git tag,git cherry-pick,git clean,gh pr create,gh pr view,gh pr diff,gh pr merge,npm install,npm ci," +
    "npm test,npm start,npm run test,npm run build,npm run lint,npm run dev,npm run start,npm run typecheck,npm run check," +
    "npm run format,pnpm install,pnpm test,pnpm build,pnpm dev,pnpm lint,yarn install,yarn test,yarn build,yarn,bun install," +
    "bun test,go test,go build,go vet,go run,go mod,go fmt,gofmt,cargo build,cargo test,cargo run,cargo check,cargo fmt," +
    "cargo clippy,make,make test,make build,pip install,pytest,tsc,eslint,prettier,vitest,jest,golangci-lint,mkdir,cp,mv,rm," +
    "touch,chmod,ln,kill,pkill,curl,wget,sed,node,python,python3,bash,sh,apply_patch,ruff check,ruff format,mypy,black," +
    "tar,unzip,zip,ssh,scp,rsync,brew install,apt-get install,docker ps,oxfmt,biome,playwright test,sqlite3,psql"
  ).split(","),
);

/** Temporary errors: they teach nothing that lasts. */
export const TRANSIENT =
  /\b(?:ETIMEDOUT|ECONNRESET|ECONNREFUSED|EAI_AGAIN|ENOTFOUND|ENOSPC|EADDRINUSE|timed? ?out|rate limit\w*|too many requests|\b(?:429|502|503|504)\b|temporar(?:y|ily)|connection (?:reset|refused)|network (?:error|is unreachable)|could not resolve host|service unavailable|no space left|command not found|not installed|address already in use|permission denied|lock(?:ed)? (?:by|file))\b/iu;

/** One command of a script, with quotes and escapes resolved. */
export interface RunCommand {
  readonly words: readonly string[];
  /** Its source text in the script. */
  readonly source: string;
  /** Files to which its output is written. */
  readonly writes: readonly string[];
}

export interface Pipeline {
  readonly commands: readonly RunCommand[];
  readonly source: string;
  /** Its failure determines the script's exit status. */
  readonly decides: boolean;
}

/** All pipelines of a script in order; `undefined` if it is not a shell script. */
export type ParsePipelines = (script: string) => readonly Pipeline[] | undefined;

export type CheckResult = "passed" | "failed" | "unknown";

/** One command that a call ran. */
export interface Ran {
  readonly call: ToolCall;
  /** Index of the call in its task. */
  readonly at: number;
  /** Without programs that cut its output. */
  readonly command: string;
  /** Its name: `pnpm run codegen`, `scripts/gen.sh`. */
  readonly head: string;
  /** It only reads. */
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

/** Longer scripts are programs, not commands (characters). */
const MOST_SCRIPT = 8_000;

/** Whether a call changed files that a check may cover, by a tool that writes or by a shell redirection. */
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

/** A command's name, without wrappers, options and arguments. */
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

/** The command without prefixes: assignments, `sudo`, `env`, `timeout 60`, `npx`. */
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

/** Words that are not options; the value of an option before a subcommand (`git -C DIR`) is also skipped. */
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
  // Linters and compilers without findings print nothing; but so does a search in their output.
  const searched = commands.slice(1).some(({ words }) => /^(?:e?grep|rg|awk|sed)$/u.test(words[0] ?? ""));
  return output.trim() === "" && result.status === "ok" && decides && !searched ? "passed" : "unknown";
}

/** The result that a check's output reports. */
export function readCheck(output: string): CheckResult {
  const counted = output.replace(EMPTY_COUNTERS, "");
  if (FAILED_OUTPUT.some((pattern) => pattern.test(counted))) return "failed";
  return PASSED_OUTPUT.some((pattern) => pattern.test(output)) ? "passed" : "unknown";
}
