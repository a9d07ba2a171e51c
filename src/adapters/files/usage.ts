import type { FilePort } from "../../core/notes/file-port.ts";

const FILE = "usage.jsonl";

/** Where the log lies: a store, as far as it matters here. */
interface LogPlace {
  readonly state: string;
  readonly files: FilePort;
}

/** Adds a line to the usage log: which notes a recall showed. No note text, no prompt. */
export function appendUse(context: LogPlace & { readonly clock: { now(): number } }, used: readonly string[]): void {
  const line = JSON.stringify({ time: new Date(context.clock.now()).toISOString(), files: used });
  context.files.append(`${context.state}/${FILE}`, new TextEncoder().encode(`\n${line}\n`)); // a torn line may stand before it
}

/** Every use ever logged, one entry a use. */
export function readUses(context: LogPlace): string[] {
  return lines(context).flatMap(({ files }) => files);
}

/** How often each note had been used up to a moment (ms). */
export function usesUntil(context: LogPlace, ms: number): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { time, files } of lines(context)) {
    if (Date.parse(time) <= ms) for (const file of files) counts.set(file, (counts.get(file) ?? 0) + 1);
  }
  return counts;
}

export function rewriteUses(context: LogPlace, keep: (file: string) => boolean): void {
  const path = `${context.state}/${FILE}`;
  if (context.files.stat(path) === undefined) return;
  const kept = lines(context).map(({ time, files }) => `${JSON.stringify({ time, files: files.filter(keep) })}\n`);
  context.files.remove(`${path}.new`);
  context.files.create(`${path}.new`, new TextEncoder().encode(kept.join("")));
  context.files.rename(`${path}.new`, path);
}

function lines(context: LogPlace): { time: string; files: string[] }[] {
  const text = new TextDecoder().decode(context.files.read(`${context.state}/${FILE}`) ?? new Uint8Array());
  return text.split("\n").flatMap((line) => {
    const value = parseLine(line);
    return value === undefined ? [] : [value];
  });
}

function parseLine(line: string): { time: string; files: string[] } | undefined {
  if (!line.endsWith("}")) return undefined; // torn by a kill: one use is lost, nothing else
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null || !("files" in value) || !Array.isArray(value.files)) return undefined;
    return { time: "time" in value ? String(value.time) : "", files: value.files.map(String) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
