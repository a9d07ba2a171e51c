import type { Layout } from "./layout.ts";

const LINE = "A line of text that stands for many others in a long file.\n";
const BROKEN_BYTES = [0x61, 0xff, 0xfe, 0x62, 0xc3, 0x28, 0xe2, 0x82, 0x0a, 0xf0, 0x9f, 0x98, 0x0a];

/** Questions that every client answers about the file it reads in a directory, whatever that file is called. */
export function commonLayouts(name: string): readonly Layout[] {
  return [...placeLayouts(name), ...linkLayouts(name), ...textLayouts(name), ...touchLayouts(name)];
}

function placeLayouts(name: string): readonly Layout[] {
  const lower = name.toLowerCase();
  return [
    { name: "nothing", proves: "no files, no sections", project: { "README.md": "x\n" } },
    { name: "one file", proves: "the file beside the start is read", project: { [name]: "root\n" } },
    {
      name: "subdirectory start",
      proves: "files from the root down to the start are read, in the client's order",
      start: "packages/app",
      outside: { [name]: "above\n" },
      project: {
        [name]: "root\n",
        [`packages/${name}`]: "packages\n",
        [`packages/app/${name}`]: "app\n",
        [`packages/app/lower/${name}`]: "lower\n",
        [`packages/other/${name}`]: "other\n",
      },
    },
    {
      name: "gap between levels",
      proves: "directories without a file are passed over",
      start: "a/b/c",
      project: { [name]: "root\n", [`a/b/${name}`]: "middle\n", "a/b/c/x.txt": "x" },
    },
    {
      name: "no repository",
      proves: "without git the client decides how far up it looks",
      git: "none",
      start: "sub",
      outside: { [name]: "above\n" },
      project: { [name]: "root\n", [`sub/${name}`]: "sub\n" },
    },
    {
      name: "repository around the project",
      proves: "a repository above the project is its root",
      git: "outside",
      outside: { [name]: "outer\n" },
      project: { [name]: "project\n" },
    },
    {
      name: "worktree",
      proves: "a worktree reads its own files, not those of the main checkout",
      git: "worktree",
      start: "sub",
      outside: { [`main/${name}`]: "main checkout\n", [name]: "above\n" },
      project: { [name]: "worktree\n", [`sub/${name}`]: "sub\n" },
    },
    {
      name: "worktree inside the main checkout",
      proves: "a nested worktree leaves out the checkout around it",
      git: "worktree",
      projectName: "main/trees/side",
      outside: { [`main/${name}`]: "main checkout\n", [`main/trees/${name}`]: "trees\n" },
      project: { [name]: "worktree\n" },
    },
    {
      name: "repository within the repository",
      proves: "the inner repository is a root of its own",
      start: "inner",
      project: {
        [name]: "outer\n",
        "inner/.git/HEAD": "ref: refs/heads/main\n",
        "inner/.git/objects/keep": "",
        "inner/.git/refs/keep": "",
        [`inner/${name}`]: "inner\n",
      },
    },
    {
      name: "a .git that is a file",
      proves: "a broken .git file marks a root as the client takes it",
      git: "none",
      start: "sub",
      outside: { [name]: "above\n" },
      project: { ".git": "gitdir: nowhere\n", [name]: "root\n", [`sub/${name}`]: "sub\n" },
    },
    {
      name: "a .git that is an empty directory",
      proves: "an empty .git directory marks a root as the client takes it",
      git: "none",
      start: "sub",
      outside: { [name]: "above\n" },
      project: { ".git/keep": "", [name]: "root\n", [`sub/${name}`]: "sub\n" },
    },
    {
      name: "names with spaces and accents",
      proves: "any path is shown as it is",
      projectName: "Jané Döe (notes)",
      start: "über files",
      project: { [name]: "root\n", [`über files/${name}`]: "sub\n" },
    },
    {
      name: "letter case of names",
      proves: "only the exact name is read",
      project: { [lower]: "lower\n", [name.replace(".md", ".MD")]: "upper ending\n" },
    },
    {
      name: "started in the home directory",
      proves: "the home directory is a project like any other",
      git: "none",
      projectName: "home",
      project: { [name]: "in home\n" },
    },
    {
      name: "project below the home directory",
      proves: "without git a file in the home directory is treated as the client treats it",
      git: "none",
      projectName: "home/work",
      home: { [name]: "in home\n" },
      project: { [name]: "work\n" },
    },
  ];
}

function linkLayouts(name: string): readonly Layout[] {
  return [
    {
      name: "linked file",
      proves: "a linked file is read and shown under its own name",
      outside: { "shared.md": "shared\n" },
      links: { [`project/${name}`]: "shared.md" },
    },
    {
      name: "dangling link",
      proves: "a link to nothing stops nothing",
      start: "sub",
      project: { [`sub/${name}`]: "sub\n" },
      links: { [`project/${name}`]: "nowhere.md" },
    },
    {
      name: "link loop",
      proves: "a link in a circle has the outcome it has in the client",
      start: "sub",
      project: { [`sub/${name}`]: "sub\n" },
      links: { [`project/${name}`]: `project/${name}` },
    },
    {
      name: "one file at two levels",
      proves: "a file that is reached by two paths appears as often as in the client",
      start: "sub",
      project: { [name]: "one\n", "sub/x.txt": "x" },
      links: { [`project/sub/${name}`]: `project/${name}` },
    },
    {
      name: "directory in the file's place",
      proves: "a directory of that name is passed over",
      start: "sub",
      project: { [`${name}/inner.md`]: "inner\n", [`sub/${name}`]: "sub\n" },
    },
  ];
}

