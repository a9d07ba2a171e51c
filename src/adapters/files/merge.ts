import { diff3Merge, diffIndices } from "node-diff3";
import { splitFrontmatter, mergeByKey, type FrontmatterCodec } from "../../core/notes/frontmatter.ts";

/**
 * Three-way merge: frontmatter by key, the body by lines. `undefined` when both sides changed the same lines, or when the
 * result would have broken frontmatter: then both versions must be kept.
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
  const regions = diff3Merge(lines(ours), lines(base), lines(theirs), { excludeFalseConflicts: true });
  const merged: string[] = [];
  for (const region of regions) {
    if (region.ok === undefined) return undefined;
    merged.push(...region.ok);
  }
  return merged.join("");
}

/** Lines with their endings, so that joining gives back the same bytes. */
function lines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
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
