import type { Layout } from "./layout.ts";
import { commonLayouts } from "./layouts-common.ts";

const HOME_FILE = ".config/opencode/AGENTS.md";
const CLAUDE_FILE = ".claude/CLAUDE.md";

function instructions(...patterns: readonly string[]): string {
  return JSON.stringify({ instructions: patterns });
}

const USER_LAYOUTS: readonly Layout[] = [
  {
    name: "user file alone",
    proves: "the user's file needs no project file",
    home: { [HOME_FILE]: "\n\n  user  \n\n" },
  },
  {
    name: "user and project",
    proves: "the user's file comes first, then the nearest",
    start: "sub",
    home: { [HOME_FILE]: "user\n" },
    project: { "AGENTS.md": "root\n", "sub/AGENTS.md": "sub\n" },
  },
  {
    name: "user's CLAUDE.md",
    proves: "Claude Code's user file is read where there is no other",
    home: { [CLAUDE_FILE]: "user claude\n" },
    project: { "AGENTS.md": "root\n" },
  },
  {
    name: "both user files",
    proves: "the client's own user file hides Claude Code's",
    home: { [HOME_FILE]: "user\n", [CLAUDE_FILE]: "user claude\n" },
  },
  {
    name: "empty user file",
    proves: "an empty user file still hides Claude Code's",
    home: { [HOME_FILE]: "", [CLAUDE_FILE]: "user claude\n" },
    project: { "AGENTS.md": "root\n" },
  },
  {
    name: "blank user file",
    proves: "a blank user file is treated as the client treats it",
    home: { [HOME_FILE]: " \n" },
    project: { "AGENTS.md": "root\n" },
  },
  {
    name: "user file that leads nowhere",
    proves: "a dangling user file gives way",
    home: { [CLAUDE_FILE]: "user claude\n" },
    links: { "home/.config/opencode/AGENTS.md": "nowhere.md" },
  },
  {
    name: "other names beside the user file",
    proves: "only AGENTS.md is read in the user's configuration",
    home: { ".config/opencode/CLAUDE.md": "claude\n", ".config/opencode/CONTEXT.md": "context\n" },
    project: { "AGENTS.md": "root\n" },
  },
  {
    name: "other configuration directory",
    proves: "XDG_CONFIG_HOME moves the user's files",
    environment: { XDG_CONFIG_HOME: "{root}/else where" },
    outside: {
      "else where/opencode/AGENTS.md": "user elsewhere\n",
      "else where/opencode/opencode.json": instructions("extra.md"),
    },
    home: { [HOME_FILE]: "user at home\n" },
    project: { "extra.md": "extra\n" },
  },
  {
    name: "client's configuration directory",
    proves: "OPENCODE_CONFIG_DIR moves the user's file",
    environment: { OPENCODE_CONFIG_DIR: "{root}/elsewhere" },
    outside: { "elsewhere/AGENTS.md": "user elsewhere\n", "elsewhere/opencode.json": instructions("extra.md") },
    home: { [HOME_FILE]: "user at home\n" },
    project: { "AGENTS.md": "root\n", "extra.md": "extra\n" },
  },
  {
    name: "client's configuration directory without a file",
    proves: "an OPENCODE_CONFIG_DIR without the file is treated as the client treats it",
    environment: { OPENCODE_CONFIG_DIR: "{root}/elsewhere" },
    outside: { "elsewhere/x.txt": "x" },
    home: { [HOME_FILE]: "user at home\n", [CLAUDE_FILE]: "user claude\n" },
  },
];

