/**
 * `npm run picture` draws the pictures of docs/ARCHITECTURE.md from the source: the layers with their folders, and the
 * way of a prompt and of a note, function by function, each with the comment above it in the source. A function that
 * moved, lost its comment or is no longer called is an error.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { APP_FEATURES } from "./gates/boundary-rules.mjs";

const ROOT = join(import.meta.dirname, "..");

const WAYS = {
  "docs/prompt-way.svg": {
    title: "A prompt's way, from the hook to the text that the agent gets",
    steps: [
      ["src/surfaces/hooks/run-hook.ts", "runHook"],
      ["src/surfaces/hooks/hook-recall.ts", "answerQuickly"],
      ["src/app/recall/quick-recall.ts", "openForRecall"],
      ["src/surfaces/hooks/answers.ts", "answerFromNotes"],
      ["src/app/recall/recall.ts", "recall"],
      ["src/app/recall/recall-notes.ts", "recallNotes"],
      ["src/core/recall/likelihood.ts", "gradeWithEntries"],
      ["src/app/recall/verify-notes.ts", "verifySelected"],
      ["src/core/recall/render.ts", "renderRecall"],
      ["src/app/recall/log-recall.ts", "logRecall"],
    ],
  },
  "docs/note-way.svg": {
    title: "A note's way, from the command to the disk",
    steps: [
      ["src/surfaces/cli/commands/remember.ts", "run"],
      ["src/app/notes/remember.ts", "remember"],
      ["src/app/notes/gate.ts", "refuseText"],
      ["src/app/notes/rivals.ts", "rivalsOf"],
      ["src/core/notes/frontmatter.ts", "serialiseDraft"],
      ["src/adapters/files/commit.ts", "commitChanges"],
      ["src/adapters/files/merge.ts", "mergeNotes"],
      ["src/adapters/files/journal.ts", "openJournal"],
      ["src/adapters/files/replace-file.ts", "createFileReplacer"],
      ["src/adapters/files/index-page.ts", "writeIndexFile"],
    ],
  },
};

/** A description of each layer, from top to bottom; the folders are read from the disk. */
const LAYERS = [
  ["surfaces", "parse, call, print"],
  ["app", "what memdir does, a folder a feature, each importing only those before it"],
  ["adapters", "the outside world, each behind a port of core"],
  ["core", "what memory is: no file system, network, process or package"],
];

const WIDTH = 940;
const MARGIN = 24;
const LINE = 19;
const LETTER = 7.3;
/** Up to this many letters of a comment are drawn, in whole sentences. */
const MOST_LETTERS = 220;
const COLOURS = { surfaces: "#2f6f9f", app: "#3d7a4e", adapters: "#96622d", core: "#7a4b8c" };

const escaped = (words) => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const layerOf = (file) => file.split("/")[1];

function text(x, y, words, { size = 13, colour = "#1f2328", weight = "normal", isCode = false } = {}) {
  const family = isCode ? "ui-monospace, Menlo, Consolas, monospace" : "system-ui, sans-serif";
  return `<text x="${x}" y="${y}" font-family="${family}" font-size="${size}" font-weight="${weight}" fill="${colour}">${escaped(words)}</text>`;
}

function picture(height, title, parts) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    text(MARGIN, 32, title, { size: 16, weight: "bold" }),
    ...parts,
    "</svg>\n",
  ].join("\n");
}

