import { describe, expect, it } from "vitest";
import { parseEntry, parseRule } from "../../../src/core/capture/review-queue.ts";
import { broken } from "../../support/broken.ts";

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

/** What may be missing: the entry is read, without it. */
const OPTIONAL = /^(?:doubtful|by|seen|operation\.(?:by|draft\.(?:source|said|evidence(?:\..*)?)))$/u;

describe("an entry of the review queue", () => {
  it.each(Object.entries(OPERATIONS))(
    "to %s is read as it was written, and not at all without what it needs",
    (_, op) => {
      const entry = { ...ENTRY, operation: op };
      expect(parseEntry(JSON.stringify(entry))).toEqual(entry);
      const read = [...broken(entry, 7)].map(([path, one]) => [path, parseEntry(JSON.stringify(one))] as const);
      const [more, less] = [
        read.filter(([path]) => OPTIONAL.test(path)),
        read.filter(([path]) => !OPTIONAL.test(path)),
      ];
      for (const [path, one] of more) expect(one, path).toMatchObject({ id: "1", operation: { kind: op.kind } });
      expect(JSON.stringify(more)).not.toContain(":7");
      for (const [path, one] of less) expect(one, path).toBeUndefined();
    },
  );

  it("is doubtful or a model's only where it says so", () => {
    const plain = { ...ENTRY, doubtful: "true", by: "ann", operation: OPERATIONS.create };
    expect(parseEntry(JSON.stringify(plain))).toMatchObject({ doubtful: false, by: "rules" });
    for (const text of ["", "[]", "null", '{"id":"1"', "7"]) expect(parseEntry(text)).toBeUndefined();
  });
});

it.each([
  "wish",
  "prohibition",
  "correction",
  "confirmation",
  "preference",
  "identity",
  "decision",
  "deadline",
  "system",
  "other",
])("an entry and a rule may be said as %s", (saidAs) => {
  expect(parseEntry(JSON.stringify({ ...ENTRY, saidAs, operation: OPERATIONS.create }))).toMatchObject({ saidAs });
  expect(parseRule(JSON.stringify({ ...RULE, saidAs }))).toMatchObject({ saidAs });
});

describe("a rule of review", () => {
  it.each(["always", "never"])(
    "that says %s is read as it was written, and not at all without what it needs",
    (verdict) => {
      const rule = { ...RULE, verdict };
      expect(parseRule(JSON.stringify(rule))).toEqual(rule);
      expect(parseRule(JSON.stringify({ ...rule, type: 7 }))).toEqual({ ...rule, type: undefined });
      for (const [path, one] of [...broken(rule, 7)].filter(([at]) => at !== "type"))
        expect(parseRule(JSON.stringify(one)), path).toBeUndefined();
    },
  );
});
