/**
 * Devices of the sync torture: separate homes in which a person edits notes by hand and real `memdir` processes sync,
 * forget and remove, with clocks up to two days apart. Every line is written once and names its note and its device.
 */
import fs from "node:fs";
import path from "node:path";
import { command, count, log, TOKEN, tokensIn, unsettledFiles } from "./sync-command.mjs";

const DAY_MS = 86_400_000;
const NOTE = /note (qz\d+x)\./u;
/** Below or above these limits new notes become likely or rare. */
const [FEW_NOTES, MANY_NOTES] = [24, 48];

export const idIn = (text) => NOTE.exec(text)?.[1];

/** What people did in one space, and with what outcome. */
export function createModel(name) {
  return {
    name,
    notes: new Map(),
    tokens: new Map(),
    operations: 0,
    counts: {},
    errors: [],
    devices: [],
    gone: new Set(),
  };
}

export function openDevice({ root, dist, name, model, random, nextId }) {
  const home = path.join(root, name);
  const directory = path.join(home, ".memdir", "user", "memory");
  fs.mkdirSync(directory, { recursive: true });
  const clockMs = Math.round((random.next() - 0.5) * 2 * DAY_MS);
  const device = {
    name,
    home,
    directory,
    program: path.resolve(dist, "memdir.cjs"),
    clockMs,
    model,
    random,
    nextId,
    made: 0,
    unsettled: unsettledFiles(),
  };
  model.devices.push(device);
  return device;
}

function fateOf({ random }) {
  const luck = random.next();
  if (luck < 0.1) return { killMs: 40 + random.below(900) };
  if (luck < 0.22) return { killAt: 1 + random.below(90) };
  if (luck < 0.25) return { fullAt: 1 + random.below(60) };
  return {};
}

/** The person edits for a while, then a command runs; again and again. */
export async function live(device, isOver) {
  const { random, model } = device;
  while (!isOver()) {
    for (let n = 4 + random.below(30); n > 0 && !isOver(); n--) editByHand(device);
    const luck = random.next();
    const fate = fateOf(device);
    if (luck < 0.07) await forgetOne(device, fate);
    else if (luck < 0.12) await removeOne(device, fate);
    else if (luck < 0.15) await describeOne(device, fate);
    else await syncNow(device, fate);
    if (random.next() < 0.05) await device.fillDisk?.(() => syncNow(device, { isFull: true }));
    model.operations++;
  }
}

/** Locked, refused, offline and waiting for an answer are valid; 1 is valid only if the disk was full. */
const EXPECTED = new Set([0, 3, 4, 5, 6]);

function judgeEnd(device, args, { code, out, errors }, fate) {
  if (code === null || EXPECTED.has(code) || fate.fullAt !== undefined || fate.isFull) return;
  device.model.errors.push(
    `${device.name}: memdir ${args.join(" ")}: ${code} ${errors.trim()} ${out.trim()}`.slice(0, 600),
  );
}

export async function syncNow(device, fate = {}, more = []) {
  const args = ["sync", "now", "--json", ...more];
  const untold = [...device.model.notes.values()].filter(
    ({ removed }) => removed?.device === device.name && removed.at === Number.POSITIVE_INFINITY,
  );
  const done = await command(device, args, { fate, during: () => fate.isCalm || fate.isFull || writeDuring(device) });
  judgeEnd(device, args, done, fate);
  if (done.code === 0) for (const { removed } of untold) removed.at = performance.now();
  count(device.model, "syncs");
  if (done.code !== null && done.code !== 1) count(device.model, done.code === 6 ? "syncs offline" : "syncs ended");
  const report = done.code === null || done.out === "" ? undefined : JSON.parse(done.out);
  // The user says yes when asked.
  if (report?.spaces?.some(({ state }) => state === "ask")) {
    count(device.model, "removals asked about");
    return syncNow(device, fate.isCalm ? { isCalm: true } : {}, ["--accept-removals"]);
  }
  return { ...done, report };
}

async function forgetOne(device, fate) {
  const found = pick(device, ({ note }) => note.kind === "hot" && note.forget === undefined);
  if (found === undefined || device.model.notes.size < FEW_NOTES) return;
  found.note.forget = { device: device.name, isAcknowledged: false };
  await forget(device, found, fate);
}

/** @returns whether the user was told that it is done. */
export async function forget(device, { file, note }, fate = {}) {
  device.model.gone.add(file);
  const done = await command(device, ["forget", file, "--yes"], { fate });
  // Not found: another device's forget was first.
  if (done.code !== 3) judgeEnd(device, ["forget", file], done, fate);
  if (done.code !== 0) return false;
  count(device.model, "forgets");
  note.forget.isAcknowledged = true;
  return true;
}

