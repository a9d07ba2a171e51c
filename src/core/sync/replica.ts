import type { Lineage } from "../notes/history.ts";
import { originalName } from "../notes/names.ts";
import { sha256 } from "../shared/hash.ts";

/** 28 bits of the text: every device gives the copy of the same text the same name. */
const HEX_DIGITS = 7;

/** The name of a copy that is kept beside `key`; the first in its row that is free or holds this very text. */
export function conflictKey(key: string, text: string, textAt: (key: string) => string | undefined): string {
  const stem = (originalName(key) ?? key).replace(/\.md$/iu, "");
  for (let attempt = 0; ; attempt++) {
    const digest = sha256(attempt === 0 ? text : `${attempt}\0${text}`);
    const name = `${stem}.conflict-${Number.parseInt(digest.slice(0, HEX_DIGITS), 16)}.md`;
    const there = textAt(name);
    if (there === undefined || there === text) return name;
  }
}

/** `x_2.md` beside `x.md`, the first that is free. */
export function nextKey(key: string, isTaken: (key: string) => boolean): string {
  const stem = key.replace(/\.md$/iu, "");
  for (let n = 2; ; n++) {
    const name = `${stem}_${n}.md`;
    if (!isTaken(name)) return name;
  }
}

/** One look at the notes of a space on this device. */
export interface LocalNotes {
  /** SHA-256 of every note that may travel, by key. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Notes that are there and cannot travel (not UTF-8, too large), with the reason: neither sent nor taken for deleted. */
  readonly blocked: ReadonlyMap<string, string>;
  /** Of these the ones that have too many bytes, and those that are not text: a person is told. */
  readonly tooLarge?: readonly string[];
  readonly notText?: readonly string[];
  /** The text as it is; `undefined` for one that is not there or vanished since the look. */
  text(key: string): string | undefined;
  lineage(key: string): Lineage | undefined;
  keysOf(lineage: Lineage): readonly string[];
  /** Whether the note ever had this text here. */
  knew(lineage: Lineage, text: string): boolean;
}

/** A change that makes a note here what both sides agreed on. `seen` is the text it was made from. */
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
  /** Another note under this name; where the text is the same, both are one note from here on. */
  | {
      readonly kind: "replace";
      readonly key: string;
      readonly text: string;
      readonly seen: string;
      readonly lineage: Lineage;
    }
  | { readonly kind: "delete"; readonly key: string; readonly seen: string };

/** Text of a forgotten note that was never sent: a person decides about it. */
export interface UnsentText {
  readonly key: string;
  readonly text: string;
}

/** The notes of one space on this device. */
export interface Replica {
  /** Notices first what editors wrote. */
  look(): LocalNotes;
  /** `changed`: a note is no longer as it was seen; nothing or only a part was done, look and plan again. */
  apply(steps: readonly LocalStep[], reason: string): "applied" | "changed";
  /** Purges the lineages here, under every name. The texts are in the review queue before that. */
  forget(lineages: ReadonlySet<Lineage>, unsent: readonly UnsentText[]): void;
}
