import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { yamlFrontmatter } from "../../../src/adapters/yaml/frontmatter.ts";
import { joinFrontmatter, splitFrontmatter, serialiseDraft, setFields } from "../../../src/core/notes/frontmatter.ts";
import type { NoteDraft } from "../../../src/core/notes/note.ts";
import { parseNote, readMixed } from "../../../src/core/notes/parse-note.ts";
import { MemoryError } from "../../../src/core/shared/errors.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Lines as people and agents write them; none of them is the key that is set. */
const LINES = [
  "name: plain",
  "name: 'quoted: one' # why",
  "description: |\n  block\n  text",
  "description: >-\n  folded\n  text",
  "tags: [a, 'b, c']",
  "# a comment",
  "",
  "unknown:\n  - 1\n  - two",
  "date: 2026-03-02",
  "nested:\n    deep: {x: 1, y: 2}",
  "empty:",
];
const blocks = fc.record({
  lines: fc.uniqueArray(fc.constantFrom(...LINES), { selector: (line) => line.split(":")[0] ?? "" }),
  eol: fc.constantFrom("\n", "\r\n"),
  bom: fc.boolean(),
  body: fc.string({ unit: "binary" }).map((text) => text.replace(/[\r\n]/gu, " ")),
});
const values = fc
  .oneof(
    fc.string(),
    fc.string({ unit: "grapheme" }),
    fc.constantFrom(
      "yes",
      "null",
      "2026-03-02",
      "a: b",
      "- x",
      "#no",
      "a, b",
      "'",
      '"',
      "é",
      "日本",
      "[x]",
      "{y}",
      "~",
      "12",
      "0x1f",
      "true",
      " pad ",
      "",
    ),
  )
  .filter((text) => !/[\r\n]/u.test(text));

describe("a new note", () => {
  it("says when its words were said where that was another day", () => {
    const draft = { type: "project", name: "n", description: "d", body: "It ends tomorrow." } as const;
    expect(
      serialiseDraft({ ...draft, said: "2025-01-02T23:30:00.000Z" }, "2026-03-02T09:00:00.000Z", yamlFrontmatter),
    ).toContain("  created: 2026-03-02T09:00:00.000Z\n  said: 2025-01-02T23:30:00.000Z\n");
    expect(
      serialiseDraft({ ...draft, said: "2026-03-02T08:00:00.000Z" }, "2026-03-02T09:00:00.000Z", yamlFrontmatter),
    ).not.toContain("said");
  });
});

describe("a note that is taken over from another tool", () => {
  const changed = "2024-05-06T07:08:09.000Z";
  const flags = fc.record({
    named: fc.boolean(),
    typed: fc.constantFrom("no", "metadata", "top", "other"),
    dated: fc.boolean(),
  });

  it("says what it is and where it comes from; the rest of it stays", () => {
    fc.assert(
      fc.property(flags, fc.subarray(["old.md", "older.md"]), ({ named, typed, dated }, contradicts) => {
        const lines = [
          named ? "name: deploy" : "name: Another name",
          "tags: [a, 'b, c'] # theirs",
          ...(typed === "top" ? ["type: feedback"] : []),
          ...(typed === "metadata" ? ["metadata: { type: feedback }"] : []),
          ...(typed === "other" ? ["metadata: { type: user }"] : []),
        ];
        const body = "\r\n\n  Their words.\n";
        const draft = {
          type: "feedback",
          name: "deploy",
          description: "unused",
          body: "unused",
          importedFrom: "codex:MEMORY.md",
          ...(contradicts.length > 0 && { contradicts }),
          original: { text: `---\n${lines.join("\n")}\n---\n${body}`, ...(dated && { changed }) },
        } as const;
        const parts = splitFrontmatter(serialiseDraft(draft, "2026-03-02T09:00:00.000Z", yamlFrontmatter));
        expect(parts.body).toBe(body);
        expect(parts.block).toContain("tags: [a, 'b, c'] # theirs\n");
        expect(yamlFrontmatter.read(parts.block).data).toEqual({
          name: "deploy",
          tags: ["a", "b, c"],
          ...(typed === "top" && { type: "feedback" }),
          metadata: {
            ...(typed !== "top" && { type: "feedback" }),
            ...(dated && { created: changed }),
            imported_from: "codex:MEMORY.md",
            ...(contradicts.length > 0 && { contradicts: contradicts.join(", ") }),
          },
        });
      }),
      { numRuns: 64, seed: 7 },
    );
  });
});

