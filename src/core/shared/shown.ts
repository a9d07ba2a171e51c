import { stripHidden } from "./hidden.ts";
import { redactTokens } from "./redact.ts";
import { oneLine, truncate } from "./text.ts";

/** A name that came from outside, for a message: without what a terminal takes for a command, a reader cannot see, or is a secret. */
export function shownName(name: string): string {
  return truncate(oneLine(redactTokens(stripHidden(name))), 80);
}
