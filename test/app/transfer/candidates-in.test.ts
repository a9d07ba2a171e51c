import { describe, expect, it } from "vitest";
import { yamlFrontmatter } from "../../../src/adapters/yaml/frontmatter.ts";
import { IMPORT_KINDS, type ImportKind, type SourceFile } from "../../../src/app/transfer/candidate.ts";
import { candidatesIn } from "../../../src/app/transfer/candidates-in.ts";
import { noteText } from "../../support/store.ts";

function read(kind: ImportKind, path: string, text: string, more: Partial<SourceFile> = {}) {
  return candidatesIn(kind, [{ path, text, ...more }], yamlFrontmatter);
}

const brief = (kind: ImportKind, path: string, text: string) =>
  read(kind, path, text).candidates.map(({ origin, name, body }) => [origin, name, body]);

it("what can be imported is what the manual names", () => {
  const manual = ["claude-code", "codex", "gemini", "server-memory", "basic-memory", "openclaw", "hermes", "db0"];
  expect([...IMPORT_KINDS].toSorted()).toEqual(manual.toSorted());
});

describe("Markdown cut at its headings", () => {
  it("gives one candidate a section, named by all headings above it, with those of fences left alone", () => {
    const text = [
      "Before any heading",
      "# Build ##",
      "Run make.",
      "## Fast",
      "",
      "Use the cache.",
      "~~~sh",
      "# no heading",
      "```",
      "# nor this",
      "~~~",
      "### Deep",
      "One",
      "## Slow",
      "Two",
      "# Deploy",
      "#hashtag, no heading",
      "Nor is issue # 12",
    ].join("\r\n");
    expect(brief("openclaw", "MEMORY.md", text)).toEqual([
      ["MEMORY.md", "Long-term memory", "Before any heading"],
      ["MEMORY.md#Build", "Build", "Run make."],
      ["MEMORY.md#Build > Fast", "Fast", "Use the cache.\n~~~sh\n# no heading\n```\n# nor this\n~~~"],
      ["MEMORY.md#Build > Fast > Deep", "Deep", "One"],
      ["MEMORY.md#Build > Slow", "Slow", "Two"],
      ["MEMORY.md#Deploy", "Deploy", "#hashtag, no heading\nNor is issue # 12"],
    ]);
  });

  it("gives one candidate an item where a section is a list of two or more", () => {
    const index = (text: string): readonly string[] =>
      brief("openclaw", "MEMORY.md", text).map(([, , body]) => String(body));
    expect(index("# Tabs\n- Use tabs\n")).toEqual(["- Use tabs"]);
    expect(index("# Tabs\n- Use tabs\n* in every file\n")).toEqual(["Use tabs", "in every file"]);
    expect(index("# Tabs\nWords first\n- Use tabs\n- in every file\n")).toHaveLength(1);
    expect(index("# Tabs\n- Use tabs\n- like so:\n```\n- x\n```\n")).toHaveLength(1);
  });

  it("passes a level over, and leaves out sections without words", () => {
    expect(brief("codex", "MEMORY.md", "# A\n### C\nx\n## \ny\n# B\n\n# Z\nz\n")).toEqual([
      ["MEMORY.md#A > C", "C", "x"],
      ["MEMORY.md#A", "A", "y"],
      ["MEMORY.md#Z", "Z", "z"],
    ]);
  });
});

describe("the candidate of a piece of text", () => {
  it.each([
    ["Always use tabs", "feedback"],
    ["we never squash", "feedback"],
    ["She prefers short names", "feedback"],
    ["Do not push on Fridays", "feedback"],
    ["Don’t mock the clock", "feedback"],
    ["use pnpm instead of npm", "feedback"],
    ["- https://example.com/wiki", "reference"],
    ["https://example.com/wiki", "reference"],
    ["See https://example.com/wiki for more", "project"],
    ["See https://example.com/wiki", "project"],
    ["https://example.com/wiki has it all", "project"],
    ["The mustard is yellow", "project"],
  ])("%s is of the type %s", (text, type) => {
    expect(read("codex", "rollout_summaries/x.md", text).candidates).toMatchObject([{ type }]);
  });

  it("takes its name and description from its first line with words, without marks", () => {
    const [one] = read("codex", "MEMORY.md", "\n> \n- **\n* The port is 8080. It was 9090 once.\nMore\n").candidates;
    expect(one).toMatchObject({ name: "MEMORY", description: "The port is 8080", origin: "MEMORY.md" });
    const long = read("codex", "notes/2026_a-very-long__name.md", `${"word ".repeat(60)}!`).candidates[0];
    expect(long?.name).toBe("2026 a very long name");
    expect(long?.description.length).toBe(200);
    expect(long?.description.endsWith("…")).toBe(true);
    expect(read("codex", "MEMORY.md", `# ${"x".repeat(80)}\nwords`).candidates[0]?.name).toBe("x".repeat(60));
  });

  it.each(["", " \n\t\n", "# \n> \n- \n"])("is none where there are no words: %j", (text) => {
    expect(read("codex", "rollout_summaries/a.md", text)).toEqual({
      candidates: [],
      skipped: [{ path: "rollout_summaries/a.md", why: "there are no words in it" }],
    });
  });
});

