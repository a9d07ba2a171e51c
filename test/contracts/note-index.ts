import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Note } from "../../src/core/notes/note.ts";
import type { IndexedNote, NoteIndex } from "../../src/core/notes/note-index.ts";
import { analyseQuery } from "../../src/core/notes/terms.ts";
import { scratch } from "../support/scratch.ts";

/** A note as the store hands it to the index; the hash follows the content. */
export function indexed(file: string, fields: Partial<Note> & { readonly mtimeMs?: number } = {}): IndexedNote {
  const { mtimeMs = 1_700_000_000_000, ...rest } = fields;
  const note: Note = {
    file,
    name: file.replace(/\.md$/u, ""),
    description: "",
    type: "project",
    writtenType: "project",
    body: "",
    pinned: false,
    modified: undefined,
    supersededBy: undefined,
    validFrom: undefined,
    validTo: undefined,
    evidence: undefined,
    contradicts: [],
    asked: [],
    problems: [],
    ...rest,
  };
  return { file, hash: JSON.stringify(rest), size: note.body.length, mtimeMs, note };
}

/** What every index of notes does, whatever holds it. `unavailable` says why this one cannot run here. */
export function noteIndexContract(name: string, open: (file: string) => NoteIndex, unavailable?: string): void {
  const reason = unavailable === undefined ? "" : ` (skipped: ${unavailable})`;
  describe.skipIf(unavailable !== undefined)(`a note index on ${name}${reason}`, () => {
    const fresh = (): { readonly index: NoteIndex; readonly file: string } => {
      const file = path.join(scratch(), "index.sqlite");
      return { index: open(file), file };
    };
    searchContract(fresh);
    choiceContract(fresh);
    heirContract(fresh);
    textContract(fresh);
    listingContract(fresh);
    lifeContract(fresh, open);
  });
}

type Fresh = () => { readonly index: NoteIndex; readonly file: string };

function found(index: NoteIndex, prompt: string, limit = 50): readonly string[] {
  return index.search(analyseQuery(prompt), limit).candidates.map(({ entry }) => entry.file);
}

function searchContract(fresh: Fresh): void {
  it("hands over what stands around an entry of a series, beyond the limit and whatever words it has", () => {
    const { index } = fresh();
    index.apply({
      upsert: ["who has the key", "the porter", "thanks", "not at all", "and the lamp"].map((body, at) => ({
        ...indexed(`2026/05/2026-05-03.md#${5 - at}`, { body }),
        mtimeMs: at + 1,
      })),
    });
    expect(found(index, "key", 1)).toEqual([
      "2026/05/2026-05-03.md#5",
      "2026/05/2026-05-03.md#3",
      "2026/05/2026-05-03.md#4",
    ]);
    index.close();
  });

  it("knows what a note links to, by file or name and in small letters, unless it links to everything", () => {
    const { index } = fresh();
    const everything = Array.from({ length: 60 }, (_, number) => `[[n${number}]]`).join(" ");
    index.apply({
      upsert: [
        indexed("a.md", { body: "mill, see [[Water Rights]] and [map](dir/The-Map.md)" }),
        indexed("b.md", { body: `mill ${everything}` }),
        indexed("c.md", { body: "mill" }),
      ],
    });
    const links = index.search(["mill"], 5).candidates.map((candidate) => [candidate.entry.file, candidate.links]);
    expect(Object.fromEntries(links)).toEqual({ "a.md": ["water rights", "the-map"], "b.md": [], "c.md": [] });
    index.close();
  });

  it("finds a note by its name, its description and its body", () => {
    const { index } = fresh();
    index.apply({
      upsert: [
        indexed("a.md", { name: "Harbour schedule" }),
        indexed("b.md", { description: "ferry timetable" }),
        indexed("c.md", { body: "the lighthouse keeper" }),
      ],
    });
    expect([found(index, "harbour"), found(index, "ferry"), found(index, "lighthouses")]).toEqual([
      ["a.md"],
      ["b.md"],
      ["c.md"],
    ]);
    index.close();
  });

  it("counts every given term in every field, with lengths, averages and document frequencies", () => {
    const { index } = fresh();
    index.apply({
      upsert: [
        indexed("a.md", { name: "kiln", description: "glaze kiln", body: "kiln kiln glaze pottery" }),
        indexed("b.md", { name: "wheel", body: "pottery wheel" }),
      ],
    });
    const result = index.search(["kiln", "glaze", "unheard"], 10);
    const [candidate] = result.candidates;
    expect(result.documents).toBe(2);
    expect(Object.fromEntries(result.documentFrequency)).toEqual({ kiln: 1, glaze: 1 });
    expect(result.averages.description).toBeCloseTo((candidate?.lengths.description ?? 0) / 2);
    expect(candidate?.lengths.name).toBe(1);
    expect(Object.fromEntries(candidate?.counts.body ?? [])).toEqual({ kiln: 2, glaze: 1 });
    expect(Object.fromEntries(candidate?.counts.description ?? [])).toEqual({ kiln: 1, glaze: 1 });
    expect(Object.fromEntries(candidate?.counts.name ?? [])).toEqual({ kiln: 1 });
    index.close();
  });
}

