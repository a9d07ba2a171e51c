/** What must hold at the end: a small model of the store, fed from the logs. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { openTorturedStore, TOKEN, tokensIn } from "./store.mjs";

/** Operations of all processes in order of start. `end` is the latest time at which one can take effect. */
export function readLogs(root) {
  const operations = [];
  for (const name of fs.readdirSync(path.join(root, "logs"))) {
    const lines = fs
      .readFileSync(path.join(root, "logs", name), "utf8")
      .split("\n")
      .filter((line) => line.endsWith("}"))
      .map((line) => JSON.parse(line));
    const open = new Map();
    // The next process that takes the lock, at the latest its successor, completes what a killed one left.
    let unsettled = [];
    for (const line of lines) {
      // An editor's file is as the editor left it when killed, which was before it was started again.
      for (const operation of open.values())
        if (operation.kind === "edit" && operation.run !== line.run) operation.end = Math.min(operation.end, line.time);
      if (line.phase === "intent") {
        const operation = {
          ...line,
          begin: line.time,
          end: Number.POSITIVE_INFINITY,
          acknowledged: false,
          failed: false,
        };
        open.set(line.op, operation);
        operations.push(operation);
        continue;
      }
      const operation = open.get(line.op);
      open.delete(line.op);
      Object.assign(operation, {
        end: line.time,
        acknowledged: line.acknowledged,
        failed: !line.acknowledged,
        error: line.error,
        outcome: line.outcome,
      });
      if (operation.kind === "edit" || operation.kind === "line" || !line.acknowledged) continue;
      for (const earlier of unsettled) earlier.end = Math.min(earlier.end, line.time);
      unsettled = [...open.values()];
    }
  }
  return operations.toSorted((a, b) => a.begin - b.begin);
}

/** Lets the store recover and age, and reads everything left on disk. */
export function settle(parts, root) {
  let ahead = 0;
  const store = openTorturedStore(parts, root, { aheadMs: () => ahead });
  const problems = [];
  store.reconcile("full");
  for (const hours of [0, 1, 2]) {
    ahead = hours * 3_600_000;
    store.reconcile("full");
    store.rebuildIndexFile();
  }
  store.history();
  const digest = store.index.digest();
  store.rebuildIndex();
  if (store.index.digest() !== digest) problems.push("the index differs from its rebuild");
  problems.push(...store.verify());
  store.close();
  const files = filesBelow(root, ["notes", "state"]);
  const strays = [...files.keys()].filter((name) => /\.memdir-|\/displaced\/.|\.new|\.old|pending|corrupt/u.test(name));
  problems.push(...strays.map((name) => `stray file ${name}`));
  return { files, problems };
}

function filesBelow(root, directories) {
  const out = new Map();
  const visit = (relative) => {
    for (const entry of fs.readdirSync(path.join(root, relative), { withFileTypes: true })) {
      const name = `${relative}/${entry.name}`;
      if (entry.isDirectory()) visit(name);
      else out.set(name, fs.readFileSync(path.join(root, name)));
    }
  };
  directories.forEach(visit);
  return out;
}

/** Every token in any version of the history: all blobs, not only those reachable from the log. */
function tokensInHistory(root) {
  const git = (args, input) =>
    execFileSync("git", ["--git-dir", path.join(root, "state", "history.git"), ...args], { input, maxBuffer: 1 << 30 });
  if (!fs.existsSync(path.join(root, "state", "history.git", "HEAD"))) return new Set();
  const ids = git(["cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)"])
    .toString()
    .split("\n")
    .filter((line) => line.endsWith(" blob"))
    .map((line) => line.split(" ")[0]);
  return new Set(
    ids.length === 0 ? [] : tokensIn(git(["cat-file", "--batch"], `${ids.join("\n")}\n`).toString("latin1")),
  );
}

/**
 * Whether the note with this token was removed before the forget began or while it ran. A note created under the name
 * of a removed one is another note (decision 0011): the past of the first stays, for `undo`.
 */
function wasRemovedBefore(operations, token, forget) {
  const write = operations.find((operation) => operation.token === token);
  return operations.some(
    ({ kind, carried, failed, begin, end }) =>
      !failed &&
      (kind === "delete" || kind === "edit") &&
      carried?.length === 0 &&
      end > write.begin &&
      begin < forget.end,
  );
}

