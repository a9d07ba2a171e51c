import { contentVersion } from "../../core/shared/content-version.ts";
import type { NoteRef } from "../../app/workspace/workspace.ts";

/** What one client's model was shown of the notes: a change of its own replaces nothing else. */
export interface SeenNotes {
  /** It has the whole text of this version, from an answer or because it wrote it. */
  saw(ref: NoteRef, version: string): void;
  /** It was shown a part of a long text: `true` once it has had all parts of this version. */
  sawPart(
    ref: NoteRef,
    version: string,
    part: { readonly from: number; readonly to: number; readonly of: number },
  ): boolean;
  /** The text of the version that it names, else the present one or the last one that it saw; `undefined` where it saw none. */
  text(ref: NoteRef, version?: string): Uint8Array | undefined;
  clear(): void;
}

/** Texts kept at a time; of more the oldest go, and the version that an answer names is looked up in the history. */
const MOST_TEXTS = 200;

export function createSeenNotes(): SeenNotes {
  const texts = new Map<string, { readonly note: string; readonly version: string; readonly bytes: Uint8Array }>();
  const parts = new Map<string, number>();
  const nameOf = ({ scoped, file }: NoteRef): string => `${scoped.scope}:${file}`;
  const saw = (ref: NoteRef, version: string): void => {
    const note = nameOf(ref);
    const key = `${note}@${version}`;
    const bytes = ref.scoped.store.read(ref.file);
    // Another text by now: that one was not shown.
    const known = bytes !== undefined && contentVersion(bytes) === version ? { note, version, bytes } : texts.get(key);
    texts.delete(key);
    if (known !== undefined) texts.set(key, known);
    for (const oldest of texts.keys()) if (texts.size > MOST_TEXTS) texts.delete(oldest);
  };
  return {
    saw,
    sawPart(ref, version, { from, to, of }) {
      const key = `${nameOf(ref)}@${version}`;
      const had = from === 0 ? 0 : (parts.get(key) ?? 0);
      if (from <= had) parts.set(key, Math.max(had, to));
      const isWhole = (parts.get(key) ?? 0) >= of;
      if (isWhole) saw(ref, version);
      return isWhole;
    },
    text(ref, version) {
      const note = nameOf(ref);
      if (version !== undefined) return texts.get(`${note}@${version}`)?.bytes;
      // After an undo the present text may be an earlier one of those.
      const present = ref.scoped.store.read(ref.file);
      const known = present && texts.get(`${note}@${contentVersion(present)}`);
      return (known ?? [...texts.values()].findLast((one) => one.note === note))?.bytes;
    },
    clear() {
      texts.clear();
      parts.clear();
    },
  };
}
