import type { FilePort } from "../../core/notes/file-port.ts";
import type { SpendEntry, SpendLedger } from "../../core/models/spend.ts";
import { parseJson } from "../../core/shared/json.ts";

/** Two files with at most this size together hold weeks of ordinary use, and always the current day (bytes). */
const MOST_BYTES = 1 << 20;

export interface SpendFiles {
  /** memdir's own directory, absolute: it holds the ledger `spend.jsonl` and its predecessor `spend.old.jsonl`. */
  readonly directory: string;
  readonly files: Pick<FilePort, "read" | "stat" | "append" | "rename" | "makeDirectory">;
}

/** Each line is appended in one write, so that several processes can write at once; torn lines are skipped. */
export function openSpendLedger({ directory, files }: SpendFiles): SpendLedger {
  const path = `${directory}/spend.jsonl`;
  const old = `${directory}/spend.old.jsonl`;
  return {
    append(entry) {
      files.makeDirectory(directory);
      // A process with the file still open continues in the old file, which is also read.
      if ((files.stat(path)?.size ?? 0) > MOST_BYTES / 2) files.rename(path, old);
      files.append(path, new TextEncoder().encode(`\n${JSON.stringify(entry)}\n`));
    },
    since: (ms) =>
      [old, path]
        .flatMap((file) => linesOf(files.read(file)))
        .flatMap(parseEntry)
        .filter(({ time }) => time >= ms),
  };
}

function linesOf(bytes: Uint8Array | undefined): string[] {
  return bytes === undefined
    ? []
    : new TextDecoder()
        .decode(bytes)
        .split("\n")
        .filter((line) => line.endsWith("}"));
}

function parseEntry(line: string): SpendEntry[] {
  const value = parseJson(line);
  if (typeof value !== "object" || value === null) return [];
  const read = (name: string): unknown => Reflect.get(value, name);
  const number = (name: string): number => {
    const found = read(name);
    return typeof found === "number" && Number.isFinite(found) && found >= 0 ? found : 0;
  };
  const id = read("id");
  const state = STATES.find((one) => one === read("state"));
  if (typeof id !== "string" || state === undefined) return [];
  return [
    {
      id,
      state,
      time: number("time"),
      model: String(read("model")),
      purpose: String(read("purpose")),
      ms: number("ms"),
      dollars: number("dollars"),
      inputTokens: number("inputTokens"),
      outputTokens: number("outputTokens"),
      cachedTokens: number("cachedTokens"),
    },
  ];
}

const STATES = [
  "begun",
  "answer",
  "refused",
  "timeout",
  "cancelled",
  "rate-limited",
  "unauthorised",
  "invalid-answer",
  "over-budget",
  "unavailable",
] as const satisfies readonly SpendEntry["state"][];
