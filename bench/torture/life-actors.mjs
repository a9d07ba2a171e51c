/** Who works on notes: commands that create, move, import and purge them, a model over MCP, a person's editor. */
import fs from "node:fs";
import path from "node:path";
import { SCOPES } from "./life-home.mjs";
import { sharedNow } from "./store.mjs";

export const NOTE = /qz\d+x/gu;
const LINE = /tk-qz\d+x-\d+-end/gu;
const [FEWEST_NOTES, MOST_NOTES] = [5, 12];
/** Not found, refused, conflict and busy are valid answers; 1 is not. */
const EXPECTED = new Set([0, 2, 3, 4, 5, 6]);

export const linesIn = (text) => text.match(LINE) ?? [];
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** What was done, and with what outcome. A note is a set of lines, none shared by two writers. */
export function createModel(random) {
  const notes = new Map();
  let made = 0;
  return {
    notes,
    operations: [],
    errors: [],
    newNote() {
      const note = { id: `qz${made++}x`, lines: 0, purge: undefined };
      notes.set(note.id, note);
      return note;
    },
    newLine: (note) => `tk-${note.id}-${note.lines++}-end`,
    living: () => [...notes.values()].filter((note) => note.purge === undefined && note.isMade),
    pick() {
      const living = this.living();
      return living.length === 0 ? undefined : random.pick(living);
    },
    noteOf: (file) => notes.get(path.basename(file).match(NOTE)?.[0]),
    add(operation) {
      this.operations.push(operation);
      return operation;
    },
  };
}

export function startActors(world) {
  return [
    loop(world, 150, makeOrMove),
    loop(world, 300, makeOrMove),
    loop(world, 12_000, importArchive),
    loop(world, 2_500, purgeOne),
    modelOverMcp(world),
    loop(world, 200, async () => editByHand(world)),
  ];
}

async function loop(world, pauseMs, act) {
  while (!world.isOver()) {
    await act(world);
    await sleep(world.random.below(pauseMs));
  }
}

export async function command({ home, model }, args, operation, options) {
  const result = await home.run(args, options);
  const { code, begin, end, errors } = result;
  if (code !== null && !EXPECTED.has(code)) model.errors.push(`memdir ${args.join(" ")}: ${code} ${errors.trim()}`);
  model.add({ ...operation, begin, end, acknowledged: code === 0, killed: code === null });
  return result;
}

async function makeOrMove(world) {
  const { model, random } = world;
  const living = model.living().length;
  const isNew = living < FEWEST_NOTES || (living < MOST_NOTES && random.next() < 0.2);
  const file = isNew ? undefined : pickFile(world);
  if (file === undefined) return make(world);
  const { id } = model.noteOf(file);
  const ref = refOf(world.home, file);
  const way = random.next();
  const operation = { kind: "move", note: id };
  if (way < 0.5) await command(world, ["mv", ref, random.pick(SCOPES)], operation);
  else if (way < 0.7) await command(world, ["promote", ref], operation);
  else if (way < 0.85) await command(world, ["demote", ref], operation);
  else {
    const description = `about ${id}, said ${random.below(1000)} times`;
    await command(world, ["edit", ref, "--description", description], { kind: "edit", note: id });
  }
}

export async function make(world, { scope = world.random.pick(["project", "local", "user"]), ...options } = {}) {
  const note = world.model.newNote();
  const line = world.model.newLine(note);
  const args = ["remember", "-", "--name", note.id, "--scope", scope, "--force", "--description", `about ${note.id}`];
  const input = `${line} by a command\n`;
  const { code } = await command(world, args, { kind: "make", note: note.id, line }, { input, ...options });
  note.isMade = code === 0;
  // What a killed command may have begun is purged with the rest; no actor writes to it before that.
  if (!note.isMade) note.purge = { isLeft: true };
  return note;
}

async function importArchive(world) {
  const { home, model, random } = world;
  const archive = path.join(home.root, "archive");
  const exported = await home.run(["export", archive], { mayDie: false });
  if (exported.code !== 0) model.errors.push(`export: ${exported.code} ${exported.errors.trim()}`);
  await sleep(random.below(1_500));
  const imported = await home.run(["import", archive, "--yes"]);
  if (imported.code !== null && !EXPECTED.has(imported.code))
    model.errors.push(`import: ${imported.code} ${imported.errors.trim()}`);
  const [acknowledged, killed] = [imported.code === 0, imported.code === null];
  for (const note of model.notes.values())
    model.add({ kind: "import", note: note.id, begin: exported.begin, end: imported.end, acknowledged, killed });
  fs.rmSync(archive, { recursive: true, force: true });
}

async function purgeOne(world) {
  const { model } = world;
  const left = [...model.notes.values()].find((one) => one.purge?.isLeft);
  const note = left ?? (model.living().length > 4 ? model.pick() : undefined);
  if (note === undefined) return;
  const file = world.home.noteFiles().find((one) => model.noteOf(one) === note);
  // A note that has just moved is in two stores.
  if (file !== undefined && world.random.next() < 0.7)
    await command(world, ["mv", refOf(world.home, file), world.random.pick(SCOPES)], { kind: "move", note: note.id });
  await purge(world, note);
}

/** The notes of that name as commands name them; `undefined` if they cannot be listed. */
export async function refsOf({ home }, { id }) {
  const listed = await home.run(["list", "--json"], { mayDie: false });
  if (listed.code !== 0) return undefined;
  return JSON.parse(listed.out)
    .notes.filter(({ file }) => file.includes(id))
    .map(({ scope, file }) => (scope === "project" ? file : `${scope}:${file}`));
}