function textLayouts(name: string): readonly Layout[] {
  return [
    {
      name: "CRLF",
      proves: "line ends are treated as the client treats them",
      project: { [name]: "one\r\ntwo\r\n\r\nthree\rfour\r\n" },
    },
    {
      name: "byte order mark",
      proves: "a byte order mark is treated as the client treats it",
      project: { [name]: "\uFEFFwith a mark\n" },
    },
    {
      name: "empty file",
      proves: "an empty file is no section",
      start: "sub",
      project: { [name]: "", [`sub/${name}`]: "sub\n" },
    },
    {
      name: "blank file",
      proves: "a file of white space is treated as the client treats it",
      start: "sub",
      project: { [name]: " \n\t\n", [`sub/${name}`]: "sub\n" },
    },
    {
      name: "empty file beside the start",
      proves: "an empty nearest file does not hide the others",
      start: "sub",
      project: { [name]: "root\n", [`sub/${name}`]: "" },
    },
    {
      name: "blank lines and spaces",
      proves: "the ends of a text are trimmed as the client trims them",
      start: "sub",
      project: { [name]: "\n\n  first  \n\n  last  \n\n\n", [`sub/${name}`]: "\u00A0no-break\u00A0\n\u2003em\u2003" },
    },
    {
      name: "invalid UTF-8",
      proves: "invalid bytes become the client's replacement characters",
      project: { [name]: Buffer.from(BROKEN_BYTES) },
    },
    {
      name: "control characters",
      proves: "control characters pass as in the client",
      project: { [name]: "a\u0000b\u0007c\u200Be\u202Ef\u0085g\u2028h\u000Ci\n" },
    },
    {
      name: "comments and frontmatter",
      proves: "HTML comments and frontmatter are treated as the client treats them",
      project: {
        [name]: "---\ntitle: x\n---\n\ntext\n\n<!-- one line -->\n\n<!--\nseveral\n-->\nend <!-- inline -->\n",
      },
    },
    {
      name: "over 40,000 characters",
      proves: "a long file has the length it has in the client",
      start: "sub",
      project: { [name]: LINE.repeat(800), [`sub/${name}`]: "sub\n" },
    },
    {
      name: "400 KB",
      proves: "a very long file has the length it has in the client",
      project: { [name]: LINE.repeat(7000) },
    },
  ];
}

function touchLayouts(name: string): readonly Layout[] {
  return [
    {
      name: "nested files on touch",
      proves: "files below the start join as in the client when something there is read",
      project: {
        [name]: "root\n",
        [`src/${name}`]: "src\n",
        [`src/deep/${name}`]: "deep\n",
        "src/deep/a.ts": "1\n",
        [`lib/${name}`]: "lib\n",
      },
      touch: ["src/deep/a.ts"],
    },
    {
      name: "touch twice",
      proves: "nothing is sent a second time",
      project: {
        [`src/${name}`]: "src\n",
        "src/a.ts": "1\n",
        "src/b.ts": "1\n",
        [`lib/${name}`]: "lib\n",
        "lib/c.ts": "1\n",
      },
      touch: ["src/a.ts", "src/b.ts", "lib/c.ts", "src/a.ts"],
    },
    {
      name: "touch beside the start",
      proves: "directories beside the start are treated as the client treats them",
      start: "app",
      project: { [name]: "root\n", [`app/${name}`]: "app\n", [`lib/${name}`]: "lib\n", "lib/a.ts": "1\n" },
      touch: ["lib/a.ts"],
    },
    {
      name: "touch outside the project",
      proves: "directories outside the project are treated as the client treats them",
      outside: { [`other/${name}`]: "other\n", "other/a.ts": "1\n" },
      project: { [name]: "root\n" },
      touch: ["../other/a.ts"],
    },
    {
      name: "touch an instruction file",
      proves: "reading a nested instruction file itself is handled as the client handles it",
      project: { [name]: "root\n", [`src/${name}`]: "src\n" },
      touch: [`src/${name}`],
    },
    {
      name: "nested text on touch",
      proves: "a nested file's text is treated as the client treats it",
      project: {
        [`src/${name}`]: "\n\n  nested\r\nlines  \n\n",
        "src/a.ts": "1\n",
        [`blank/${name}`]: " \n",
        "blank/b.ts": "1\n",
        [`empty/${name}`]: "",
        "empty/c.ts": "1\n",
      },
      touch: ["src/a.ts", "blank/b.ts", "empty/c.ts"],
    },
  ];
}
