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

/** Products whose names look like files. */
const PRODUCT =
  /^(?:node|next|nuxt|vue|react|three|d3|express|ember|backbone|chart|discord|moment|p5|bun|deno|nest|solid|alpine|angular|require|socket|ember|knockout|handlebars|mustache|zone|day|video|plotly|konva|matter|phaser|babylon|pixi|hono|electron|asp|ml|draw|paper|fabric|anime|gulp|grunt|raphael|leaflet|polyfill)\.(?:js|io|net|ts|cs)$/iu;

/** First directories that cannot be mistaken for a branch, an organisation or "and/or". */
const USUAL_DIRECTORY =
  /^(?:\.github|\.vscode|\.circleci|\.husky|\.claude|src|lib|libs|test|tests|spec|specs|docs?|scripts|packages|apps|crates|cmd|internal|pkg|backend|frontend|bench|benchmarks|examples|migrations|terraform|e2e|fixtures)$/u;

const SEGMENT = /^[\p{L}\p{N}\p{M}_@.+\-$()[\] ,&']+$/u;

/** Names that stand for any name. */
const PLACEHOLDER =
  /^(?:path|to|foo\w*|bar|baz|qux|xxx+|yyyy|mm|dd|x|y|z|n|your[-_]?\w*|my|some\w*|file|dir|folder|name|filename|\w*component-?name|example|etc)(?:\.\w+)*$|\$|^\(|^(?:some|your|my|the)[-_]|YYYY|[A-Z]{4}-MM|NNN/iu;

const HOST =
  /^(?:[\w-]+\.)+(?:com|org|net|io|dev|ai|app|co|edu|gov|eu|uk|de|fr|cz|local|cloud|sh|so|me|xyz|tech|info)$/iu;

const LOCATION = /(?::\d+(?:[-–,:]\d+)*|#L\d+(?:-L?\d+)?|::[\w:.$()]+)$/u;

interface FoundPath {
  /** Index in the text given. */
  readonly index: number;
  readonly path: string;
}

/** The paths in a code span: all of it, or a command's arguments that look like files. */
export function pathsInSpan(span: string): FoundPath[] {
  const index = span.length - span.trimStart().length;
  const text = span.trim().replace(LOCATION, "");
  if (!/\s/u.test(text)) return isPath(text) ? [{ index, path: text }] : [];
  const [first = ""] = text.split(/\s/u);
  // A name with spaces: its first word starts a directory, and no word is an option or a separate path.
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

/** Words in prose that are surely files: with a directory and a known extension. */
export function pathsInProse(text: string): FoundPath[] {
  return [...text.matchAll(TOKEN)].flatMap((match): FoundPath[] => {
    const path = match[0].replace(/[.,;:!?\])]+$/u, "");
    return FILE_NAME.test(path) && isPath(path) ? [{ index: match.index, path }] : [];
  });
}

/** Whether a file's name ends in a way that only files do. */
export function hasFileEnding(path: string): boolean {
  return FILE_NAME.test(path);
}

/** Whether a text can only be meant as a file or folder of a project. */
export function isPath(text: string): boolean {
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

/** A name found in a text, with its position. */
export interface FoundName {
  readonly index: number;
  /** As written in the text. */
  readonly text: string;
  readonly name: string;
  readonly certain: boolean;
}

const CHAIN = /^([A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*)(\(.*\))?$/u;

const HUMP = /[a-z\d][A-Z]|[A-Z]{2}[a-z]/u;

const KNOWN_ROOT =
  /^(?:console|process|Math|JSON|Object|Array|String|Number|Promise|Reflect|Symbol|document|window|globalThis|self|this|os|sys|std|fmt|np|pd|plt|torch|fs|path|System|java|javax|expect|vi|jest|assert)(?:\.|::|$)/u;

/** Written with a hump or an underscore, but not an identifier. */
const WORDS_OF_THE_TRADE =
  /^(?:GitHub|GitLab|JavaScript|TypeScript|PostgreSQL|MySQL|MongoDB|GraphQL|OpenAI|ChatGPT|DevOps|YouTube|LinkedIn|PowerShell|macOS|iOS|OAuth|OpenAPI|WebSocket|NodeJS|NextJS|DynamoDB|CloudFront|BigQuery|FastAPI|PyTorch|TensorFlow|NumPy|SQLite|LaTeX|node_modules|camelCase|PascalCase|snake_case|SCREAMING_SNAKE_CASE|x86_64|utf8mb4)$/u;

/** The function, class or constant that a code span consists of. */
export function symbolInSpan(span: string): FoundName | undefined {
  const text = span.trim();
  const [, chain, call] = CHAIN.exec(text) ?? [];
  if (chain === undefined || text.length > 120 || KNOWN_ROOT.test(chain) || WORDS_OF_THE_TRADE.test(chain))
    return undefined;
  const parts = chain.split(/\.|::|#|->/u);
  const last = parts.at(-1) ?? "";
  const telling = (part: string): boolean =>
    part.length > 3 && (HUMP.test(part) || /[A-Za-z\d]_[A-Za-z\d]/u.test(part));
  if (parts.some((part) => /^(?:foo|bar|baz|my|your|some)(?:[A-Z_]|$)/u.test(part))) return undefined;
  // `solution_0.scad`: a file of an unknown kind.
  if (call === undefined && parts.length === 2 && !HUMP.test(chain) && /\.[a-z\d]{1,5}$/u.test(chain)) return undefined;
  const isTold = parts.some(telling) || (call !== undefined && last.length > 3 && parts.length <= 2);
  return isTold ? { index: span.indexOf(chain), text: chain, name: chain, certain: false } : undefined;
}

/** The words to look for: `Foo.bar` exists if both parts do. */
export function wordsOfSymbol(chain: string): string[] {
  const parts = chain
    .split(/\.|::|#|->/u)
    .filter((part) => part.length > 2 && !/^(?:self|this|super|crate|prototype|exports|module|default)$/u.test(part));
  return [...new Set(parts)];
}

const FLAG = /(?<![\p{L}\p{N}_\-/.=<[])--[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?![\p{L}\p{N}_*<>…])/gu;

const FOREIGN_COMMAND =
  /^(?:\$ )?(?:sudo )?(?:git|gh|docker|docker-compose|podman|npm|npx|pnpm|yarn|bun|node|deno|cargo|rustc|go|pip3?|uv|poetry|python3?|pytest|kubectl|helm|terraform|aws|gcloud|az|curl|wget|ls|rm|cp|grep|rg|find|sed|tar|ssh|scp|rsync|brew|apt(?:-get)?|make|cmake|mvn|gradle|tsc|eslint|prettier|vitest|jest|playwright|nx|turbo|claude|codex|systemctl|ffmpeg|psql|dotnet|ruff|mypy|black)\b/u;

/** Long options, except in the command line of a well-known tool, where they are that tool's. */
export function flagsIn(text: string): FoundName[] {
  if (FOREIGN_COMMAND.test(text.trim())) return [];
  return [...text.matchAll(FLAG)].map((match) => ({
    index: match.index,
    text: match[0],
    name: match[0].slice(2),
    certain: false,
  }));
}

/** `holds` if one of `sure` exists; `gone` only if none of `any` does and one of `sure` once did. */
export function wordsOfFlag(name: string): { readonly sure: readonly string[]; readonly any: readonly string[] } {
  const spelled = [`--${name}`, `"${name}"`, `'${name}'`];
  const parts = name.split("-");
  const snake = parts.join("_");
  const camel = parts
    .map((part, index) => (index === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1)))
    .join("");
  const sure = parts.length > 1 ? [...spelled, snake, camel] : spelled;
  return { sure, any: [...new Set([...sure, name, name.replace(/^no-/u, "")])] };
}

const SCRIPT =
  /(?<![\w.\-/])(npm|pnpm|yarn|bun)[ \t]+(?:run|run-script)[ \t]+(?:-s[ \t]+|--silent[ \t]+)?([A-Za-z][\w:.-]*(?:\/[\w:.-]+)*)(?![\w<>*{])/gu;

const LIFECYCLE = /(?<![\w.\-/])npm[ \t]+(test|start|stop|restart)(?![\w:-])/gu;

const SHORT = /^(?:pnpm|yarn|bun)[ \t]+([a-z][\w:-]*)(?=$|[ \t])/gu;

const OWN_COMMAND =
  /^(?:install|i|add|remove|rm|uninstall|un|up|update|upgrade|dlx|exec|x|init|create|link|unlink|publish|pack|why|list|ls|outdated|audit|config|store|import|rebuild|prune|dedupe|setup|env|run|workspaces?|global|cache|info|login|logout|version|set|deploy|patch|fetch|approve-builds|root|bin|self-update|recursive|node|npm|tsc|tsx|nx|vitest|jest|eslint|prettier|turbo|playwright|vite|next|biome|oxlint|knip|tsup|esbuild|webpack|rollup|storybook|wrangler|prisma|drizzle-kit)$/u;

/** Scripts of a package. The short form is taken only at the start of a code span. */
export function scriptsIn(text: string, isSpan: boolean): FoundName[] {
  const found = [...text.matchAll(SCRIPT)].map((match) => named(match, (match[2] ?? "").replace(/[.:,]+$/u, ""), true));
  if (!isSpan) return found.filter(isScript);
  found.push(...[...text.matchAll(LIFECYCLE)].map((match) => named(match, match[1] ?? "", true)));
  found.push(
    ...[...text.matchAll(SHORT)]
      .filter((match) => !OWN_COMMAND.test(match[1] ?? ""))
      .map((match) => named(match, match[1] ?? "", false)),
  );
  return found.filter(isScript);
}

function isScript({ name }: FoundName): boolean {
  return !/^(?:foo|bar|baz|x|name|script|script-name|your-?\w*|some-?\w*)$/iu.test(name);
}

function named(match: RegExpExecArray, name: string, certain: boolean): FoundName {
  return { index: match.index, text: match[0].slice(0, match[0].lastIndexOf(name) + name.length), name, certain };
}

const PACKAGE_NAME = String.raw`(?:@[a-z0-9][\w.-]*\/)?[A-Za-z][\w.-]*[A-Za-z0-9]`;

const DEPENDENCY_PHRASES = [
  new RegExp(
    String.raw`\b(?:package|library|dependency|crate|npm module|dependencies|depends on|dependency on)(?: called| named| on)?[ \t:]*\x60(${PACKAGE_NAME})(?:@[\w.^~-]+)?\x60`,
    "gu",
  ),
  new RegExp(
    String.raw`\x60(${PACKAGE_NAME})(?:@[\w.^~-]+)?\x60 (?:is an? (?:dev |peer |optional |runtime )?dependency|(?:npm |pip |python |dev |cargo )?(?:package|library|crate|dependency)\b)`,
    "gu",
  ),
  new RegExp(
    String.raw`(?:npm|pnpm|yarn|bun)[ \t]+(?:install|i|add)[ \t]+(?:-D[ \t]+|--save-dev[ \t]+|-E[ \t]+)*(${PACKAGE_NAME})(?![\w/:])`,
    "gu",
  ),
  new RegExp(
    String.raw`(?:pip3?[ \t]+install|uv[ \t]+add|poetry[ \t]+add|cargo[ \t]+add)[ \t]+(${PACKAGE_NAME})(?![\w/:])`,
    "gu",
  ),
];

/** Packages, only if the sentence calls them that. */
export function packagesIn(text: string): FoundName[] {
  return DEPENDENCY_PHRASES.flatMap((phrase) =>
    [...text.matchAll(phrase)].flatMap((match): FoundName[] => {
      const name = match[1] ?? "";
      if (name === "" || /^(?:foo|bar|baz|my|your)\b/iu.test(name) || /\.(?:json|ts|js|py|toml|md)$/u.test(name))
        return [];
      return [{ index: match.index + match[0].lastIndexOf(name), text: name, name, certain: false }];
    }),
  );
}

const BRANCH_NAME = String.raw`[A-Za-z][\w./-]*[\w]`;

const BRANCH_PHRASES = [
  new RegExp(String.raw`\bbranch(?:es)?[ \t:]*\x60(${BRANCH_NAME})\x60`, "giu"),
  new RegExp(String.raw`\x60(${BRANCH_NAME})\x60(?: git| feature| release)? branch\b`, "giu"),
  new RegExp(String.raw`\bbranch[ \t]+((?:feature|feat|fix|bugfix|hotfix|release|chore)\/[\w./-]*\w)`, "giu"),
];

const USUAL_BRANCH = /^(?:main|master|develop|dev|staging|production|trunk|next|gh-pages)$/u;

/** Git branches, if the sentence says "branch" and the name can hardly be a code branch. */
export function branchesIn(text: string): FoundName[] {
  return BRANCH_PHRASES.flatMap((phrase) =>
    [...text.matchAll(phrase)].flatMap((match): FoundName[] => {
      const name = match[1] ?? "";
      if (
        !(USUAL_BRANCH.test(name) || /[/-]/u.test(name)) ||
        /\.\.|\/\/|\.lock$|\b(?:foo|bar|your|my)\b|\/x$/u.test(name)
      )
        return [];
      return [{ index: match.index + match[0].indexOf(name), text: name, name, certain: false }];
    }),
  );
}

const URL_HOST = /\bhttps?:\/\/(?:[^\s/@]+@)?((?:[a-z0-9-]+\.)+[a-z]{2,})(?=[/:?#\s)>\]`"',.]|$)/giu;

/** Hosts in URLs: recognised, never contacted. */
export function hostsIn(text: string): FoundName[] {
  return [...text.matchAll(URL_HOST)].map((match) => ({
    index: match.index + match[0].length - (match[1] ?? "").length,
    text: match[1] ?? "",
    name: match[1] ?? "",
    certain: false,
  }));
}
