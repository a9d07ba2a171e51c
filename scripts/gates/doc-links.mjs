/** Links between pages: missing files, and anchors without a heading. Usage: node scripts/gates/doc-links.mjs [ROOT] */
import { existsSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import MarkdownIt from "markdown-it";
import { listFiles, readText } from "./files.mjs";
import { isMain, report } from "./report.mjs";

const markdown = new MarkdownIt({ html: true });

/** The anchor that GitHub makes of a heading. */
export function slug(words) {
  return words
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, "")
    .replaceAll(" ", "-");
}

/** The text of a heading without markup. */
function plain({ children }) {
  return children.map(({ type, content }) => (type === "text" || type === "code_inline" ? content : "")).join("");
}

/** The anchors of a page; a repeated heading gets `-1`. */
function anchorsOf(tokens) {
  const seen = new Map();
  return new Set(
    tokens.flatMap(({ type }, at) => {
      if (type !== "heading_open") return [];
      const name = slug(plain(tokens[at + 1]));
      const times = seen.get(name) ?? 0;
      seen.set(name, times + 1);
      return times === 0 ? name : `${name}-${times}`;
    }),
  );
}

function linksOf(tokens) {
  return tokens.flatMap(({ children, map }) =>
    (children ?? []).flatMap((child) => {
      const href = child.attrGet("href") ?? child.attrGet("src");
      return href === null ? [] : { href, line: (map?.[0] ?? 0) + 1 };
    }),
  );
}

export function checkLinks(root) {
  const paths = listFiles(root).filter((path) => /^(?:docs\/.*|[^/]*)\.md$/u.test(path));
  const pages = new Map(paths.map((path) => [path, markdown.parse(readText(join(root, path)) ?? "", {})]));
  const problem = (path, href) => {
    if (/^[a-z][a-z+.-]*:/iu.test(href)) return undefined;
    const [file, anchor] = href.split("#").map((part) => decodeURIComponent(part));
    const target = file === "" ? path : relative(root, join(root, dirname(path), file)).replaceAll("\\", "/");
    if (target.startsWith("..") || !existsSync(join(root, target))) return "no such file";
    if (anchor === undefined || statSync(join(root, target)).isDirectory()) return undefined;
    const page = pages.get(target);
    return page === undefined || anchorsOf(page).has(anchor) ? undefined : "no such heading";
  };
  const findings = [...pages].flatMap(([path, tokens]) =>
    linksOf(tokens).flatMap(({ href, line }) => {
      const wrong = problem(path, href);
      return wrong === undefined ? [] : { rule: "doc-link", path, line, message: `${href}: ${wrong}` };
    }),
  );
  return { checked: paths.length, findings };
}

if (isMain(import.meta.url)) process.exitCode = report("links", checkLinks(process.argv[2] ?? process.cwd()));