function choiceContract(fresh: Fresh): void {
  it("hands over no more than the limit, the likeliest first", () => {
    const { index } = fresh();
    const many = Array.from({ length: 40 }, (_, number) =>
      indexed(`n${number}.md`, { body: `orchard report ${"filler ".repeat(number)}` }),
    );
    index.apply({
      upsert: [
        ...many,
        indexed("best.md", { name: "orchard quince", body: "orchard" }),
        indexed("good.md", { body: "a quince in the orchard" }),
      ],
    });
    const files = found(index, "orchard quince", 5);
    expect(files).toHaveLength(5);
    expect(files.slice(0, 2)).toEqual(["best.md", "good.md"]);
    index.close();
  });

  it("chooses the same notes of many equal ones in whatever order they came", () => {
    const equal = Array.from({ length: 9 }, (_, number) =>
      indexed(`n${number}.md`, { name: "hammock", body: "hammock" }),
    );
    const [forward, backward] = [equal, equal.toReversed()].map((upsert) => {
      const { index } = fresh();
      index.apply({ upsert });
      const files = found(index, "hammock", 4);
      index.close();
      return files;
    });
    expect(forward).toHaveLength(4);
    expect(backward).toEqual(forward);
  });

  it("finds something even when every word of the prompt is common in a large store", () => {
    const { index } = fresh();
    index.apply({
      upsert: Array.from({ length: 600 }, (_, number) => indexed(`n${number}.md`, { body: "sourdough starter" })),
    });
    expect(found(index, "sourdough starter", 7)).toHaveLength(7);
    index.close();
  });
}