describe("notes of Claude Code", () => {
  it("come with their frontmatter; the pin and the day of the file are known", () => {
    const text = noteText("no-mocks", "Never mock the database", "It lied once.", "feedback").replace(
      "metadata:\n",
      "metadata:\n  pinned: true\n",
    );
    const changed = "2026-01-02T03:04:05.000Z";
    expect(read("claude-code", "feedback_no_mocks.md", text, { changed }).candidates).toEqual([
      {
        type: "feedback",
        name: "no-mocks",
        description: "Never mock the database",
        body: "It lied once.",
        origin: "feedback_no_mocks.md",
        original: { text, pinned: true, changed },
      },
    ]);
    const dated = text.replace("metadata:\n", "metadata:\n  created: 2025-05-05T00:00:00.000Z\n");
    expect(read("claude-code", "x.md", dated, { changed }).candidates[0]?.original).toEqual({
      text: dated,
      pinned: true,
    });
    expect(read("claude-code", "x.md", text).candidates[0]?.original).toEqual({ text, pinned: true });
  });

  it("one with faults that its text bears comes with its frontmatter too", () => {
    const text = noteText("port", "The port is 8080. It was 9090.", "It is 8080.").replace(
      "type: project",
      "type: fact",
    );
    expect(read("claude-code", "port.md", text).candidates).toMatchObject([
      { type: "project", description: "The port is 8080. It was 9090", original: { text } },
    ]);
  });

  it.each([
    ["has no frontmatter", "Just words\n"],
    ["has frontmatter that is not closed", "---\nname: x\nwords\n"],
    ["has frontmatter that is no YAML", "---\nname: [\n---\n\nwords\n"],
  ])("one that %s comes as words alone", (_, text) => {
    const [one] = read("claude-code", "plain.md", text).candidates;
    expect(one).toMatchObject({ origin: "plain.md", type: "project" });
    expect(one).not.toHaveProperty("original");
  });

  it("a superseded one stays behind; of the index only lines of no note are named, by the first", () => {
    const old = noteText("old", "Old", "Old words").replace("metadata:\n", "metadata:\n  supersededBy: new.md\n");
    expect(read("claude-code", "old.md", old)).toEqual({
      candidates: [],
      skipped: [{ path: "old.md", why: "another note superseded it" }],
    });
    const page =
      "# Memory\n\n<!-- mark -->\n- [A](a.md) — a\n* [B](b.md)\n- (12 more notes are not listed)\nmine\n- bare\n";
    expect(read("claude-code", "sub/MEMORY.md", page)).toEqual({
      candidates: [],
      skipped: [{ path: "sub/MEMORY.md", line: 7, why: "2 lines of the index that name no note" }],
    });
    expect(read("claude-code", "MEMORY.md", "mine").skipped).toEqual([
      { path: "MEMORY.md", line: 1, why: "1 line of the index that names no note" },
    ]);
    expect(read("claude-code", "MEMORY.md", "- [A](a.md)\n")).toEqual({ candidates: [], skipped: [] });
    expect(read("claude-code", "MY_MEMORY.md", "Words of a note\n").candidates).toHaveLength(1);
  });
});