const NAME_LAYOUTS: readonly Layout[] = [
  {
    name: "CLAUDE.md alone",
    proves: "CLAUDE.md is read where there is no AGENTS.md",
    start: "sub",
    project: { "CLAUDE.md": "root claude\n", "sub/CLAUDE.md": "sub claude\n" },
  },
  {
    name: "CLAUDE.md above AGENTS.md",
    proves: "an AGENTS.md anywhere on the way up hides every CLAUDE.md",
    start: "sub",
    project: { "CLAUDE.md": "root claude\n", "sub/AGENTS.md": "sub\n", "sub/CLAUDE.md": "sub claude\n" },
  },
  {
    name: "AGENTS.md above CLAUDE.md",
    proves: "an AGENTS.md further up hides a nearer CLAUDE.md",
    start: "sub",
    project: { "AGENTS.md": "root\n", "sub/CLAUDE.md": "sub claude\n" },
  },
  {
    name: "empty AGENTS.md beside CLAUDE.md",
    proves: "an empty AGENTS.md still hides CLAUDE.md",
    project: { "AGENTS.md": "", "CLAUDE.md": "claude\n" },
  },
  {
    name: "link loop beside CLAUDE.md",
    proves: "an AGENTS.md in a circle gives way to CLAUDE.md",
    project: { "CLAUDE.md": "claude\n" },
    links: { "project/AGENTS.md": "project/AGENTS.md" },
  },
  { name: "CONTEXT.md", proves: "CONTEXT.md is the last choice", project: { "CONTEXT.md": "context\n" } },
  {
    name: "CONTEXT.md beside CLAUDE.md",
    proves: "CLAUDE.md hides CONTEXT.md",
    project: { "CONTEXT.md": "context\n", "CLAUDE.md": "claude\n" },
  },
  {
    name: "without Claude Code's files",
    proves: "OPENCODE_DISABLE_CLAUDE_CODE_PROMPT takes CLAUDE.md away at both levels",
    environment: { OPENCODE_DISABLE_CLAUDE_CODE_PROMPT: "1" },
    home: { [CLAUDE_FILE]: "user claude\n" },
    project: { "CLAUDE.md": "claude\n", "CONTEXT.md": "context\n" },
  },
  {
    name: "without Claude Code",
    proves: "OPENCODE_DISABLE_CLAUDE_CODE does the same",
    environment: { OPENCODE_DISABLE_CLAUDE_CODE: "true" },
    home: { [CLAUDE_FILE]: "user claude\n" },
    project: { "CLAUDE.md": "claude\n" },
  },
  {
    name: "without the project's files",
    proves: "OPENCODE_DISABLE_PROJECT_CONFIG leaves the user's file alone",
    environment: { OPENCODE_DISABLE_PROJECT_CONFIG: "1" },
    home: { [HOME_FILE]: "user\n" },
    project: { "AGENTS.md": "root\n", "opencode.json": instructions("extra.md"), "extra.md": "extra\n" },
  },
  {
    name: "other clients' files",
    proves: "local, override and hidden files are not read",
    project: {
      "AGENTS.md": "agents\n",
      "AGENTS.local.md": "local\n",
      "AGENTS.override.md": "override\n",
      "GEMINI.md": "gemini\n",
      ".claude/CLAUDE.md": "hidden\n",
      ".opencode/AGENTS.md": "hidden agents\n",
    },
  },
  {
    name: "imports are text",
    proves: "an @path is left as it is",
    project: { "AGENTS.md": "see @docs/a.md\n", "docs/a.md": "a\n" },
  },
  {
    name: "other names on touch",
    proves: "below the start each directory's first name is read",
    project: {
      "AGENTS.md": "root\n",
      "a/CLAUDE.md": "a claude\n",
      "a/b/AGENTS.md": "b\n",
      "a/b/CLAUDE.md": "b claude\n",
      "a/b/t.txt": "t\n",
      "c/CONTEXT.md": "c context\n",
      "c/t.txt": "t\n",
    },
    touch: ["a/b/t.txt", "c/t.txt"],
  },
];

