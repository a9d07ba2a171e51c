import { oneLine } from "../../core/shared/text.ts";

/** Texts by their lines, however long the list: whether one of them says a whole other text is asked once a candidate. */
export interface LinesSaid<T extends { readonly body: string }> {
  add(text: T): void;
  /** The first text with every line of `body`; blank lines, list marks and letter case do not count. */
  whole(body: string): T | undefined;
}

export function linesSaid<T extends { readonly body: string }>(texts: readonly T[]): LinesSaid<T> {
  const all: T[] = [];
  const byLine = new Map<string, T[]>();
  const linesOf = new Map<T, ReadonlySet<string>>();
  const add = (text: T): void => {
    const lines = new Set(foldedLines(text.body));
    all.push(text);
    linesOf.set(text, lines);
    for (const line of lines) {
      const holders = byLine.get(line);
      if (holders === undefined) byLine.set(line, [text]);
      else holders.push(text);
    }
  };
  for (const text of texts) add(text);
  return {
    add,
    whole: (body) => {
      const [first, ...rest] = foldedLines(body);
      if (first === undefined) return all[0];
      return byLine.get(first)?.find((text) => rest.every((line) => linesOf.get(text)?.has(line) === true));
    },
  };
}

/** The lines of `wanted`, as they stand there, that `body` does not have. */
export function linesMissing(body: string, wanted: string): readonly string[] {
  const present = new Set(foldedLines(body));
  return wanted.split("\n").filter((line) => folded(line) !== "" && !present.has(folded(line)));
}

function foldedLines(body: string): readonly string[] {
  return body
    .split("\n")
    .map(folded)
    .filter((line) => line !== "");
}

export function folded(line: string): string {
  return oneLine(line.replace(/^[\s>*+-]+/u, "")).toLowerCase();
}