describe("setting a frontmatter value", () => {
  it("gives a file without frontmatter one behind its byte order mark, and none where there is nothing to say", () => {
    expect(setFields("\uFEFFwords\n", [[["name"], "new"]], yamlFrontmatter)).toBe(
      "\uFEFF---\nname: new\n---\n\nwords\n",
    );
    expect(setFields("words\n", [[["metadata", "asked"], undefined]], yamlFrontmatter)).toBe("words\n");
  });

  it("keeps every other byte, and reading gives the value back", () => {
    fc.assert(
      fc.property(
        blocks,
        values,
        fc.constantFrom(["metadata", "pinned"], ["title"], ["metadata", "evidence", "session"]),
        ({ lines, eol, bom, body }, value, path) => {
          const head = lines.map((line) => `${line}\n`.replaceAll("\n", eol)).join("");
          const text = `${bom ? "\uFEFF" : ""}---${eol}${head}---${eol}${body}`;
          const written = setFields(text, [[path, value]], yamlFrontmatter);
          const parts = splitFrontmatter(written);
          let read: unknown = yamlFrontmatter.read(parts.block).data;
          for (const key of path)
            read =
              typeof read === "object" && read !== null
                ? Object.entries(read).find(([name]) => name === key)?.[1]
                : undefined;
          expect(read).toBe(value);
          // What was added is one run of whole lines; without it the file is what it was.
          const added = written.length - text.length;
          const at = [...text].findIndex((_, position) => text[position] !== written[position]);
          const from = at === -1 ? text.length : at;
          const isRun = Array.from({ length: added + 1 }, (_, back) => from - back).some(
            (start) => start >= 0 && written.slice(0, start) + written.slice(start + added) === text,
          );
          expect(isRun).toBe(true);
          expect(setFields(written, [[path, value]], yamlFrontmatter)).toBe(written);
        },
      ),
      { numRuns: 400 },
    );
  });

  it.each([
    ["---\nname: old # why\nx: 1\n---\nb", "---\nname: new # why\nx: 1\n---\nb"],
    ["---\nname: 'old'\r\nx: 1\n---\nb", "---\nname: new\r\nx: 1\n---\nb"],
    ["---\nname: |\n  old\n  older\nx: 1\n---\nb", "---\nname: new\nx: 1\n---\nb"],
    ["---\nname:\nx: 1\n---\nb", "---\nname: new\nx: 1\n---\nb"],
    ["---\nname: old\n...\nb", "---\nname: new\n...\nb"],
    ["---\n{name: old, x: 1}\n---\nb", "---\n{name: new, x: 1}\n---\nb"],
    ["---\nname: first\nname: old\n---\n", "---\nname: first\nname: new\n---\n"],
  ])("replaces only the value in %j", (before, after) => {
    expect(setFields(before, [[["name"], "new"]], yamlFrontmatter)).toBe(after);
  });

  it.each([
    "---\nname: [unclosed\n---\n",
    "---\nname: a\rdescription: b\r---\r",
    "---\nname: a\r---\nb",
    "---\nname: open\n",
    "---\n- a list\n---\n",
    "---\nname: *nowhere\n---\n",
  ])("refuses %j rather than break it", (text) => {
    expect(() => setFields(text, [[["name"], "new"]], yamlFrontmatter)).toThrow(MemoryError);
  });
});

