import type { JsonObject } from "./format.ts";

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export type ParsedLine =
  | { readonly ok: true; readonly record: JsonObject; readonly problem: string | undefined }
  | { readonly ok: false; readonly problem: string };

/** One line of JSON. Bytes that are no text are passed over where the rest can still be read. */
export function parseLine(line: string): ParsedLine {
  const odd = line.includes("\0")
    ? "NUL bytes; they were left out"
    : line.includes("\uFFFD")
      ? "invalid UTF-8; the unreadable bytes were replaced"
      : undefined;
  try {
    const value: unknown = JSON.parse(line.replaceAll("\0", ""));
    return isObject(value) ? { ok: true, record: value, problem: odd } : { ok: false, problem: "not a JSON object" };
  } catch (error) {
    return { ok: false, problem: odd ?? `not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Every text in a value, depth first, for tool inputs and results of any shape. */
export function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (depth > 12 || typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((part) => textsIn(part, depth + 1));
}
