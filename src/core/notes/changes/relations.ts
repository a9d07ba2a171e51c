/**
 * How languages say that something has a value. One row per relation: `forms` are its phrases, with words separated by
 * spaces and alternatives by `|`. Add a row with an example rather than a case to the code.
 */
export interface RelationRow {
  readonly id: string;
  /** Where the value is: after the relation in "listens on 8080", before it in "Alice owns billing". */
  readonly value: "after" | "before";
  /**
   * How many values can hold at once. `one`: a port, an owner, a name. `kind`: one of each kind of thing, so that
   * "use npm" and "use Docker" can both hold.
   */
  readonly holds: "one" | "kind";
  readonly forms: readonly string[];
  readonly example: readonly [before: string, after: string];
}

export const RELATIONS: readonly RelationRow[] = [
  {
    id: "use",
    value: "after",
    holds: "kind",
    forms: [
      "use|uses|using|used",
      "keep|keeps using",
      "employ|employs",
      "adopt|adopts|adopted",
      "work|works with",
      "go|goes with",
      "stick|sticks to|with",
      "standardise|standardize on",
      "switch|switched|moved|migrated|changed to",
      "benutze|benutzen|benutzt|nutze|nutzen|nutzt|verwende|verwenden|verwendet",
      "utilise|utilisons|utilisez|utilisent",
      "usa|usamos|usan|usar|utiliza|utilizamos|uso",
      "usiamo|utilizziamo",
      "используем|использует|использую|используй",
      "używamy|używam|używa|używaj",
      "使用|用",
      "を使う|を使います|を使用",
    ],
    example: ["use pnpm", "use bun"],
  },
  {
    id: "prefer",
    value: "after",
    holds: "kind",
    forms: [
      "prefer|prefers|preferred",
      "favour|favours|favor|favors",
      "bevorzuge|bevorzugt|bevorzugen",
      "préfère|préférons|préférez",
      "prefiere|prefiero|preferimos",
      "prefere|prefiro",
      "preferisce|preferisco",
      "предпочитает|предпочитаю|предпочитаем",
      "wolę|woli|wolimy|preferuję|preferuje",
    ],
    example: ["prefers Rust", "prefers Python"],
  },
  {
    id: "deploy",
    value: "after",
    holds: "one",
    forms: [
      "deploy|deploys|deployed|deploying|deployments|deployment on|to|with",
      "deploye|deployen|deployt|deployed auf|zu|nach|mit",
      "déploie|déployons|déployé|déployée sur|chez",
      "desplegamos|despliega en",
      "implantamos|publicamos em|no|na",
      "деплоим|разворачиваем на|в",
      "部署在|部署到",
      "デプロイ先は",
    ],
    example: ["we deploy on Heroku", "we deploy on AWS"],
  },
  {
    id: "run on",
    value: "after",
    holds: "one",
    forms: [
      "run|runs|running on",
      "host|hosts|hosted on|at|with",
      "is|are hosted on|at|with",
      "läuft|laufen auf|über|bei|in",
      "tourne|tournent sur|chez",
      "corre|corren en",
      "roda|rodam em|no|na",
      "gira|girano su",
      "работает|работают на",
      "działa|działają|chodzi na",
      "运行在",
    ],
    example: ["CI runs on Travis", "CI runs on Buildkite"],
  },
  {
    id: "listen on",
    value: "after",
    holds: "one",
    forms: [
      "listen|listens|listening on|at",
      "listen|listens|listening on|at port",
      "bind|binds|bound to",
      "hört|hören|lauscht auf",
      "hört|hören|lauscht auf port",
      "écoute|écoutent sur",
      "escucha|escuchan en",
      "escuta|escutam na|no|em",
      "ascolta|ascoltano su",
      "слушает|слушают",
      "监听",
    ],
    example: ["the API listens on port 8080", "the API listens on port 9090"],
  },
  {
    id: "be placed",
    value: "after",
    holds: "one",
    forms: [
      "live|lives|lie|lies|sit|sits|reside|resides in|on|at",
      "is|are stored|kept|tracked|documented|saved|written in|on|at",
      "go|goes to|into",
      "go|goes out on|at|every",
      "happen|happens|start|starts|end|ends|run|runs on|at|every",
      "ship|ships|release|releases from|on|every",
      "point|points|resolve|resolves to",
      "liegt|liegen in|auf|unter",
    ],
    example: ["the wiki lives in Confluence", "the wiki lives in Notion"],
  },
  {
    id: "be made with",
    value: "after",
    holds: "one",
    forms: [
      "is|are|gets|get hashed|encrypted|signed|compressed|encoded|serialized|serialised with|using",
      "is|are|gets|get built|bundled|compiled|packaged|generated|rendered|formatted|linted with|using",
      "is|are|gets|get managed|provisioned|monitored|translated|validated with|using",
    ],
    example: ["The tokens are signed with RS256", "The tokens are signed with ES256"],
  },
  {
    id: "require",
    value: "after",
    holds: "kind",
    forms: [
      "require|requires|need|needs",
      "erfordert|benötigt|braucht",
      "nécessite|exige",
      "requiere|necesita",
      "requer",
      "richiede",
      "требует",
      "wymaga",
    ],
    example: ["the build requires Node 18", "the build requires Node 22"],
  },
  {
    id: "own",
    value: "before",
    holds: "one",
    forms: [
      "own|owns",
      "maintain|maintains",
      "lead|leads",
      "is|are responsible|accountable for",
      "is|are in charge of",
      "is|are on call for",
      "is|are the owner|maintainer|lead of",
      "take|takes care of",
      "look|looks after",
      "manage|manages",
      "betreut|verantwortet|leitet|pflegt|führt",
      "kümmert sich um",
      "ist verantwortlich|zuständig für",
      "s'occupe|s’occupe de|des|du",
      "gère|dirige",
      "est responsable|chargé|chargée de|des|du",
      "lleva|gestiona|dirige",
      "se encarga|ocupa de",
      "es responsable de",
      "cuida de|do|da|dos|das",
      "é responsável por|pelo|pela|pelos|pelas",
      "si occupa di|del|della|dei",
      "gestisce",
      "отвечает за",
      "ведёт|ведет",
      "odpowiada za",
    ],
    example: ["Alice owns billing", "Bob owns billing"],
  },
  {
    id: "be owned by",
    value: "after",
    holds: "one",
    forms: [
      "is|are owned|maintained|led|run|managed|handled by",
      "belongs|belong to",
      "gehört",
      "wird betreut|geleitet|gepflegt von",
      "appartient à",
      "est géré|gérée|dirigé|dirigée|maintenu|maintenue par",
      "est sous la responsabilité de|du",
      "pertenece a",
      "es responsabilidad|cosa de|del",
      "é responsabilidade de|do|da",
      "è responsabilità|compito di|del|della",
      "pertence a|ao|à",
      "принадлежит",
      "отвечает",
      "odpowiada",
    ],
    example: ["search is owned by the growth team", "search is owned by the discovery team"],
  },
  {
    id: "be called",
    value: "after",
    holds: "one",
    forms: [
      "is|are called|named|titled",
      "is|are known as",
      "heißt|heissen|heißen",
      "s'appelle|s’appelle",
      "se llama|chama",
      "si chiama",
      "heet|heten",
      "nazywa się",
      "называется",
      "叫",
    ],
    example: ["the database is called shopdb", "the database is called storefront"],
  },
  {
    id: "be",
    value: "after",
    holds: "one",
    forms: [
      "is|are|was|were",
      "is|are on|at",
      "equals|stays|remains",
      "is|are set to",
      "ist|sind|steht auf",
      "beträgt",
      "est|sont",
      "es|está|son",
      "é|são|está",
      "è|sono",
      "は",
      "是",
    ],
    example: ["the design lead is Nora", "the design lead is Omar"],
  },
];

