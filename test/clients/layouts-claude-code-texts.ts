import type { Layout } from "./layout.ts";

const LINE = "A line of text that stands for many others in a long file.\n";

export const EXCLUDE_LAYOUTS: readonly Layout[] = [
  {
    name: "excluded by user settings",
    proves: "an absolute pattern excludes",
    settings: { user: { claudeMdExcludes: ["{root}/project/packages/CLAUDE.md"] } },
    start: "packages",
    project: { "CLAUDE.md": "root\n", "packages/CLAUDE.md": "packages\n" },
  },
  {
    name: "excluded by project settings",
    proves: "project settings exclude",
    settings: { project: { claudeMdExcludes: ["**/CLAUDE.local.md"] } },
    project: { "CLAUDE.md": "root\n", "CLAUDE.local.md": "local\n" },
  },
  {
    name: "excluded by local settings",
    proves: "local settings exclude",
    settings: { local: { claudeMdExcludes: ["**/project/CLAUDE.md"] } },
    project: { "CLAUDE.md": "root\n", "CLAUDE.local.md": "local\n" },
  },
  {
    name: "excluded by all settings together",
    proves: "the lists of all levels are joined",
    settings: {
      user: { claudeMdExcludes: ["**/a.md"] },
      project: { claudeMdExcludes: ["**/rules/b.md"] },
      local: { claudeMdExcludes: ["**/CLAUDE.local.md"] },
    },
    project: {
      "CLAUDE.md": "root\n",
      "CLAUDE.local.md": "local\n",
      ".claude/rules/a.md": "a\n",
      ".claude/rules/b.md": "b\n",
      ".claude/rules/c.md": "c\n",
    },
  },
  {
    name: "excluded relative patterns",
    proves: "relative patterns match as the client matches them",
    settings: {
      user: { claudeMdExcludes: ["packages/CLAUDE.md", "CLAUDE.local.md", "./.claude/rules/a.md", ".claude/rules/**"] },
    },
    start: "packages",
    project: {
      "CLAUDE.md": "root\n",
      "packages/CLAUDE.md": "packages\n",
      "CLAUDE.local.md": "local\n",
      ".claude/rules/a.md": "a\n",
    },
  },
  {
    name: "excluded rules folder",
    proves: "a pattern for a folder excludes what is below",
    settings: { user: { claudeMdExcludes: ["{root}/project/.claude/rules/**", "**/hidden"] } },
    project: { "CLAUDE.md": "root\n", ".claude/rules/a.md": "a\n", ".claude/rules/sub/b.md": "b\n" },
  },
  {
    name: "excluded user file",
    proves: "the user's own files can be excluded",
    settings: { user: { claudeMdExcludes: ["**/.claude/CLAUDE.md", "**/rules/u.md"] } },
    home: { ".claude/CLAUDE.md": "user\n", ".claude/rules/u.md": "user rule\n" },
    project: { "CLAUDE.md": "root\n", ".claude/CLAUDE.md": "hidden\n", ".claude/rules/r.md": "rule\n" },
  },
  {
    name: "excluded import",
    proves: "an excluded file is not imported either",
    settings: { user: { claudeMdExcludes: ["**/secret.md"] } },
    project: {
      "CLAUDE.md": "root @secret.md @fine.md\n",
      "secret.md": "secret @below.md\n",
      "below.md": "below\n",
      "fine.md": "fine\n",
    },
  },
  {
    name: "excluded importer",
    proves: "the imports of an excluded file go with it",
    settings: { user: { claudeMdExcludes: ["**/project/CLAUDE.md"] } },
    project: { "CLAUDE.md": "root @a.md\n", "a.md": "a\n", "CLAUDE.local.md": "local\n" },
  },
  {
    name: "excluded memory",
    proves: "MEMORY.md is no instruction file to exclude",
    settings: { user: { claudeMdExcludes: ["**/MEMORY.md"] } },
    project: { "CLAUDE.md": "root\n" },
    memory: { "MEMORY.md": "- [A](a.md) — hook\n" },
  },
  {
    name: "excluded on touch",
    proves: "nested files and rules are excluded too",
    settings: { user: { claudeMdExcludes: ["**/src/CLAUDE.md", "**/ts.md"] } },
    project: {
      "src/CLAUDE.md": "src\n",
      "src/CLAUDE.local.md": "src local\n",
      "src/a.ts": "1\n",
      ".claude/rules/ts.md": "---\npaths: '**/*.ts'\n---\nts\n",
    },
    touch: ["src/a.ts"],
  },
  {
    name: "excluded with braces and negation",
    proves: "patterns of exclusion are globs as the client reads them",
    settings: { user: { claudeMdExcludes: ["**/{a,b}.md", "!**/b.md", "**/?.txt", "**/[c].md"] } },
    project: {
      "CLAUDE.md": "root\n",
      ".claude/rules/a.md": "a\n",
      ".claude/rules/b.md": "b\n",
      ".claude/rules/c.md": "c\n",
      ".claude/rules/d.md": "d\n",
    },
  },
  {
    name: "excluded by globs of every kind",
    proves: "stars, question marks, classes, spaces and letter case match as the client matches them",
    projectName: "my project",
    settings: {
      user: {
        claudeMdExcludes: [
          "{root}/my project/*/CLAUDE.md",
          "**/rules/?.md",
          "**/rules/[xy]1.md",
          "**/UPPER.md",
          "**/rules/sub",
          "**/deep/",
          "*/star.md",
          "**/+(plus).md",
          "**/!(not).md2",
        ],
      },
    },
    start: "a/b",
    project: {
      "CLAUDE.md": "root\n",
      "a/CLAUDE.md": "a\n",
      "a/b/CLAUDE.md": "b\n",
      ".claude/rules/q.md": "q\n",
      ".claude/rules/x1.md": "x1\n",
      ".claude/rules/upper.md": "upper\n",
      ".claude/rules/sub/s.md": "s\n",
      ".claude/rules/deep/d.md": "d\n",
      ".claude/rules/star.md": "star\n",
      ".claude/rules/plus.md": "plus\n",
    },
  },
  {
    name: "excluded by a folder's name",
    proves: "a pattern that names a folder does not reach into it",
    settings: { user: { claudeMdExcludes: ["{root}/project/packages", "{root}/project/other/**"] } },
    start: "packages/app",
    project: { "CLAUDE.md": "root\n", "packages/CLAUDE.md": "packages\n", "packages/app/CLAUDE.md": "app\n" },
  },
  {
    name: "excluded link by its target",
    proves: "links and patterns meet as in the client",
    settings: { user: { claudeMdExcludes: ["{root}/project/docs/real.md", "{root}/project/CLAUDE.local.md"] } },
    project: { "docs/real.md": "real\n", "docs/local.md": "local\n", "CLAUDE.md": "main @docs/real.md\n" },
    links: { "project/.claude/CLAUDE.md": "project/docs/real.md", "project/CLAUDE.local.md": "project/docs/local.md" },
  },
  {
    name: "excluded linked file",
    proves: "a linked file is excluded by the name the client matches",
    settings: { user: { claudeMdExcludes: ["{root}/target.md", "{root}/project/.claude/rules/by-name.md"] } },
    outside: { "target.md": "target\n", "second.md": "second\n" },
    project: { "CLAUDE.local.md": "local\n" },
    links: { "project/CLAUDE.md": "target.md", "project/.claude/rules/by-name.md": "second.md" },
  },
];

