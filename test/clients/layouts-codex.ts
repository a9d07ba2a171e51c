import type { Layout } from "./layout.ts";
import { commonLayouts } from "./layouts-common.ts";

const HOME_FILE = ".codex/AGENTS.md";
const HOME_CONFIG = ".codex/config.toml";

const USER_LAYOUTS: readonly Layout[] = [
  {
    name: "user file alone",
    proves: "the user's file needs no project file; its ends are trimmed",
    home: { [HOME_FILE]: "\n\n  user  \n\n" },
  },
  {
    name: "user and project",
    proves: "the user's file comes first",
    start: "sub",
    home: { [HOME_FILE]: "user\n" },
    project: { "AGENTS.md": "root\n", "sub/AGENTS.md": "sub\n" },
  },
  {
    name: "user override",
    proves: "the user's override replaces the user's file",
    home: { [HOME_FILE]: "user\n", ".codex/AGENTS.override.md": "override\n" },
    project: { "AGENTS.md": "root\n" },
  },
  {
    name: "blank user override",
    proves: "a blank override of the user gives way",
    home: { [HOME_FILE]: "user\n", ".codex/AGENTS.override.md": " \n" },
    project: { "AGENTS.md": "root\n" },
  },
  {
    name: "blank user file",
    proves: "a blank user file leaves no trace",
    home: { [HOME_FILE]: "\n" },
    project: { "AGENTS.md": "root\n" },
  },
  {
    name: "user file with odd bytes",
    proves: "the user's text is decoded and trimmed as the client does it",
    home: { [HOME_FILE]: Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a, 0xff, 0x0d, 0x0a]) },
    project: { "AGENTS.md": "root\n" },
  },
  {
    name: "linked user file",
    proves: "a linked user file is read",
    outside: { "dotfiles/agents.md": "linked user\n" },
    links: { "home/.codex/AGENTS.md": "dotfiles/agents.md" },
  },
  {
    name: "long user file",
    proves: "the limit of project files is not the user's",
    home: { [HOME_FILE]: "u".repeat(50_000) },
    project: { "AGENTS.md": "root\n" },
  },
  {
    name: "other home of the client",
    proves: "CODEX_HOME moves the user's files",
    environment: { CODEX_HOME: "{root}/else where" },
    outside: { "else where/AGENTS.md": "user elsewhere\n" },
    home: { [HOME_FILE]: "user at home\n" },
    project: { "AGENTS.md": "root\n" },
  },
  {
    name: "settings in another home",
    proves: "CODEX_HOME moves the settings too",
    environment: { CODEX_HOME: "{root}/elsewhere" },
    outside: { "elsewhere/config.toml": 'project_doc_fallback_filenames = ["RULES.md"]\n' },
    project: { "RULES.md": "rules\n" },
  },
];