function heirContract(fresh: Fresh): void {
  it("finds a note by the words it is asked by, and counts them apart", () => {
    const { index } = fresh();
    index.apply({ upsert: [indexed("a.md", { body: "granary", asked: ["going live", "ship it"] }), indexed("b.md")] });
    expect([found(index, "ship"), found(index, "granary")]).toEqual([["a.md"], ["a.md"]]);
    expect(index.search(["ship"], 10).candidates[0]?.counts.asked?.get("ship")).toBe(1);
    expect(index.search(["ship"], 10).documentFrequency.get("ship")).toBe(1);
    index.apply({ upsert: [indexed("a.md", { body: "granary" })] });
    expect(found(index, "ship")).toEqual([]);
    index.close();
  });

  it("finds the note at the end of a chain by what those before it were about, and none of those", () => {
    const { index } = fresh();
    const oldest = indexed("oldest.md", { description: "drawbridge", body: "moat", supersededBy: "middle" });
    index.apply({
      upsert: [
        oldest,
        indexed("middle.md", { name: "portcullis", asked: ["gatehouse"], supersededBy: "the new one" }),
        indexed("new.md", { name: "the new one", body: "granary" }),
        indexed("lost.md", { description: "drawbridge", supersededBy: "nowhere.md" }),
        indexed("round.md", { description: "drawbridge", supersededBy: "round.md" }),
      ],
    });
    const [candidate, ...others] = index.search(["drawbridge", "portcullis", "gatehouse"], 10).candidates;
    expect([candidate?.entry.file, others]).toEqual(["new.md", []]);
    expect(Object.fromEntries(candidate?.counts.before ?? [])).toEqual({ drawbridge: 1, portcullis: 1, gatehouse: 1 });
    expect(found(index, "moat")).toEqual([]);
    index.apply({ remove: ["oldest.md"] });
    expect(found(index, "drawbridge")).toEqual([]);
    index.close();
  });

  it("never finds a superseded note, and still lists it", () => {
    const { index } = fresh();
    index.apply({
      upsert: [
        indexed("old.md", { body: "drawbridge", supersededBy: "new.md" }),
        indexed("new.md", { body: "drawbridge" }),
      ],
    });
    expect(found(index, "drawbridge")).toEqual(["new.md"]);
    expect(index.search(["drawbridge"], 5).documentFrequency.get("drawbridge")).toBe(1);
    expect(index.count()).toBe(1);
    expect(index.top(10).map(({ file }) => file)).toEqual(["new.md"]);
    expect(index.entry("old.md")?.supersededBy).toBe("new.md");
    expect(index.entries().map(({ file }) => file)).toEqual(["new.md", "old.md"]);
    index.close();
  });
}

function textContract(fresh: Fresh): void {
  it("forgets the words of a note that was replaced or removed", () => {
    const { index } = fresh();
    index.apply({ upsert: [indexed("a.md", { body: "saxophone" }), indexed("b.md", { body: "trombone" })] });
    index.apply({ upsert: [indexed("a.md", { body: "clarinet" })], remove: ["b.md", "never-there.md"] });
    expect([found(index, "saxophone"), found(index, "trombone"), found(index, "clarinet")]).toEqual([[], [], ["a.md"]]);
    index.close();
  });

  it.each([
    ["Chinese", "数据库备份每天晚上运行", "数据库什么时候备份"],
    ["Japanese", "デプロイは金曜日に禁止されています", "金曜日のデプロイ"],
    ["Korean", "배포는 금요일에 하지 않습니다", "금요일 배포"],
    ["German", "Die Größe der Fußzeile ändert sich", "GRÖSSE"],
    ["Arabic", "المدرسة مغلقة يوم الجمعة", "مدرسه الجُمعة"],
    ["Russian", "Релиз по пятницам запрещён", "запрещен релиз"],
    ["Thai", "ห้ามปล่อยวันศุกร์", "วันศุกร์"],
    ["emoji", "Deployments are marked with 🚀", "what does 🚀 mean"],
    ["an identifier in another spelling", "call resetPassword before login", "reset-password"],
  ])("finds %s", (_language, body, prompt) => {
    const { index } = fresh();
    index.apply({
      upsert: [indexed("hit.md", { body }), indexed("miss.md", { body: "unrelated words about gardening" })],
    });
    expect(found(index, prompt)).toEqual(["hit.md"]);
    index.close();
  });

  it("takes any text as a term without treating it as query language", () => {
    const { index } = fresh();
    index.apply({ upsert: [indexed("a.md", { body: "near or not" })] });
    expect(() => index.search(['"', "a OR b", "*", "NEAR(x)", "col:x", "", "'; DROP TABLE note; --"], 5)).not.toThrow();
    expect(index.count()).toBe(1);
    index.close();
  });
}

