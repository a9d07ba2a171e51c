/**
 * `opencode run "a b"` (1.18.33) sends the words as `"a b"`, and the user's own quotation marks as `\"`. Without this,
 * everything the user said there would count as a quotation of someone else.
 */
export function asTypedInOpenCode(text: string): string {
  const inner = text.trim().slice(1, -1);
  const isQuoted = text.trim() === `"${inner}"` && inner.includes(" ") && !/(?<!\\)"/u.test(inner);
  return isQuoted ? inner.replaceAll(String.raw`\"`, '"') : text;
}
