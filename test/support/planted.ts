import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { SecretScanner } from "../../src/core/shared/secrets/mask.ts";
import { filesBelow } from "./scratch.ts";

/** A generator of numbers from 0 to 1, reproducible by its seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `MEMDIR_SEED` repeats a run; the default changes daily. */
export function seedOfRun(): number {
  const given = Number(process.env["MEMDIR_SEED"] ?? "");
  const seed = Number.isInteger(given) && given > 0 ? given : Math.floor(Date.now() / 86_400_000);
  process.stderr.write(`planted secrets: MEMDIR_SEED=${seed}\n`);
  return seed;
}

const UPPER = "ABCDEFGHJKLMNPQRSTUVWXYZ";
const LETTERS = `${UPPER}${UPPER.toLowerCase()}`;

interface Secret {
  readonly field: string;
  readonly text: string;
  /** Letters from its middle, in lower case, for the search. */
  readonly core: string;
}

/** Tokens in the issuers' published formats, in one alphabet, so that a name, an id or a path can contain one. */
const SHAPES: readonly ((random: (length: number, alphabet: string) => string) => string)[] = [
  (random) => `gh${"p"}_${random(36, `${LETTERS}0123456789`)}`,
  (random) => `glp${"at"}-${random(20, `${LETTERS}0123456789`)}`,
  (random) => `npm${"_"}${random(36, `${LETTERS}0123456789`)}`,
  (random) => `sk_li${"ve"}_${random(24, `${LETTERS}0123456789`)}`,
];

/** Plants a new secret in each requested field, and finds those that reached a disk. */
export function planter(seed: number) {
  const number = seeded(seed);
  const random = (length: number, alphabet: string): string =>
    Array.from({ length }, () => alphabet[Math.floor(number() * alphabet.length)] ?? "A").join("");
  const planted: Secret[] = [];
  return {
    planted,
    /** Returns a new secret for a field; callers add text around it where the field takes prose. */
    plant(field: string): string {
      const shape = SHAPES[Math.floor(number() * SHAPES.length)] ?? SHAPES[0];
      const text = shape?.(random) ?? "";
      const middle = Math.floor(text.length / 2);
      planted.push({ field, text, core: text.slice(middle - 5, middle + 7).toLowerCase() });
      return text;
    },
    /** Fields whose secret is in a file below these directories, in its name, or in an object of a git repository. */
    found(...directories: readonly string[]): readonly string[] {
      const texts = directories.flatMap(everythingBelow).map((text) => text.toLowerCase());
      return [
        ...new Set(planted.filter(({ core }) => texts.some((text) => text.includes(core))).map(({ field }) => field)),
      ].toSorted();
    },
  };
}

/** Names and bytes of every file, including pages of SQLite, and every object of git repositories, loose or packed. */
function everythingBelow(directory: string): readonly string[] {
  const files = [...filesBelow(directory)];
  const repositories = files
    .filter(([name]) => path.basename(name) === "HEAD")
    .map(([name]) => path.join(directory, path.dirname(name)))
    .filter((place) => fs.existsSync(path.join(place, "objects")));
  return [
    ...files.map(([name, bytes]) => `${name}\n${bytes.toString("latin1")}`),
    ...repositories.map((place) =>
      execFileSync("git", ["--git-dir", place, "cat-file", "--batch-all-objects", "--batch"], {
        maxBuffer: 1 << 28,
        stdio: ["ignore", "pipe", "ignore"],
      }).toString("latin1"),
    ),
  ];
}

/** No gate at all: the secrets that are found then prove that the search would find them. */
export const BLIND: SecretScanner = { scan: async () => [] };
