import type { IncomingMessage } from "node:http";
import { isRecord, parseJson } from "../../core/shared/json.ts";
import { RequestError } from "./request-error.ts";

const MOST_BYTES = 1_000_000;

export type Fields = Readonly<Record<string, unknown>>;

/** The JSON object that a request brings. @throws RequestError for any other body. */
export async function readFields(request: IncomingMessage): Promise<Fields> {
  if (!/^application\/json\s*(?:;|$)/iu.test(request.headers["content-type"] ?? ""))
    throw new RequestError(415, "type", "send application/json");
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    const bytes = Buffer.from(part);
    length += bytes.length;
    if (length > MOST_BYTES) throw new RequestError(413, "too-large", `a request has at most ${MOST_BYTES} bytes`);
    parts.push(bytes);
  }
  const value = parseJson(Buffer.concat(parts).toString("utf8"));
  if (!isRecord(value)) throw new RequestError(400, "invalid-input", "the body is not a JSON object");
  return value;
}

/** A text that must be there. @throws RequestError */
export function textIn(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== "string") throw new RequestError(400, "invalid-input", `${name} is to be a text`);
  return value;
}

export function optionalText(fields: Fields, name: string): string | undefined {
  return fields[name] === undefined ? undefined : textIn(fields, name);
}

export function flagIn(fields: Fields, name: string): boolean {
  const value = fields[name];
  if (value !== undefined && typeof value !== "boolean")
    throw new RequestError(400, "invalid-input", `${name} is to be true or false`);
  return value === true;
}

/** A count from 1 on. @throws RequestError */
export function countIn(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 1)
    throw new RequestError(400, "invalid-input", `${name} is to be a whole number from 1 on`);
  return value;
}

/** A note and the text of it that was seen. @throws RequestError */
export function seenIn(fields: Fields): { readonly id: string; readonly seen: string } {
  return { id: textIn(fields, "id"), seen: textIn(fields, "seen") };
}

/** The same, where the note may be gone. @throws RequestError */
export function perhapsSeenIn(fields: Fields): { readonly id: string; readonly seen?: string } {
  const seen = optionalText(fields, "seen");
  return { id: textIn(fields, "id"), ...(seen !== undefined && { seen }) };
}

/** An object within. @throws RequestError */
export function fieldsIn(value: unknown, name: string): Fields {
  if (!isRecord(value)) throw new RequestError(400, "invalid-input", `${name} is to be an object`);
  return value;
}