/** What becomes of a file's text. */
export const TEXT_LAYOUTS: readonly Layout[] = [
  {
    name: "block comments",
    proves: "HTML comments that stand as blocks are taken out",
    project: {
      "CLAUDE.md":
        "# Title\n\n<!-- one line -->\n\nText\n\n<!--\nseveral\n\nlines\n-->\n\nMore\n<!-- directly below -->\nEnd\n<!-- last -->",
    },
  },
  {
    name: "inline comments",
    proves: "comments within a line are treated as the client treats them",
    project: {
      "CLAUDE.md":
        "Text <!-- inline --> more\n\n- item <!-- in a list -->\n\n<!-- start --> then text\n\ntext\n<!-- a --><!-- b -->\n\n<!-- c --> <!-- d -->\n\n  <!-- indented -->\n\n> <!-- quoted -->\n\n- <!-- listed -->\n",
    },
  },
  {
    name: "unclosed comment",
    proves: "a comment nobody closes is treated as the client treats it",
    project: { "CLAUDE.md": "Text\n\n<!-- open\n\nstill\n", "CLAUDE.local.md": "Text <!-- open\nstill\n" },
  },
  {
    name: "comments in code",
    proves: "comments in code stay",
    project: {
      "CLAUDE.md":
        "```html\n<!-- kept -->\n```\n\n`<!-- kept too -->`\n\n    <!-- indented code -->\n\n~~~\n<!-- kept -->\n~~~\n",
    },
  },
  {
    name: "odd comments",
    proves: "comments that are almost comments are treated as the client treats them",
    project: {
      "CLAUDE.md":
        "a\n\n<!-->\n\nb\n\n<!--->\n\nc\n\n<!-- x -- y -->\n\nd\n\n<!- no ->\n\n<!DOCTYPE html>\n\n<?php x ?>\n\n<![CDATA[ y ]]>\n\n<div><!-- in html --></div>\n\n<div>\n<!-- in html block -->\n</div>\n\ne\n",
    },
  },
  {
    name: "only a comment",
    proves: "a file with nothing but comments has no section, or an empty one, as in the client",
    project: { "CLAUDE.md": "<!-- nothing -->\n", "CLAUDE.local.md": "local\n" },
  },
  {
    name: "text without comments",
    proves: "text without a comment is not rewritten",
    project: {
      "CLAUDE.md":
        "#Title\n*  odd   list\n\n\n\nthree blank lines\n\ttab\ntrailing  \n1) one\n\n***\n| a|b |\n|-|-|\n\\* escape &amp; entity\n",
    },
  },
  {
    name: "text with a comment",
    proves: "the rest of a text with a comment is not rewritten",
    project: {
      "CLAUDE.md":
        "#Title\n*  odd   list\n\n<!-- x -->\n\n\n\nthree blank lines\n\ttab\ntrailing  \n1) one\n\n***\n| a|b |\n|-|-|\n\\* escape &amp; entity\n[ref]: http://example.test\n\n\n",
    },
  },
  {
    name: "blank lines and spaces",
    proves: "the ends of a text are trimmed as the client trims them",
    project: {
      "CLAUDE.md": "\n\n  first  \n\n  last  \n\n\n",
      "CLAUDE.local.md": "\u00A0no-break\u00A0\n\u2003em\u2003",
      ".claude/rules/r.md": "\t tabbed \t\n",
    },
  },
  {
    name: "CRLF",
    proves: "line ends are treated as the client treats them",
    project: {
      "CLAUDE.md": "one\r\ntwo\r\n\r\n<!-- x -->\r\n\r\nthree\rfour\r\n",
      "CLAUDE.local.md": "one\r\ntwo\r\n",
    },
  },
  {
    name: "CRLF with a comment in code",
    proves: "whether line ends change depends on what the client looks at",
    project: {
      "CLAUDE.md": "one\r\n`<!-- x -->`\r\ntwo\r\n",
      "CLAUDE.local.md": "one\r\n<!-- open\r\ntwo\r\n",
      ".claude/rules/r.md": "a\r\n<!- x -->\r\nb\r\n",
    },
  },
  {
    name: "white space around comments",
    proves: "blank lines, tabs and spaces near comments are kept as the client keeps them",
    project: {
      "CLAUDE.md":
        "one\n   \n<!-- x -->   \n   \n\t\ntwo\n\n\ttab\u00A0\n<!-- y -->\t\nthree\n<!-- z -->\n\n\n\n\nfour\n    <!-- not code after text -->\n\n\n    <!-- code -->\n\n5\n",
    },
  },
  {
    name: "comments at the edges",
    proves: "several comments, comments in lists and at both ends leave what the client leaves",
    project: {
      "CLAUDE.md":
        "<!-- first -->\n\n\n# Title\n\n- one\n\n  <!-- in item -->\n\n- two\n<!-- after list -->\n- three\n\n<!-- a --> b <!-- c -->\n\n<!-- d\n\ne --> f\n\n<!-- g --><!-- h --> <!-- i -->\nj\n\n<!-- k -->l<!-- m\n\nn -->\n\no\n",
      "CLAUDE.local.md": "<!-- a -->\n",
      ".claude/rules/r.md":
        "## x\n<!-- b -->\n\n| t |\n|---|\n<!-- c -->\n\n***\n<!-- d -->\n```\n```\n<!-- e -->\nend",
    },
  },
  {
    name: "frontmatter edges",
    proves: "where frontmatter begins and ends",
    project: {
      "CLAUDE.md": "---\ntitle: a --- b\nx: y\n---\nbody one\n",
      ".claude/CLAUDE.md": "---\ntitle: a\n--- \n\nbody two\n",
      "CLAUDE.local.md": "---\na: b\n---text\nbody\n",
      ".claude/rules/a.md": "----\na: b\n----\nbody\n",
      ".claude/rules/b.md": "---\na: b\n---",
      ".claude/rules/c.md": " ---\na: b\n---\nbody\n",
      ".claude/rules/d.md": "---\n\n---\nbody d\n",
      ".claude/rules/e.md": "---\na: |\n  text\n  ---\n  more\n---\nbody e\n",
      ".claude/rules/f.md": "---\n- list\n---\nbody f\n",
      ".claude/rules/g.md": "---\na: b\n----\nc: d\n---\nbody g\n",
    },
  },
  {
    name: "byte order mark",
    proves: "a byte order mark is treated as the client treats it",
    project: { "CLAUDE.md": "\uFEFFwith a mark @a.md\n", "a.md": "\uFEFF{at}b.md\n", "b.md": "b\n" },
  },
  {
    name: "UTF-16",
    proves: "a file in another encoding is treated as the client treats it",
    project: { "CLAUDE.md": Buffer.from("\uFEFFutf-16 text\n", "utf16le"), "CLAUDE.local.md": "local\n" },
  },
  {
    name: "invalid UTF-8",
    proves: "invalid bytes become replacement characters",
    project: {
      "CLAUDE.md": Buffer.from([0x61, 0xff, 0xfe, 0x62, 0xc3, 0x28, 0xe2, 0x82, 0x0a, 0xf0, 0x9f, 0x98, 0x0a]),
    },
  },
  {
    name: "control characters",
    proves: "control characters pass as in the client",
    project: { "CLAUDE.md": "a\u0000b\u0007c\u001B[31md\u200Be\u202Ef\u0085g\u2028h\u000Ci\n" },
  },
  {
    name: "empty files",
    proves: "empty and blank files have no section",
    project: {
      "CLAUDE.md": "",
      "CLAUDE.local.md": " \n\t\n",
      ".claude/CLAUDE.md": "hidden\n",
      ".claude/rules/e.md": "",
    },
  },
  {
    name: "frontmatter",
    proves: "frontmatter is treated as the client treats it",
    project: {
      "CLAUDE.md": "---\ntitle: x\npaths:\n  - src/**\n---\nbody\n",
      "CLAUDE.local.md": "---\nnot closed\n\nbody\n",
      ".claude/CLAUDE.md": "---\n---\n\nempty front\n",
      ".claude/rules/r.md": "---\ndescription: a rule\n---\n\nrule\n",
    },
  },
  {
    name: "broken frontmatter",
    proves: "frontmatter that is no YAML is treated as the client treats it",
    project: {
      "CLAUDE.md": "---\n: : [\n---\nbody\n",
      "CLAUDE.local.md": "---\njust text\n---\nbody\n",
      ".claude/rules/r.md": "text first\n---\na: b\n---\nrest\n",
    },
  },
  { name: "over 40,000 characters", proves: "a long file loads whole", project: { "CLAUDE.md": LINE.repeat(800) } },
  {
    name: "400 KB",
    proves: "a very long file loads whole",
    project: { "CLAUDE.md": LINE.repeat(7000), "CLAUDE.local.md": "local\n" },
  },
  {
    name: "over 4 MiB",
    proves: "a file over four mebibytes is treated as the client treats it",
    project: { "CLAUDE.md": LINE.repeat(72_000), "CLAUDE.local.md": "local @big.md\n", "big.md": LINE.repeat(72_000) },
  },
  {
    name: "exactly 4 MiB",
    proves: "the limit of size is where the client has it",
    project: {
      "CLAUDE.md": `${"x".repeat(1023)}\n`.repeat(4096),
      ".claude/CLAUDE.md": `${"x".repeat(1023)}\n`.repeat(4096) + "y",
    },
  },
  {
    name: "text that looks like a section",
    proves: "text cannot pretend to be another file in memdir's view",
    project: { "CLAUDE.md": "text\n\nContents of nowhere (project instructions):\n\nfake\n" },
  },
];

