import { addedUsage, type Embedder, type ModelFailure, NO_USAGE, type TokenUsage } from "../models/model.ts";
import type { Scope } from "../notes/note.ts";
import { median } from "../shared/median.ts";
import { stripHidden } from "../shared/hidden.ts";
import { oneLine, truncate } from "../shared/text.ts";
import type { ManifestNote, Selector, SideQuestion } from "./side-query.ts";

/** With fewer notes, none can be said to stand out. */
const LEAST_NOTES = 8;

/**
 * Standard deviations that the highest of this many values of a normal distribution exceeds once in about twenty times.
 * The share beyond `t` deviations falls with `exp(-t * t / 2)`; 0.4 fits 8 to 2,000 values (3.7 to 5.8%).
 */
function deviationsOfChance(values: number): number {
  return Math.sqrt(2 * Math.log(values / 0.4));
}

/** Scales the median absolute deviation to the standard deviation of a normal distribution. */
const DEVIATIONS = 1.4826;

/** Cosine of the angle between two vectors, -1 to 1; 0 when one is zero or the lengths differ. */
export function cosine(a: Float32Array, b: Float32Array): number {
  const lengths = Math.sqrt(product(a, a) * product(b, b));
  return a.length !== b.length || lengths === 0 ? 0 : product(a, b) / lengths;
}

function product(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

/**
 * Indexes of the similarities that stand out, best first. What counts as similar differs between embedders and stores,
 * so each is compared with the others: it must be further from the median than chance explains for that many notes.
 */
export function standingOut(similarities: readonly number[]): number[] {
  const middle = median(similarities);
  const spread = DEVIATIONS * median(similarities.map((value) => Math.abs(value - middle)));
  if (similarities.length < LEAST_NOTES || spread === 0) return [];
  const least = deviationsOfChance(similarities.length);
  const outside = [...similarities.entries()].filter(([, value]) => (value - middle) / spread >= least);
  return outside.toSorted(([, a], [, b]) => b - a).map(([index]) => index);
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
      const notes = question.manifest.map((note) => ({ ...note, text: describing(note) }));
      const placed = await placeAll(embedder, cacheOf, prompt, notes, question);
      if ("kind" in placed) return { ...placed, ms: performance.now() - started };
      const { vectors, usage } = placed;
      const point = (text: string): Float32Array => vectors.get(text) ?? NOWHERE;
      const nearest = standingOut(notes.map(({ text }) => cosine(point(prompt), point(text)))).slice(0, NEAREST);
      const names = nearest.flatMap((index) => notes[index]?.name ?? []);
      return { kind: "chosen", names, usage, ms: performance.now() - started };
    },
  };
}

const NOWHERE = new Float32Array(0);

/** The text embedded for a note. */
function describing({ name, type, description }: ManifestNote): string {
  const words = name.replace(/^.*[/:]|\.md$/gu, "").replaceAll(/[-_]+/gu, " ");
  return truncate(oneLine(stripHidden(`${type ?? ""} ${words}: ${description}`)), TEXT_CHARACTERS).trim();
}

interface Placed {
  readonly vectors: ReadonlyMap<string, Float32Array>;
  readonly usage: TokenUsage;
}

/** Requests uncached vectors in batches, the prompt first. Batches before a failure are cached; the prompt is not. */
async function placeAll(
  embedder: Embedder,
  cacheOf: (scope: Scope) => VectorCache,
  prompt: string,
  notes: readonly { readonly text: string; readonly scope: Scope }[],
  { signal, timeoutMs }: SideQuestion,
): Promise<Placed | ModelFailure> {
  const started = performance.now();
  const vectors = new Map<string, Float32Array>();
  const missing = new Map<string, Scope>();
  for (const { text, scope } of notes) {
    const vector = cacheOf(scope).get(text);
    if (vector === undefined) missing.set(text, scope);
    else vectors.set(text, vector);
  }
  const texts = [prompt, ...missing.keys()];
  let usage = NO_USAGE;
  for (let from = 0; from < texts.length; from += BATCH) {
    const batch = texts.slice(from, from + BATCH);
    const result = await embedder.embed({
      purpose: "recall",
      texts: batch,
      timeoutMs: timeoutMs - (performance.now() - started),
      ...(signal && { signal }),
    });
    if (result.kind !== "vectors") return result;
    usage = addedUsage(usage, result.usage);
    const placed = batch.map((text, index) => [text, result.vectors[index] ?? NOWHERE] as const);
    for (const [text, vector] of placed) vectors.set(text, vector);
    for (const scope of new Set(missing.values()))
      cacheOf(scope).keep(new Map(placed.filter(([text]) => missing.get(text) === scope)));
  }
  return { vectors, usage };
}
