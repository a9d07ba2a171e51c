import { QUIET_SETTINGS } from "./gemini.ts";
import type { Layout } from "./layout.ts";
import { commonLayouts } from "./layouts-common.ts";

const HOME_FILE = ".gemini/GEMINI.md";
const SETTINGS = ".gemini/settings.json";

/** A settings file of user or project with this in its `context`. */
function context(settings: object): string {
  return JSON.stringify({ ...QUIET_SETTINGS, context: settings });
}

function lines(...texts: readonly string[]): string {
  return `${texts.join("\n")}\n`;
}

/** Files that import each other in a row, `1.md` to `7.md`, below a first that imports the first of them. */
function importRow(): Readonly<Record<string, string>> {
  const row = [1, 2, 3, 4, 5, 6, 7].map((level) => [`level${level}.md`, `level ${level} @level${level + 1}.md\n`]);
  return { "GEMINI.md": "top @level1.md\n", ...Object.fromEntries(row) };
}

const USER_LAYOUTS: readonly Layout[] = [
  {
    name: "user file alone",
    proves: "the user's file needs no project file",
    home: { [HOME_FILE]: "\n\n  user  \n\n" },
  },
  {
    name: "user and project",
    proves: "the user's file comes first",
    start: "sub",
    home: { [HOME_FILE]: "user\n" },
    project: { "GEMINI.md": "root\n", "sub/GEMINI.md": "sub\n" },
  },
  {
    name: "blank user file",
    proves: "a blank user file is no section",
    home: { [HOME_FILE]: " \n" },
    project: { "GEMINI.md": "root\n" },
  },
  {
    name: "imports of the user's file",
    proves: "the user's file imports from its own directory only",
    home: { [HOME_FILE]: "user @x.md @~/y.md @../z.md\n", ".gemini/x.md": "x\n", "y.md": "y\n", "z.md": "z\n" },
  },
  {
    name: "other home of the client",
    proves: "GEMINI_CLI_HOME moves the user's files",
    environment: { GEMINI_CLI_HOME: "{root}/elsewhere" },
    outside: { "elsewhere/.gemini/GEMINI.md": "user elsewhere\n" },
    home: { [HOME_FILE]: "user at home\n" },
    project: { "GEMINI.md": "root\n" },
  },
  {
    name: "hidden project file",
    proves: "a file in the project's own .gemini is not read",
    project: { ".gemini/GEMINI.md": "hidden\n", "GEMINI.md": "root\n" },
  },
];

