/** The store assembled from dist for the torture, with the planted fault that must make it fail. */
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

export async function loadParts(dist) {
  const load = (file) => import(pathToFileURL(path.resolve(dist, file)).href);
  const [files, store, git, lock, index, yaml, errors] = await Promise.all([
    load("adapters/files/node-files.js"),
    load("adapters/files/store.js"),
    load("adapters/git/archive.js"),
    load("adapters/sqlite/lock.js"),
    load("adapters/sqlite/note-index.js"),
    load("adapters/yaml/frontmatter.js"),
    load("core/shared/errors.js"),
  ]);
  return { ...files, ...store, ...git, ...lock, ...index, ...yaml, ...errors };
}

/** `fault` "overwrite": no lock, no comparison, and files are replaced by overwriting whatever exists. */
export function openTorturedStore(parts, root, { fault = "", aheadMs = () => 0 } = {}) {
  const directory = path.join(root, "notes");
  const state = path.join(root, "state");
  fs.mkdirSync(directory, { recursive: true });
  fs.mkdirSync(state, { recursive: true });
  const isFaulty = fault === "overwrite";
  const store = parts.openStore({
    directory,
    state,
    files: isFaulty ? overwriting(parts.nodeFiles) : parts.nodeFiles,
    lock: isFaulty
      ? { run: (_, work) => work(), close: () => {} }
      : parts.createSqliteLock(path.join(state, "lock.db")),
    index: parts.openNoteIndex(path.join(state, "index.db"), { busyTimeoutMs: 10_000 }),
    archive: () => parts.openGitArchive(path.join(state, "history.git"), process.env),
    codec: parts.yamlFrontmatter,
    clock: { now: () => Date.now() + aheadMs(), timeZone: "UTC" },
    lockTimeoutMs: 20_000,
  });
  return isFaulty ? { ...store, commit: (changes, by) => overwrite(store, changes, by) } : store;
}

/** Waits, as a store without a lock may, and then treats its changes as based on the current file. */
function overwrite(store, changes, by) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 15);
  return store.commit(
    changes.map((change) => ({ ...change, base: store.read(change.file) })),
    by,
  );
}

/** Old files are not moved aside, and new names overwrite existing files. */
function overwriting(files) {
  return {
    ...files,
    rename: (from, to) => (to.includes("/displaced/") ? "cross-device" : files.rename(from, to)),
    link: (from, to) => {
      fs.writeFileSync(to, fs.readFileSync(from));
      return "linked";
    },
  };
}

/** Milliseconds on a clock that all processes of the machine share and that is never set. */
export function sharedNow() {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** A small seeded generator (mulberry32): the same seed gives the same numbers. */
export function seededRandom(seed) {
  let a = seed >>> 0;
  const next = () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit) => Math.floor(next() * limit);
  return { next, below, pick: (list) => list[below(list.length)] };
}

export const HOT = ["hot0.md", "hot1.md", "hot2.md", "hot3.md"];
const SLOTS = 12;
export const TOKEN = /tk-[0-9a-z]+-[0-9a-z]+-[0-9a-z]+-end/gu;

export function tokensIn(text) {
  return text.match(TOKEN) ?? [];
}

/** A note of slots, each on its own line between empty lines, so that writes to different slots merge. */
export function noteWith(name, token) {
  const slots = Array.from({ length: SLOTS }, (_, slot) => `slot ${slot}: -\n\nbetween ${slot}\n\nmore ${slot}\n`).join(
    "\n",
  );
  return `---\nname: ${name}\ndescription: made as ${token}\nmetadata:\n  type: project\n---\n\ncreated ${token}\n\n${slots}`;
}

/** The text with one slot's token replaced; the writer removes only the previous content of that slot. */
export function withSlot(text, slot, token) {
  const line = new RegExp(`^slot ${slot % SLOTS}: (.*)$`, "mu");
  const replaced = line.exec(text)?.[1];
  if (replaced === undefined) return { text: `${text}\nslot ${slot % SLOTS}: ${token}\n`, replaced: [] };
  return { text: text.replace(line, `slot ${slot % SLOTS}: ${token}`), replaced: tokensIn(replaced) };
}
