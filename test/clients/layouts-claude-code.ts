import type { Layout } from "./layout.ts";
import { IMPORT_LAYOUTS } from "./layouts-claude-code-imports.ts";
import { RULE_LAYOUTS } from "./layouts-claude-code-rules.ts";

const LINE = "A line of text that stands for many others in a long file.\n";

/** Which files are read, from where, in which order. */
const PLACE_LAYOUTS: readonly Layout[] = [
  { name: "nothing", proves: "no files, no sections", project: { "README.md": "x\n" } },
  { name: "every level", proves: "levels come in the client's order", outside: { "CLAUDE.md": "above\n", "CLAUDE.local.md": "above local\n" }, home: { ".claude/CLAUDE.md": "user\n", ".claude/rules/u.md": "user rule\n", ".claude/CLAUDE.local.md": "user local\n" }, project: { "CLAUDE.md": "project\n", ".claude/CLAUDE.md": "hidden\n", ".claude/rules/r.md": "rule\n", "CLAUDE.local.md": "local\n", ".claude/CLAUDE.local.md": "hidden local\n" }, memory: { "MEMORY.md": "- [A note](a.md) — hook\n", "a.md": "note\n" } },
  { name: "hidden project file", proves: ".claude/CLAUDE.md works like CLAUDE.md", project: { ".claude/CLAUDE.md": "hidden @beside.md @../above.md\n", ".claude/beside.md": "beside\n", "above.md": "above\n" } },
  { name: "subdirectory start", proves: "files from the root down to the start are read, nearer ones later", start: "packages/app/src", project: { "CLAUDE.md": "root\n", "CLAUDE.local.md": "root local\n", ".claude/CLAUDE.md": "root hidden\n", "packages/CLAUDE.md": "packages\n", "packages/app/.claude/CLAUDE.md": "app hidden\n", "packages/app/CLAUDE.local.md": "app local\n", "packages/app/src/CLAUDE.md": "src\n", "packages/app/src/lower/CLAUDE.md": "lower\n", "packages/other/CLAUDE.md": "other\n" } },
  { name: "directories above the repository", proves: "the walk does not stop at the repository", start: "sub", outside: { "CLAUDE.md": "above\n", ".claude/CLAUDE.md": "above hidden\n", ".claude/rules/r.md": "above rule\n", "CLAUDE.local.md": "above local\n" }, project: { "CLAUDE.md": "root\n", "sub/CLAUDE.md": "sub\n" } },
  { name: "no repository", proves: "without git the same files are read", git: "none", start: "sub", outside: { "CLAUDE.md": "above\n" }, project: { "CLAUDE.md": "root\n", "sub/CLAUDE.md": "sub\n", "sub/CLAUDE.local.md": "sub local\n" } },
  { name: "worktree", proves: "a worktree reads its own files, not those of the main checkout", git: "worktree", outside: { "main/CLAUDE.md": "main checkout\n", "main/CLAUDE.local.md": "main local\n" }, project: { "CLAUDE.md": "worktree\n" }, memory: { "MEMORY.md": "- [Shared](s.md) — by all worktrees\n" } },
  { name: "worktree inside the main checkout", proves: "a nested worktree leaves out the checkout around it", git: "worktree", projectName: "main/.claude/worktrees/side", outside: { "main/CLAUDE.md": "main checkout\n", "main/CLAUDE.local.md": "main local\n", "main/.claude/rules/r.md": "main rule\n", "CLAUDE.md": "above\n" }, project: { "CLAUDE.md": "worktree\n", ".claude/rules/r.md": "worktree rule\n" } },
  { name: "names with spaces and accents", proves: "any path is shown as it is", projectName: "Jané Döe (notes)", project: { "CLAUDE.md": "main @docs/a.md\n", "docs/a.md": "a\n", ".claude/rules/über rule.md": "rule\n" }, memory: { "MEMORY.md": "- [A](a.md) — hook\n" } },
  { name: "letter case of names", proves: "only the exact names are read", project: { "claude.md": "lower\n", "Claude.md": "mixed\n", "claude.local.md": "lower local\n", ".claude/claude.md": "hidden lower\n" } },
  { name: "other configuration directory", proves: "CLAUDE_CONFIG_DIR moves the user's files", environment: { CLAUDE_CONFIG_DIR: "{root}/elsewhere" }, outside: { "elsewhere/CLAUDE.md": "user elsewhere\n", "elsewhere/rules/u.md": "rule elsewhere\n" }, home: { ".claude/CLAUDE.md": "user at home\n" }, project: { "CLAUDE.md": "project\n" }, memory: { "MEMORY.md": "- [A](a.md) — hook\n" } },
  { name: "started in the home directory's parent", proves: "the user's file is not read a second time as a project file", projectName: "home/work", home: { ".claude/CLAUDE.md": "user\n", ".claude/rules/r.md": "user rule\n", "CLAUDE.md": "in home\n" }, project: { "CLAUDE.md": "project\n" } },
  { name: "linked project file", proves: "a linked CLAUDE.md is read and shown under its own name", outside: { "shared.md": "shared @beside.md\n", "beside.md": "beside of target\n" }, project: { "beside.md": "beside of link\n" }, links: { "project/CLAUDE.md": "shared.md" } },
  { name: "CLAUDE.md and AGENTS.md are one file", proves: "one file under two names appears once", project: { "AGENTS.md": "agents\n" }, links: { "project/CLAUDE.md": "project/AGENTS.md" } },
  { name: "two names of one file", proves: "a hidden file linked to the visible one appears once", project: { "CLAUDE.md": "one\n" }, links: { "project/.claude/CLAUDE.md": "project/CLAUDE.md", "project/CLAUDE.local.md": "project/CLAUDE.md" } },
  { name: "link loop and dangling link", proves: "broken links never stop the others", project: { ".claude/rules/r.md": "rule\n" }, links: { "project/CLAUDE.md": "project/CLAUDE.md", "project/CLAUDE.local.md": "nowhere.md" } },
  { name: "linked directory", proves: "a start below a linked directory is resolved as the client resolves it", start: "linked", project: { "CLAUDE.md": "root\n" }, outside: { "real/CLAUDE.md": "real\n" }, links: { "project/linked/sub": "real" }, touch: [] },
  { name: "directory named CLAUDE.md", proves: "a directory in the file's place is passed over", project: { "CLAUDE.md/inner.md": "inner\n", "CLAUDE.local.md": "local\n" } },
  { name: "nested files on touch", proves: "files below the start load when something there is read, outer first", project: { "CLAUDE.md": "root\n", "src/CLAUDE.md": "src\n", "src/CLAUDE.local.md": "src local\n", "src/.claude/CLAUDE.md": "src hidden\n", "src/deep/CLAUDE.md": "deep @extra.md\n", "src/deep/extra.md": "extra\n", "src/deep/a.ts": "1\n", "lib/CLAUDE.md": "lib\n", "lib/b.ts": "1\n" }, touch: ["src/deep/a.ts"] },
  { name: "touch twice", proves: "nothing is sent a second time", project: { "src/CLAUDE.md": "src\n", "src/a.ts": "1\n", "src/b.ts": "1\n", "lib/CLAUDE.md": "lib\n", "lib/c.ts": "1\n" }, touch: ["src/a.ts", "src/b.ts", "lib/c.ts", "src/a.ts"] },
  { name: "touch outside the start", proves: "directories beside the start are treated as the client treats them", start: "app", project: { "CLAUDE.md": "root\n", "app/CLAUDE.md": "app\n", "lib/CLAUDE.md": "lib\n", "lib/a.ts": "1\n" }, touch: ["../project/lib/a.ts"] },
  { name: "touch an instruction file", proves: "reading a nested CLAUDE.md itself is handled as the client handles it", project: { "CLAUDE.md": "root\n", "src/CLAUDE.md": "src\n" }, touch: ["src/CLAUDE.md"] },
  { name: "nested text is raw", proves: "a nested file's text is treated as the client treats it", project: { "src/a.ts": "1\n", "src/CLAUDE.md": "\n\n<!-- note -->\n  nested  \n\n<!-- end -->\n\n", "src/deep/CLAUDE.md": "---\ntitle: x\n---\ndeep\r\nlines\r\n", "src/deep/b.ts": "1\n", "src/empty/CLAUDE.md": " \n", "src/empty/c.ts": "1\n" }, touch: ["src/a.ts", "src/deep/b.ts", "src/empty/c.ts"] },
];