function wrapped(words, width) {
  const lines = [""];
  for (const word of words.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length * LETTER <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function box(y, layer, lines) {
  const height = lines.length * LINE + 18;
  const rows = lines.map((line, at) =>
    text(
      MARGIN + 18,
      y + 24 + at * LINE,
      line.words,
      at === 0 ? { ...line, colour: COLOURS[layer], weight: "bold" } : line,
    ),
  );
  const frame = `<rect x="${MARGIN}" y="${y}" width="${WIDTH - 2 * MARGIN}" height="${height}" rx="6" fill="#f6f8fa" stroke="#d0d7de"/><rect x="${MARGIN}" y="${y}" width="6" height="${height}" rx="3" fill="${COLOURS[layer]}"/>`;
  return { height, svg: [frame, ...rows].join("\n") };
}

function stacked(boxes, top, gap) {
  let y = top;
  const parts = boxes.map(([layer, lines]) => {
    const { height, svg } = box(y, layer, lines);
    y += height + gap;
    return svg;
  });
  return { parts, height: y };
}

function layers() {
  const title = "memdir: four layers, checked with every change";
  const boxes = LAYERS.map(([layer, what]) => {
    const found = readdirSync(join(ROOT, "src", layer), { withFileTypes: true }).filter((one) => one.isDirectory());
    const names = layer === "app" ? APP_FEATURES : found.map(({ name }) => name).toSorted();
    const folders = wrapped(names.join(layer === "app" ? " → " : " · "), WIDTH - 2 * MARGIN - 36);
    return [layer, [{ words: `${layer}: ${what}` }, ...folders.map((words) => ({ words, isCode: true, size: 12 }))]];
  });
  const { parts, height } = stacked(boxes, 52, 14);
  const rules = "surfaces import app, app imports adapters and core, adapters import core, core imports only core";
  const truth = "The only truth: DIR/*.md and MEMORY.md. index.db and every cache can be deleted and come back.";
  const below = [text(MARGIN, height + 12, rules, { colour: "#59636e" }), text(MARGIN, height + 34, truth)];
  return picture(height + 54, title, [...parts, ...below]);
}

/** The first sentences of the comment above an exported function. */
export function sentenceOf(file, name) {
  const source = readFileSync(join(ROOT, file), "utf8");
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found = tree.statements.find((one) => ts.isFunctionDeclaration(one) && one.name?.text === name);
  if (found === undefined) throw new Error(`${file} has no function ${name}: correct WAYS in scripts/architecture.mjs`);
  const [comment] = ts.getJSDocCommentsAndTags(found);
  const said = ts.getTextOfJSDocComment(comment?.comment)?.replaceAll(/\s+/gu, " ") ?? "";
  if (said === "") throw new Error(`${file}: ${name} stands in a picture of docs/ARCHITECTURE.md and has no comment`);
  const sentences = said.split(/(?<=\.) (?=[A-Z`])/u);
  return sentences.reduce((kept, next) => (kept.length + next.length < MOST_LETTERS ? `${kept} ${next}` : kept));
}

/** A source file other than its own must name each step, so that functions that are no longer called are noticed. */
function requireCalled(file, name, sources) {
  const call = new RegExp(`\\b${name}\\b`, "u");
  if (!sources.some(({ path, source }) => path !== file && call.test(source)))
    throw new Error(`${file}: nothing calls ${name} any more: correct WAYS in scripts/architecture.mjs`);
}

function way({ title, steps }, sources) {
  const boxes = steps.map(([file, name], at) => {
    requireCalled(file, name, sources);
    const sentence = wrapped(sentenceOf(file, name), WIDTH - 2 * MARGIN - 36);
    return [
      layerOf(file),
      [{ words: `${at + 1}  ${file.slice(4)} · ${name}`, isCode: true }, ...sentence.map((words) => ({ words }))],
    ];
  });
  const { parts, height } = stacked(boxes, 52, 8);
  return picture(height + 12, title, parts);
}

/** Maps each path below the project to its SVG. */
export function pictures() {
  const sources = readdirSync(join(ROOT, "src"), { recursive: true })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => ({ path: `src/${name}`, source: readFileSync(join(ROOT, "src", name), "utf8") }));
  const ways = Object.entries(WAYS).map(([file, one]) => [file, way(one, sources)]);
  return Object.fromEntries([["docs/architecture.svg", layers()], ...ways]);
}

if (import.meta.main ?? process.argv[1] === import.meta.filename)
  for (const [file, svg] of Object.entries(pictures())) {
    writeFileSync(join(ROOT, file), svg);
    console.log(`drawn: ${file}`);
  }
