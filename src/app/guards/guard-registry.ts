import { runInThisContext } from "node:vm";
import { nodeFiles, putFile } from "../../adapters/files/node-files.ts";
import { GUARDS_FILE } from "../../adapters/files/layout.ts";
import { type Guard, parseGuard } from "../../core/guards/guard.ts";
import type { Subject } from "../../core/guards/command-line.ts";
import {
  type ArmedGuard,
  type CallJudge,
  matchGuards,
  type PatternTest,
  type PlannedCall,
} from "../../core/guards/judge-call.ts";
import type { Locations, StoreLocation } from "../workspace/locations.ts";

/** A guard approved on this machine, as kept in the registry of its store. */
export interface ApprovedGuard extends ArmedGuard {
  /** Hash of the guard that the user approved. */
  readonly hash: string;
  readonly approvedAt: string;
  /** Size and time of the note's file when it last matched the approval. */
  readonly size: number;
  readonly mtimeMs: number;
}

/** Approved guards of all scopes in use. One small file per store, read without an index; a damaged one is empty. */
export function approvedGuards({ stores }: Pick<Locations, "stores">): readonly ApprovedGuard[] {
  return stores.flatMap(readRegistry);
}

/** Approved guards that match a tool call. */
export function guardsMeeting(
  locations: Pick<Locations, "stores">,
  call: PlannedCall,
  judge: CallJudge,
): ReturnType<typeof matchGuards<ApprovedGuard>> {
  return matchGuards(approvedGuards(locations), call, judge);
}

export function readRegistry({ scope, directory, state }: StoreLocation): readonly ApprovedGuard[] {
  const bytes = nodeFiles.read(`${state}/${GUARDS_FILE}`);
  if (bytes === undefined) return [];
  return entriesOf(bytes).flatMap((value): ApprovedGuard[] => {
    const { file, name, about, hash, approvedAt, size, mtimeMs } = value;
    const read = parseGuard(recordOf(value["guard"]));
    if (read.kind !== "guard" || typeof file !== "string" || typeof name !== "string" || typeof hash !== "string")
      return [];
    return [
      {
        scope,
        directory,
        file,
        name,
        about: typeof about === "string" ? about : undefined,
        hash,
        guard: read.guard,
        approvedAt: String(approvedAt),
        size: Number(size),
        mtimeMs: Number(mtimeMs),
      },
    ];
  });
}

/** Replaces the registry of one store atomically. */
export function writeRegistry({ state }: Pick<StoreLocation, "state">, guards: readonly ApprovedGuard[]): void {
  const target = `${state}/${GUARDS_FILE}`;
  if (guards.length === 0) {
    nodeFiles.remove(target);
    return;
  }
  nodeFiles.makeDirectory(state);
  putFile(target, `${JSON.stringify({ version: 1, guards: guards.map(written) }, undefined, 1)}\n`);
}

function written({
  file,
  name,
  about,
  hash,
  approvedAt,
  size,
  mtimeMs,
  guard,
}: ApprovedGuard): Readonly<Record<string, unknown>> {
  const { tool, pattern, action, message }: Guard = guard;
  return {
    file,
    name,
    about,
    hash,
    approvedAt,
    size,
    mtimeMs,
    guard: { tool, pattern, action, ...(message !== undefined && { message }) },
  };
}

/** Whether the note's file is the one that was seen when the guard was approved. */
export function noteState({
  directory,
  file,
  size,
  mtimeMs,
}: Pick<ApprovedGuard, "directory" | "file" | "size" | "mtimeMs">): "same" | "changed" | "gone" {
  const stat = nodeFiles.stat(`${directory}/${file}`);
  if (stat?.kind !== "file") return "gone";
  return stat.size === size && stat.mtimeMs === mtimeMs ? "same" : "changed";
}

/** Time limit for all patterns of one call together (ms). */
const PATTERNS_MS = 60;

/**
 * Tests patterns within a time limit: V8 itself stops a regular expression that backtracks endlessly, since it checks
 * for interruptions at every step back. First all at once; only if that takes too long, each pattern alone: `undefined`
 * for those that then still run out of time.
 */
export const testPatterns: PatternTest = (patterns, subjects) => {
  const answers = inTime(testScript(patterns, subjects), PATTERNS_MS);
  if (Array.isArray(answers)) return patterns.map((_, at) => answers[at] === true);
  const share = Math.max(1, Math.floor(PATTERNS_MS / patterns.length));
  return patterns.map((pattern) => {
    const answer = inTime(testScript([pattern], subjects), share);
    return Array.isArray(answer) ? answer[0] === true : undefined;
  });
};

/** Gives a list of answers, one per pattern. */
function testScript(patterns: readonly string[], subjects: readonly Subject[]): string {
  return `((patterns, subjects) => patterns.map((pattern) => {
    const free = new RegExp(pattern, "u");
    const anchored = new RegExp("^(?:" + pattern + ")", "u");
    return subjects.some(({ text, fromStart }) => (fromStart ? anchored : free).test(text));
  }))(${JSON.stringify(patterns)}, ${JSON.stringify(subjects)})`;
}

function inTime(script: string, timeoutMs: number): unknown {
  try {
    return runInThisContext(script, { timeout: timeoutMs });
  } catch (error) {
    if (isTimeout(error)) return undefined;
    throw error;
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

function entriesOf(bytes: Uint8Array): readonly Readonly<Record<string, unknown>>[] {
  try {
    const guards = recordOf(JSON.parse(new TextDecoder().decode(bytes)))["guards"];
    return Array.isArray(guards) ? guards.map(recordOf) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return []; // damaged: without a readable approval nothing is approved
    throw error;
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}