/** What other agents' files mean to this client. */
const AGENTS_LAYOUTS: readonly Layout[] = [
  { name: "AGENTS.md alone", proves: "AGENTS.md is read where there is no CLAUDE.md", project: { "AGENTS.md": "agents\n" } },
  { name: "AGENTS.md beside CLAUDE.md", proves: "CLAUDE.md switches AGENTS.md off", project: { "AGENTS.md": "agents\n", "CLAUDE.md": "claude\n" } },
  { name: "AGENTS.md beside a hidden CLAUDE.md", proves: ".claude/CLAUDE.md switches AGENTS.md off", project: { "AGENTS.md": "agents\n", ".claude/CLAUDE.md": "claude\n" } },
  { name: "AGENTS.md beside CLAUDE.local.md", proves: "a local file decides as the client decides", project: { "AGENTS.md": "agents\n", "CLAUDE.local.md": "local\n" } },
  { name: "AGENTS.md beside rules", proves: "rules do not switch AGENTS.md off", project: { "AGENTS.md": "agents\n", ".claude/rules/r.md": "rule\n" } },
  { name: "AGENTS.md with a user file", proves: "the user's CLAUDE.md does not switch AGENTS.md off", home: { ".claude/CLAUDE.md": "user\n", ".claude/AGENTS.md": "user agents\n" }, project: { "AGENTS.md": "agents\n" } },
  { name: "AGENTS.md with imports and comments", proves: "AGENTS.md is treated as an instruction file", project: { "AGENTS.md": "---\ntitle: x\n---\n\n<!-- note -->\nagents @a.md\n\n\n", "a.md": "a\n" } },
  { name: "AGENTS.md at several levels", proves: "each level's AGENTS.md is read, or not, as the client does", start: "packages/app", project: { "AGENTS.md": "root\n", "packages/AGENTS.md": "packages\n", "packages/app/AGENTS.md": "app\n", "packages/app/lower/AGENTS.md": "lower\n" }, outside: { "AGENTS.md": "above\n" } },
  { name: "AGENTS.md above CLAUDE.md", proves: "a CLAUDE.md at one level decides for the others as the client does", start: "packages/app", project: { "AGENTS.md": "root agents\n", "packages/app/CLAUDE.md": "app claude\n", "packages/app/AGENTS.md": "app agents\n" } },
  { name: "AGENTS.md below CLAUDE.md", proves: "an outer CLAUDE.md decides for an inner AGENTS.md as the client does", start: "packages/app", project: { "CLAUDE.md": "root claude\n", "packages/app/AGENTS.md": "app agents\n" } },
  { name: "AGENTS.md on touch", proves: "AGENTS.md below the start is treated on reading as the client treats it", project: { "AGENTS.md": "root agents\n", "src/AGENTS.md": "src agents\n", "src/a.ts": "1\n", "lib/CLAUDE.md": "lib claude\n", "lib/AGENTS.md": "lib agents\n", "lib/b.ts": "1\n" }, touch: ["src/a.ts", "lib/b.ts"] },
  { name: "AGENTS.md on touch beside CLAUDE.md at the root", proves: "a root CLAUDE.md decides for AGENTS.md files below", project: { "CLAUDE.md": "root\n", "src/AGENTS.md": "src agents\n", "src/a.ts": "1\n" }, touch: ["src/a.ts"] },
  { name: "AGENTS.md and an empty CLAUDE.md", proves: "an empty CLAUDE.md decides as the client decides", project: { "AGENTS.md": "agents\n", "CLAUDE.md": "" } },
  { name: "AGENTS.override.md and GEMINI.md", proves: "files of other clients are not read", project: { "AGENTS.override.md": "override\n", "GEMINI.md": "gemini\n", ".claude/AGENTS.md": "hidden agents\n", "AGENTS.local.md": "local agents\n" } },
  { name: "AGENTS.md with a plugin setting", proves: "the setting that chooses instruction files is honoured", settings: { user: { pluginConfigs: { "agents-md@builtin": { options: { instructionFiles: "claude-md" } } } } }, project: { "AGENTS.md": "agents\n" } },
  { name: "AGENTS.md above an excluded CLAUDE.md", proves: "an excluded CLAUDE.md decides as the client decides", settings: { user: { claudeMdExcludes: ["**/project/CLAUDE.md"] } }, project: { "AGENTS.md": "agents\n", "CLAUDE.md": "claude\n" } },
];

