import { type Embedder, type ModelFailure, NO_USAGE, type TokenUsage } from "../models/model.ts";
import type { Scope } from "../notes/note.ts";
import { stripHidden } from "../shared/hidden.ts";
import { oneLine, truncate } from "../shared/text.ts";
import type { ManifestNote, Selector, SideQuestion } from "./side-query.ts";

/** With fewer notes, none can be said to stand out. */
const LEAST_NOTES = 8;

/** Accepted probability that any of the notes stands out by chance. */
const CHANCE = 0.05;

/** Scales the median absolute deviation to the standard deviation of a normal distribution. */
const DEVIATIONS = 1.4826;

/** Cosine of the angle between two vectors, -1 to 1; 0 when one is zero or the lengths differ. */
export function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return 0;
  let dot = 0;
  let left = 0;
  let right = 0;
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0;
    dot += value * other;
    left += value * value;
    right += other * other;
  }
  return left === 0 || right === 0 ? 0 : dot / Math.sqrt(left * right);
}

/**
 * Indexes of the similarities that stand out, best first. What counts as similar differs between embedders and stores,
 * so each is compared with the others: it must be further from the median than chance explains for that many notes.
 */
export function standingOut(similarities: readonly number[]): number[] {
  if (similarities.length < LEAST_NOTES) return [];
  const middle = median(similarities);
  const spread = DEVIATIONS * median(similarities.map((value) => Math.abs(value - middle)));
  if (spread === 0) return [];
  const least = deviationsOfChance(CHANCE / similarities.length);
  return similarities
    .flatMap((value, index) => ((value - middle) / spread >= least ? [index] : []))
    .toSorted((a, b) => (similarities[b] ?? 0) - (similarities[a] ?? 0) || a - b);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? 0)) / 2;
}

/** Standard deviations exceeded by this share of a normal distribution (Abramowitz/Stegun 26.2.23; error < 0.0005). */
function deviationsOfChance(share: number): number {
  const t = Math.sqrt(-2 * Math.log(share));
  return (
    t - (2.515517 + 0.802853 * t + 0.010328 * t * t) / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t)
  );
}

/** A store's cached vectors, by text; removed when a note of the store is forgotten. */
export interface VectorCache {
  get(text: string): Float32Array | undefined;
  /** Never throws for disk errors: a vector can be requested again. */
  keep(vectors: ReadonlyMap<string, Float32Array>): void;
}

/** Notes per request; those that do not arrive in time are requested at the next prompt. */
const BATCH = 64;

/** Most notes compared; a vector takes a few kilobytes. */
const COMPARED_NOTES = 2000;

/** Most notes that similarity alone may add to a turn. */
const NEAREST = 3;

const TEXT_CHARACTERS = 400;

const PROMPT_CHARACTERS = 4000;

/**
 * Selects by meaning: notes whose description is closer to the prompt than chance explains. Each is shown in one line,
 * never whole, since a similar note need not help. Only what the manifest says of notes is sent, not their texts.
 */
export function createEmbeddingSelector(embedder: Embedder, cacheOf: (scope: Scope) => VectorCache): Selector {
  return {
    id: embedder.id,
    place: embedder.place,
    grade: "line",
    most: COMPARED_NOTES,
    async select(question) {
      const started = performance.now();
      const prompt = truncate(oneLine(stripHidden(question.prompt)), PROMPT_CHARACTERS);
      const notes = question.manifest.slice(0, COMPARED_NOTES).map((note) => ({ ...note, text: describing(note) }));
      const placed = await placeAll(embedder, cacheOf, prompt, notes, question);
      if (placed.kind !== "placed") return { ...placed, ms: performance.now() - started };
      const point = (text: string): Float32Array => placed.vectors.get(text) ?? NOWHERE;
      const similarities = notes.map(({ text }) => cosine(point(prompt), point(text)));
      const names = standingOut(similarities)
        .slice(0, NEAREST)
        .flatMap((index) => notes[index]?.name ?? []);
      return { kind: "chosen", names, usage: placed.usage, ms: performance.now() - started };
    },
  };
}

const NOWHERE = new Float32Array(0);

/** The text embedded for a note. */
function describing({ name, type, description }: ManifestNote): string {
  const words = name
    .replace(/^.*[/:]/u, "")
    .replace(/\.md$/u, "")
    .replaceAll(/[-_]+/gu, " ");
  return truncate(oneLine(stripHidden(`${type ?? ""} ${words}: ${description}`)), TEXT_CHARACTERS).trim();
}

type Placed =
  | { readonly kind: "placed"; readonly vectors: ReadonlyMap<string, Float32Array>; readonly usage: TokenUsage }
  | ModelFailure;

/** Requests uncached vectors in batches, the prompt first. Batches before a failure are cached; the prompt is not. */
async function placeAll(
  embedder: Embedder,
  cacheOf: (scope: Scope) => VectorCache,
  prompt: string,
  notes: readonly { readonly text: string; readonly scope: Scope }[],
  { signal, timeoutMs }: SideQuestion,
): Promise<Placed> {
  const started = performance.now();
  const vectors = new Map<string, Float32Array>();
  const missing = new Map<string, Scope>();
  for (const { text, scope } of notes) {
    const vector = cacheOf(scope).get(text);
    if (vector === undefined) missing.set(text, scope);
    else vectors.set(text, vector);
  }
  const texts = [prompt, ...missing.keys()];
  let usage: TokenUsage = NO_USAGE;
  for (let from = 0; from < texts.length; from += BATCH) {
    const batch = texts.slice(from, from + BATCH);
    const result = await embedder.embed({
      purpose: "recall",
      texts: batch,
      timeoutMs: timeoutMs - (performance.now() - started),
      ...(signal === undefined ? {} : { signal }),
    });
    if (result.kind !== "vectors") return result;
    usage = {
      inputTokens: usage.inputTokens + result.usage.inputTokens,
      outputTokens: 0,
      cachedTokens: usage.cachedTokens + result.usage.cachedTokens,
    };
    const placed = result.vectors.map((vector, index) => [batch[index] ?? "", vector] as const);
    for (const [text, vector] of placed) vectors.set(text, vector);
    for (const scope of new Set(missing.values()))
      cacheOf(scope).keep(new Map(placed.filter(([text]) => missing.get(text) === scope)));
  }
  return { kind: "placed", vectors, usage };
}
