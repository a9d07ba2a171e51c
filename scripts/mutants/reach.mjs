/**
 * Sources that say which of their functions ran: each body starts with a note of its number in a set that the test
 * runner's set-up makes. A test that never ran a function cannot notice a mutant within it.
 */
import { functionsOf } from "./operators.mjs";

/** The name of the set on `globalThis`. */
export const REACHED = "__memdirReached";

/** The source with a note in each function; `first` is the number of its first one. */
export function instrument(path, text, first) {
  const edits = functionsOf(path, text).flatMap(({ isBlock, start, end }, at) => {
    const note = `globalThis.${REACHED}?.add(${first + at})`;
    return isBlock
      ? [{ at: start + 1, text: `${note};` }]
      : [
          { at: start, text: `(${note}, ` },
          { at: end, text: ")" },
        ];
  });
  let out = text;
  for (const edit of edits.toSorted((a, b) => b.at - a.at))
    out = out.slice(0, edit.at) + edit.text + out.slice(edit.at);
  return out;
}

/** A set of small numbers as text, one bit each. */
export function packNumbers(numbers) {
  const bytes = Buffer.alloc(numbers.length === 0 ? 0 : (Math.max(...numbers) >> 3) + 1);
  for (const number of numbers) bytes[number >> 3] |= 1 << (number & 7);
  return bytes.toString("base64");
}

export function unpackNumbers(packed) {
  const numbers = [];
  for (const [at, byte] of Buffer.from(packed, "base64").entries())
    for (let bit = 0; bit < 8; bit++) if ((byte & (1 << bit)) !== 0) numbers.push(8 * at + bit);
  return numbers;
}

export function hasNumber(packed, number) {
  return ((Buffer.from(packed, "base64")[number >> 3] ?? 0) & (1 << (number & 7))) !== 0;
}