const NAME_LAYOUTS: readonly Layout[] = [
  {
    name: "other clients' files",
    proves: "files of other clients are not read",
    project: { "AGENTS.md": "agents\n", "CLAUDE.md": "claude\n", "AGENTS.override.md": "override\n" },
  },
  {
    name: "one name",
    proves: "context.fileName adds a name, and GEMINI.md stays",
    home: {
      [SETTINGS]: context({ fileName: "AGENTS.md" }),
      ".gemini/AGENTS.md": "user agents\n",
      [HOME_FILE]: "user\n",
    },
    project: { "AGENTS.md": "agents\n", "GEMINI.md": "gemini\n" },
  },
  {
    name: "several names",
    proves: "names of one level come in the client's order",
    start: "sub",
    home: {
      [SETTINGS]: context({ fileName: ["Z.md", "AGENTS.md", "GEMINI.md", "CLAUDE.md"] }),
      ".gemini/AGENTS.md": "user agents\n",
      [HOME_FILE]: "user\n",
      ".gemini/Z.md": "user z\n",
    },
    project: {
      "AGENTS.md": "agents\n",
      "GEMINI.md": "gemini\n",
      "CLAUDE.md": "claude\n",
      "Z.md": "z\n",
      "sub/GEMINI.md": "sub\n",
      "sub/AGENTS.md": "sub agents\n",
    },
  },
  {
    name: "sorted paths",
    proves: "files of several levels come in the client's order",
    start: "A dir",
    home: { [SETTINGS]: context({ fileName: ["AGENTS.md", "GEMINI.md"] }) },
    project: {
      "GEMINI.md": "gemini\n",
      "AGENTS.md": "agents\n",
      "A dir/AGENTS.md": "inner agents\n",
      "A dir/GEMINI.md": "inner gemini\n",
    },
  },
  {
    name: "no names",
    proves: "an empty list leaves GEMINI.md",
    home: { [SETTINGS]: context({ fileName: [] }) },
    project: { "GEMINI.md": "gemini\n" },
  },
  {
    name: "name with a folder",
    proves: "a name may have a folder",
    home: { [SETTINGS]: context({ fileName: ["docs/CONTEXT.md", "GEMINI.md"] }) },
    project: { "docs/CONTEXT.md": "docs\n", "GEMINI.md": "gemini\n" },
  },
  {
    name: "names in the project's settings",
    proves: "the project's settings count at the start directory",
    project: { [SETTINGS]: context({ fileName: ["AGENTS.md"] }), "AGENTS.md": "agents\n", "GEMINI.md": "gemini\n" },
  },
  {
    name: "names in the root's settings",
    proves: "settings above the start directory do not count",
    start: "sub",
    project: {
      [SETTINGS]: context({ fileName: ["AGENTS.md"] }),
      "sub/AGENTS.md": "agents\n",
      "sub/GEMINI.md": "gemini\n",
    },
  },
  {
    name: "names in both settings",
    proves: "names of user and project settings combine as in the client",
    home: { [SETTINGS]: context({ fileName: ["AGENTS.md"] }) },
    project: {
      [SETTINGS]: context({ fileName: ["CLAUDE.md"] }),
      "AGENTS.md": "agents\n",
      "CLAUDE.md": "claude\n",
      "GEMINI.md": "gemini\n",
    },
  },
  {
    name: "settings with comments",
    proves: "settings may have comments",
    home: {
      [SETTINGS]: `// mine\n${context({ fileName: ["AGENTS.md"] }).replace('"AGENTS.md"', '/* names */ "AGENTS.md"')}\n`,
    },
    project: { "AGENTS.md": "agents\n" },
  },
  {
    name: "several names on touch",
    proves: "nested files of several names come in the client's order",
    home: { [SETTINGS]: context({ fileName: ["GEMINI.md", "AGENTS.md"] }) },
    project: {
      "a/AGENTS.md": "a agents\n",
      "a/GEMINI.md": "a gemini\n",
      "a/b/AGENTS.md": "b agents\n",
      "a/b/t.txt": "t\n",
    },
    touch: ["a/b/t.txt"],
  },
  {
    name: "two names of one file",
    proves: "one file under two names appears once",
    home: { [SETTINGS]: context({ fileName: ["AGENTS.md", "GEMINI.md"] }) },
    project: { "AGENTS.md": "agents\n" },
    links: { "project/GEMINI.md": "project/AGENTS.md" },
  },
  {
    name: "root marker",
    proves: "context.memoryBoundaryMarkers replaces .git",
    start: "a/b",
    home: { [SETTINGS]: context({ memoryBoundaryMarkers: ["package.json"] }) },
    project: {
      "GEMINI.md": "root\n",
      "a/package.json": "{}",
      "a/GEMINI.md": "a @../x.md\n",
      "a/b/GEMINI.md": "b @../y.md\n",
      "x.md": "x\n",
      "a/y.md": "y\n",
    },
  },
  {
    name: "no root marker",
    proves: "an empty list of markers keeps everything beside the start",
    start: "a",
    home: { [SETTINGS]: context({ memoryBoundaryMarkers: [] }) },
    project: { "GEMINI.md": "root\n", "a/GEMINI.md": "a @../x.md\n", "x.md": "x\n" },
  },
  {
    name: "further directories",
    proves: "context.includeDirectories adds roots",
    home: { [SETTINGS]: context({ includeDirectories: ["{root}/other"] }) },
    outside: { "other/GEMINI.md": "other\n" },
    project: { "GEMINI.md": "root\n" },
  },
  {
    name: "ignored by git",
    proves: "ignore files do not hide instructions",
    project: { "GEMINI.md": "root\n", ".gitignore": "GEMINI.md\n", ".geminiignore": "GEMINI.md\n" },
  },
];