describe("what Gemini remembers", () => {
  it("is the list in GEMINI.md, up to the next heading", () => {
    const text =
      "# Rules\n- no fact\n\n## Gemini Added Memories\n- The port is 8080\n- The disk is\n  the second\n* Third\n\n## More\n- no fact either\n";
    expect(brief("gemini", "GEMINI.md", text)).toEqual([
      ["GEMINI.md#Gemini Added Memories: The port is 8080", "The port is 8080", "The port is 8080"],
      ["GEMINI.md#Gemini Added Memories: The disk is\n  the second", "The disk is", "The disk is\n  the second"],
      ["GEMINI.md#Gemini Added Memories: Third", "Third", "Third"],
    ]);
    expect(brief("gemini", "GEMINI.md", "## Gemini Added Memories\r\n- one - and the same - fact\r\n")).toHaveLength(1);
    const long = `## Gemini Added Memories\n- ${"y".repeat(99)}\n`;
    expect(brief("gemini", "GEMINI.md", long)[0]?.[0]).toBe(`GEMINI.md#Gemini Added Memories: ${"y".repeat(60)}`);
    expect(read("gemini", "GEMINI.md", "## Gemini Added Memories of old\n- x\n").skipped).toEqual([
      { path: "GEMINI.md", why: "it has no list of added memories, and its instructions are not notes" },
    ]);
    expect(brief("gemini", "OLD-GEMINI.md", "## Gemini Added Memories\n- x\n")[0]?.[0]).toBe("OLD-GEMINI.md");
  });

  it("is the index's own words without its links, and the notes beside it", () => {
    expect(brief("gemini", "MEMORY.md", "# Own\nwords\n- [A](a.md) — a\n* [B](b.txt)\nsee - [C](c.md)\n")).toEqual([
      ["MEMORY.md#Own", "Own", "words\n* [B](b.txt)\nsee - [C](c.md)"],
    ]);
    expect(read("gemini", "MEMORY.md", "- [A](a.md)\n")).toEqual({ candidates: [], skipped: [] });
    expect(brief("gemini", "MEMORY.md", "words")).toEqual([["MEMORY.md", "Gemini memory", "words"]]);
    expect(brief("gemini", "a.md", "words\n")).toEqual([["a.md", "a", "words"]]);
  });
});

describe("what a memory server keeps", () => {
  const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

  it("is a note an entity, with its observations and its relations", () => {
    const text =
      line({
        type: "entity",
        name: "Exporter",
        entityType: "service",
        observations: ["runs at night", { content: "in Frankfurt" }],
      }) +
      "\n" +
      line({ type: "relation", from: "Exporter", to: "Vendor", relationType: "feeds" }) +
      line({ type: "relation", from: "Exporter", to: "Disk" }) +
      line({ type: "entity", name: "Vendor", observations: [] }) +
      line({ type: "relation", from: "Vendor", relationType: "pays" });
    expect(read("server-memory", "memory.jsonl", text)).toMatchObject({
      candidates: [
        {
          origin: "memory.jsonl#Exporter",
          name: "Exporter",
          description: "Exporter (service): runs at night",
          body: "- runs at night\n- in Frankfurt\n- feeds Vendor\n- relates to Disk",
        },
        { origin: "memory.jsonl#Vendor", description: "Vendor: pays", body: "- pays" },
      ],
      skipped: [],
    });
  });

  it.each([
    ["{", "not JSON"],
    [line({ type: "relation", from: "Nobody", to: "x" }), "a relation from an entity that is not there"],
    [line({ type: "relation", to: "x" }), "a relation from an entity that is not there"],
    [line({ type: "thing" }), "neither an entity nor a relation"],
    [line({ type: "entity", observations: ["x"] }), "an entity without a name"],
    [line({ type: "entity", name: "x", observations: [] }), "an entity of which nothing is said"],
    [line({ type: "entity", name: "x", observations: "words" }), "an entity of which nothing is said"],
  ])("names the line that it cannot take: %s", (bad, why) => {
    const good = line({ type: "entity", name: "Good", from: "Good", to: "itself", observations: ["is kept"] });
    expect(read("server-memory", "m.jsonl", good + bad)).toMatchObject({
      candidates: [{ name: "Good", body: "- is kept" }],
      skipped: [{ path: "m.jsonl", line: 2, why }],
    });
  });

  it("counts observations without a text, and keeps the others", () => {
    const text = line({ type: "entity", name: "x", observations: ["one", 7, { other: 1 }] });
    expect(read("server-memory", "m.jsonl", text)).toMatchObject({
      candidates: [{ body: "- one" }],
      skipped: [{ line: 1, why: "2 observations without a text" }],
    });
  });
});

