import { nodeFiles, unlessImpossible } from "../../adapters/files/node-files.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";
import { counted, oneLine, truncate } from "../../core/shared/text.ts";
import { type LastRun, readLastRun } from "./run-records.ts";
import { spacesHere, type SpacesPlace } from "./spaces-here.ts";
import type { SyncedSpace } from "./spaces.ts";

const DAY_MS = 24 * 60 * 60_000;
/** A remote that is unreachable overnight needs no attention. */
const LONG_OFFLINE_MS = 2 * DAY_MS;
const MOST_CHARACTERS = 300;

/** What waits for the user, in one line; `undefined` if nothing does. Reads only small files: no store, no network. */
export function waitingForPerson(place: SpacesPlace, now: number): string | undefined {
  const parts = spacesHere(place).flatMap((space) => {
    const last = readLastRun(space.state);
    const waits = space.paused?.by === "user" || last === undefined ? [] : waitsIn(space, last, now);
    return waits.length === 0 ? [] : [`${space.scope}: ${waits.join(", ")}`];
  });
  return parts.length === 0 ? undefined : truncate(oneLine(`sync of ${parts.join("; ")}`), MOST_CHARACTERS);
}

function waitsIn({ directory, paused }: SyncedSpace, last: LastRun, now: number): readonly string[] {
  if (paused === undefined && last.state === "key") return [`${last.message} (\`memdir sync status\`)`];
  if (paused !== undefined || last.state === "paused")
    return [`stopped, ${paused?.reason ?? last.message} (\`memdir sync status\`)`];
  const copies = last.conflicts.filter((file) => nodeFiles.stat(`${directory}/${file}`) !== undefined);
  // Notes about the user are kept out of a team's space on purpose.
  const refused = last.refused.filter(({ reason }) => reason !== "person");
  const since = Date.parse(last.offlineSince ?? "");
  return [
    ...(last.state === "ask" ? ["it would remove most notes and waits for your word (`memdir sync approve`)"] : []),
    ...(copies.length > 0 ? [`${counted(copies.length, "note")} with two texts (\`memdir conflicts\`)`] : []),
    ...(refused.length > 0 ? [`${counted(refused.length, "note")} refused and not sent (\`memdir sync status\`)`] : []),
    ...(last.requests > 0
      ? [`${counted(last.requests, "device asks", "devices ask")} for the key (\`memdir sync approve\`)`]
      : []),
    ...(now - since >= LONG_OFFLINE_MS
      ? [`the remote was not reached since ${last.offlineSince?.slice(0, 10) ?? ""} (\`memdir sync status\`)`]
      : []),
  ];
}

/** The notice for a new session, the same one at most once a day. If that cannot be recorded, no notice is given. */
export function syncNotice(place: SpacesPlace, now: number): string | undefined {
  const text = wordsFor(place, now);
  if (text === undefined) return undefined;
  const file = `${place.memdirHome}/sync/told.json`;
  const bytes = nodeFiles.read(file);
  const told = parseJson(bytes === undefined ? "" : new TextDecoder().decode(bytes));
  if (isRecord(told) && told["text"] === text && Math.abs(now - Number(told["time"])) < DAY_MS) return undefined;
  return unlessImpossible(() => {
    nodeFiles.note(file, new TextEncoder().encode(JSON.stringify({ text, time: now })));
    return text;
  });
}

/** Unreadable sync settings are reported to the user too. */
function wordsFor(place: SpacesPlace, now: number): string | undefined {
  try {
    return waitingForPerson(place, now);
  } catch (error) {
    if (error instanceof MemoryError) return error.message;
    throw error;
  }
}
