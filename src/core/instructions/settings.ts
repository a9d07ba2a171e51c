import type { InstructionFiles } from "./ports.ts";
import { record } from "../shared/json.ts";

export type Settings = Readonly<Record<string, unknown>>;

/** A client's JSON settings, comments and trailing commas allowed; malformed ones are the client's to complain about. */
export function readSettings(files: InstructionFiles, path: string): Settings {
  const read = files.read(path);
  if (read.state !== "read") return {};
  const text = new TextDecoder().decode(read.bytes);
  return parse(text) ?? parse(withoutComments(text)) ?? {};
}

function parse(text: string): Settings | undefined {
  try {
    return record(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined; // said by its type
    throw error;
  }
}

/** Comments and trailing commas as JSONC has them, left out; strings stay. */
function withoutComments(text: string): string {
  const plain = text.replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//gu, (match) =>
    match.startsWith('"') ? match : " ",
  );
  return plain.replace(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[\]}])/gu, (match) => (match.startsWith('"') ? match : ""));
}

/** Strings of a list, or the one string. */
export function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
