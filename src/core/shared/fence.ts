/** How memory that an agent is given is recognised again, so that it is never captured as something new. */
const CONTEXT_TAG = "memdir-context";

export function opening(source: string): string {
  return `<${CONTEXT_TAG} source="${source}">`;
}

export function closing(): string {
  return `</${CONTEXT_TAG}>`;
}

/** Text marked as what it is: data from memory. Whatever stands in it was sanitized before. */
export function fenced(source: string, lines: readonly string[]): string {
  return [opening(source), ...lines, closing()].join("\n");
}