function listingContract(fresh: Fresh): void {
  it("takes names that differ in case alone for one, as many file systems do", () => {
    const { index } = fresh();
    index.apply({ upsert: [indexed("dir/Ports.md")] });
    const names = ["dir/Ports.md", "dir/ports.md", "DIR/PORTS.MD", "dir/port.md", "Ports.md"];
    expect(names.map((file) => index.hasFile(file))).toEqual([true, true, true, false, false]);
    index.close();
  });

  it("knows which live notes contradict others, and forgets it with them", () => {
    const { index } = fresh();
    const newer = indexed("newer.md", { contradicts: ["a.md", "b.md"] });
    index.apply({ upsert: [newer, indexed("a.md"), indexed("gone.md", { contradicts: ["a.md"], supersededBy: "b" })] });
    expect([...index.contradictions()]).toEqual([["newer.md", ["a.md", "b.md"]]]);
    index.apply({ upsert: [indexed("newer.md")] });
    expect(index.contradictions().size).toBe(0);
    index.close();
  });

  it("gives back what it was given", () => {
    const { index } = fresh();
    const problem = { code: "unknown-type", message: 'type "x"' } as const;
    const given = indexed("dir/ä b.md", {
      name: 'Say "hi"\n\u0000',
      description: "🚀 line",
      type: undefined,
      writtenType: "x",
      pinned: true,
      modified: "2026-03-01T10:00:00Z",
      supersededBy: "c.md",
      validTo: "2026-04-01T00:00:00Z",
      problems: [problem],
      mtimeMs: 1_795_295_152_458.1233,
    });
    index.apply({ upsert: [given] });
    expect(index.entry("dir/ä b.md")).toEqual({
      file: "dir/ä b.md",
      hash: given.hash,
      size: 0,
      mtimeMs: 1_795_295_152_458.1233,
      name: 'Say "hi"\n\u0000',
      description: "🚀 line",
      type: undefined,
      writtenType: "x",
      pinned: true,
      time: Date.parse("2026-03-01T10:00:00Z"),
      supersededBy: "c.md",
      validTo: "2026-04-01T00:00:00Z",
      problems: [problem],
      uses: 0,
    });
    expect(index.stamps()).toEqual(
      new Map([["dir/ä b.md", { file: "dir/ä b.md", hash: given.hash, size: 0, mtimeMs: 1_795_295_152_458.1233 }]]),
    );
    expect(index.entry("none.md")).toBeUndefined();
    index.close();
  });

  it("ranks pinned notes first, then the most used, then the most recent, then by file", () => {
    const { index } = fresh();
    index.apply({
      upsert: [
        indexed("b.md", { mtimeMs: 1 }),
        indexed("a.md", { mtimeMs: 1 }),
        indexed("recent.md", { mtimeMs: 9 }),
        indexed("used.md", { mtimeMs: 1 }),
        indexed("pinned.md", { pinned: true, mtimeMs: 0 }),
      ],
    });
    index.setUses(
      new Map([
        ["used.md", 2],
        ["b.md", -1],
        ["a-note-that-is-not-there.md", 1],
      ]),
    );
    expect(index.top(10).map(({ file }) => file)).toEqual(["pinned.md", "used.md", "recent.md", "a.md", "b.md"]);
    expect(index.top(2).map(({ file }) => file)).toEqual(["pinned.md", "used.md"]);
    index.close();
  });

  it("keeps the count of uses when a note changes, goes and comes back", () => {
    const { index } = fresh();
    index.apply({ upsert: [indexed("a.md", { body: "one" })] });
    index.setUses(new Map([["a.md", 1]]));
    index.apply({ upsert: [indexed("a.md", { body: "two" })] });
    index.apply({ remove: ["a.md"] });
    index.setUses(new Map([["a.md", 2]]));
    index.apply({ upsert: [indexed("a.md", { body: "three" })] });
    expect(index.entry("a.md")?.uses).toBe(2);
    index.close();
  });

  it("follows a new stamp of unchanged bytes", () => {
    const { index } = fresh();
    index.apply({ upsert: [indexed("a.md", { body: "same", mtimeMs: 5 })] });
    index.apply({ upsert: [indexed("a.md", { body: "same", mtimeMs: 7.5 })] });
    expect([index.stamps().get("a.md")?.mtimeMs, index.entry("a.md")?.time, index.count()]).toEqual([7.5, 8, 1]);
    index.close();
  });
}

