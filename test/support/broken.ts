type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** Yields the value again and again, each time with one part at any depth removed or of another type, and its path. */
export function* broken(value: unknown, wrong: unknown, path = ""): Generator<readonly [path: string, value: unknown]> {
  if (!isFields(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    const at = path === "" ? key : `${path}.${key}`;
    const withPart = (part: unknown): unknown =>
      Array.isArray(value)
        ? value.map((one: unknown, place) => (String(place) === key ? part : one))
        : { ...value, [key]: part };
    yield [at, withPart(undefined)];
    yield [at, withPart(wrong)];
    for (const [below, part] of broken(inner, wrong, at)) yield [below, withPart(part)];
  }
}
