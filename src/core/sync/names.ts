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