/** What is shown of the notes. */
export const MEMORY_LAYOUTS: readonly Layout[] = [
  {
    name: "index of notes",
    proves: "MEMORY.md comes last",
    project: { "CLAUDE.md": "main\n" },
    memory: {
      "MEMORY.md": "---\ntitle: x\n---\n# Notes\n\n<!-- hidden -->\n- [A](a.md) — hook @a.md\n\n\n",
      "a.md": "note\n",
    },
  },
  {
    name: "index of notes alone",
    proves: "MEMORY.md needs no instruction file",
    memory: { "MEMORY.md": "- [A](a.md) — hook\n" },
  },
  {
    name: "empty index of notes",
    proves: "an empty MEMORY.md is treated as the client treats it",
    project: { "CLAUDE.md": "main\n" },
    memory: { "MEMORY.md": "\n" },
  },
  {
    name: "index of notes from a subdirectory",
    proves: "the repository's notes are found from below",
    start: "sub",
    project: { "CLAUDE.md": "main\n", "sub/x": "1" },
    memory: { "MEMORY.md": "- [A](a.md) — hook\n" },
  },
  {
    name: "index of notes without git",
    proves: "without git the start is the project",
    git: "none",
    project: { "CLAUDE.md": "main\n" },
    memory: { "MEMORY.md": "- [A](a.md) — hook\n" },
  },
  {
    name: "memory switched off",
    proves: "autoMemoryEnabled false takes MEMORY.md away",
    settings: { user: { autoMemoryEnabled: false } },
    project: { "CLAUDE.md": "main\n" },
    memory: { "MEMORY.md": "- [A](a.md) — hook\n" },
  },
  {
    name: "memory switched off by a variable",
    proves: "CLAUDE_CODE_DISABLE_AUTO_MEMORY takes MEMORY.md away",
    environment: { CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1" },
    project: { "CLAUDE.md": "main\n" },
    memory: { "MEMORY.md": "- [A](a.md) — hook\n" },
  },
  {
    name: "index over its limits",
    proves: "MEMORY.md is cut at the client's line",
    ownWords: true,
    memory: {
      "MEMORY.md": Array.from({ length: 260 }, (_, index) => `- [Note ${index + 1}](n${index + 1}.md) — hook\n`).join(
        "",
      ),
    },
  },
  {
    name: "index over its characters",
    proves: "MEMORY.md is cut by characters as well",
    ownWords: true,
    memory: {
      "MEMORY.md": Array.from(
        { length: 150 },
        (_, index) => `- [Note ${index + 1}](n${index + 1}.md) — ${"a long hook ".repeat(18)}\n`,
      ).join(""),
    },
  },
  {
    name: "index over both limits",
    proves: "both limits together cut where the client cuts",
    ownWords: true,
    memory: {
      "MEMORY.md": Array.from(
        { length: 300 },
        (_, index) => `- [Note ${index + 1}](n${index + 1}.md) — ${"a long hook ".repeat(18)}\n`,
      ).join(""),
    },
  },
  {
    name: "memory directory of one's own",
    proves: "autoMemoryDirectory moves the notes",
    settings: { user: { autoMemoryDirectory: "{root}/notes" } },
    outside: { "notes/MEMORY.md": "- [Own](own.md) — place\n" },
    project: { "CLAUDE.md": "main\n" },
  },
  {
    name: "project MEMORY.md",
    proves: "a project's own .claude/MEMORY.md is no file of the client",
    project: { ".claude/MEMORY.md": "kept by hand\n", "MEMORY.md": "root memory\n", "CLAUDE.md": "main\n" },
  },
];