/** Only its creator writes a quiet note. A device with the same text removes it, which no change outranks. */
async function removeOne(device, fate) {
  const { model } = device;
  // Removing the copy of a conflict leaves the note.
  const isOld = ({ note, file }) =>
    note.kind === "quiet" && note.removed === undefined && note.maker !== device.name && !file.includes(".conflict-");
  const found = pick(device, isOld);
  if (found === undefined) return;
  const maker = model.devices.find(({ name }) => name === found.note.maker);
  if (read(path.join(maker.directory, found.file)) !== found.text) return;
  // Removing a note leaves the copies that a conflict or a restored backup has made of it.
  if (model.devices.some((one) => notesOf(one).some(({ note, file }) => note === found.note && file !== found.file)))
    return;
  found.note.removed = { isJudged: false };
  const seen = tokensIn(found.text);
  const done = await command(device, ["remove", found.file], { fate });
  judgeEnd(device, ["remove", found.file], done, fate);
  for (const { token } of seen) excuse(model, token);
  if (done.code !== 0) return;
  count(model, "removals");
  // Until this device has synced, a backup of the remote does not contain the removal.
  found.note.removed = {
    isJudged: true,
    begunAt: performance.now(),
    at: Number.POSITIVE_INFINITY,
    device: device.name,
  };
}

async function describeOne(device, fate) {
  const found = pick(device, ({ note, file }) => note.kind === "hot" && !device.unsettled.has(file));
  if (found === undefined) return;
  const args = ["edit", found.file, "--description", `said ${device.random.below(1000)} times on ${device.name}`];
  const done = await command(device, args, { fate });
  judgeEnd(device, args, done, fate);
}

function excuse({ tokens }, token) {
  const known = tokens.get(token);
  if (known !== undefined) known.isRemoved = true;
}

/** A unique line, acknowledged from now on. */
function newToken(device, note) {
  const token = `tk-${note}-${device.name}-${device.made++}-end`;
  device.model.tokens.set(token, { note, device: device.name, isRemoved: false });
  return token;
}

/** Notes of the directory with their texts, as the user sees them. */
export function notesOf({ directory, model }) {
  return fs.readdirSync(directory).flatMap((file) => {
    if (!file.endsWith(".md") || file === "MEMORY.md" || file.startsWith(".")) return [];
    const text = read(path.join(directory, file));
    const note = text === undefined ? undefined : model.notes.get(idIn(text));
    return note === undefined ? [] : [{ file, text, note }];
  });
}

/** `undefined` if it disappeared since it was listed. */
function read(file) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

function pick(device, isWanted) {
  const found = notesOf(device).filter(isWanted);
  return found.length === 0 ? undefined : device.random.pick(found);
}

/** What a person may do while no command runs on this device; each is one step for other processes. */
function editByHand(device) {
  const { random, model } = device;
  model.operations++;
  const living = fs.readdirSync(device.directory).length;
  const luck = random.next();
  if (living < FEW_NOTES || (living < MANY_NOTES && luck < 0.12)) return create(device);
  if (luck < 0.17) return writeLine(device);
  const found = pick(
    device,
    ({ note, file }) =>
      !device.unsettled.has(file) && (note.kind === "hot" || note.maker === device.name) && note.removed === undefined,
  );
  if (found === undefined) return create(device);
  if (luck < 0.23) return renameByHand(device, found);
  if (luck < 0.27 && found.note.kind === "hot") return removeByHand(device, found);
  return edit(device, found);
}

function create(device) {
  const { random, nextId, model } = device;
  const id = nextId();
  const kind = random.next() < 0.25 ? "quiet" : "hot";
  // Sometimes two devices choose the same name, or names that differ only in capitals.
  const shared = random.next() < 0.2 ? random.pick(["Plan", "plan", "ideas"]) + random.below(4) : "";
  // A note that reuses the name of a forgotten one is not read, and memdir says so.
  // A note saved under the name of one that left since the last look is an edit of that one, as anyone sees it.
  const isKnown = model.gone.has(`${shared}.md`) || device.unsettled.has(`left ${shared}.md`);
  const isFree = kind === "hot" && shared !== "" && !isKnown;
  const name = isFree ? shared : `project_${id}`;
  const file = path.join(device.directory, `${name}.md`);
  if (!fs.existsSync(file)) make(device, { id, kind, name });
}

