/** What must hold for the lives of notes: a model of lines and notes, compared with every byte below the home. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { linesIn, NOTE, textOf } from "./life-actors.mjs";

/** Lines that no one removed but no note has, and lines that came back. */
export function judgeLines({ notes, operations }, home, exported) {
  const live = new Set(home.noteFiles().flatMap((file) => linesIn(textOf(file))));
  const [lost, resurrected] = [[], []];
  let judged = 0;
  settleKilled(operations);
  for (const { id, purge } of notes.values()) {
    if (purge !== undefined) continue;
    const list = operations.filter(({ note }) => note === id);
    for (const write of list.filter(({ line, acknowledged }) => line !== undefined && acknowledged)) {
      if (live.has(write.line) || list.some(({ removed }) => removed?.includes(write.line))) continue;
      // An editor that had read the file earlier overwrote it: that cannot be prevented, but history has the words.
      const isOverwritten = list.some(
        ({ kind, begin, end }) => kind === "save" && write.kind !== "append" && end > write.begin && begin < write.end,
      );
      if (!isOverwritten || !exported.has(write.line)) lost.push({ ...write, isKnown: exported.has(write.line) });
    }
    for (const removal of list.filter(({ removed, isJudged }) => isJudged && removed.length > 0)) {
      // An actor that read the note before the line was removed may write it back.
      const isCarried = list.some(
        (one) => one !== removal && (one.readAt ?? one.begin) < removal.end && one.end > removal.begin && carries(one),
      );
      if (isCarried) continue;
      judged++;
      for (const line of removal.removed) if (live.has(line)) resurrected.push({ line, removal });
    }
  }
  return { lost, resurrected, judged };
}

/** Commands that first finish what another one left undone. */
const SETTLES = new Set(["move", "edit", "import"]);

/** What a killed process left half done is complete after the next such command. */
function settleKilled(operations) {
  for (const one of operations.filter(({ killed }) => killed)) {
    const next = operations.find(
      ({ acknowledged, begin, kind }) => acknowledged && begin > one.end && SETTLES.has(kind),
    );
    one.end = next?.end ?? Number.POSITIVE_INFINITY;
  }
}

const carries = ({ kind }) => kind !== "append" && kind !== "purge";

/** Every place below the home that still names or quotes a purged note: file names, bytes, git's objects. */
export function purgedBytes({ notes }, home) {
  const purged = new Set([...notes.values()].filter(({ purge }) => purge?.acknowledged).map(({ id }) => id));
  const found = [];
  const look = (text, place) => {
    for (const id of new Set(text.match(NOTE))) if (purged.has(id)) found.push({ note: id, place });
  };
  let bytes = 0;
  for (const top of [home.home, home.repository])
    for (const entry of fs.readdirSync(top, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      look(entry.name, `the name of ${file}`);
      if (entry.isFile()) {
        const content = fs.readFileSync(file);
        bytes += content.length;
        look(withBase64(content.toString("latin1"), file), file);
      } else if (entry.name.endsWith(".git") && fs.existsSync(path.join(file, "HEAD"))) look(gitObjects(file), file);
    }
  return { purged: purged.size, found, bytes };
}

export function withBase64(text, file) {
  if (!/\.jsonl?$/u.test(file)) return text;
  const decoded = (text.match(/[A-Za-z0-9+/]{40,}={0,2}/gu) ?? []).map((one) => Buffer.from(one, "base64"));
  return `${text}\n${decoded.map((one) => one.toString("latin1")).join("\n")}`;
}

/** Loose and packed objects, reachable or not. */
export function gitObjects(directory) {
  const options = { maxBuffer: 1 << 30 };
  return execFileSync("git", ["--git-dir", directory, "cat-file", "--batch-all-objects", "--batch"], options).toString(
    "latin1",
  );
}
