/** Makes the pages of the site from docs/, the README and the table of clients; needs a build. Usage: node pages.mjs */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { AGENT_TITLES } from "../dist/core/install/agents.js";
import { CLIENTS, PRINTED } from "../dist/core/install/clients.js";
import { targetsOf } from "../dist/app/install/targets.js";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(HERE);
const PAGES = join(HERE, "pages");
const { homepage } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const SOURCE = `${homepage.replace(/#.*$/u, "")}/blob/main`;

/** The order of the menu; what is in no topic comes under the last. */
const NAMED = {
  Begin: ["install", "tour", "clients", "openclaw", "hermes", "end-to-end"],
  "Every day": [
    "recall",
    "capture",
    "capture-rules",
    "modes",
    "scopes",
    "time",
    "checkpoints",
    "session-notes",
    "daily-logs",
    "past",
    "skills",
    "dream",
    "web",
  ],
  Together: ["sync", "server", "memory-api"],
  "Build on it": ["library", "mcp", "hooks", "models"],
};
const PAGE_NAMES = readdirSync(join(ROOT, "docs")).filter((file) => file.endsWith(".md"));
const filesOf = (names) => names.map((name) => `${name}.md`).filter((file) => PAGE_NAMES.includes(file));
const listed = new Set(filesOf(Object.values(NAMED).flat()));
export const TOPICS = [
  ...Object.entries(NAMED).map(([text, names]) => ({ text, files: filesOf(names) })),
  { text: "In depth", files: PAGE_NAMES.filter((file) => !listed.has(file)) },
];

/** The first heading of a page that was made. */
export function titleOf(file) {
  const [, title] = /^# (.+)$/mu.exec(readFileSync(join(PAGES, file), "utf8")) ?? [];
  return title ?? file;
}

/** Links of `page`, a path of the repository, as they are on the site: what is not on it leads to the source. */
function withLinks(page, text) {
  return text.replace(/(\]\()([^)\s#:]+)(?=[)#])/gu, (whole, before, target) => {
    const path = posix.normalize(posix.join(posix.dirname(page), target));
    if (path === "README.md") return `${before}/index.md`;
    if (path.startsWith("docs/") && existsSync(join(ROOT, path))) return `${before}/${path.slice(5)}`;
    return target.startsWith("/") ? whole : `${before}${SOURCE}/${path}`;
  });
}

const EXAMPLE = {
  node: "/usr/bin/node",
  hook: "/usr/lib/node_modules/memdir/dist/hook.cjs",
  command: "/usr/lib/node_modules/memdir/dist/memdir.cjs",
};
const PLACES = {
  claude: "~/.claude",
  claudeState: "~/.claude.json",
  codex: "~/.codex",
  gemini: "~/.gemini",
  opencode: "~/.config/opencode",
  project: ".",
  others: Object.fromEntries(Object.entries(CLIENTS).map(([name, { directory }]) => [name, directory])),
};

function fenced(language, text) {
  return `~~~~${language}\n${text.trim()}\n~~~~`;
}

function targetText(target) {
  const head = `\`${target.file}\`, ${target.what}:`;
  if (target.kind === "json") return `${head}\n\n${fenced("json", JSON.stringify(target.tree, undefined, 2))}`;
  if (target.kind === "toml")
    return `${head}\n\n${fenced("toml", `[mcp_servers.memdir]\ncommand = ${JSON.stringify(target.command)}\nargs = ${JSON.stringify(target.args)}`)}`;
  return `${head} a file of memdir's own.`;
}

function installPage(name, title, { review = [], seen = "run", wantsRule = false } = {}) {
  const written = [
    ["For you", "user"],
    ["For a project, with `--project`", "project"],
  ].flatMap(([heading, scope]) => {
    const targets = targetsOf(name, scope, PLACES, EXAMPLE, () => false);
    return targets.length === 0 ? [] : [`### ${heading}`, ...targets.map(targetText)];
  });
  return [
    `# ${title}`,
    fenced("sh", `memdir install ${name}`),
    "shows each change, asks and makes it; `--dry-run` only shows.",
    ...(seen === "run" ? [] : ["Written from the documentation of its makers, and not tried with the client itself."]),
    ...(wantsRule
      ? [
          "It has no hooks that recall before each prompt: `--rule` adds a line to `AGENTS.md` that tells the agent to use its memory.",
        ]
      : []),
    ...(review.length === 0 ? [] : ["## What is left for you", ...review]),
    "## What is written",
    ...written,
    "## Taking it out",
    fenced("sh", `memdir uninstall ${name}`),
    "gives every file its bytes back and keeps your notes. [More about installing](/install.md)",
  ].join("\n\n");
}

function printedPage(name, { title, file, text }) {
  return [
    `# ${title}`,
    fenced("sh", `memdir install ${name}`),
    `prints what to put into \`${file}\`, and changes nothing:`,
    fenced(file.endsWith(".yaml") ? "yaml" : "json", text(EXAMPLE)),
    "Written from the documentation of its makers, and not tried with the client itself.",
  ].join("\n\n");
}

/** One page a client, from the tables that `memdir install` works with. */
export function clientPages() {
  const page = (name, text) => ({ file: `clients/${name}.md`, text: `${text}\n` });
  return [
    ...Object.entries(AGENT_TITLES).map(([name, title]) => page(name, installPage(name, title))),
    ...Object.entries(CLIENTS).map(([name, client]) => page(name, installPage(name, client.title, client))),
    ...Object.entries(PRINTED).map(([name, client]) => page(name, printedPage(name, client))),
  ];
}

function makePages() {
  rmSync(PAGES, { recursive: true, force: true });
  cpSync(join(ROOT, "docs"), PAGES, { recursive: true });
  const put = (file, text) => {
    mkdirSync(dirname(join(PAGES, file)), { recursive: true });
    writeFileSync(join(PAGES, file), text);
  };
  const pages = readdirSync(PAGES, { recursive: true }).map((file) => String(file).replaceAll("\\", "/"));
  for (const file of pages.filter((one) => one.endsWith(".md")))
    put(file, withLinks(`docs/${file}`, readFileSync(join(PAGES, file), "utf8")));
  put("index.md", withLinks("README.md", readFileSync(join(ROOT, "README.md"), "utf8")));
  for (const { file, text } of clientPages()) put(file, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) makePages();