const EXTRA_LAYOUTS: readonly Layout[] = [
  {
    name: "instructions",
    proves: "further files come after the others, in the order of the setting",
    home: { "h.md": "at home\n" },
    outside: { "abs.md": "absolute\n" },
    project: {
      "opencode.json": instructions("extra.md", "docs/*.md", "nothing.md", "{root}/abs.md", "~/h.md"),
      "AGENTS.md": "root\n",
      "extra.md": "extra\n",
      "docs/b.md": "b\n",
      "docs/a.md": "a\n",
      "docs/c.txt": "no\n",
    },
  },
  {
    name: "instructions below a folder",
    proves: "a pattern over folders finds files in the client's order",
    project: {
      "opencode.json": instructions("rules/**/*.md"),
      "rules/z.md": "z\n",
      "rules/a.md": "a\n",
      "rules/B.md": "B\n",
      "rules/.hidden.md": "hidden\n",
      "rules/m/q.md": "q\n",
      "rules/m/n/r.md": "r\n",
      "rules/c/s.md": "s\n",
      "rules/.dir/t.md": "t\n",
    },
  },
  {
    name: "instructions twice",
    proves: "a file is shown once, where it is first named",
    project: {
      "opencode.json": instructions("AGENTS.md", "extra.md", "./extra.md", "extra.md"),
      "AGENTS.md": "root\n",
      "extra.md": "extra\n",
    },
  },
  {
    name: "instructions at several levels",
    proves: "a relative name is looked for from the start upward",
    start: "a",
    project: {
      "opencode.json": instructions("extra.md", "up/*.md"),
      "extra.md": "extra\n",
      "a/extra.md": "inner extra\n",
      "a/up/x.md": "inner x\n",
      "up/x.md": "x\n",
    },
  },
  {
    name: "absolute patterns",
    proves: "an absolute path is a pattern in its last part only",
    outside: { "g/b.md": "b\n", "g/a.md": "a\n", "q/k.md": "k\n" },
    project: { "opencode.json": instructions("{root}/g/*.md", "{root}/*/k.md", "{root}/g/../q/k.md") },
  },
  {
    name: "instructions of several files",
    proves: "the lists of all configuration files are joined",
    home: {
      ".config/opencode/opencode.json": instructions("g.md"),
      ".config/opencode/g.md": "beside the configuration\n",
    },
    project: {
      "opencode.json": instructions("p.md"),
      ".opencode/opencode.json": instructions("q.md"),
      "p.md": "p\n",
      "q.md": "q\n",
      "g.md": "g\n",
    },
  },
  {
    name: "configuration above the start",
    proves: "the root's configuration counts below, after a nearer one or before it as in the client",
    start: "a",
    project: {
      "opencode.json": instructions("p.md"),
      "a/opencode.json": instructions("q.md"),
      "p.md": "p\n",
      "a/q.md": "q\n",
    },
  },
  {
    name: "configuration with comments",
    proves: "opencode.jsonc may have comments and trailing commas",
    project: { "opencode.jsonc": '// mine\n{"instructions": ["p.md",],}\n', "p.md": "p\n" },
  },
  {
    name: "empty and missing instructions",
    proves: "what says nothing is no section",
    project: {
      "opencode.json": instructions("empty.md", "folder", "missing.md"),
      "empty.md": "",
      "folder/a.md": "a\n",
      "AGENTS.md": "root\n",
    },
  },
  {
    name: "instructions through links",
    proves: "linked files and folders are followed",
    project: { "opencode.json": instructions("link.md", "linked/*.md"), "real.md": "real\n", "folder/k.md": "k\n" },
    links: { "project/link.md": "project/real.md", "project/linked": "project/folder" },
  },
  {
    name: "instructions and touch",
    proves: "a nested file that the setting names is not sent again",
    project: { "opencode.json": instructions("a/AGENTS.md"), "a/AGENTS.md": "a\n", "a/t.txt": "t\n" },
    touch: ["a/t.txt"],
  },
];

export const OPENCODE_LAYOUTS: readonly Layout[] = [
  ...commonLayouts("AGENTS.md"),
  ...USER_LAYOUTS,
  ...NAME_LAYOUTS,
  ...EXTRA_LAYOUTS,
];
