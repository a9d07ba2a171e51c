import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeNotes } from "../../../src/adapters/files/merge.ts";
import { yamlFrontmatter } from "../../../src/adapters/yaml/frontmatter.ts";
import { splitFrontmatter } from "../../../src/core/notes/frontmatter.ts";

const BASE = `---
name: staging port
description: where staging listens
metadata:
  type: project
  validFrom: 2026-01-01
  pinned: false
---
The staging server listens on 8080.

**Why:** the proxy takes 80.
**How to apply:** tell curl.
`;

const EDITS: Readonly<Record<string, (text: string) => string>> = {
  name: (text) => text.replace("staging port", "port of staging"),
  description: (text) => text.replace("where staging listens", "port of the staging server"),
  type: (text) => text.replace("type: project", "type: reference"),
  validFrom: (text) => text.replace("2026-01-01", "2026-02-01"),
  validTo: (text) => text.replace("  pinned", "  validTo: 2026-03-01\n  pinned"),
  pinned: (text) => text.replace("pinned: false", "pinned: true"),
  port: (text) => text.replace("8080", "9090"),
  why: (text) => text.replace("the proxy takes 80", "nginx takes 80"),
  how: (text) => text.replace("tell curl", "tell curl and k6"),
  end: (text) => `${text}More.\n`,
};

const merge = (ours: string, theirs: string, base = BASE) => mergeNotes(base, ours, theirs, yamlFrontmatter);

test("of 45 pairs of independent edits all are merged but the two that touch neighbouring lines of the body", () => {
  const names = Object.keys(EDITS);
  const kept: string[] = [];
  const wrong: string[] = [];
  let pairs = 0;
  for (const [n, first] of names.entries())
    for (const second of names.slice(n + 1)) {
      pairs++;
      const [one, two] = [EDITS[first] ?? String, EDITS[second] ?? String];
      const merged = merge(one(BASE), two(BASE));
      if (merged === undefined) kept.push(`${first}/${second}`);
      else if (![one(two(BASE)), two(one(BASE))].includes(merged)) wrong.push(`${first}/${second}`);
    }
  expect(pairs).toBe(45);
  expect(wrong).toEqual([]);
  expect(kept).toEqual(["why/how", "how/end"]);
});

test("a note that one side pinned is pinned, and of two ends of validity the earlier holds", () => {
  const pinned = BASE.replace("pinned: false", "pinned: true");
  const unset = BASE.replace("  pinned: false\n", "  pinned: no\n");
  expect(merge(pinned, unset)).toContain("pinned: true");
  const until = (day: string): string => BASE.replace("  pinned", `  validTo: ${day}\n  pinned`);
  expect(merge(until("2026-05-01"), until("2026-03-01"))).toContain("validTo: 2026-03-01");
  expect(merge(until("2026-03-01"), until("2026-05-01"))).toContain("validTo: 2026-03-01");
});

test("two new names, two descriptions, or a key that one side removed and the other changed keep both notes", () => {
  const named = (name: string): string => BASE.replace("staging port", name);
  expect(merge(named("one"), named("two"))).toBeUndefined();
  const without = BASE.replace("description: where staging listens\n", "");
  expect(merge(without, BASE.replace("where staging listens", "elsewhere"))).toBeUndefined();
});

test("comments, lists and values over several lines stay whole", () => {
  const base = BASE.replace("metadata:", "tags:\n  - a\n  - b\n# about the time\nmetadata:");
  const ours = base.replace("  - b\n", "  - b\n  - c\n");
  const theirs = base.replace("where staging listens", ">\n  where it\n  listens");
  const merged = merge(ours, theirs, base) ?? "";
  expect(merged).toContain("tags:\n  - a\n  - b\n  - c\n# about the time\nmetadata:");
  expect(merged).toContain("description: >\n  where it\n  listens\n");
});

test.each(["modified", "validFrom", "validTo"])("of two days for %s the one that is right for both is kept", (key) => {
  const on = (day: string): string => BASE.replace(/ {2}validFrom: .*\n/u, `  ${key}: 2026-${day}\n`);
  const base = BASE.replace(/ {2}validFrom: .*\n/u, `  ${key}: 2026-01-01\n`);
  const kept = key === "validTo" ? "02-02" : "03-03";
  for (const [mine, other] of [
    ["02-02", "03-03"],
    ["03-03", "02-02"],
  ] as const)
    expect(merge(on(mine), on(other), base)).toBe(on(kept));
  // What is no day on one side is for a person to decide.
  const vague = base.replace("2026-01-01", "soon");
  const around = base.replace("2026-01-01", "about 2026-01-01");
  for (const odd of [vague, around])
    expect([merge(on("02-02"), odd, base), merge(odd, on("02-02"), base)]).toEqual([undefined, undefined]);
});

const note = (block: string): string => `---\n${block}---\nwords\n`;
const mergeBlocks = (base: string, ours: string, theirs: string): string | undefined =>
  merge(note(ours), note(theirs), note(base));
const TYPE = "metadata:\n  type: project\n";

test.each([
  ["a key", "zone: east\n"],
  ["a map", "zone:\n  city: Brno\n"],
])("%s that one side added behind a map leaves the map whole to which the other added", (_, zone) => {
  const until = `${TYPE}  validTo: 2026-03-01\n`;
  expect(mergeBlocks(TYPE, until, `${TYPE}${zone}`)).toBe(note(`${until}${zone}`));
  expect(mergeBlocks(TYPE, `${TYPE}${zone}`, until)).toBe(note(`${until}${zone}`));
});

test("a key that one side added before all others is the first", () => {
  expect(mergeBlocks(TYPE, `${TYPE}  pinned: true\n`, `zone: east\n${TYPE}`)).toBe(
    note(`zone: east\n${TYPE}  pinned: true\n`),
  );
});