describe("notes of basic-memory", () => {
  it("stay Markdown without their title; the first fact describes them, the permalink is where they are from", () => {
    const text =
      "---\ntitle: The exporter\npermalink: shop/exporter\n---\n\n# The exporter\n\n- [design] Runs at night #ops #cron\n- feeds [[Vendor]]\n";
    expect(read("basic-memory", "shop/Exporter.md", text).candidates).toMatchObject([
      {
        origin: "shop/exporter",
        name: "The exporter",
        description: "The exporter: Runs at night",
        body: "- [design] Runs at night #ops #cron\n- feeds [[Vendor]]",
      },
    ]);
  });

  it("without any of these take their name from the file; a heading further down stays", () => {
    expect(read("basic-memory", "shop/my_first-note.md", "Words\n# Later\nmore\n").candidates).toMatchObject([
      {
        origin: "shop/my_first-note.md",
        name: "my first note",
        description: "my first note",
        body: "Words\n# Later\nmore",
      },
    ]);
    expect(read("basic-memory", "a.md", "x - [design] no fact\n- [[Link]] none\n").candidates[0]?.description).toBe(
      "a",
    );
    expect(read("basic-memory", "a.md", "# only a title\n").skipped).toHaveLength(1);
  });
});

it("memories of db0 are notes of their scope and source, with what they replaced; the others are passed over", () => {
  const rows = [
    { id: 1, content: "Tabs are four wide", scope: "user", tags: '["feedback"]', confidence: 0.5 },
    { id: 2, content: "Speaks Czech", scope: "user", tags: '["languages"]' },
    { id: 3, content: "The wiki has the tables", source_type: "file" },
    { id: 4, content: "The build says so", sourceType: "tool_result", scope: "agent" },
    { id: 5, content: "The queue is in Bonn", supersedes_id: 6, created_at: "2026-02-01T10:00:00Z" },
    { id: 6, content: "The queue is in Bern", supersedes_id: 7, status: "superseded" },
    { id: 7, content: "The queue is in Rome", supersedes_id: 6, status: "superseded" },
    { id: 8, content: "Half way through", scope: "session" },
    { id: 9, content: "Perhaps so", confidence: 0.49 },
    { id: 10, content: " " },
  ];
  const { candidates, skipped } = read("db0", "db0_memory", rows.map((row) => JSON.stringify(row)).join("\n"));
  expect(candidates.map(({ origin, type, body }) => [origin, type, body])).toEqual([
    ["db0_memory#1", "feedback", "Tabs are four wide"],
    ["db0_memory#2", "user", "Speaks Czech"],
    ["db0_memory#3", "reference", "The wiki has the tables"],
    ["db0_memory#4", "reference", "The build says so"],
    [
      "db0_memory#5",
      "project",
      "The queue is in Bonn\n\nUntil 2026-02-01: The queue is in Bern\n\nUntil then: The queue is in Rome",
    ],
  ]);
  expect(skipped.map(({ line, why }) => `${line ?? ""} ${why}`)).toEqual([
    "6 superseded; its text stands in the note that took its place",
    "7 superseded; its text stands in the note that took its place",
    "8 of one session",
    "9 db0 is not sure of it (0.49)",
    "10 there are no words in it",
  ]);
});

it.each(["db0_state", "db0_log"])("%s of db0 is no note, and nothing that is passed over", (path) => {
  const row = '{"id":"1","event":"deploy","label":"half way","content":"words","created_at":"2026-02-01T10:00:00Z"}\n';
  expect(read("db0", path, row)).toEqual({ candidates: [], skipped: [] });
});

it("files of one import come together, in order", () => {
  const files = ["b", "a"].map((name) => ({ path: `rollout_summaries/${name}.md`, text: `words of ${name}` }));
  expect(candidatesIn("codex", files, yamlFrontmatter).candidates.map(({ origin }) => origin)).toEqual([
    "rollout_summaries/b.md",
    "rollout_summaries/a.md",
  ]);
  expect(brief("openclaw", "memory/2026-11-22.md", "words")).toEqual([]);
  expect(brief("openclaw", "memory/release_train.md", "words")[0]?.[1]).toBe("release train");
  expect(brief("codex", "rollout_summaries/a.md", "---\nname: x\n---\nwords")).toEqual([
    ["rollout_summaries/a.md", "a", "words"],
  ]);
});