const IMPORT_LAYOUTS: readonly Layout[] = [
  {
    name: "imports",
    proves: "an import's text takes the place of its @path",
    project: {
      "GEMINI.md": lines("top @x.md end", "@./docs/y.md"),
      "x.md": "  x  \n\n",
      "docs/y.md": "y @z.md\n",
      "docs/z.md": "z\n",
    },
  },
  { name: "imports to depth six", proves: "imports are followed as deep as in the client", project: importRow() },
  {
    name: "imports in code",
    proves: "code spans and fences of backticks protect, other code does not",
    project: {
      "GEMINI.md": lines(
        "top `@x.md` and ``@x.md``",
        "```",
        "@x.md",
        "```",
        "~~~",
        "@x.md",
        "~~~",
        "",
        "    @x.md",
        "<!-- @x.md -->",
      ),
      "x.md": "x\n",
    },
  },
  {
    name: "unclosed code",
    proves: "a backtick without a partner protects as in the client",
    project: { "GEMINI.md": lines("top ` @x.md", "```", "@x.md"), "x.md": "x\n", "AGENTS.md": "" },
  },
  {
    name: "import beside punctuation",
    proves: "a path ends at white space and begins after it",
    project: {
      "GEMINI.md":
        'see @a.md, @a.md. "@a.md" (@a.md) @a.md#part @"a.md" @_a.md @1.md @.hidden.md @plain \\@a.md me@example.test\n',
      "a.md": "a\n",
      "_a.md": "underscore\n",
      "1.md": "one\n",
      ".hidden.md": "hidden\n",
      plain: "plain\n",
    },
  },
  {
    name: "import of names and addresses",
    proves: "a mention that is no file says so",
    project: { "GEMINI.md": "ask @dev about @scope/package and @https://example.test/a.md\n" },
  },
  {
    name: "import of a path with spaces",
    proves: "a space ends a path",
    project: { "GEMINI.md": "@my file.md and @my\\ file.md\n", "my file.md": "mine\n" },
  },
  {
    name: "external imports",
    proves: "files outside the repository are not imported",
    home: { "h.md": "in the home directory\n" },
    outside: { "out.md": "outside\n", "far/f.md": "far\n" },
    project: { "GEMINI.md": "top @../out.md @~/h.md @{root}/far/f.md @{root}/project/in.md\n", "in.md": "inside\n" },
  },
  {
    name: "import from above the start",
    proves: "imports reach up to the repository's root",
    start: "sub",
    project: { "x.md": "x\n", "sub/GEMINI.md": "sub @../x.md\n" },
  },
  {
    name: "import from above without git",
    proves: "without git imports stay in the file's directory",
    git: "none",
    start: "sub",
    project: { "x.md": "x\n", "sub/GEMINI.md": "sub @../x.md @y.md\n", "sub/y.md": "y\n" },
  },
  {
    name: "missing import",
    proves: "a missing file and a directory leave the client's words",
    project: { "GEMINI.md": "top @nothing.md @folder end\n", "folder/x": "x" },
  },
  {
    name: "import cycle",
    proves: "a cycle is cut where the client cuts it",
    project: { "GEMINI.md": "top @a.md\n", "a.md": "a @b.md\n", "b.md": "b @a.md @GEMINI.md\n" },
  },
  {
    name: "import of itself",
    proves: "a file that imports itself is cut where the client cuts it",
    project: { "GEMINI.md": "top @GEMINI.md\n" },
  },
  {
    name: "import twice",
    proves: "a file that is imported twice appears as often as in the client",
    start: "sub",
    project: {
      "GEMINI.md": "top @a.md @a.md @./a.md @b.md\n",
      "a.md": "a\n",
      "b.md": "b @a.md\n",
      "sub/GEMINI.md": "sub @../a.md\n",
    },
  },
  {
    name: "imports through links",
    proves: "a link may not lead an import out of the repository",
    outside: { "out.md": "outside\n" },
    project: { "GEMINI.md": "top @link.md @inner.md\n", "real.md": "real\n" },
    links: { "project/link.md": "out.md", "project/inner.md": "project/real.md" },
  },
  {
    name: "imports of a linked file",
    proves: "a linked file imports from where the link is",
    outside: { "shared/top.md": "shared @beside.md\n", "shared/beside.md": "beside target\n" },
    project: { "beside.md": "beside link\n" },
    links: { "project/GEMINI.md": "shared/top.md" },
  },
  {
    name: "imports with odd bytes",
    proves: "imported text is decoded as in the client",
    project: {
      "GEMINI.md": lines("top\r", "@bom.md\r", "@crlf.md @bytes.md @empty.md\r"),
      "bom.md": "\uFEFFmarked\n",
      "crlf.md": "one\r\ntwo\r\n",
      "bytes.md": Buffer.from([0x61, 0xff, 0x00, 0x62]),
      "empty.md": "",
    },
  },
  {
    name: "import behind a byte order mark",
    proves: "a byte order mark before an @ is treated as the client treats it",
    project: { "GEMINI.md": `${"\uFEFF"}@x.md end\n`, "x.md": "x\n" },
  },
  {
    name: "imports on touch",
    proves: "a nested file's imports are put in too",
    project: { "src/GEMINI.md": "src @x.md\n", "src/x.md": "x\n", "src/a.ts": "1\n" },
    touch: ["src/a.ts"],
  },
];

/** What memdir shows otherwise on purpose, and says so in its documentation. */
export const GEMINI_DIFFERENCES: readonly Layout[] = [
  {
    name: "flat imports",
    proves: "memdir puts imports in their place where the client is set to list them one after another",
    home: { [SETTINGS]: context({ importFormat: "flat" }) },
    project: { "GEMINI.md": "top @a.md @b.md\n", "a.md": "a @b.md\n", "b.md": "b\n" },
  },
];

export const GEMINI_LAYOUTS: readonly Layout[] = [
  ...commonLayouts("GEMINI.md"),
  ...USER_LAYOUTS,
  ...NAME_LAYOUTS,
  ...IMPORT_LAYOUTS,
];