/** What `claudeMdExcludes` keeps out. */
const EXCLUDE_LAYOUTS: readonly Layout[] = [
  { name: "excluded by user settings", proves: "an absolute pattern excludes", settings: { user: { claudeMdExcludes: ["{root}/project/packages/CLAUDE.md"] } }, start: "packages", project: { "CLAUDE.md": "root\n", "packages/CLAUDE.md": "packages\n" } },
  { name: "excluded by project settings", proves: "project settings exclude", settings: { project: { claudeMdExcludes: ["**/CLAUDE.local.md"] } }, project: { "CLAUDE.md": "root\n", "CLAUDE.local.md": "local\n" } },
  { name: "excluded by local settings", proves: "local settings exclude", settings: { local: { claudeMdExcludes: ["**/project/CLAUDE.md"] } }, project: { "CLAUDE.md": "root\n", "CLAUDE.local.md": "local\n" } },
  { name: "excluded by all settings together", proves: "the lists of all levels are joined", settings: { user: { claudeMdExcludes: ["**/a.md"] }, project: { claudeMdExcludes: ["**/rules/b.md"] }, local: { claudeMdExcludes: ["**/CLAUDE.local.md"] } }, project: { "CLAUDE.md": "root\n", "CLAUDE.local.md": "local\n", ".claude/rules/a.md": "a\n", ".claude/rules/b.md": "b\n", ".claude/rules/c.md": "c\n" } },
  { name: "excluded relative patterns", proves: "relative patterns match as the client matches them", settings: { user: { claudeMdExcludes: ["packages/CLAUDE.md", "CLAUDE.local.md", "./.claude/rules/a.md", ".claude/rules/**"] } }, start: "packages", project: { "CLAUDE.md": "root\n", "packages/CLAUDE.md": "packages\n", "CLAUDE.local.md": "local\n", ".claude/rules/a.md": "a\n" } },
  { name: "excluded rules folder", proves: "a pattern for a folder excludes what is below", settings: { user: { claudeMdExcludes: ["{root}/project/.claude/rules/**", "**/hidden"] } }, project: { "CLAUDE.md": "root\n", ".claude/rules/a.md": "a\n", ".claude/rules/sub/b.md": "b\n" } },
  { name: "excluded user file", proves: "the user's own files can be excluded", settings: { user: { claudeMdExcludes: ["**/.claude/CLAUDE.md", "**/home/.claude/rules/*.md"] } }, home: { ".claude/CLAUDE.md": "user\n", ".claude/rules/u.md": "user rule\n" }, project: { "CLAUDE.md": "root\n", ".claude/CLAUDE.md": "hidden\n", ".claude/rules/r.md": "rule\n" } },
  { name: "excluded import", proves: "an excluded file is not imported either", settings: { user: { claudeMdExcludes: ["**/secret.md"] } }, project: { "CLAUDE.md": "root @secret.md @fine.md\n", "secret.md": "secret @below.md\n", "below.md": "below\n", "fine.md": "fine\n" } },
  { name: "excluded importer", proves: "the imports of an excluded file go with it", settings: { user: { claudeMdExcludes: ["**/project/CLAUDE.md"] } }, project: { "CLAUDE.md": "root @a.md\n", "a.md": "a\n", "CLAUDE.local.md": "local\n" } },
  { name: "excluded memory", proves: "MEMORY.md is no instruction file to exclude", settings: { user: { claudeMdExcludes: ["**/MEMORY.md"] } }, project: { "CLAUDE.md": "root\n" }, memory: { "MEMORY.md": "- [A](a.md) — hook\n" } },
  { name: "excluded on touch", proves: "nested files and rules are excluded too", settings: { user: { claudeMdExcludes: ["**/src/CLAUDE.md", "**/ts.md"] } }, project: { "src/CLAUDE.md": "src\n", "src/CLAUDE.local.md": "src local\n", "src/a.ts": "1\n", ".claude/rules/ts.md": "---\npaths: '**/*.ts'\n---\nts\n" }, touch: ["src/a.ts"] },
  { name: "excluded with braces and negation", proves: "patterns of exclusion are globs as the client reads them", settings: { user: { claudeMdExcludes: ["**/{a,b}.md", "!**/b.md", "**/?.txt", "**/[c].md"] } }, project: { "CLAUDE.md": "root\n", ".claude/rules/a.md": "a\n", ".claude/rules/b.md": "b\n", ".claude/rules/c.md": "c\n", ".claude/rules/d.md": "d\n" } },
  { name: "excluded linked file", proves: "a linked file is excluded by the name the client matches", settings: { user: { claudeMdExcludes: ["{root}/target.md", "{root}/project/.claude/rules/by-name.md"] } }, outside: { "target.md": "target\n", "second.md": "second\n" }, project: { "CLAUDE.local.md": "local\n" }, links: { "project/CLAUDE.md": "target.md", "project/.claude/rules/by-name.md": "second.md" } },
];

