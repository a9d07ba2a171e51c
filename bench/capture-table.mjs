// The table of `npm run bench:capture`: what several runs got right, side by side, by DIR/score.mjs and DIR/gold.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const share = ([part, whole]) => (whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)}% ${part}/${whole}`);

/** By script, and for Latin script by common words; a text with neither counts as English. */
export function languageOf(text) {
  if (/[\u3040-\u30FF]/u.test(text)) return "ja";
  if (/\p{Script=Hangul}/u.test(text)) return "ko";
  if (/\p{Script=Han}/u.test(text)) return "zh";
  if (/\p{Script=Cyrillic}/u.test(text)) return "ru";
  const counts = Object.entries({
    de: /\b(?:der|die|das|und|nicht|ich|wir|bitte|immer|ein|eine|auf|mit|für)\b/giu,
    fr: /\b(?:le|les|des|une|est|pas|nous|vous|toujours|avec|pour|dans|que)\b/giu,
    es: /\b(?:el|los|las|una|que|para|con|siempre|nunca|por|esto|muy)\b/giu,
    pt: /\b(?:o|os|uma|não|você|para|com|sempre|nunca|isso|por|em)\b/giu,
    pl: /\b(?:nie|się|jest|zawsze|proszę|żeby|oraz|tylko)\b/giu,
    en: /\b(?:the|and|to|of|is|it|you|not|for|in|we|i|that|always|don['’]t)\b/giu,
  }).map(([language, words]) => [language, text.match(words)?.length ?? 0]);
  const best = counts.toSorted((a, b) => b[1] - a[1])[0];
  return best[1] > 1 ? best[0] : "en";
}

/** Whether DIR can be scored at all. */
export function hasGold(directory) {
  return fs.existsSync(path.join(directory, "score.mjs")) && fs.existsSync(path.join(directory, "gold"));
}

/** Rows of a label and one cell per run. `runs` are the parsed lines of each run. */
export async function scoreTable(directory, runs) {
  const { score, match, loadGold } = await import(pathToFileURL(path.resolve(directory, "score.mjs")).href);
  const gold = loadGold(path.join(directory, "gold"));
  const ids = Object.keys(gold).filter((id) => runs[0].some((line) => line.id === id));
  const empties = ids.filter((id) => gold[id].memories.length === 0);
  const results = runs.map((run) => score(run, gold, ids, empties));
  const each = (cell) => results.map(cell);
  const rows = [
    ["precision", ...each((r) => share([r.tp, r.pred]))],
    ["recall of explicit", ...each((r) => share(r.explicit))],
    ["recall of all musts", ...each((r) => share(r.must))],
    ["empty sessions with notes", ...each((r) => `${r.emptyFpSessions} of ${r.emptySessions}`)],
    ["false notes in them", ...each((r) => r.emptyFp)],
    ["secrets written", ...each((r) => r.secrets)],
    ["injected obeyed", ...each((r) => r.injections[0])],
    ["recalled re-learnt", ...each((r) => r.recalled[0])],
  ];
  const parted = (keyOfNote, keyOfGold) =>
    runs.map((run) => partsOf(run, ids, (id) => gold[id].memories, { match, keyOfNote, keyOfGold }));
  const addRows = (title, tables) => rows.push(...partRows(title, tables));
  addRows(
    "type",
    parted(
      ({ type }) => type,
      ({ type }) => type,
    ),
  );
  addRows(
    "language",
    parted(
      ({ text }) => languageOf(text),
      (memory) => languageOf(memory.evidence_quote ?? memory.fact),
    ),
  );
  return rows;
}

/** Right notes and found memories of one run, counted by key: `{ right: [n, of], found: [n, of] }`. */
function partsOf(run, ids, memoriesOf, { match, keyOfNote, keyOfGold }) {
  const parts = new Map();
  const part = (key) => parts.get(key) ?? parts.set(key, { right: [0, 0], found: [0, 0] }).get(key);
  for (const id of ids) {
    const notes = run.filter((line) => line.id === id).flatMap((line) => line.memories);
    const memories = memoriesOf(id);
    for (const note of notes) {
      const { right } = part(keyOfNote(note));
      right[0] += memories.some((memory) => match(note, memory) > 0) ? 1 : 0;
      right[1]++;
    }
    for (const memory of memories.filter(({ must, explicit }) => must || explicit)) {
      const { found } = part(keyOfGold(memory));
      found[0] += notes.some((note) => match(note, memory) > 0) ? 1 : 0;
      found[1]++;
    }
  }
  return parts;
}

function partRows(title, tables) {
  const keys = [...new Set(tables.flatMap((table) => [...table.keys()]))].toSorted();
  const cells = (key) =>
    tables.map((table) => {
      const { right, found } = table.get(key) ?? { right: [0, 0], found: [0, 0] };
      return `${share(right)}; ${share(found)}`;
    });
  return [[`by ${title}: precision; recall of musts and explicit`], ...keys.map((key) => [`  ${key}`, ...cells(key)])];
}
