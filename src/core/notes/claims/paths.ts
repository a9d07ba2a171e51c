const SOURCE =
  "ts|tsx|mts|cts|js|jsx|mjs|cjs|py|pyi|rs|go|java|kt|kts|rb|php|c|h|cc|cpp|cxx|hpp|hh|cs|fs|swift|scala|clj|ex|exs|erl|hs|ml|lua|pl|r|jl|dart|zig|nim|vue|svelte|astro|sh|bash|zsh|ps1|bat|sql|css|scss|sass|less|html|proto|graphql|gql|tf|hcl|wgsl|glsl|hlsl|cu|mm|gd|sol|prisma|toml|gradle|csproj|sln|cmake";
const OTHER =
  "json|jsonc|json5|jsonl|yaml|yml|md|mdx|rst|txt|xml|ini|cfg|conf|lock|env|example|csv|tsv|svg|png|jpg|pdf|ipynb|snap|patch|properties|plist|wasm|map|log|db|service|j2|tmpl|ejs|hbs";
const FILE_NAME = new RegExp(
  String.raw`[^/.][^/]*\.(?:${SOURCE}|${OTHER})$|(?:^|/)(?:Dockerfile|Makefile|Justfile|Procfile|Gemfile|Rakefile|Jenkinsfile|LICENSE|CODEOWNERS)$|(?:^|/)\.[a-z]\w*(?:rc|ignore|attributes|config)$`,
  "u",
);
const SOURCE_NAME = new RegExp(
  String.raw`^[\w@][\w.@+-]*\.(?:${SOURCE}|json|ya?ml)$|^(?:Dockerfile|Makefile|Justfile|Procfile|Gemfile|README\.md|AGENTS\.md|CLAUDE\.md|CONTRIBUTING\.md)$`,
  "u",
);

/** Products that are written like a file. */
const PRODUCT =
  /^(?:node|next|nuxt|vue|react|three|d3|express|ember|backbone|chart|discord|moment|p5|bun|deno|nest|solid|alpine|angular|require|socket|ember|knockout|handlebars|mustache|zone|day|video|plotly|konva|matter|phaser|babylon|pixi|hono|electron|asp|ml|draw|paper|fabric|anime|gulp|grunt|raphael|leaflet|polyfill)\.(?:js|io|net|ts|cs)$/iu;

/** First directories that nobody mistakes for a branch, an organisation or "and/or". */
const USUAL_DIRECTORY =
  /^(?:\.github|\.vscode|\.circleci|\.husky|\.claude|src|lib|libs|test|tests|spec|specs|docs?|scripts|packages|apps|crates|cmd|internal|pkg|backend|frontend|bench|benchmarks|examples|migrations|terraform|e2e|fixtures)$/u;

const SEGMENT = /^[\p{L}\p{N}\p{M}_@.+\-$()[\] ,&']+$/u;
/** Names that stand for any name. */
const PLACEHOLDER =
  /^(?:path|to|foo\w*|bar|baz|qux|xxx+|yyyy|mm|dd|x|y|z|n|your[-_]?\w*|my|some\w*|file|dir|folder|name|filename|\w*component-?name|example|etc)(?:\.\w+)*$|\$|^\(|^(?:some|your|my|the)[-_]|YYYY|[A-Z]{4}-MM|NNN/iu;
const HOST =
  /^(?:[\w-]+\.)+(?:com|org|net|io|dev|ai|app|co|edu|gov|eu|uk|de|fr|cz|local|cloud|sh|so|me|xyz|tech|info)$/iu;
const LOCATION = /(?::\d+(?:[-–,:]\d+)*|#L\d+(?:-L?\d+)?|::[\w:.$()]+)$/u;

export interface FoundPath {
  /** Index in the text given. */
  readonly index: number;
  readonly path: string;
}

/** The paths of a code span: the whole of it, or the arguments of a command that look like files. */
export function pathsInSpan(span: string): FoundPath[] {
  const index = span.length - span.trimStart().length;
  const text = span.trim().replace(LOCATION, "");
  if (!/\s/u.test(text)) return isPath(text) ? [{ index, path: text }] : [];
  const [first = ""] = text.split(/\s/u);
  // A name with spaces: its first word is a directory's beginning, and no word is an option or a path of its own.
  const spaced =
    first.includes("/") &&
    !FILE_NAME.test(first) &&
    !/\s[-&|<>=]|["'\\]/u.test(text) &&
    (text.match(/\//gu) ?? []).length ===
      (/^[^\s]+\s/u.exec(text)?.[0].match(/\//gu) ?? []).length + (text.slice(first.length).match(/\//gu) ?? []).length;
  if (spaced && !/\s\.?\//u.test(text) && FILE_NAME.test(text) && isPath(text)) return [{ index, path: text }];
  return pathsInProse(span);
}

const TOKEN =
  /(?<![\p{L}\p{N}_/.:@~$\\%{}<>*=-])(?:\.\/)?[\p{L}\p{N}_@.+\-[\]]+(?:\/[\p{L}\p{N}\p{M}_@.+\-[\]]+)+\/?(?![\p{L}\p{N}_*{}<>$%\\~])/gu;

/** Words of running text that are surely files: with a directory and a known ending. */
export function pathsInProse(text: string): FoundPath[] {
  return [...text.matchAll(TOKEN)].flatMap((match): FoundPath[] => {
    const path = match[0].replace(/[.,;:!?\])]+$/u, "");
    return FILE_NAME.test(path) && isPath(path) ? [{ index: match.index, path }] : [];
  });
}

function isPath(text: string): boolean {
  if (text.length < 4 || text.length > 200 || /[*?{}<>|"`=\\…]|\.\.|:\/\/|^~|\/\//u.test(text)) return false;
  const isDirectory = text.endsWith("/");
  const isAbsolute = text.startsWith("/");
  const segments = text
    .replace(/^\.?\//u, "")
    .replace(/\/$/u, "")
    .split("/");
  const [first = ""] = segments;
  if (segments.some((segment) => segment === "" || !SEGMENT.test(segment) || PLACEHOLDER.test(segment))) return false;
  if (segments.every((segment) => /^[\d.,-]+$/u.test(segment)) || (HOST.test(first) && segments.length > 1))
    return false;
  // `create.ts/update.ts` are two files.
  if (segments.slice(0, -1).some((segment) => FILE_NAME.test(segment) && !segment.startsWith("."))) return false;
  if (isAbsolute) return segments.length > 2 && FILE_NAME.test(text);
  if (segments.length === 1 && !isDirectory) return SOURCE_NAME.test(text) && !PRODUCT.test(text);
  if (FILE_NAME.test(text)) return !(first.startsWith("@") && segments.length === 2);
  if (isDirectory) return !first.startsWith("@") && /^[\w.-]+$/u.test(first) && !/^\d/u.test(first);
  return USUAL_DIRECTORY.test(first);
}
