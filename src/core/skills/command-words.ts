/** What programs do, as data: code never grows with the next tool. */

/** They start another program that follows them. */
export const WRAPPING: ReadonlySet<string> = new Set(
  "sudo env time nice nohup command exec npx bunx pnpx xvfb-run stdbuf uv poetry pipenv bundle dotenv corepack".split(
    " ",
  ),
);
/** The word behind a wrapper that is part of it: `uv run pytest`, `bundle exec rspec`. */
export const WRAPPING_WORD: ReadonlySet<string> = new Set(["run", "exec", "dlx", "--"]);

/** They only look: never a step of a procedure. */
export const LOOKING: ReadonlySet<string> = new Set(
  (
    "ls cat head tail grep egrep rg ag find fd wc pwd cd pushd popd echo printf which type whereis tree stat file less " +
    "more du df jq yq sort uniq cut awk tr diff cmp test [ [[ true false sleep wait set export source . date whoami " +
    "hostname uname env printenv ps top history clear man open xargs tee basename dirname realpath readlink seq nl lsof " +
    "pgrep column strings md5sum sha256sum ll bat"
  ).split(" "),
);

/** They take a subcommand, which belongs to what they are called: how many words of it. */
export const SUBCOMMANDS: Readonly<Record<string, number>> = {
  git: 1, gh: 2, docker: 1, "docker-compose": 1, podman: 1, kubectl: 1, helm: 1, terraform: 1, cargo: 1, go: 1, npm: 1,
  pnpm: 1, yarn: 1, bun: 1, deno: 1, make: 1, just: 1, task: 1, rake: 1, mix: 1, dotnet: 1, swift: 1, gradle: 1,
  gradlew: 1, mvn: 1, mvnw: 1, pip: 1, pip3: 1, conda: 1, brew: 1, apt: 1, "apt-get": 1, systemctl: 1, aws: 2,
  gcloud: 3, az: 2, heroku: 1, fly: 1, vercel: 1, supabase: 2, prisma: 2, alembic: 1, flutter: 1, dart: 1, rails: 1,
  "manage.py": 1, artisan: 1, composer: 1, nx: 1, turbo: 1, playwright: 1, cypress: 1, changeset: 1, ng: 1, expo: 1,
  lerna: 1, ansible: 0, bazel: 1, zig: 1, stack: 1, cabal: 1, ruff: 1, memdir: 1,
}; // prettier-ignore

/** `npm run NAME`: the name is the program. */
export const SCRIPT_RUNNERS: ReadonlySet<string> = new Set(["npm", "pnpm", "yarn", "bun", "deno", "composer"]);
/** They run a file: that file is the program. */
export const INTERPRETERS: ReadonlySet<string> = new Set(
  "node python python3 ruby perl php bash sh zsh tsx ts-node deno bun Rscript java".split(" "),
);

/** Subcommands that only look. */
export const LOOKING_HEADS: ReadonlySet<string> = new Set(
  (
    "git status,git log,git diff,git show,git branch,git blame,git rev-parse,git ls-files,git remote,git stash,git fetch," +
    "git config,git grep,git describe,git worktree,gh pr,gh issue,gh run,gh api,gh repo,npm ls,npm list,npm view,npm config," +
    "docker ps,docker logs,docker images,docker inspect,kubectl get,kubectl describe,kubectl logs,go list,go version,go doc," +
    "go env,pip list,pip show,cargo tree,systemctl status,node --version,memdir skill,memdir recall,memdir search"
  ).split(","),
);

/** Names of scripts and targets that verify. */
export const VERIFYING_NAME =
  /^(?:tests?|lint|check|verify|validate|build|compile|type-?check|types|tsc|ci|e2e|spec|specs|coverage|vet|fmt-check|format-check|smoke|qa|integration|unit)(?:[-:_.].*)?$|[-:_.](?:tests?|lint|check|verify|build|e2e|types?|typecheck)$/u;

/** Programs that verify by what they are, and with which subcommands; `*`: with any. */
export const VERIFIERS: Readonly<Record<string, string>> = {
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

/** They cut or search what a check says, and hide its exit status. */
export const BLINDING: ReadonlySet<string> = new Set(
  "tail head grep egrep rg awk sed cut sort uniq wc tee cat less more tr jq xargs column".split(" "),
);

/** What checks print when they failed; counters of nothing are taken out before. */
export const FAILED_OUTPUT: readonly RegExp[] = [
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
/** What they print when they passed. */
export const PASSED_OUTPUT: readonly RegExp[] = [
  /\b[1-9]\d* (?:tests? |specs? |checks? |examples?,? )?(?:passed|passing|ok)\b/iu,
  /\b(?:passed|passing)\s*[:=]\s*[1-9]\d*/iu,
  /^ok\s+\S+|^PASS\b|^\s*(?:PASS|✓|✔)\s|^OK\b(?: \(|$)|^# pass [1-9]/mu,
  /\btest result: ok\b|\bBUILD SUCCESS(?:FUL)?\b|\bCompiled successfully\b|\bbuilt in \d|\bBuild (?:succeeded|completed)\b/iu,
  /\b(?:found )?0 (?:errors?|issues?|problems?|failures?|failed)\b|\bno (?:issues|errors|problems) found\b|\ball (?:checks|tests) pass(?:ed)?\b/iu,
  /\bSuccess: no issues\b|\bFinished `?\w+`? .*target\b|\bResult: PASS\b/iu,
];
export const EMPTY_COUNTERS =
  /(?:[✗✘✖❌×]\s*)?\b(?:0|no) (?:tests? |test suites? )?(?:failed|failing|failures?|errors?|warnings?|issues?|problems?|skipped)\b|(?:[✗✘✖❌×]\s*)?\b(?:failed|failures|errors|fail)\s*[:=]?\s*0\b/giu;

/** Commands that throw away what was done. */
export const REVERTING = /^git (?:restore (?!--staged)|checkout (?:.* )?--(?: |$)|checkout \.|reset --hard|revert )/u;

/** What git says of a commit or a push that went through, and of one that did not. */
export const GIT_DONE =
  /^\[\S+(?: \([\w-]+\))? [0-9a-f]{7,}\]|\bfiles? changed,|^\s+(?:[0-9a-f]{7,}\.\.[0-9a-f]{7,}|\* \[new (?:branch|tag)\])\s/mu;
export const GIT_FAILED = /^(?:error|fatal):|^\s*! \[(?:remote )?rejected\]|\bnothing (?:added )?to commit\b/mu;

/** Files whose change leaves the result of a check as it was. */
export const PROSE_FILE = /(?:\.(?:md|mdx|mdc|txt|rst|adoc)|(?:^|\/)(?:CHANGELOG|README|LICENSE|NOTES)[^/]*)$/iu;

/** Heads that stand in any project's work: never what makes a procedure. */
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

/** Errors of the moment: what they teach is over tomorrow. */
export const TRANSIENT =
  /\b(?:ETIMEDOUT|ECONNRESET|ECONNREFUSED|EAI_AGAIN|ENOTFOUND|ENOSPC|EADDRINUSE|timed? ?out|rate limit\w*|too many requests|\b(?:429|502|503|504)\b|temporar(?:y|ily)|connection (?:reset|refused)|network (?:error|is unreachable)|could not resolve host|service unavailable|no space left|command not found|not installed|address already in use|permission denied|lock(?:ed)? (?:by|file))\b/iu;
