import fs from "node:fs";
import path from "node:path";
import { matchGuards, type PlannedCall, subjectOf } from "../../core/guards/judge-call.ts";
import type { Guard } from "../../core/guards/guard.ts";
import { slugOf } from "../../core/notes/names.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { judgeCalls } from "./judge-calls.ts";
import type { Locations } from "../workspace/locations.ts";
import { readTranscriptFile } from "../past/transcript.ts";

/** A past tool call that a guard would have matched. */
export interface MetCall {
  readonly transcript: string;
  readonly time: string | undefined;
  readonly tool: string;
  readonly subject: string;
}

export interface GuardTrial {
  readonly transcripts: number;
  readonly calls: number;
  readonly met: readonly MetCall[];
}

/** Only this many sessions are searched, the newest first. */
const MOST_TRANSCRIPTS = 50;

/**
 * Tests a guard against past tool calls. Changes nothing. `given` is a transcript or a directory of them; default: this
 * project's sessions of Claude Code. @throws MemoryError `not-found` if it is not there.
 */
export function tryGuard(locations: Locations, guard: Guard, given?: string): GuardTrial {
  const place = path.resolve(locations.cwd, given ?? defaultPlace(locations));
  if (given !== undefined && !fs.existsSync(place)) throw new MemoryError("not-found", `there is no ${place}`);
  const armed = [{ scope: "project" as const, directory: "", file: "", name: "", guard }];
  const files = transcriptsIn(place);
  let calls = 0;
  const met: MetCall[] = [];
  for (const file of files) {
    for (const { toolCalls, time } of readTurns(file)) {
      for (const { name, input } of toolCalls) {
        calls++;
        const call: PlannedCall = { tool: name, input };
        if (matchGuards(armed, call, judgeCalls).matched.length > 0)
          met.push({ transcript: file, time, tool: name, subject: subjectOf(input) });
      }
    }
  }
  return { transcripts: files.length, calls, met };
}

function defaultPlace({ configDirectory, cwd }: Locations): string {
  return path.join(configDirectory, "projects", slugOf(cwd));
}

/** Tests a guard against one call. */
export function meets(guard: Guard, call: PlannedCall): "met" | "passed" | "too-slow" {
  const { matched, tooSlow } = matchGuards(
    [{ scope: "project", directory: "", file: "", name: "", guard }],
    call,
    judgeCalls,
  );
  return tooSlow.length > 0 ? "too-slow" : matched.length > 0 ? "met" : "passed";
}

function transcriptsIn(place: string): readonly string[] {
  const stat = fs.statSync(place, { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true) return stat === undefined ? [] : [place];
  const files = fs
    .readdirSync(place)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => path.join(place, name));
  const newest = files
    .map((file) => ({ file, time: fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((a, b) => b.time - a.time);
  return newest.slice(0, MOST_TRANSCRIPTS).map(({ file }) => file);
}

function readTurns(file: string): ReturnType<typeof readTranscriptFile>["turns"] {
  try {
    return readTranscriptFile(file).turns;
  } catch (error) {
    if (error instanceof MemoryError) return []; // not a transcript, or gone in the meantime
    throw error;
  }
}