/**
 * Where a token may stay if its note was removed before the forget: in history, in copies kept next to the note, and,
 * as long as such a copy exists, in what lists it: the index, and lines of MEMORY.md that point to a copy.
 */
function placesOfCopies(token, prefix, files) {
  const copies = [...files]
    .filter(([name, content]) => name.startsWith(`notes/${prefix}`) && content.includes(token))
    .map(([name]) => name);
  const lines = (files.get("notes/MEMORY.md") ?? Buffer.alloc(0)).toString("utf8").split("\n");
  const areOfCopies = lines.every((line) => !line.includes(token) || line.includes(`](${prefix}`));
  const listings = copies.length === 0 ? [] : ["state/index.db", "state/index.db-wal"];
  return new Set(["history", ...copies, ...listings, ...(copies.length > 0 && areOfCopies ? ["notes/MEMORY.md"] : [])]);
}

/** @returns lost and resurrected tokens, each with what is known about it. */
export function judge(root, operations, files) {
  const history = tokensInHistory(root);
  const present = new Map();
  for (const [name, content] of files)
    for (const token of content.toString("latin1").match(TOKEN) ?? [])
      present.set(token, [...(present.get(token) ?? []), name]);
  const onFile = (file) => operations.filter((operation) => operation.file === file);
  const byFile = new Map(
    [...new Set(operations.map(({ file }) => file).filter(Boolean))].map((file) => [file, onFile(file)]),
  );
  const lost = [];
  const resurrected = [];
  for (const [file, list] of byFile) {
    const stem = file.slice(0, -3);
    const isHere = (token) =>
      (present.get(token) ?? []).some((name) => name === `notes/${file}` || name.startsWith(`notes/${stem}.conflict-`));
    const forgets = list.filter(({ kind }) => kind === "forget");
    for (const write of list.filter(
      ({ token, acknowledged, kind }) => acknowledged && token !== undefined && kind !== "edit",
    )) {
      const { token } = write;
      if (isHere(token) || forgets.some(({ end }) => end > write.begin)) continue;
      const isKnown = history.has(token);
      const isReplaced = list.some(
        ({ replaced, begin, failed }) => !failed && replaced?.includes(token) && begin > write.begin,
      );
      // An editor that had read the file earlier overwrote it, or was killed with the file half written: that cannot be
      // prevented, but history has the words.
      const isOverwritten = list.some(
        ({ kind, end, readAt, acknowledged }) =>
          kind === "edit" && end > write.begin && (!acknowledged || readAt < write.end),
      );
      if (!isKnown || !(isReplaced || isOverwritten))
        lost.push({ token, file, write, isKnown, isReplaced, isOverwritten });
    }
    for (const forget of forgets.filter(({ acknowledged }) => acknowledged)) {
      const gone = new Set(
        list
          .filter(({ token, end, acknowledged }) => token !== undefined && acknowledged && end < forget.begin)
          .map(({ token }) => token),
      );
      const since = list.filter(({ end, carried }) => carried !== undefined && end > forget.begin);
      for (const { carried } of since) for (const token of carried) gone.delete(token);
      for (const token of gone) {
        // If the note was removed before, its past stays, and so do the copies kept next to it.
        const isAnotherLife = wasRemovedBefore(list, token, forget);
        const places = [...(present.get(token) ?? []), ...(history.has(token) ? ["history"] : [])];
        const allowed = isAnotherLife ? placesOfCopies(token, `${stem}.conflict-`, files) : new Set();
        const where = places.filter((name) => !allowed.has(name));
        if (where.length > 0) resurrected.push({ token, file, forget, where });
      }
    }
  }
  return { lost, resurrected };
}

/** Lines written into MEMORY.md by hand that were there when the editor finished. */
export function missingLines(operations, files) {
  const lines = new Set((files.get("notes/MEMORY.md") ?? Buffer.alloc(0)).toString("utf8").split("\n"));
  return operations
    .filter(({ kind, acknowledged, line }) => kind === "line" && acknowledged && !lines.has(line))
    .map(({ line }) => line);
}
