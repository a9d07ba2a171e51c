import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { MemoryError } from "../../core/shared/errors.ts";

export interface Token {
  /** Just created, so it must be shown this once. */
  readonly isNew: boolean;
  readonly text: string;
}

const LEAST_CHARACTERS = 24;

/** Reads the token from a private file, or creates it. @throws MemoryError if others can read it or it is too short. */
export function readToken(file: string): Token {
  if (!existsSync(file)) return makeToken(file);
  // Windows has no such permission bits.
  if (process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0)
    throw new MemoryError(
      "permission",
      `${file} can be read by others, so its token is not a secret; run \`chmod 600\` on it, or remove it and start again`,
    );
  const text = readFileSync(file, "utf8").trim();
  if (text.length < LEAST_CHARACTERS || /\s/u.test(text))
    throw new MemoryError(
      "invalid-input",
      `the token in ${file} has ${text.length} characters; it needs ${LEAST_CHARACTERS} without white space. Remove the file and a good one is made`,
    );
  return { isNew: false, text };
}

function makeToken(file: string): Token {
  const text = randomBytes(32).toString("base64url");
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, `${text}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    // Another server was faster: use its token.
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return readToken(file);
    throw error;
  }
  chmodSync(file, 0o600);
  return { isNew: true, text };
}

/** Compares in constant time, wherever the two differ. */
export function isToken(given: string, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