/** Forgets every note of that name, like a user who checks the list again. */
export async function purge(world, note, { mayDie = true } = {}) {
  const { model, random } = world;
  note.purge = { begin: sharedNow(), acknowledged: false };
  for (let attempt = 0; attempt < (mayDie ? 12 : 4); attempt++) {
    const refs = await refsOf(world, note);
    if (refs?.length === 0) {
      note.purge = { ...note.purge, end: sharedNow(), acknowledged: true };
      return;
    }
    for (const ref of refs ?? []) {
      const file = ref.slice(ref.indexOf(":") + 1);
      const operation = { kind: "purge", note: note.id };
      if (world.server !== undefined && !world.server.isOver() && random.next() < 0.3) {
        const begin = sharedNow();
        const answer = await world.server.call("forget", { note: ref, purge: true, confirm: file });
        const acknowledged = answer !== undefined && answer.isError !== true;
        model.add({ ...operation, begin, end: sharedNow(), acknowledged, killed: answer === undefined });
      } else await command(world, ["forget", ref, "--yes"], operation, { mayDie });
    }
  }
  note.purge.isLeft = true;
}

/** A model reads, thinks while others write, and revises what it read; its server is sometimes killed. */
async function modelOverMcp(world) {
  const { home, random } = world;
  while (!world.isOver()) {
    if (world.server === undefined || world.server.isOver()) {
      world.server = home.serve();
      await world.server.ready;
    }
    const file = pickFile(world);
    if (file !== undefined) await readAndRevise(world, file);
    await sleep(random.below(80));
  }
  await world.server?.end();
}

export async function readAndRevise({ model, home, random, server }, file, { beforeRevising = undefined } = {}) {
  const note = model.noteOf(file);
  const ref = refOf(home, file);
  const readAt = sharedNow();
  const read = await server.call("read", { note: ref });
  // A model that has only part of a note does not write the whole.
  if (read === undefined || read.isError === true || read.structuredContent.next !== undefined) return;
  if (beforeRevising === undefined) await sleep(random.below(500));
  else beforeRevising();
  if (note.purge !== undefined) return;
  const lines = (read.structuredContent.text.match(/^.*tk-qz\d+x-\d+-end.*$/gmu) ?? []).map((one) => one.trim());
  const removed = lines.length > 1 && random.next() < 0.3 ? lines.splice(random.below(lines.length), 1) : [];
  const line = model.newLine(note);
  lines.splice(random.below(lines.length + 1), 0, `${line} over MCP`);
  const begin = sharedNow();
  const given = { note: ref, text: lines.join("\n\n") };
  const answered = server.call("revise", {
    ...given,
    ...(random.next() < 0.5 && { version: read.structuredContent.version }),
  });
  if (beforeRevising === undefined && random.next() < 0.04) setTimeout(() => server.kill(), random.below(60));
  const answer = await answered;
  const acknowledged = answer !== undefined && answer.isError !== true;
  const gone = removed.flatMap(linesIn);
  model.add({
    kind: "revise",
    note: note.id,
    line,
    removed: gone,
    isJudged: acknowledged && !isLive(home, gone),
    readAt,
    begin,
    end: sharedNow(),
    acknowledged,
    killed: answer === undefined,
  });
}

export function refOf({ home, repository }, file) {
  const name = path.basename(file);
  if (file.startsWith(path.join(repository, ".memdir"))) return `team:${name}`;
  const [place] = path.relative(path.join(home, ".memdir"), file).split(path.sep);
  return place === "projects" ? name : `${place === "groups" ? "group" : place}:${name}`;
}

function pickFile({ model, home, random }, mayBePurged = false) {
  const files = home.noteFiles().filter((file) => {
    const note = model.noteOf(file);
    return note?.isMade && (mayBePurged || note.purge === undefined);
  });
  return files.length === 0 ? undefined : random.pick(files);
}

/** Appends a line, or reads a file and saves it by a rename. No other step of this process comes between. */
function editByHand(world) {
  const isAppend = world.random.next() < 0.6;
  // An append to a note that is being forgotten goes into a file that is about to disappear.
  const file = pickFile(world, isAppend);
  if (file === undefined) return;
  const note = world.model.noteOf(file);
  const line = world.model.newLine(note);
  const begin = sharedNow();
  try {
    const done = isAppend ? append(file, line) : save(world, file, line);
    const isJudged = !isLive(world.home, done.removed);
    world.model.add({ note: note.id, line, begin, end: sharedNow(), acknowledged: true, isJudged, ...done });
  } catch (error) {
    if (error.code !== "ENOENT") throw error; // it was moved or forgotten at this moment
  }
}

export function append(file, line) {
  const opened = fs.openSync(file, fs.constants.O_WRONLY | fs.constants.O_APPEND);
  fs.writeSync(opened, `\n${line} appended by hand\n`);
  fs.closeSync(opened);
  return { kind: "append", removed: [] };
}

function save({ random }, file, line) {
  const rows = fs.readFileSync(file, "utf8").split("\n");
  const at = rows.flatMap((row, index) => (linesIn(row).length > 0 ? [index] : []));
  const removed = at.length > 1 && random.next() < 0.4 ? rows.splice(random.pick(at), 1).flatMap(linesIn) : [];
  const aside = path.join(path.dirname(file), `.saved-${process.pid}`);
  fs.writeFileSync(aside, `${rows.join("\n")}\n${line} saved by hand\n`);
  fs.renameSync(aside, file);
  return { kind: "save", removed };
}

export function isLive(home, lines) {
  if (lines.length === 0) return false;
  return home.noteFiles().some((file) => {
    const text = textOf(file);
    return lines.some((line) => text.includes(line));
  });
}

/** Empty if the note was moved or forgotten since it was listed. */
export function textOf(file) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return "";
    throw error;
  }
}