/** Kinds of things that a project or person has one of at a time; for a `shared` kind only preferences are single. */
const KINDS: readonly { readonly kind: string; readonly shared?: true; readonly words: string }[] = [
  { kind: "package manager", words: "npm, pnpm, yarn, bun" },
  { kind: "python package manager", words: "pip, poetry, pipenv, uv, pdm, conda" },
  {
    kind: "cloud",
    words: "heroku, aws, azure, gcp, fly, fly.io, render, vercel, netlify, digitalocean, hetzner, railway, linode",
  },
  { kind: "orchestrator", words: "kubernetes, k8s, nomad, swarm, ecs" },
  {
    kind: "ci",
    words:
      "jenkins, travis, circleci, buildkite, drone, teamcity, bamboo, github actions, gitlab ci, azure pipelines, travis ci",
  },
  { kind: "relational database", words: "postgres, postgresql, mysql, mariadb, sqlite, mssql, oracle" },
  { kind: "test runner", words: "jest, vitest, mocha, jasmine, ava, tap, pytest, unittest, nose" },
  { kind: "browser tests", words: "cypress, playwright, selenium, puppeteer, webdriverio" },
  { kind: "formatter", words: "prettier, biome, dprint, black, ruff, yapf, gofmt, rustfmt" },
  { kind: "linter", words: "eslint, oxlint, tslint, standard, pylint, flake8" },
  { kind: "bundler", words: "webpack, vite, rollup, parcel, esbuild, rspack, turbopack" },
  { kind: "issue tracker", words: "jira, linear, asana, trello, shortcut, youtrack, bugzilla" },
  { kind: "wiki", words: "confluence, notion, outline, bookstack" },
  { kind: "chat", words: "slack, teams, discord, mattermost, zulip" },
  { kind: "editor", words: "vim, neovim, emacs, helix, nano, zed, vs code, vscode, intellij, webstorm, sublime" },
  { kind: "shell", words: "bash, zsh, fish, nushell, powershell" },
  { kind: "indentation", words: "tabs, spaces, tab, space" },
  { kind: "theme", words: "dark, light" },
  { kind: "quotes", words: "single quotes, double quotes" },
  {
    kind: "language",
    shared: true,
    words:
      "rust, python, go, golang, java, kotlin, typescript, javascript, ruby, php, scala, swift, elixir, haskell, c, c++, c#, zig, ocaml, clojure",
  },
  { kind: "operating system", shared: true, words: "linux, macos, windows, ubuntu, debian, fedora, arch, nixos" },
  { kind: "web framework", shared: true, words: "react, vue, svelte, angular, solid, ember, next, nuxt, remix, astro" },
  { kind: "style sheet", shared: true, words: "tailwind, bootstrap, bulma, sass, less" },
];

interface Kind {
  readonly kind: string;
  readonly shared?: true;
}

const KIND_OF: ReadonlyMap<string, Kind> = new Map(
  KINDS.flatMap((row) => row.words.split(", ").map((words) => [words, row] as const)),
);

/** The kind of thing a value is, if memdir knows it. */
export function kindOf(value: readonly { readonly written: string }[]): Kind | undefined {
  return KIND_OF.get(value.map(({ written }) => written.toLowerCase()).join(" "));
}

/** Whether a word is one by which a thing has a value: "uses", "runs". */
export function isVerb({ lower }: { readonly lower: string }): boolean {
  return VERBS.has(lower);
}

const VERBS = verbsOf(RELATIONS);

/** The first words of the forms of some relations. */
export function verbsOf(relations: readonly RelationRow[]): ReadonlySet<string> {
  return new Set(relations.flatMap(({ forms }) => forms.flatMap((form) => (form.split(" ")[0] ?? "").split("|"))));
}