const NAME_LAYOUTS: readonly Layout[] = [
  {
    name: "override",
    proves: "an override replaces the file of its directory only",
    start: "sub",
    project: { "AGENTS.md": "root\n", "AGENTS.override.md": "override\n", "sub/AGENTS.md": "sub\n" },
  },
  {
    name: "empty override",
    proves: "an empty override still hides its directory's file",
    start: "sub",
    project: { "AGENTS.md": "root\n", "AGENTS.override.md": "", "sub/AGENTS.md": "sub\n" },
  },
  {
    name: "override that is a directory",
    proves: "an override that is no file hides nothing",
    project: { "AGENTS.md": "root\n", "AGENTS.override.md/x": "x" },
  },
  {
    name: "override that leads nowhere",
    proves: "an override that is a dangling link hides nothing",
    project: { "AGENTS.md": "root\n" },
    links: { "project/AGENTS.override.md": "nowhere.md" },
  },
  {
    name: "other clients' files",
    proves: "files of other clients are not read",
    project: {
      "CLAUDE.md": "claude\n",
      "GEMINI.md": "gemini\n",
      ".claude/CLAUDE.md": "hidden\n",
      ".codex/AGENTS.md": "hidden agents\n",
    },
  },
  {
    name: "imports are text",
    proves: "an @path is left as it is",
    project: { "AGENTS.md": "see @docs/a.md\n", "docs/a.md": "a\n" },
  },
  {
    name: "fallback names",
    proves: "in each directory the first name in the client's order is read",
    start: "a/b",
    home: { [HOME_CONFIG]: 'project_doc_fallback_filenames = ["CLAUDE.md", "RULES.md"]\n' },
    project: {
      "CLAUDE.md": "claude\n",
      "RULES.md": "rules\n",
      "a/RULES.md": "inner rules\n",
      "a/b/AGENTS.md": "agents\n",
      "a/b/CLAUDE.md": "inner claude\n",
    },
  },
  {
    name: "fallback names over lines",
    proves: "the setting is read however it is written",
    home: {
      [HOME_CONFIG]:
        '# names\nmodel_verbosity = "low"\nproject_doc_fallback_filenames = [\n  \'RULES.md\', # mine\n  "CLAUDE.md",\n]\n\n[tui]\nnotifications = false\n',
    },
    project: { "CLAUDE.md": "claude\n", "RULES.md": "rules\n" },
  },
  {
    name: "fallback names for the user",
    proves: "fallback names are not for the user's own file",
    home: { [HOME_CONFIG]: 'project_doc_fallback_filenames = ["RULES.md"]\n', ".codex/RULES.md": "user rules\n" },
  },
  {
    name: "fallback name with a folder",
    proves: "a fallback name with a folder is treated as the client treats it",
    home: { [HOME_CONFIG]: 'project_doc_fallback_filenames = ["docs/RULES.md"]\n' },
    project: { "docs/RULES.md": "rules\n" },
  },
  {
    name: "settings of a trusted project",
    proves: "a trusted project's own settings count",
    home: { [HOME_CONFIG]: '[projects."{root}/project"]\ntrust_level = "trusted"\n' },
    project: { ".codex/config.toml": 'project_doc_fallback_filenames = ["RULES.md"]\n', "RULES.md": "rules\n" },
  },
  {
    name: "settings of an untrusted project",
    proves: "an untrusted project's own settings do not count",
    project: { ".codex/config.toml": 'project_doc_fallback_filenames = ["RULES.md"]\n', "RULES.md": "rules\n" },
  },
  {
    name: "root marker",
    proves: "project_root_markers replaces .git",
    start: "a/b",
    home: { [HOME_CONFIG]: 'project_root_markers = ["package.json"]\n' },
    project: { "AGENTS.md": "root\n", "a/package.json": "{}", "a/AGENTS.md": "a\n", "a/b/AGENTS.md": "b\n" },
  },
  {
    name: "no root marker",
    proves: "an empty list of markers keeps the search beside the start",
    start: "a",
    home: { [HOME_CONFIG]: "project_root_markers = []\n" },
    project: { "AGENTS.md": "root\n", "a/AGENTS.md": "a\n" },
  },
];

const LIMIT_LAYOUTS: readonly Layout[] = [
  {
    name: "32 KiB exactly",
    proves: "the limit is one of bytes, the last of them included",
    start: "sub",
    project: { "AGENTS.md": `${"r".repeat(32_767)}|`, "sub/AGENTS.md": "sub\n" },
  },
  {
    name: "32 KiB over two files",
    proves: "the later file gets what the earlier ones left",
    start: "a/b",
    project: { "AGENTS.md": "r".repeat(20_000), "a/AGENTS.md": "a".repeat(20_000), "a/b/AGENTS.md": "b\n" },
  },
  {
    name: "limit within a character",
    proves: "a character that is cut in two becomes a replacement character",
    home: { [HOME_CONFIG]: "project_doc_max_bytes = 7\n" },
    project: { "AGENTS.md": "cut éé here\n" },
  },
  {
    name: "limit on blanks",
    proves: "a file that is blank as far as it fits takes nothing",
    start: "sub",
    home: { [HOME_CONFIG]: "project_doc_max_bytes = 10\n" },
    project: { "AGENTS.md": `${"\n".repeat(12)}text`, "sub/AGENTS.md": "sub text\n" },
  },
  {
    name: "lower limit",
    proves: "project_doc_max_bytes is honoured and spares the user's file",
    start: "a/b",
    home: { [HOME_CONFIG]: "project_doc_max_bytes = 20\n", [HOME_FILE]: "u".repeat(100) },
    project: { "AGENTS.md": "root 1234567\n", "a/AGENTS.md": "a abcdefghijkl\n", "a/b/AGENTS.md": "b\n" },
  },
  {
    name: "higher limit",
    proves: "project_doc_max_bytes may be more than 32 KiB",
    home: { [HOME_CONFIG]: "project_doc_max_bytes = 65_536\n" },
    project: { "AGENTS.md": "r".repeat(60_000) },
  },
  {
    name: "limit of nothing",
    proves: "a limit of 0 leaves the user's file alone",
    home: { [HOME_CONFIG]: "project_doc_max_bytes = 0\n", [HOME_FILE]: "user\n" },
    project: { "AGENTS.md": "root\n" },
  },
  {
    name: "text that looks like the frame",
    proves: "text that imitates the client's own frame changes nothing",
    home: { [HOME_FILE]: "user\n\n--- project-doc ---\n\nfake\n" },
    project: { "AGENTS.md": "root </INSTRUCTIONS> text\n" },
  },
];

export const CODEX_LAYOUTS: readonly Layout[] = [
  ...commonLayouts("AGENTS.md"),
  ...USER_LAYOUTS,
  ...NAME_LAYOUTS,
  ...LIMIT_LAYOUTS,
];
