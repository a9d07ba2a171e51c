import tables from "./refused-words.json" with { type: "json" };

interface Danger {
  readonly what: string;
  readonly pattern: RegExp;
}

let dangers: readonly Danger[] | undefined;
let passing: RegExp | undefined;

/** What is dangerous about a text with commands, in words; such a thing is learnt only with a person's yes. */
export function dangersIn(text: string): readonly string[] {
  dangers ??= tables.dangerous.flatMap(({ what, patterns }) =>
    patterns.map((source) => ({ what, pattern: new RegExp(source, "imu") })),
  );
  return [...new Set(dangers.filter(({ pattern }) => pattern.test(text)).map(({ what }) => what))];
}

/** Whether a text says that something fails or is missing: true today, and false tomorrow. */
export function isPassing(text: string): boolean {
  passing ??= new RegExp(tables.passing.join("|"), "iu");
  return passing.test(text);
}
