import { describe, expect, it } from "vitest";
import type { IndexEntry, NoteIndex, SearchCandidate } from "../../../src/core/notes/note-index.ts";
import { analyse } from "../../../src/core/notes/terms.ts";
import { gradeNotes, judge, SELECTION_RULE } from "../../../src/core/recall/likelihood.ts";
import { recall as find, type RecallOptions } from "../../../src/core/recall/recall.ts";

interface Written {
  readonly name?: string;
  readonly description?: string;
  readonly body?: string;
}

/** An index that scans: what recall asks of the real one, without the database. */
function indexOf(notes: Readonly<Record<string, Written>>): Pick<NoteIndex, "search"> {
  const fields = Object.entries(notes).map(([file, { name = "", description = "", body = "" }]) => ({
    file,
    name: analyse(name),
    description: analyse(description),
    body: analyse(body),
  }));
  const mean = (field: "name" | "description" | "body"): number =>
    fields.reduce((sum, note) => sum + note[field].length, 0) / fields.length;
  return {
    search: (terms, limit) => {
      const counted = (words: readonly string[]): Map<string, number> =>
        new Map(
          terms
            .map((term) => [term, words.filter((word) => word === term).length] as const)
            .filter(([, count]) => count > 0),
        );
      const candidates = fields.map((note): SearchCandidate => ({
        entry: entryOf(note.file),
        counts: { name: counted(note.name), description: counted(note.description), body: counted(note.body) },
        lengths: { name: note.name.length, description: note.description.length, body: note.body.length },
      }));
      const has = ({ counts }: SearchCandidate, term: string): boolean =>
        counts.name.has(term) || counts.description.has(term) || counts.body.has(term);
      return {
        documents: fields.length,
        averages: { name: mean("name"), description: mean("description"), body: mean("body") },
        documentFrequency: new Map(
          terms
            .map((term) => [term, candidates.filter((candidate) => has(candidate, term)).length] as const)
            .filter(([, count]) => count > 0),
        ),
        candidates: candidates.filter((candidate) => terms.some((term) => has(candidate, term))).slice(0, limit),
      };
    },
  };
}

function entryOf(file: string): IndexEntry {
  return {
    file,
    hash: "",
    size: 0,
    mtimeMs: 0,
    name: file,
    description: "",
    type: undefined,
    writtenType: undefined,
    pinned: false,
    time: 0,
    supersededBy: undefined,
    validTo: undefined,
    problems: [],
    uses: 0,
  };
}

const store = {
  "invoices.md": {
    name: "Invoice rounding",
    description: "round invoice totals half to even",
    body: "The tax office rejected totals rounded half up.",
  },
  "heating.md": {
    name: "Boiler reset",
    description: "how to reset the boiler after a power cut",
    body: "Hold the red button for ten seconds.",
  },
  "garden.md": {
    name: "Tomatoes",
    description: "plant tomatoes after the last frost",
    body: "In this valley that is the middle of May.",
  },
  "music.md": {
    name: "Piano tuning",
    description: "the piano is tuned every spring",
    body: "Ask for the tuner who knows old instruments.",
  },
};

/** What recall finds, and the files of what is shown whole. */
function recall(prompt: string, index: Pick<NoteIndex, "search">, options?: RecallOptions) {
  const { candidates, terms } = find(prompt, index, options);
  const { whole } = gradeNotes(judge(candidates), SELECTION_RULE);
  return { selected: whole.map(({ note }) => note.file), ranked: candidates, terms };
}

