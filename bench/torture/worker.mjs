/**
 * One process of the torture: a writer that uses the store, or an editor that writes the files as a person's editor or
 * an agent does. It logs each intent and each acknowledgement, one write per line, so that a kill loses none of them.
 * Usage: node worker.mjs ROLE ID INCARNATION ROOT DIST SEED FAULT
 */
import fs from "node:fs";
import path from "node:path";
import { HOT, loadParts, noteWith, openTorturedStore, seededRandom, sharedNow, tokensIn, withSlot } from "./store.mjs";

const [role, id, incarnation, root, dist, seed, fault] = process.argv.slice(2);
const random = seededRandom(Number(seed) * 7919 + Number(id) * 104_729 + Number(incarnation));
const log = fs.openSync(path.join(root, "logs", `${id}.jsonl`), "a");
const notes = path.join(root, "notes");
const by = { actor: `writer-${id}`, reason: "torture" };
let counter = 0;

function note(line) {
  fs.writeSync(log, `${JSON.stringify({ id, run: incarnation, ...line, time: sharedNow() })}\n`);
}

const token = () => `tk-${id}-${Number(incarnation).toString(36)}-${(counter++).toString(36)}-end`;
const isOver = () => fs.existsSync(path.join(root, "stop"));
const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const ownFiles = () => fs.readdirSync(notes).filter((name) => name.startsWith(`own-${id}-`));

function anyFile() {
  const own = ownFiles();
  return own.length > 0 && random.next() < 0.4 ? random.pick(own) : random.pick(HOT);
}

/** Logs the intent, does the work, logs the outcome. */
function attempt(intent, work, MemoryError) {
  const op = `${id}.${incarnation}.${counter++}`;
  note({ op, phase: "intent", ...intent });
  try {
    note({ op, phase: "end", acknowledged: true, ...work() });
  } catch (error) {
    const isExpected = error instanceof MemoryError && (error.code === "locked" || error.code === "conflict");
    note({ op, phase: "end", acknowledged: false, error: isExpected ? undefined : String(error.stack) });
  }
}

function commit(store, change) {
  const result = store.commit([change], by);
  return { acknowledged: result.ok, outcome: result.outcomes[0].outcome };
}

function writerActions(store, { MemoryError }) {
  const run = (intent, work) => attempt(intent, work, MemoryError);
  const create = () => {
    const own = `own-${id}-${incarnation}-${counter++}.md`;
    const file = random.next() < 0.3 ? random.pick(HOT) : own;
    const made = token();
    const content = noteWith(file.slice(0, -3), made);
    run({ kind: "create", file, token: made, carried: [made], replaced: [] }, () =>
      commit(store, { kind: "create", file, content }),
    );
  };
  const write = (waitMs) => {
    const file = anyFile();
    const base = store.read(file);
    if (base === undefined) return create();
    const made = token();
    const { text, replaced } = withSlot(Buffer.from(base).toString("utf8"), random.below(12), made);
    if (waitMs > 0) pause(waitMs);
    run({ kind: "write", file, token: made, carried: tokensIn(text), replaced }, () =>
      commit(store, { kind: "write", file, content: text, base }),
    );
  };
  const remove = () => {
    const file = anyFile();
    const base = store.read(file);
    if (base === undefined) return;
    run({ kind: "delete", file, carried: [], replaced: tokensIn(Buffer.from(base).toString("utf8")) }, () =>
      commit(store, { kind: "delete", file, base }),
    );
  };
  const forget = () => {
    const file = anyFile();
    run({ kind: "forget", file }, () => ({ found: store.forget(file) !== undefined }));
  };
  return [
    [24, create],
    [34, () => write(0)],
    [20, () => write(random.below(25))],
    [5, remove],
    [4, forget],
    [3, () => run({ kind: "history" }, () => ({ versions: store.history().versions().length }))],
    [6, () => run({ kind: "use" }, () => store.recordUse([anyFile()]))],
    [4, () => run({ kind: "reconcile" }, () => void store.reconcile(random.next() < 0.5 ? "quick" : "full"))],
  ];
}

/** Writes of an editor: it knows what it had read, but not what changed between its reading and its writing. */
function editorActions({ MemoryError }) {
  const run = (intent, work) => attempt(intent, work, MemoryError);
  const read = (file) => {
    try {
      return fs.readFileSync(path.join(notes, file), "utf8");
    } catch (error) {
      if (error.code === "ENOENT") return undefined;
      throw error;
    }
  };
  const edit = (save) => {
    const file = random.pick(HOT);
    const readAt = sharedNow();
    const before = read(file);
    // An empty file is being written, or was cut off by a kill: an editor would not save that.
    if (before === undefined || before === "") return;
    const made = token();
    const { text, replaced } = withSlot(before, random.below(12), made);
    if (random.next() < 0.3) pause(random.below(10));
    run(
      { kind: "edit", file, readAt, token: made, carried: tokensIn(text), replaced },
      () => void save(path.join(notes, file), text),
    );
  };
  const renameOver = (file, text) => {
    const temporary = path.join(notes, `.editor-${id}-${counter++}`);
    fs.writeFileSync(temporary, text);
    fs.renameSync(temporary, file);
  };
  const addLine = () => {
    const line = `- by hand ${token()}`;
    run({ kind: "line", line }, () => void fs.appendFileSync(path.join(notes, "MEMORY.md"), `${line}\n`));
  };
  const remove = () => {
    const file = random.pick(HOT);
    const readAt = sharedNow();
    const before = read(file);
    if (before === undefined) return;
    run({ kind: "edit", file, readAt, carried: [], replaced: tokensIn(before) }, () =>
      fs.rmSync(path.join(notes, file), { force: true }),
    );
  };
  return [
    [30, () => edit((file, text) => fs.writeFileSync(file, text))],
    [30, () => edit(renameOver)],
    [34, addLine],
    [6, remove],
  ];
}

const parts = await loadParts(dist);
const store = role === "writer" ? openTorturedStore(parts, root, { fault }) : undefined;
const actions = store === undefined ? editorActions(parts) : writerActions(store, parts);
const total = actions.reduce((sum, [weight]) => sum + weight, 0);
while (!isOver()) {
  let at = random.below(total);
  for (const [weight, act] of actions) {
    at -= weight;
    if (at >= 0) continue;
    act();
    break;
  }
  pause(role === "editor" ? 5 + random.below(40) : random.below(6));
}
store?.close();