test("a key of a map that the other side removed is for a person to decide, and gets into no other map", () => {
  const [base, without, added] = ["", TYPE, `${TYPE}  validTo: 2026-03-01\n`].map(
    (block) => `data:\n  size: 7\n${block}`,
  );
  expect(mergeBlocks(without ?? "", base ?? "", added ?? "")).toBeUndefined();
  expect(mergeBlocks(without ?? "", added ?? "", base ?? "")).toBeUndefined();
});

test.each([
  ["a value over several lines", "name: one\n  two\ntags: [a]\n", "  two\n", "  2\n"],
  ["a list of maps", "name: one\ntags:\n  - a: 1\n    b: 2\n  - c: 3\n", "  - c: 3\n", "  - c: 4\n"],
  [
    "a map in a map",
    "metadata:\n  type: project\n  from:\n    session: s\n    message: m\n",
    "session: s",
    "session: t",
  ],
  ["keys in quotation marks", '\'a key\': 1\n"metadata":\n  "in it": 2\n  other: 3\n', '"in it": 2', '"in it": 4'],
  ["a key with a dot", "a.b: 1\nmetadata:\n  c: 2\n", "a.b: 1", "a.b: 3"],
  ["a comment before a key", "# why\nname: one\nmetadata:\n  # when\n  type: project\n", "name: one", "name: two"],
  ["four spaces", "metadata:\n    type: project\n    from: here\n", "from: here", "from: there"],
])("%s stays whole where one side changed it and the other added a key", (_, block, was, is) => {
  const changed = block.replace(was, is);
  expect(changed).not.toBe(block);
  for (const [one, two] of [
    [changed, `${block}zone: east\n`],
    [`${block}zone: east\n`, changed],
  ] as const)
    expect(mergeBlocks(block, one, two)).toBe(note(`${changed}zone: east\n`));
});

test("lines of a text that look like keys are no keys: two that differ are for a person to decide", () => {
  const text = (one: string, two: string): string => `description: |\n  one: ${one}\n  two: ${two}\n`;
  expect(mergeBlocks(text("1", "2"), text("9", "2"), text("1", "8"))).toBeUndefined();
  const list = (one: string, two: string): string => `tags:\n  - ${one}\n  - ${two}\n`;
  expect(mergeBlocks(list("a", "b"), list("x", "b"), list("a", "y"))).toBeUndefined();
  const odd = (one: string, two: string): string => `  name: ${one}\nzone: ${two}\n`;
  expect(mergeBlocks(odd("a", "b"), odd("x", "b"), odd("a", "y"))).toBeUndefined();
});

test.each([
  ["the same key twice", "name: one\nname: two\n"],
  ["a key that is indented before any other", "  name: one\nzone: east\n"],
  ["a comment at its end", "name: one\n# end\n"],
  ["a line of no key first", "- a\nname: one\n"],
])("frontmatter that has %s is merged by lines", (_, block) => {
  const body = (words: string): string => `---\n${block}---\n${words}`;
  const [base, ours, theirs] = ["a\n\nb\n\nc\n", "A\n\nb\n\nc\n", "a\n\nb\n\nC\n"].map(body);
  expect(merge(ours ?? "", theirs ?? "", base ?? "")).toBe(body("A\n\nb\n\nC\n"));
});

test.each([
  ["a byte order mark", (text: string) => `\uFEFF${text}`],
  ["other line endings at its beginning", (text: string) => text.replace("---\n", "---\r\n")],
  ["no frontmatter any more", (text: string) => text.replace(/^---[^]*---\n/u, "")],
])("a note that got %s on one side keeps what the other wrote below", (_, change) => {
  const [ours, theirs] = [change(BASE), `${BASE}More.\n`];
  expect(merge(ours, theirs)).toBe(change(theirs));
  expect(merge(theirs, ours)).toBe(change(theirs));
});

test("keys that each side added, changed or removed are all as that side has them, wherever they stand", () => {
  const plain = ["a", "b", "c", "d"];
  const nested = ["v", "w", "x", "y"];
  const keys = [...plain, ...nested];
  const some = fc.subarray(keys);
  const written = (has: ReadonlyMap<string, string>, order: readonly string[]): string => {
    const of = (names: readonly string[], indent: string): string =>
      order
        .flatMap((key) => (names.includes(key) && has.has(key) ? `${indent}${key}: ${has.get(key)}\n` : []))
        .join("");
    return `---\n${of(plain, "")}metadata:\n  type: project\n${of(nested, "  ")}---\nwords\n`;
  };
  const order = fc.shuffledSubarray(keys, { minLength: keys.length });
  fc.assert(
    fc.property(some, some, some, fc.constantFrom("changed", undefined), order, (there, first, second, value, rows) => {
      const base = new Map(there.map((key) => [key, "old"]));
      const edited = (touched: readonly string[]): Map<string, string> => {
        const next = new Map(base);
        for (const key of touched)
          if (value === undefined && base.has(key)) next.delete(key);
          else next.set(key, value ?? "new");
        return next;
      };
      const theirs = second.filter((key) => !first.includes(key));
      const merged = merge(written(edited(first), keys), written(edited(theirs), rows), written(base, keys));
      const { data } = yamlFrontmatter.read(splitFrontmatter(merged ?? "").block);
      const wanted = edited([...first, ...theirs]);
      const part = (names: readonly string[]): object =>
        Object.fromEntries(names.flatMap((key) => (wanted.has(key) ? [[key, wanted.get(key)]] : [])));
      expect(data).toEqual({ ...part(plain), metadata: { type: "project", ...part(nested) } });
    }),
    { numRuns: 300 },
  );
});