describe("a draft", () => {
  it.each(["one\rtwo", "one\r\ntwo", "one\ntwo", "\n\none\r\ntwo\r\r"])(
    "of %j has lines that end in one way",
    (body) => {
      const draft = { type: "project", name: "n", description: "d", body } as const;
      const text = serialiseDraft(draft, "2026-03-02T09:00:00.000Z", yamlFrontmatter);
      expect(text.slice(text.indexOf("\n---\n"))).toBe("\n---\n\none\ntwo\n");
    },
  );

  const NOW = "2026-03-02T09:00:00.000Z";
  const FIELDS: Readonly<Record<string, { readonly given: Partial<NoteDraft>; readonly kept: object }>> = {
    source: { given: { source: "rules" }, kept: { source: "rules" } },
    created: { given: { created: "2025-01-02T00:00:00.000Z" }, kept: { created: "2025-01-02T00:00:00.000Z" } },
    said: { given: { said: "2025-01-02T23:30:00.000Z" }, kept: { said: "2025-01-02T23:30:00.000Z" } },
    "said today": { given: { said: "2026-03-02T08:00:00.000Z" }, kept: {} },
    asked: { given: { asked: ["going live"] }, kept: { asked: "going live" } },
    "asked, several": { given: { asked: ["going live", "ship it"] }, kept: { asked: "going live, ship it" } },
    "asked, none": { given: { asked: [] }, kept: {} },
    forced: { given: { forced: "code-structure" }, kept: { forced: "code-structure" } },
    importedFrom: { given: { importedFrom: "codex:MEMORY.md" }, kept: { imported_from: "codex:MEMORY.md" } },
    evidence: {
      given: { evidence: { session: "s1", message: "m1" } },
      kept: { evidence: { session: "s1", message: "m1" } },
    },
    agreesWith: { given: { agreesWith: ["a.md"] }, kept: { agreesWith: "a.md" } },
    "agreesWith, several": { given: { agreesWith: ["a.md", "b.md"] }, kept: { agreesWith: "a.md, b.md" } },
    "agreesWith, none": { given: { agreesWith: [] }, kept: {} },
    contradicts: { given: { contradicts: ["a.md"] }, kept: { contradicts: "a.md" } },
    "contradicts, several": { given: { contradicts: ["a.md", "b.md"] }, kept: { contradicts: "a.md, b.md" } },
    "contradicts, none": { given: { contradicts: [] }, kept: {} },
  };

  it.each(Object.entries(FIELDS))(
    "has under its metadata what it was given and nothing else: %s",
    (_, { given, kept }) => {
      const draft = { type: "project", name: "n", description: "d", body: "words", ...given } as const;
      const { block } = splitFrontmatter(serialiseDraft(draft, NOW, yamlFrontmatter));
      expect(yamlFrontmatter.read(block).data).toEqual({
        name: "n",
        description: "d",
        metadata: { type: "project", created: NOW, ...kept },
      });
    },
  );

  it("reads back as what it was", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), fc.string(), (name, description, body) => {
        const note = parseNote(
          "x.md",
          encode(
            serialiseDraft(
              { type: "project", name: `n${name}`, description: `d ${description}`, body },
              "2026-03-02T09:00:00.000Z",
              yamlFrontmatter,
            ),
          ),
          yamlFrontmatter,
        );
        const line = (text: string): string => text.replace(/\s+/gu, " ").trim();
        expect([note.name, note.description, note.type]).toEqual([
          line(`n${name}`),
          line(`d ${description}`),
          "project",
        ]);
        expect(note.problems.map(({ code }) => code).filter((code) => code.includes("frontmatter"))).toEqual([]);
      }),
    );
  });
});