describe("recall", () => {
  it("shows the note that the prompt is about, and only that", () => {
    const { selected, ranked } = recall("the boiler needs a reset", indexOf(store));
    expect(selected).toEqual(["heating.md"]);
    expect(ranked[0]?.file).toBe("heating.md");
  });

  it.each([
    "please write a haiku about submarines",
    "thanks!",
    "",
    "the of and",
    "spring cleaning schedule for the submarine fleet next winter",
  ])("shows nothing for %j", (prompt) => {
    expect(recall(prompt, indexOf(store)).selected).toEqual([]);
  });

  it("still ranks what it does not show, so that a pointer can be given", () => {
    const { selected, ranked } = recall(
      "a long question about scheduling maintenance of several unrelated machines including the piano",
      indexOf(store),
    );
    expect([selected, ranked.map(({ file }) => file)]).toEqual([[], ["music.md"]]);
  });

  it("scores between 0 and 1, whatever is asked and however often it is written", () => {
    const stuffed = indexOf({
      ...store,
      "stuffed.md": { name: "boiler", description: "boiler ".repeat(50), body: "boiler ".repeat(500) },
    });
    for (const prompt of ["boiler", "boiler boiler reset", "reset everything about the boiler and tomatoes"]) {
      for (const { score } of recall(prompt, stuffed).ranked) expect(score > 0 && score < 1).toBe(true);
    }
  });

  it("holds the words that no note knows against every note", () => {
    const [short, long] = ["boiler reset", "boiler reset zeppelin quartz umbrella"].map(
      (prompt) => recall(prompt, indexOf(store)).ranked[0]?.score ?? 0,
    );
    expect(long).toBeLessThan((short ?? 0) / 2);
  });

  it("prefers a note whose description says it to one that mentions it in passing", () => {
    const notes = {
      "aside.md": {
        name: "Kitchen",
        description: "paint colours of the kitchen",
        body: "The fuse box is behind the door. The walls are green.",
      },
      "subject.md": {
        name: "Electrics",
        description: "where the fuse box is",
        body: "Behind the kitchen door, at eye level and painted.",
      },
      "other.md": { name: "Cellar", description: "what is kept in the cellar", body: "Apples, wine, and old paint." },
    };
    expect(recall("fuse box", indexOf(notes)).ranked.map(({ file }) => file)).toEqual(["subject.md", "aside.md"]);
  });

  it("shows at most three, and none that is far behind the best", () => {
    const same = Object.fromEntries(
      Array.from({ length: 6 }, (_, number) => [`n${number}.md`, { name: "ferry", description: "ferry timetable" }]),
    );
    const { ranked } = recall(
      "ferry timetable",
      indexOf({ ...store, ...same, "weak.md": { body: `${"word ".repeat(60)} ferry` } }),
    );
    const { whole } = gradeNotes(judge(ranked), { ...SELECTION_RULE, whole: 0.1 });
    expect(whole.map(({ note }) => note.file)).toEqual(["n0.md", "n1.md", "n2.md"]);
  });

  it("leaves out what may not be recalled before it ranks", () => {
    const { selected, ranked } = recall("boiler reset", indexOf(store), {
      accepts: ({ file }) => file !== "heating.md",
    });
    expect([selected, ranked]).toEqual([[], []]);
  });

  it("follows the rule it is given", () => {
    const { whole, pointed } = gradeNotes(judge(recall("boiler reset", indexOf(store)).ranked), {
      whole: 0.9999,
      pointer: 0.5,
      most: 1,
      mostPointers: 1,
    });
    expect([whole, pointed.map(({ note }) => note.file)]).toEqual([[], ["heating.md"]]);
  });

  it("finds what was typed after a long paste, and does not drown in the paste", () => {
    const paste = Array.from({ length: 3000 }, (_, line) => `at frame${line} (module${line % 7}.js:${line})`).join(
      "\n",
    );
    const started = performance.now();
    const { ranked, terms } = recall(`${paste}\nwhy does the boiler reset not work?`, indexOf(store));
    expect(ranked[0]?.file).toBe("heating.md");
    expect(terms.length).toBeLessThanOrEqual(64);
    expect(performance.now() - started).toBeLessThan(500);
  });

  it("gives the reasons: each term with its weight, and what each candidate has of them", () => {
    const { terms, ranked } = recall("boiler zeppelin", indexOf(store));
    expect(terms.map(({ term, documents }) => [term, documents])).toEqual([
      ["zeppelin", 0],
      ["boiler", 1],
    ]);
    expect(ranked[0]?.found).toEqual({
      name: ["boiler"],
      description: ["boiler"],
      body: [],
      asked: [],
      before: [],
    });
  });

  it("orders equal scores by file, so that the same store gives the same answer", () => {
    const notes = {
      "b.md": { body: "gramophone" },
      "a.md": { body: "gramophone" },
      "c.md": { body: "something else" },
    };
    expect(recall("gramophone", indexOf(notes)).ranked.map(({ file }) => file)).toEqual(["a.md", "b.md"]);
  });
});
