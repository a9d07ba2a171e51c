import tables from "./refused-words.json" with { type: "json" };

interface Danger {
  readonly what: string;
  readonly pattern: RegExp;
}

let dangers: readonly Danger[] | undefined;
let passing: RegExp | undefined;
let idle: readonly RegExp[] | undefined;

/** The dangers of the commands in a text, in words; a dangerous command is learnt only with the user's consent. */
export function dangersIn(text: string): readonly string[] {
  dangers ??= tables.dangerous.flatMap(({ what, patterns }) =>
    patterns.map((source) => ({ what, pattern: new RegExp(source, "imu") })),
  );
  return [...new Set(dangers.filter(({ pattern }) => pattern.test(text)).map(({ what }) => what))];
}

/** Whether a command always passes, so that it checks nothing; an isolated run on an empty tree finds the rest. */
export function isIdleCheck(command: string): boolean {
  idle ??= tables.idle.map((source) => new RegExp(source, "u"));
  return idle.some((pattern) => pattern.test(command.trim()));
}

/** Whether a text says that something fails or is missing, which may be false tomorrow. */
export function isPassing(text: string): boolean {
  passing ??= new RegExp(tables.passing.join("|"), "iu");
  return passing.test(text);
}
