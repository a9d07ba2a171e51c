import { existsSync, statfsSync } from "node:fs";
import path from "node:path";

/** With less room than this (bytes) no journal line is sure to be written. */
const LEAST_ROOM_BYTES = 256 * 1024;

/** Bytes that may still be written where a directory is or would be made. */
export function roomIn(directory: string): number {
  let place = directory;
  while (!existsSync(place) && path.dirname(place) !== place) place = path.dirname(place);
  const { bavail, bsize } = statfsSync(place);
  return bavail * bsize;
}

/** What a full disk means for hooks, whose trace of it cannot be written either; `undefined` where there is room. */
export function roomProblem(directory: string, room = roomIn(directory)): string | undefined {
  if (room >= LEAST_ROOM_BYTES) return undefined;
  return `${Math.floor(room / 1024)} KB are left on the disk of ${directory}: agents work on, but nothing is captured, logged or remembered until there is room`;
}
