import { sha256 } from "../shared/hash.ts";

/** A name that says nothing of the file it stands for. */
export function anonymousId(file: string): string {
  return sha256(`memdir forgotten note\0${file.normalize("NFC")}`).slice(0, 32);
}