/** A note that every device may change, with a unique name. */
export function makeHot(device) {
  const id = device.nextId();
  return make(device, { id, kind: "hot", name: `project_${id}` });
}

function make(device, { id, kind, name }) {
  const note = { id, kind, maker: device.name, madeAt: performance.now() };
  device.model.notes.set(id, note);
  const text = `---\nname: ${name}\ndescription: what was said\ntype: project\n---\nThis is note ${id}.\n\n${newToken(device, id)}\n`;
  save(device, path.join(device.directory, `${name}.md`), text);
  count(device.model, "notes made");
  return { file: `${name}.md`, text, note };
}

function save(device, file, text) {
  const aside = path.join(device.directory, `.saved-${process.pid}`);
  fs.writeFileSync(aside, text);
  fs.renameSync(aside, file);
  log(device, "save", path.basename(file), text);
}

/** Lines are added, replaced and removed; no line is written twice. */
function edit(device, { file, text, note }) {
  const lines = text.split("\n");
  const head = lines.findIndex((line) => NOTE.test(line)) + 1;
  const own = lines.flatMap((line, at) => (tokensIn(line).length > 0 ? [at] : []));
  const luck = device.random.next();
  const fresh = newToken(device, note.id);
  if (own.length > 2 && luck < 0.35) {
    const at = device.random.pick(own);
    lines[at] = fresh;
  } else if (own.length > 3 && luck < 0.5) lines.splice(device.random.pick(own), 2, fresh);
  else lines.splice(head + device.random.below(lines.length - head + 1), 0, "", fresh);
  const next = lines.join("\n");
  const stays = new Set(tokensIn(next).map(({ token }) => token));
  for (const { token } of tokensIn(text)) if (!stays.has(token)) excuse(device.model, token);
  save(device, path.join(device.directory, file), next);
  device.unsettled.add(`edited ${file}`);
}

/** Replaces all lines with one new line: two devices that do so at once cannot be merged. */
export function rewrite(device, { file, text, note }) {
  for (const { token } of tokensIn(text)) excuse(device.model, token);
  save(device, path.join(device.directory, file), `${text.slice(0, text.search(TOKEN))}${newToken(device, note.id)}\n`);
  device.unsettled.add(`edited ${file}`);
}

/** A line at the end of the note that is never removed. */
export function append(device, { file, text, note }) {
  save(device, path.join(device.directory, file), `${text.trimEnd()}\n\n${newToken(device, note.id)}\n`);
  device.unsettled.add(`edited ${file}`);
}

/** A line of MEMORY.md that was written by hand. */
function writeLine(device) {
  const file = path.join(device.directory, "MEMORY.md");
  const text = read(file) ?? "";
  if (tokensIn(text).length > 40) return;
  save(device, file, `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}- ${newToken(device, "lines")}\n`);
}

/** A renamed file stays the same note only if the store knows its current text. */
function renameByHand(device, { file, note }) {
  if (device.unsettled.has(`edited ${file}`) || note.kind !== "hot" || file.includes(".conflict-")) return;
  const to = `project_${note.id}_${device.name}_${device.made++}.md`;
  fs.renameSync(path.join(device.directory, file), path.join(device.directory, to));
  log(device, `rename to ${to}`, file, "");
  device.unsettled.add(to);
  device.unsettled.add(`left ${file}`);
  count(device.model, "renames");
}

function removeByHand(device, { file }) {
  const aside = path.join(device.home, "taken");
  fs.renameSync(path.join(device.directory, file), aside);
  const text = fs.readFileSync(aside, "utf8");
  for (const { token } of tokensIn(text)) excuse(device.model, token);
  fs.unlinkSync(aside);
  log(device, "remove", file, text);
  device.unsettled.add(`left ${file}`);
  count(device.model, "removals by hand");
}

/** During a sync the person continues: appends to a note, or creates one. */
function writeDuring(device) {
  if (device.random.next() > 0.15) return;
  device.model.operations++;
  if (device.random.next() < 0.1) return create(device);
  const found = pick(device, ({ note, file }) => note.kind === "hot" && !device.unsettled.has(file));
  if (found === undefined) return;
  try {
    const opened = fs.openSync(path.join(device.directory, found.file), fs.constants.O_WRONLY | fs.constants.O_APPEND);
    const token = newToken(device, found.note.id);
    fs.writeSync(opened, `\n${token}\n`);
    fs.closeSync(opened);
    log(device, "append", found.file, token);
    device.unsettled.add(`edited ${found.file}`);
    count(device.model, "written during a sync");
  } catch (error) {
    if (error.code !== "ENOENT") throw error; // it disappeared at this moment
  }
}
