import fs from "node:fs";
import path from "node:path";
import { readSmall } from "./checkout.ts";
import { makeLevels } from "./plain-git.ts";
import { parseJson } from "../../core/shared/json.ts";

/**
 * Git's answers for one state of a tree. Keys are hashes, so no claim of a note that is later forgotten is stored here.
 * Can be deleted at any time.
 */
export interface AnswerCache {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
  /** Writes new answers; does nothing if that is impossible. */
  save(): void;
}

/** The most answers kept; the oldest are dropped first. */
const MOST_ANSWERS = 1000;
const VERSION = 1;

/** `state` names the commit and the index. Answers for another state are dropped unless `outlives` is true. */
export function openAnswerCache(file: string, state: string, outlives: (value: unknown) => boolean): AnswerCache {
  let loaded: Map<string, unknown> | undefined;
  let changed = false;
  const answers = (): Map<string, unknown> => (loaded ??= load(file, state, outlives));
  return {
    get: (key) => answers().get(hashed(key)),
    set(key, value) {
      answers().delete(hashed(key));
      answers().set(hashed(key), value);
      changed = true;
    },
    save() {
      if (changed)
        write(file, JSON.stringify({ version: VERSION, state, answers: [...answers()].slice(-MOST_ANSWERS) }));
      changed = false;
    },
  };
}

function load(file: string, state: string, outlives: (value: unknown) => boolean): Map<string, unknown> {
  const value = parseJson(readSmall(file));
  if (
    typeof value !== "object" ||
    value === null ||
    !("version" in value) ||
    value.version !== VERSION ||
    !("answers" in value) ||
    !Array.isArray(value.answers)
  )
    return new Map();
  const isSame = "state" in value && value.state === state;
  const entries = value.answers.flatMap((entry: unknown): [string, unknown][] =>
    Array.isArray(entry) && typeof entry[0] === "string" ? [[entry[0], entry[1]]] : [],
  );
  return new Map(isSame ? entries : entries.filter(([, answer]) => outlives(answer)));
}

function write(file: string, text: string): void {
  const aside = `${file}.${process.pid}`;
  try {
    makeLevels(path.dirname(file));
    fs.writeFileSync(aside, text, { mode: 0o600 });
    fs.renameSync(aside, file);
  } catch (error) {
    // A full or read-only disk: the next look asks git again.
    if (!(error instanceof Error && "code" in error)) throw error;
    if (fs.existsSync(aside)) fs.rmSync(aside);
  }
}

/** FNV-1a from two starting values, 64 bits: tells names apart, and keeps cryptography off the short path. */
function hashed(text: string): string {
  return [0x811c9dc5, 0x9e3779b1]
    .map((start) => {
      let hash = start;
      for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
      return (hash >>> 0).toString(36);
    })
    .join("-");
}
