import type { IncomingMessage } from "node:http";
import { parseArgs } from "node:util";
import { isRecord, parseJson } from "../../core/shared/json.ts";
import { argumentProblem, MemoryError, type MemoryErrorCode } from "../../core/shared/errors.ts";
import type { ErrorAnswer } from "./api.ts";

/** Why a request failed; reported in the answer and nowhere else. */
export class RequestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = "RequestError";
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

const STATUS: Readonly<Record<MemoryErrorCode, number>> = {
  "invalid-input": 400,
  "not-found": 404,
  conflict: 409,
  refused: 403,
  locked: 503,
  permission: 503,
  "disk-full": 503,
  corrupt: 500,
  unavailable: 503,
  io: 503,
};

/** The answer to a request that failed; `undefined` for a bug. */
export function answerOf(error: unknown): { readonly status: number; readonly body: ErrorAnswer } | undefined {
  if (error instanceof RequestError)
    return { status: error.status, body: { error: { code: error.code, message: error.message } } };
  if (error instanceof MemoryError)
    return { status: STATUS[error.code], body: { error: { code: error.code, message: error.message } } };
  return undefined;
}

export interface PageArguments {
  /** 0 takes a free port. */
  readonly port: number;
  readonly opens: boolean;
  readonly json: boolean;
  readonly dir: string | undefined;
  readonly agentType: string | undefined;
}

/** A mistake in the command line, reported in one line. */
export class ArgumentError extends Error {}

const OPTIONS = {
  port: { type: "string" },
  "no-open": { type: "boolean" },
  json: { type: "boolean" },
  dir: { type: "string" },
  "agent-type": { type: "string" },
} as const;

/** @throws ArgumentError */
export function readArguments(argv: readonly string[]): PageArguments {
  const values = parse(argv);
  const port = Number(values.port ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new ArgumentError(`--port takes a number from 0 to 65535, not "${values.port ?? ""}"`);
  const json = values.json === true;
  return { port, opens: !json && values["no-open"] !== true, json, dir: values.dir, agentType: values["agent-type"] };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, strict: true }).values;
  } catch (error) {
    if (error instanceof TypeError)
      throw new ArgumentError(argumentProblem(error, (option) => `unknown option ${option}`));
    throw error;
  }
}

const MOST_BYTES = 1_000_000;

export type Fields = Readonly<Record<string, unknown>>;

/** The JSON object in a request's body. @throws RequestError for any other body. */
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

/** A required text. @throws RequestError */
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

/** A count, at least 1. @throws RequestError */
export function countIn(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 1)
    throw new RequestError(400, "invalid-input", `${name} is to be a whole number from 1 on`);
  return value;
}

/** A note, and its text as it was seen. @throws RequestError */
export function seenIn(fields: Fields): { readonly id: string; readonly seen: string } {
  return { id: textIn(fields, "id"), seen: textIn(fields, "seen") };
}

/** The same, for a note that may be gone. @throws RequestError */
export function perhapsSeenIn(fields: Fields): { readonly id: string; readonly seen?: string } {
  const seen = optionalText(fields, "seen");
  return { id: textIn(fields, "id"), ...(seen !== undefined && { seen }) };
}

/** A nested object. @throws RequestError */
export function fieldsIn(value: unknown, name: string): Fields {
  if (!isRecord(value)) throw new RequestError(400, "invalid-input", `${name} is to be an object`);
  return value;
}
