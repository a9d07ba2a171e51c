import { diff3Merge, diffIndices } from "node-diff3";
import { linesOf, splitFrontmatter, mergeByKey, type FrontmatterCodec } from "../../core/notes/frontmatter.ts";

/**
 * Three-way merge: frontmatter by key, the body by lines. `undefined` when both sides changed the same lines or the
 * result would have broken frontmatter; then both versions must be kept.
 */
export function mergeNotes(base: string, ours: string, theirs: string, codec: FrontmatterCodec): string | undefined {
  const text = mergeByKey(base, ours, theirs, mergeLines);
  if (text === undefined || text === ours || text === theirs) return text;
  const wasSound = codec.read(splitFrontmatter(theirs).block).problem === undefined;
  const isSound =
    splitFrontmatter(text).state !== "unclosed" && codec.read(splitFrontmatter(text).block).problem === undefined;
  return isSound || !wasSound ? text : undefined;
}

function mergeLines(base: string, ours: string, theirs: string): string | undefined {
  return mergeLists(linesOf(base), linesOf(ours), linesOf(theirs))?.join("");
}

/** `undefined` when both sides changed the same place. */
export function mergeLists(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): readonly string[] | undefined {
  const merged: string[] = [];
  for (const { ok } of diff3Merge([...ours], [...base], [...theirs], { excludeFalseConflicts: true })) {
    if (ok === undefined) return undefined;
    merged.push(...ok);
  }
  return merged;
}

const CONTEXT_LINES = 3;

/** A unified diff body (`@@` hunks) for people to read; empty when the texts are equal. */
export function lineDiff(before: string, after: string): string {
  const a = before === "" ? [] : before.replace(/\n$/u, "").split("\n");
  const b = after === "" ? [] : after.replace(/\n$/u, "").split("\n");
  const out: string[] = [];
  for (const { buffer1, buffer2 } of diffIndices(a, b)) {
    const from = Math.max(0, buffer1[0] - CONTEXT_LINES);
    const to = Math.min(a.length, buffer1[0] + buffer1[1] + CONTEXT_LINES);
    const lead = a.slice(from, buffer1[0]);
    const tail = a.slice(buffer1[0] + buffer1[1], to);
    out.push(
      `@@ -${to === 0 ? 0 : from + 1},${to - from} +${b.length === 0 ? 0 : buffer2[0] - lead.length + 1},${lead.length + buffer2[1] + tail.length} @@`,
    );
    out.push(
      ...lead.map((line) => ` ${line}`),
      ...a.slice(buffer1[0], buffer1[0] + buffer1[1]).map((line) => `-${line}`),
    );
    out.push(
      ...b.slice(buffer2[0], buffer2[0] + buffer2[1]).map((line) => `+${line}`),
      ...tail.map((line) => ` ${line}`),
    );
  }
  return out.join("\n");
}
