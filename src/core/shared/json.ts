/** An object of JSON; lists are none. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of an object of JSON; none for whatever else it is. */
export function record(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? Object.fromEntries(Object.entries(value)) : {};
}

/** `undefined` for what is not JSON: half a line that another process writes, or that one which died left behind. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