function lifeContract(fresh: Fresh, open: (file: string) => NoteIndex): void {
  it("keeps notes, uses and state across closing and opening", () => {
    const { index, file } = fresh();
    index.apply({ upsert: [indexed("a.md", { body: "persistent" })] });
    index.setUses(new Map([["a.md", 1]]));
    index.setState("seen", "1");
    index.setState("seen", "2");
    const digest = index.digest();
    index.close();
    const again = open(file);
    expect([
      found(again, "persistent"),
      again.entry("a.md")?.uses,
      again.state("seen"),
      again.state("other"),
      again.digest(),
    ]).toEqual([["a.md"], 1, "2", undefined, digest]);
    expect(again.degraded).toBeUndefined();
    again.close();
  });

  it("has a digest that only the notes decide", () => {
    const a = fresh().index;
    const b = fresh().index;
    const [one, two] = [
      indexed("one.md", { body: "first", mtimeMs: 1 }),
      indexed("two.md", { body: "second", mtimeMs: 2 }),
    ];
    a.apply({ upsert: [one, two] });
    b.apply({ upsert: [{ ...two, mtimeMs: 99 }] });
    b.apply({ upsert: [indexed("one.md", { body: "before" })] });
    b.apply({ upsert: [{ ...one, mtimeMs: 98 }] });
    b.setUses(new Map([["one.md", 1]]));
    expect(b.digest()).toBe(a.digest());
    b.apply({ upsert: [indexed("one.md", { body: "changed" })] });
    expect(b.digest()).not.toBe(a.digest());
    a.close();
    b.close();
  });

  it("leaves no trace of earlier text in any of its files once cleared", () => {
    const { index, file } = fresh();
    index.apply({
      upsert: Array.from({ length: 300 }, (_, number) =>
        indexed(`confidential-${number}.md`, {
          name: "Zanzibarite",
          description: "zanzibarite mine",
          body: "zanzibarite ".repeat(50),
        }),
      ),
    });
    index.apply({ remove: ["confidential-3.md"] });
    index.setState("zanzibarite", "zanzibarite");
    index.clear();
    expect([index.count(), index.entries(), index.state("zanzibarite")]).toEqual([0, [], undefined]);
    for (const name of fs.readdirSync(path.dirname(file))) {
      const bytes = fs
        .readFileSync(path.join(path.dirname(file), name))
        .toString("latin1")
        .toLowerCase();
      expect([name, bytes.includes("zanzibarite"), bytes.includes("confidential")]).toEqual([name, false, false]);
    }
    index.apply({ upsert: [indexed("a.md", { body: "usable again" })] });
    expect(found(index, "usable")).toEqual(["a.md"]);
    index.close();
  });

  it("is after any changes what a rebuild would be", () => {
    const word = fc.constantFrom("anchor", "basil", "copper", "drizzle", "ember", "fjord", "数据库", "🚀");
    const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(" "));
    const file = fc.constantFrom("a.md", "b.md", "c.md", "d.md", "e.md");
    const change = fc.record({
      file,
      body: text,
      description: text,
      gone: fc.boolean(),
      asked: fc.array(word, { maxLength: 3 }),
      superseded: fc.option(fc.constantFrom("a.md", "b", "z.md"), { nil: undefined }),
      mtimeMs: fc.integer({ min: 0, max: 9 }),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 14 }), text, (changes, prompt) => {
        const grown = open(":memory:");
        const last = new Map<string, IndexedNote>();
        for (const { file: name, body, description, asked, gone, superseded, mtimeMs } of changes) {
          const note = indexed(name, { body, description, asked, supersededBy: superseded, mtimeMs });
          if (gone) last.delete(name);
          else last.set(name, note);
          grown.apply(gone ? { remove: [name] } : { upsert: [note] });
        }
        const rebuilt = open(":memory:");
        rebuilt.apply({ upsert: [...last.values()].toReversed() });
        expect(grown.digest()).toBe(rebuilt.digest());
        expect(grown.search(analyseQuery(prompt), 2)).toEqual(rebuilt.search(analyseQuery(prompt), 2));
        expect(grown.top(9)).toEqual(rebuilt.top(9));
        grown.close();
        rebuilt.close();
      }),
      { numRuns: 60 },
    );
  });
}
