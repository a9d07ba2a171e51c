import { isObject, type JsonObject } from "./json-rpc.ts";

/** The part of JSON Schema that the tools use: one definition is shown to clients and validates their input. */
export type Schema =
  | {
      readonly type: "string";
      readonly description?: string;
      readonly enum?: readonly string[];
      readonly minLength?: number;
      readonly maxLength?: number;
    }
  | { readonly type: "boolean"; readonly description?: string }
  | { readonly type: "integer"; readonly description?: string; readonly minimum?: number; readonly maximum?: number }
  | { readonly type: "array"; readonly description?: string; readonly items: Schema; readonly maxItems?: number }
  | ObjectSchema;

export interface ObjectSchema {
  readonly type: "object";
  readonly description?: string;
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly [key: string]: unknown;
}

/** A schema without its limits, for models: a violation is answered with a sentence that names the limits. */
function withoutLimits(schema: Schema): Schema {
  switch (schema.type) {
    case "object":
      return unlimited(schema);
    case "array":
      return { type: "array", ...described(schema), items: withoutLimits(schema.items) };
    case "string":
      return { type: "string", ...described(schema), ...(schema.enum && { enum: schema.enum }) };
    case "boolean":
    case "integer":
      return { type: schema.type, ...described(schema) };
  }
}

export function unlimited(schema: ObjectSchema): ObjectSchema {
  const properties = Object.entries(schema.properties).map(([name, property]) => [name, withoutLimits(property)]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

function described({ description }: Schema): { readonly description?: string } {
  return description === undefined ? {} : { description };
}

/** The first problem of a value, as a sentence that says what to send instead; `undefined` if it is valid. */
export function problemWith(value: unknown, schema: Schema, name = ""): string | undefined {
  const what = name === "" ? "the arguments" : `"${name}"`;
  switch (schema.type) {
    case "string":
      return textProblem(value, schema, what);
    case "boolean":
      return typeof value === "boolean" ? undefined : `${what} must be true or false`;
    case "integer": {
      if (typeof value !== "number" || !Number.isInteger(value)) return `${what} must be a whole number`;
      const { minimum = -Infinity, maximum = Infinity } = schema;
      return value < minimum || value > maximum
        ? `${what} is ${value}; it must be from ${minimum} to ${maximum}`
        : undefined;
    }
    case "array":
      if (!Array.isArray(value)) return `${what} must be a list`;
      if (value.length > (schema.maxItems ?? Infinity))
        return `${what} has ${value.length} entries; at most ${schema.maxItems ?? 0} are taken`;
      return first(value.map((item, index) => () => problemWith(item, schema.items, `${name}[${index}]`)));
    case "object":
      return objectProblem(value, schema, name, what);
  }
}

function textProblem(
  value: unknown,
  { enum: values, minLength = 0, maxLength = Infinity }: Schema & { type: "string" },
  what: string,
): string | undefined {
  if (typeof value !== "string") return `${what} must be a text`;
  if (values !== undefined && !values.includes(value))
    return `${what} is "${value.slice(0, 60)}"; use ${values.join(", ")}`;
  if (value.trim().length < minLength) return `${what} is empty`;
  return value.length > maxLength
    ? `${what} has ${value.length} characters; at most ${maxLength} are taken`
    : undefined;
}

function objectProblem(value: unknown, schema: ObjectSchema, name: string, what: string): string | undefined {
  if (!isObject(value)) return `${what} must be an object`;
  const missing = (schema.required ?? []).find((key) => value[key] === undefined);
  if (missing !== undefined) return `"${missing}" is missing`;
  const unknown =
    schema.additionalProperties === false
      ? Object.keys(value).find((key) => schema.properties[key] === undefined)
      : undefined;
  if (unknown !== undefined)
    return `there is no "${unknown.slice(0, 60)}" here; known: ${Object.keys(schema.properties).join(", ")}`;
  return first(
    Object.entries(schema.properties).map(
      ([key, property]) =>
        () =>
          value[key] === undefined
            ? undefined
            : problemWith(value[key], property, name === "" ? key : `${name}.${key}`),
    ),
  );
}

function first(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const problem = check();
    if (problem !== undefined) return problem;
  }
  return undefined;
}

export function object(properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): ObjectSchema {
  return { type: "object", properties, required, additionalProperties: false };
}

/** Validated arguments by name, as texts, numbers and lists; missing ones are `undefined`. */
export function argumentsOf(input: JsonObject): Arguments {
  const list = (name: string): readonly string[] => {
    const value = input[name];
    return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
  };
  return {
    text: (name) => (typeof input[name] === "string" ? input[name] : undefined),
    flag: (name) => (typeof input[name] === "boolean" ? input[name] : undefined),
    number: (name) => (typeof input[name] === "number" ? input[name] : undefined),
    list,
  };
}

export interface Arguments {
  text(name: string): string | undefined;
  flag(name: string): boolean | undefined;
  number(name: string): number | undefined;
  list(name: string): readonly string[];
}
