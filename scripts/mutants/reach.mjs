/** Sets of small numbers as text, one bit each. */

export function packNumbers(numbers) {
  const bytes = Buffer.alloc(numbers.reduce((most, number) => Math.max(most, (number >> 3) + 1), 0));
  for (const number of numbers) bytes[number >> 3] |= 1 << (number & 7);
  return bytes.toString("base64");
}

export function unpackNumbers(packed) {
  const numbers = [];
  for (const [at, byte] of Buffer.from(packed, "base64").entries())
    for (let bit = 0; bit < 8; bit++) if ((byte & (1 << bit)) !== 0) numbers.push(8 * at + bit);
  return numbers;
}
