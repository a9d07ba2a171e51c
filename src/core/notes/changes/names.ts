/** Names with `|` between them, and what they stand for. */
export type Row<T> = readonly [names: string, of: T];

/** Shorter beginnings stand in too many words. */
const START = 2;

/** What words stand for, by rows of names with `|` between them; `*` stands for any ending. */
export class Names<T> {
  readonly #whole = new Map<string, T[]>();
  readonly #starts = new Map<string, (readonly [start: string, of: T])[]>();

  constructor(rows: readonly Row<T>[]) {
    for (const [names, of] of rows) for (const name of names.split("|")) this.#add(name, of);
  }

  #add(name: string, of: T): void {
    if (!name.endsWith("*")) {
      this.#whole.set(name, [...(this.#whole.get(name) ?? []), of]);
      return;
    }
    const start = name.slice(0, -1);
    const key = start.slice(0, START);
    this.#starts.set(key, [...(this.#starts.get(key) ?? []), [start, of]]);
  }

  get(lower: string): readonly T[] {
    const starts = this.#starts.get(lower.slice(0, START)) ?? [];
    return [
      ...(this.#whole.get(lower) ?? []),
      ...starts.flatMap(([start, of]) => (lower.startsWith(start) ? [of] : [])),
    ];
  }
}