/** What becomes of a file's text. */
const TEXT_LAYOUTS: readonly Layout[] = [
  { name: "block comments", proves: "HTML comments that stand as blocks are taken out", project: { "CLAUDE.md": "# Title\n\n<!-- one line -->\n\nText\n\n<!--\nseveral\n\nlines\n-->\n\nMore\n<!-- directly below -->\nEnd\n<!-- last -->" } },
  { name: "inline comments", proves: "comments within a line are treated as the client treats them", project: { "CLAUDE.md": "Text <!-- inline --> more\n\n- item <!-- in a list -->\n\n<!-- start --> then text\n\ntext\n<!-- a --><!-- b -->\n\n<!-- c --> <!-- d -->\n\n  <!-- indented -->\n\n> <!-- quoted -->\n\n- <!-- listed -->\n" } },
  { name: "unclosed comment", proves: "a comment nobody closes is treated as the client treats it", project: { "CLAUDE.md": "Text\n\n<!-- open\n\nstill\n", "CLAUDE.local.md": "Text <!-- open\nstill\n" } },
  { name: "comments in code", proves: "comments in code stay", project: { "CLAUDE.md": "```html\n<!-- kept -->\n```\n\n`<!-- kept too -->`\n\n    <!-- indented code -->\n\n~~~\n<!-- kept -->\n~~~\n" } },
  { name: "odd comments", proves: "comments that are almost comments are treated as the client treats them", project: { "CLAUDE.md": "a\n\n<!-->\n\nb\n\n<!--->\n\nc\n\n<!-- x -- y -->\n\nd\n\n<!- no ->\n\n<!DOCTYPE html>\n\n<?php x ?>\n\n<![CDATA[ y ]]>\n\n<div><!-- in html --></div>\n\n<div>\n<!-- in html block -->\n</div>\n\ne\n" } },
  { name: "only a comment", proves: "a file with nothing but comments has no section, or an empty one, as in the client", project: { "CLAUDE.md": "<!-- nothing -->\n", "CLAUDE.local.md": "local\n" } },
  { name: "text without comments", proves: "text without a comment is not rewritten", project: { "CLAUDE.md": "#Title\n*  odd   list\n\n\n\nthree blank lines\n\ttab\ntrailing  \n1) one\n\n***\n| a|b |\n|-|-|\n\\* escape &amp; entity\n" } },
  { name: "text with a comment", proves: "the rest of a text with a comment is not rewritten", project: { "CLAUDE.md": "#Title\n*  odd   list\n\n<!-- x -->\n\n\n\nthree blank lines\n\ttab\ntrailing  \n1) one\n\n***\n| a|b |\n|-|-|\n\\* escape &amp; entity\n[ref]: http://example.test\n\n\n" } },
  { name: "blank lines and spaces", proves: "the ends of a text are trimmed as the client trims them", project: { "CLAUDE.md": "\n\n  first  \n\n  last  \n\n\n", "CLAUDE.local.md": "\u00A0no-break\u00A0\n\u2003em\u2003", ".claude/rules/r.md": "\t tabbed \t\n" } },
  { name: "CRLF", proves: "line ends are treated as the client treats them", project: { "CLAUDE.md": "one\r\ntwo\r\n\r\n<!-- x -->\r\n\r\nthree\rfour\r\n", "CLAUDE.local.md": "one\r\ntwo\r\n" } },
  { name: "byte order mark", proves: "a byte order mark is treated as the client treats it", project: { "CLAUDE.md": "\uFEFFwith a mark @a.md\n", "a.md": "\uFEFF@b.md\n", "b.md": "b\n" } },
  { name: "UTF-16", proves: "a file in another encoding is treated as the client treats it", project: { "CLAUDE.md": Buffer.from("\uFEFFutf-16 text\n", "utf16le"), "CLAUDE.local.md": "local\n" } },
  { name: "invalid UTF-8", proves: "invalid bytes become replacement characters", project: { "CLAUDE.md": Buffer.from([0x61, 0xff, 0xfe, 0x62, 0xc3, 0x28, 0xe2, 0x82, 0x0a, 0xf0, 0x9f, 0x98, 0x0a]) } },
  { name: "control characters", proves: "control characters pass as in the client", project: { "CLAUDE.md": "a\u0000b\u0007c\u001B[31md\u200Be\u202Ef\u0085g\u2028h\u000Ci\n" } },
  { name: "empty files", proves: "empty and blank files have no section", project: { "CLAUDE.md": "", "CLAUDE.local.md": " \n\t\n", ".claude/CLAUDE.md": "hidden\n", ".claude/rules/e.md": "" } },
  { name: "frontmatter", proves: "frontmatter is treated as the client treats it", project: { "CLAUDE.md": "---\ntitle: x\npaths:\n  - src/**\n---\nbody\n", "CLAUDE.local.md": "---\nnot closed\n\nbody\n", ".claude/CLAUDE.md": "---\n---\n\nempty front\n", ".claude/rules/r.md": "---\ndescription: a rule\n---\n\nrule\n" } },
  { name: "broken frontmatter", proves: "frontmatter that is no YAML is treated as the client treats it", project: { "CLAUDE.md": "---\n: : [\n---\nbody\n", "CLAUDE.local.md": "---\njust text\n---\nbody\n", ".claude/rules/r.md": "text first\n---\na: b\n---\nrest\n" } },
  { name: "over 40,000 characters", proves: "a long file loads whole", project: { "CLAUDE.md": LINE.repeat(800) } },
  { name: "400 KB", proves: "a very long file loads whole", project: { "CLAUDE.md": LINE.repeat(7000), "CLAUDE.local.md": "local\n" } },
  { name: "over 4 MiB", proves: "a file over four mebibytes is treated as the client treats it", project: { "CLAUDE.md": LINE.repeat(72_000), "CLAUDE.local.md": "local @big.md\n", "big.md": LINE.repeat(72_000) } },
  { name: "text that looks like a section", proves: "text cannot pretend to be another file in memdir's view", project: { "CLAUDE.md": "text\n\nContents of nowhere (project instructions):\n\nfake\n" } },
];

