import { AUTOMATIC, SECTIONS } from "../core/checkpoints/checkpoint.ts";
import { AGENTS } from "../core/instructions/section.ts";
import { NOTE_TYPES, SCOPES } from "../core/notes/note.ts";
import { MemoryError } from "../core/shared/errors.ts";
import { isRecord } from "../core/shared/json.ts";

/** What a value must be, and the words for it: "a text". `isGood` checks the value itself; `into` checks its parts. */
interface Shape {
  readonly words: string;
  readonly isGood: (value: unknown) => boolean;
  /** Checks the parts of a value that passed `isGood`. */
  readonly into?: (value: unknown, at: string) => void;
}

const text: Shape = { words: "a text", isGood: (value) => typeof value === "string" };
const yesOrNo: Shape = { words: "true or false", isGood: (value) => typeof value === "boolean" };
const number: Shape = { words: "a number", isGood: (value) => typeof value === "number" };
const moment: Shape = {
  words: "a Date or a number of milliseconds",
  isGood: (value) => value instanceof Date || number.isGood(value),
};
const date: Shape = { words: "a Date", isGood: (value) => value instanceof Date };
const work: Shape = { words: "a function", isGood: (value) => typeof value === "function" };
const signal: Shape = { words: "an AbortSignal", isGood: (value) => value instanceof AbortSignal };
const anything: Shape = { words: "an object", isGood: isRecord };

function oneOf(...names: readonly string[]): Shape {
  return {
    words: `one of ${names.map((name) => `"${name}"`).join(", ")}`,
    isGood: (value) => names.some((name) => name === value),
  };
}

function either(...shapes: readonly Shape[]): Shape {
  return {
    words: shapes.map(({ words }) => words).join(" or "),
    isGood: (value) => shapes.some(({ isGood }) => isGood(value)),
    into: (value, at) => shapes.find(({ isGood }) => isGood(value))?.into?.(value, at),
  };
}

function list(of: Shape): Shape {
  return {
    words: `a list, each of it ${of.words}`,
    isGood: Array.isArray,
    into: (value, at) => {
      if (Array.isArray(value)) for (const [index, one] of value.entries()) mustBe(one, of, `${at}[${index}]`);
    },
  };
}

/** Other fields are ignored. */
function fields(needed: Readonly<Record<string, Shape>>, others: Readonly<Record<string, Shape>> = {}): Shape {
  const names = Object.keys(needed).map((name) => `\`${name}\``);
  return {
    words: names.length === 0 ? "an object" : `an object with ${names.join(" and ")}`,
    isGood: isRecord,
    into: (value, at) => {
      if (!isRecord(value)) return;
      for (const [name, shape] of Object.entries(needed)) mustBe(value[name], shape, `${at}.${name}`);
      for (const [name, shape] of Object.entries(others))
        if (value[name] !== undefined) mustBe(value[name], shape, `${at}.${name}`);
    },
  };
}

function mustBe(value: unknown, shape: Shape, at: string): void {
  if (!shape.isGood(value))
    throw new MemoryError("invalid-input", `${at} is ${shown(value)}; it must be ${shape.words}`);
  shape.into?.(value, at);
}

