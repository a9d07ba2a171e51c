/** What must hold once every device has synced: nothing lost or resurrected, no forgotten byte, all the same. */
import fs from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { gitObjects, withBase64 } from "./life-check.mjs";
import { tokensIn } from "./sync-command.mjs";
import { idIn, notesOf } from "./sync-devices.mjs";

const ID = /qz\d+x/gu;

/** Notes, and lines of MEMORY.md that were written by hand. */
function contentOf(device) {
  const notes = notesOf(device).map(({ file, text }) => `${file}\n${text}`);
  const index = path.join(device.directory, "MEMORY.md");
  const lines = fs.existsSync(index) ? fs.readFileSync(index, "utf8").split("\n") : [];
  return [...notes, ...lines.filter((line) => line.includes("tk-lines-"))].toSorted();
}

/** Devices that differ from the first one. */
export function differing(devices) {
  const [first, ...others] = devices.map((device) => ({ device, content: contentOf(device) }));
  return others.flatMap(({ device, content }) => {
    const theirs = new Set(content);
    const ours = new Set(first.content);
    const odd = [...content.filter((one) => !ours.has(one)), ...first.content.filter((one) => !theirs.has(one))];
    return odd.length === 0
      ? []
      : [`${device.name} differs from ${first.device.name}: ${JSON.stringify(odd[0]).slice(0, 300)}`];
  });
}

/** Lines that are gone although they were not removed, and notes that are back although they were not written again. */
export function judgeNotes({ notes, tokens, devices, restores }) {
  const [first] = devices;
  const live = new Set(contentOf(first).flatMap((text) => tokensIn(text).map(({ token }) => token)));
  const lost = [...tokens].flatMap(([token, { note, isRemoved }]) =>
    live.has(token) || isRemoved || notes.get(note)?.forget !== undefined ? [] : [token],
  );
  const there = new Set(notesOf(first).map(({ text }) => idIn(text)));
  // A backup from before the removal brings the note back if the device that knew of the removal synced first. A backup
  // that was restored before the removal has no effect on it.
  const isUndone = ({ removed }) => restores.some(({ at, now }) => at < removed.at && now > removed.begunAt);
  const removed = [...notes.values()].filter((note) => note.removed?.isJudged && !isUndone(note));
  const resurrected = removed.flatMap(({ id }) => (there.has(id) ? [id] : []));
  for (const { id, forget } of notes.values()) if (forget?.isAcknowledged && there.has(id)) resurrected.push(id);
  return { lost, resurrected, judged: removed.length };
}

/** Every file below the places that names or quotes a forgotten note, git's objects and archives included. */
export function forgottenBytes({ notes, devices }, remote) {
  const forgotten = new Set([...notes.values()].flatMap(({ id, forget }) => (forget?.isAcknowledged ? [id] : [])));
  const found = [];
  let bytes = 0;
  const look = (text, place, isMine = () => false) => {
    for (const id of new Set(text.match(ID)))
      if (forgotten.has(id) && !isMine(text, id)) found.push(`${id} in ${place}`);
  };
  // Lines that a device never sent wait there for its user.
  const isUnsent = (device) => (text, id) => {
    const lines = tokensIn(text).filter(({ note }) => note === id);
    const described = [...text.matchAll(/said \d+ times on (\w+)/gu)].map(([, by]) => ({ device: by }));
    const written = [...lines, ...described];
    return written.length > 0 && written.every((one) => one.device === device.name);
  };
  const places = [
    ...devices.map((device) => ({ top: device.home, isMine: isUnsent(device) })),
    { top: remote.directory, isMine: undefined },
  ];
  for (const { top, isMine } of places)
    for (const entry of fs.readdirSync(top, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      look(entry.name, `the name of ${file}`);
      if (entry.isFile()) {
        const content = fs.readFileSync(file);
        bytes += content.length;
        const text = file.endsWith(".gz") ? gunzipSync(content) : content;
        look(withBase64(text.toString("latin1"), file), file, file.includes("/proposals/") ? isMine : undefined);
      } else if (entry.name.endsWith(".git") && fs.existsSync(path.join(file, "HEAD"))) look(gitObjects(file), file);
    }
  return { forgotten: forgotten.size, found, bytes };
}
