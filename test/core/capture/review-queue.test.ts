import { describe, expect, it } from "vitest";
import { parseEntry, parseRule } from "../../../src/core/capture/review-queue.ts";

const EVIDENCE = { session: "s1", message: "m1" };
const DRAFT = { type: "feedback", name: "n", description: "d", body: "b", evidence: EVIDENCE, source: "x", said: "y" };
const OPERATIONS = {
  create: { kind: "create", draft: DRAFT },
  revise: { kind: "revise", file: "a.md", draft: DRAFT },
  supersede: { kind: "supersede", file: "a.md", draft: DRAFT },
  retire: { kind: "retire", file: "a.md", evidence: EVIDENCE, by: "b.md" },
};
const ENTRY = {
  id: "1",
  time: "2026-03-02T09:00:00.000Z",
  scope: "project",
  reason: "confirm mode",
  doubtful: true,
  by: "model",
  evidence: EVIDENCE,
  quote: "q",
  saidAs: "wish",
  seen: "2026-03-03T09:00:00.000Z",
};
const RULE = { id: "1", verdict: "never", kind: "create", type: "feedback", saidAs: "wish", time: "t" };

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** The value, each time with one field of it, at any depth, taken out or made a number: with the field's path. */
function* broken(value: Fields, path = ""): Generator<readonly [string, Fields]> {
  for (const [key, inner] of Object.entries(value)) {
    const { [key]: _, ...without } = value;
    yield [`${path}${key}`, without];
    yield [`${path}${key}`, { ...value, [key]: 7 }];
    if (isFields(inner)) for (const [at, one] of broken(inner, `${path}${key}.`)) yield [at, { ...value, [key]: one }];
  }
}

/** What may be missing: the entry is read, without it. */
const OPTIONAL = /^(?:doubtful|by|seen|operation\.(?:by|draft\.(?:source|said|evidence(?:\..*)?)))$/u;

describe("an entry of the review queue", () => {
  it.each(Object.entries(OPERATIONS))(
    "to %s is read as it was written, and not at all without what it needs",
    (_, op) => {
      const entry = { ...ENTRY, operation: op };
      expect(parseEntry(JSON.stringify(entry))).toEqual(entry);
      for (const [path, one] of broken(entry)) {
        const read = parseEntry(JSON.stringify(one));
        if (OPTIONAL.test(path)) expect(read, path).toMatchObject({ id: "1", operation: { kind: op.kind } });
        else expect(read, path).toBeUndefined();
        expect(JSON.stringify(read) ?? "", path).not.toContain(":7");
      }
    },
  );

  it("is doubtful or a model's only where it says so", () => {
    const plain = { ...ENTRY, doubtful: "true", by: "ann", operation: OPERATIONS.create };
    expect(parseEntry(JSON.stringify(plain))).toMatchObject({ doubtful: false, by: "rules" });
    for (const text of ["", "[]", "null", '{"id":"1"', "7"]) expect(parseEntry(text)).toBeUndefined();
  });
});

describe("a rule of review", () => {
  it.each(["always", "never"])(
    "that says %s is read as it was written, and not at all without what it needs",
    (verdict) => {
      const rule = { ...RULE, verdict };
      expect(parseRule(JSON.stringify(rule))).toEqual(rule);
      for (const [path, one] of broken(rule))
        if (path === "type") expect(parseRule(JSON.stringify(one))).toEqual({ ...rule, type: undefined });
        else expect(parseRule(JSON.stringify(one)), path).toBeUndefined();
    },
  );
});
