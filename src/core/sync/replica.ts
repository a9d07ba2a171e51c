import type { Lineage } from "../notes/history.ts";
import { originalName } from "../notes/names.ts";
import { sha256 } from "../shared/hash.ts";

/** 28 bits of the text's hash, so that every device gives copies of the same text the same name. */
const HEX_DIGITS = 7;

/** The name of a copy next to `key`: the first candidate that is free or already holds this text. */
export function conflictKey(key: string, text: string, textAt: (key: string) => string | undefined): string {
  const stem = (originalName(key) ?? key).replace(/\.md$/iu, "");
  for (let attempt = 0; ; attempt++) {
    const digest = sha256(attempt === 0 ? text : `${attempt}\0${text}`);
    const name = `${stem}.conflict-${Number.parseInt(digest.slice(0, HEX_DIGITS), 16)}.md`;
    const there = textAt(name);
    if (there === undefined || there === text) return name;
  }
}

/** `x_2.md` next to `x.md`: the first free name. */
export function nextKey(key: string, isTaken: (key: string) => boolean): string {
  const stem = key.replace(/\.md$/iu, "");
  for (let n = 2; ; n++) {
    const name = `${stem}_${n}.md`;
    if (!isTaken(name)) return name;
  }
}

/** A snapshot of the notes of a space on this device. */
export interface LocalNotes {
  /** SHA-256 of every note that may be sent, by key. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Notes that cannot be sent (not UTF-8, too large), with the reason: neither sent nor treated as deleted. */
  readonly blocked: ReadonlyMap<string, string>;
  /** Those of them with too many bytes, and those that are not text: the user is told. */
  readonly tooLarge?: readonly string[];
  readonly notText?: readonly string[];
  /** The current text; `undefined` if there is no such note or it vanished since the snapshot. */
  text(key: string): string | undefined;
  lineage(key: string): Lineage | undefined;
  keysOf(lineage: Lineage): readonly string[];
  /** Whether the note has ever had this text here under this name. */
  knew(key: string, lineage: Lineage, text: string): boolean;
  /** Lines of the note that sync brought here, that is, that were written on another device. */
  came(lineage: Lineage): readonly string[];
}

/** A local change that applies what both sides agreed on. `seen` is the text it was planned from. */
export type LocalStep =
  | { readonly kind: "create"; readonly key: string; readonly text: string; readonly lineage: Lineage }
  /** The same note with another text. */
  | {
      readonly kind: "write";
      readonly key: string;
      readonly text: string;
      readonly seen: string;
      readonly lineage: Lineage;
    }
  /** Another note under this name; if the text is the same, both become one note. */
  | {
      readonly kind: "replace";
      readonly key: string;
      readonly text: string;
      readonly seen: string;
      readonly lineage: Lineage;
    }
  | { readonly kind: "delete"; readonly key: string; readonly seen: string };

/** Text of a forgotten note that was never sent: the user decides what happens to it. */
export interface UnsentText {
  readonly key: string;
  readonly text: string;
}

/** The notes of one space on this device. */
export interface Replica {
  /** Takes a snapshot; first records what editors wrote. */
  look(): LocalNotes;
  /** `changed`: a note differs from the snapshot, so at most a part was applied; take a new snapshot and plan again. */
  apply(steps: readonly LocalStep[], reason: string): "applied" | "changed";
  /** Purges the lineages here, under every name. The unsent texts enter the review queue first. */
  forget(lineages: ReadonlySet<Lineage>, unsent: readonly UnsentText[]): void;
}