describe("reading a note", () => {
  it("never throws, whatever the bytes", () => {
    const yaml = fc.string({
      unit: fc.constantFrom(
        "a",
        ":",
        " ",
        "\n",
        "-",
        "*",
        "&",
        "!",
        "[",
        "]",
        "{",
        "}",
        "'",
        '"',
        "|",
        ">",
        "#",
        "%",
        "\t",
        "\r",
        "?",
        "~",
        "<",
      ),
    });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(parseNote("x.md", bytes, yamlFrontmatter).file).toBe("x.md");
      }),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(yaml, (block) => {
        expect(parseNote("x.md", encode(`---\n${block}\n---\nbody`), yamlFrontmatter).file).toBe("x.md");
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ["an alias of nothing", "name: *nowhere"],
    [
      "a bomb of aliases",
      `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefgh"
        .split("")
        .map((key, at) => `${key}: &${key} [${Array.from({ length: 9 }, () => `*${"abcdefg"[at] ?? "a"}`).join(",")}]`)
        .join("\n")}`,
    ],
    ["deep nesting", "[".repeat(20_000)],
    ["an unknown tag", "name: !python/object:os.system ls"],
    ["a prototype", "__proto__: {type: user}"],
  ])("survives %s in the frontmatter, and reports or reads it", (_, block) => {
    const note = parseNote("x.md", encode(`---\n${block}\n---\nbody\n`), yamlFrontmatter);
    expect(note.body).toBe("body\n");
    expect(note.type).toBeUndefined();
  });

  it("takes no longer for hostile text than for any other", () => {
    const started = performance.now();
    for (const text of [
      `${"<<<<<<< a\n=======\n".repeat(40_000)}`,
      `# ${" ".repeat(400_000)}x`,
      `# a${" #".repeat(200_000)}x`,
    ])
      parseNote("x.md", encode(text), yamlFrontmatter);
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  it("finds the conflict markers that a merge left", () => {
    const text = "---\nname: a\ndescription: b\ntype: user\n---\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n";
    const codes = (body: string): readonly string[] =>
      parseNote("x.md", encode(body), yamlFrontmatter).problems.map(({ code }) => code);
    expect(codes(text)).toEqual(["conflict-markers"]);
    expect(codes(text.replaceAll("\n", "\r\n"))).toEqual(["conflict-markers"]);
    // One of the three that stands within a line, has other words behind it, or is not there.
    for (const marker of ["<<<<<<< ours", "=======", ">>>>>>> theirs"])
      for (const other of [`see ${marker}`, `${marker[0] ?? ""}${marker}`, ""])
        expect([other, codes(text.replace(`\n${marker}\n`, `\n${other}\n`))]).toEqual([other, []]);
    expect(codes(text.replace("=======", "======= here"))).toEqual([]);
    expect(
      codes(text.replace("<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs", ">>>>>>> theirs\n=======\n<<<<<<< ours")),
    ).toEqual([]);
  });

  it("reads bytes that belong to no character as Windows-1252, and every character as itself", () => {
    const characters = ["a", "\u0080", "é", "߿", "\u0800", "€", "\uffff", "𐀀", "🚀", "\u{10ffff}"];
    for (const character of characters) expect(readMixed(encode(character))).toBe(character);
    expect(readMixed(encode(characters.join("")))).toBe(characters.join(""));
    for (let byte = 0x80; byte <= 0xff; byte++) {
      const read = readMixed(Uint8Array.from([0x61, byte, 0x62]));
      expect([byte, read.length, read[0], read[2]]).toEqual([byte, 3, "a", "b"]);
    }
    const cut = encode("é€🚀").filter((_, at) => ![1, 4, 8].includes(at));
    expect(readMixed(cut)).toBe("Ãâ‚ðŸš");
    expect(readMixed(Uint8Array.from([0x80, 0x9f, 0xa0, 0xff]))).toBe("€Ÿ\u00a0ÿ");
  });
});

describe("splitting frontmatter", () => {
  it("gives pieces that join to the same text", () => {
    const text = fc.string({ unit: fc.constantFrom("-", "---", "\n", "\r\n", "\r", "\uFEFF", "a", ": ", "...", " ") });
    fc.assert(
      fc.property(text, (whole) => {
        expect(joinFrontmatter(splitFrontmatter(whole))).toBe(whole);
      }),
      { numRuns: 1_000 },
    );
  });
});