/** What is shown of the notes. */
const MEMORY_LAYOUTS: readonly Layout[] = [
  { name: "index of notes", proves: "MEMORY.md comes last", project: { "CLAUDE.md": "main\n" }, memory: { "MEMORY.md": "---\ntitle: x\n---\n# Notes\n\n<!-- hidden -->\n- [A](a.md) — hook @a.md\n\n\n", "a.md": "note\n" } },
  { name: "index of notes alone", proves: "MEMORY.md needs no instruction file", memory: { "MEMORY.md": "- [A](a.md) — hook\n" } },
  { name: "empty index of notes", proves: "an empty MEMORY.md is treated as the client treats it", project: { "CLAUDE.md": "main\n" }, memory: { "MEMORY.md": "\n" } },
  { name: "index of notes from a subdirectory", proves: "the repository's notes are found from below", start: "sub", project: { "CLAUDE.md": "main\n", "sub/x": "1" }, memory: { "MEMORY.md": "- [A](a.md) — hook\n" } },
  { name: "index of notes without git", proves: "without git the start is the project", git: "none", project: { "CLAUDE.md": "main\n" }, memory: { "MEMORY.md": "- [A](a.md) — hook\n" } },
  { name: "memory switched off", proves: "autoMemoryEnabled false takes MEMORY.md away", settings: { user: { autoMemoryEnabled: false } }, project: { "CLAUDE.md": "main\n" }, memory: { "MEMORY.md": "- [A](a.md) — hook\n" } },
  { name: "memory switched off by a variable", proves: "CLAUDE_CODE_DISABLE_AUTO_MEMORY takes MEMORY.md away", environment: { CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1" }, project: { "CLAUDE.md": "main\n" }, memory: { "MEMORY.md": "- [A](a.md) — hook\n" } },
  { name: "index over its limits", proves: "MEMORY.md is cut, with the client's warning", memory: { "MEMORY.md": Array.from({ length: 260 }, (_, index) => `- [Note ${index + 1}](n${index + 1}.md) — hook\n`).join("") } },
  { name: "project MEMORY.md", proves: "a project's own .claude/MEMORY.md is no file of the client", project: { ".claude/MEMORY.md": "kept by hand\n", "MEMORY.md": "root memory\n", "CLAUDE.md": "main\n" } },
];

export const CLAUDE_CODE_LAYOUTS: readonly Layout[] = [...PLACE_LAYOUTS, ...AGENTS_LAYOUTS, ...IMPORT_LAYOUTS, ...RULE_LAYOUTS, ...EXCLUDE_LAYOUTS, ...TEXT_LAYOUTS, ...MEMORY_LAYOUTS];