/** Short, and without long texts that the user wrote: a message may be logged. */
function shown(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null || typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string") return value.length > 40 ? "a text" : JSON.stringify(value);
  return Array.isArray(value) ? "a list" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** What a method takes, in order. */
interface Argument {
  readonly name: string;
  readonly shape: Shape;
  readonly isOptional?: true;
}

const note: Argument = { name: "note", shape: text };
const asOf: Argument = { name: "options", shape: fields({}, { asOf: moment }), isOptional: true };
const optional = (name: string, shape: Shape): Argument => ({ name, shape, isOptional: true });

const evidence = fields({ session: text, message: text });
const scope = oneOf(...SCOPES);

const REMEMBER = fields(
  { body: text },
  {
    type: oneOf(...NOTE_TYPES),
    name: text,
    description: text,
    asked: list(text),
    scope,
    evidence,
    source: text,
    created: date,
    insist: yesOrNo,
    replaces: list(text),
    beside: yesOrNo,
  },
);

const RECALL = fields(
  {},
  {
    session: text,
    again: yesOrNo,
    maxCharacters: number,
    turn: text,
    verify: either(yesOrNo, fields({ budgetMs: number })),
    asOf: moment,
    recentTools: list(text),
    touchedFiles: list(text),
    signal,
    timeoutMs: number,
  },
);

const TURN = fields({ role: oneOf("user", "assistant"), id: text, text, toolCalls: list(anything) }, { time: text });
const TRANSCRIPT = fields(
  { session: text, turns: list(TURN), toolTexts: list(text) },
  { agent: text, cwd: text, problems: list(anything), failedCalls: list(text) },
);
const PARENT = fields({ provider: oneOf("anthropic", "openai"), request: anything });
const SECTION_TEXTS = fields({}, Object.fromEntries(SECTIONS.map((section) => [section, text])));
const SESSION_STATE = fields(
  {
    sections: SECTION_TEXTS,
    isWork: yesOrNo,
    hasRunCommands: yesOrNo,
    under: text,
    about: text,
    usesCheckpoints: yesOrNo,
  },
  { began: text },
);
const REFERENCE = optional("reference", text);

/** The arguments of every method of `Memory`. Methods in a group have a dot in their name. */
const ARGUMENTS: Readonly<Record<string, readonly Argument[]>> = {
  remember: [{ name: "input", shape: REMEMBER }],
  recall: [{ name: "prompt", shape: text }, optional("options", RECALL)],
  takeRefined: [{ name: "session", shape: text }, optional("turn", text)],
  verify: [optional("note", text), optional("options", fields({}, { budgetMs: number }))],
  context: [asOf],
  instructions: [optional("options", fields({}, { agent: oneOf(...AGENTS, "all"), loaded: list(text) }))],
  approveImport: [{ name: "file", shape: text }],
  revokeImport: [{ name: "file", shape: text }],
  capture: [
    { name: "session", shape: either(text, TRANSCRIPT) },
    optional("options", fields({}, { dryRun: yesOrNo, automatic: yesOrNo, model: yesOrNo, parent: PARENT })),
  ],
  "log.append": [
    {
      name: "entry",
      shape: either(
        text,
        fields({ text }, { time: number, project: oneOf("here", "none"), session: text, message: text }),
      ),
    },
  ],
  "log.read": [optional("options", fields({}, { day: text, days: number }))],
  list: [asOf],
  show: [note, asOf],
  revise: [
    note,
    {
      name: "revision",
      shape: fields(
        {},
        {
          name: text,
          description: text,
          type: text,
          body: text,
          asked: list(text),
          text,
          insist: yesOrNo,
          version: text,
        },
      ),
    },
  ],
  pin: [note, optional("pinned", yesOrNo)],
  supersede: [note, { name: "by", shape: text }],
  remove: [note],
  forget: [note],
  history: [optional("note", text)],
  "files.list": [],
  "files.read": [{ name: "path", shape: text }],
  "files.create": [
    { name: "path", shape: text },
    { name: "text", shape: text },
  ],
  "files.replace": [
    { name: "path", shape: text },
    { name: "before", shape: text },
    { name: "after", shape: text },
  ],
  "files.remove": [{ name: "paths", shape: list(text) }],
  "files.rename": [{ name: "moves", shape: list(fields({ from: text, to: text })) }],
  "checkpoints.save": [
    {
      name: "input",
      shape: fields(
        { sections: SECTION_TEXTS },
        { name: text, added: SECTION_TEXTS, session: text, by: text, fresh: yesOrNo },
      ),
    },
  ],
  "checkpoints.saveAutomatically": [
    {
      name: "input",
      shape: fields({ kind: oneOf(...AUTOMATIC), session: text, by: text, time: number, state: SESSION_STATE }),
    },
  ],
  "checkpoints.list": [],
  "checkpoints.find": [REFERENCE],
  "checkpoints.restore": [REFERENCE],
  "checkpoints.preview": [REFERENCE],
  "checkpoints.adopt": [REFERENCE],
  "checkpoints.markOf": [{ name: "checkpoint", shape: fields({ id: text }) }],
  "checkpoints.dismiss": [REFERENCE],
  "checkpoints.branch": [REFERENCE, { name: "name", shape: text }],
  "checkpoints.remove": [{ name: "reference", shape: text }],
  undo: [optional("note", text)],
  redo: [optional("note", text)],
  dream: [optional("options", fields({}, { apply: yesOrNo, scope, model: yesOrNo }))],
  close: [],
};

const OPTIONS = fields(
  {},
  {
    cwd: text,
    dir: text,
    environment: anything,
    agentType: text,
    clock: fields({ now: work }),
    lockTimeoutMs: number,
    model: either(oneOf("off"), fields({ id: text, ask: work })),
  },
);

/** @throws MemoryError `invalid-input` that names the field and what to give. */
export function requireOptions(options: unknown): void {
  mustBe(options, OPTIONS, "openMemory: options");
}

/** Methods that return a promise: for these, invalid input rejects. */
const PROMISING: ReadonlySet<string> = new Set([
  "remember",
  "capture",
  "log.append",
  "revise",
  "files.create",
  "files.replace",
  "files.rename",
  "checkpoints.save",
  "checkpoints.saveAutomatically",
  "checkpoints.adopt",
  "checkpoints.branch",
  "dream",
]);

/**
 * The same object with methods that check their arguments first: a program without types gets `invalid-input` with what
 * to give, not an error from deep inside.
 */
export function withCheckedInput<Methods extends object>(methods: Methods, group = ""): Methods {
  return new Proxy(methods, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value === "object" && value !== null) return withCheckedInput(value, `${String(key)}.`);
      return typeof value === "function" ? checked(`${group}${String(key)}`, value) : value;
    },
  });
}

function checked(name: string, method: Function): (...given: readonly unknown[]) => unknown {
  const taken = BY_NAME.get(name);
  if (taken === undefined) throw new Error(`nothing says what ${name} takes`);
  return (...given) => {
    try {
      for (const [at, { name: what, shape, isOptional }] of taken.entries())
        if (given[at] !== undefined || isOptional !== true) mustBe(given[at], shape, `${name}: ${what}`);
    } catch (error) {
      if (PROMISING.has(name)) return Promise.reject(error);
      throw error;
    }
    return Reflect.apply(method, undefined, given);
  };
}

const BY_NAME: ReadonlyMap<string, readonly Argument[]> = new Map(Object.entries(ARGUMENTS));
