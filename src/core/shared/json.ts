/** Whether a value is a JSON object; lists are not. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of a JSON object; none for any other value. */
export function record(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? Object.fromEntries(Object.entries(value)) : {};
}

/** `undefined` for text that is not JSON: for instance half a line from a process that is still writing, or died. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
