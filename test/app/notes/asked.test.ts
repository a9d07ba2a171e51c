import fs from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openMemory } from "../../../src/app/memory.ts";
import { yamlFrontmatter } from "../../../src/adapters/yaml/frontmatter.ts";
import { askedPhrases } from "../../../src/core/notes/note.ts";
import { parseNote } from "../../../src/core/notes/parse-note.ts";
import { serialiseDraft } from "../../../src/core/notes/frontmatter.ts";
import { person } from "../../support/person.ts";

function someone() {
  const one = person();
  const notes = `${one.root}/notes`;
  const memdir = (argv: readonly string[]) => one.memdir([...argv, "--dir", notes]);
  const text = (file: string): string => fs.readFileSync(`${notes}/${file}`, "utf8");
  return { ...one, notes, memdir, text, open: () => openMemory({ dir: notes, environment: one.environment }) };
}

const BODY = "The harbour crane is booked with Ines before noon.";

describe("the words by which a note is looked for", () => {
  it("find the note, and stand in no line and in no text that an agent gets", async () => {
    const one = someone();
    const memory = one.open();
    await memory.remember({ body: "Zeppelins need helium", type: "project" });
    const kept = await memory.remember({ body: BODY, asked: ["lifting gear, hoist", "who reserves machines"] });
    const { ranked, text, selected, pointed } = memory.recall("reserve the hoist");
    expect(kept).toMatchObject({ outcome: "created" });
    expect(ranked.map(({ file }) => file)).toHaveLength(1);
    expect([...selected, ...pointed]).toHaveLength(1);
    expect(text).toContain("crane");
    const start = memory
      .context()
      .map((section) => JSON.stringify(section))
      .join("");
    expect(`${text}${start}${(await one.memdir(["list"])).out}${one.text("MEMORY.md")}`).not.toContain("hoist");
    memory.close();
  });

  it("survive edits of everything else, being superseded, export and import", async () => {
    const one = someone();
    const saved = JSON.parse((await one.memdir(["remember", BODY, "--asked", "hoist, lifting gear", "--json"])).out);
    const line = "  asked: hoist, lifting gear\n";
    expect(one.text(saved.file)).toContain(line);
    await one.memdir(["edit", saved.file, "--description", "Who books the crane", "--body", `${BODY} Or Jan.`]);
    expect(one.text(saved.file)).toContain(line);
    await one.memdir(["export", `${one.root}/notes.zip`]);
    const other = someone();
    expect((await other.memdir(["import", `${one.root}/notes.zip`, "--yes"])).code).toBe(0);
    expect((await other.memdir(["recall", "hoist"])).out).toContain("crane");
    await one.memdir(["edit", saved.file, "--asked", "winch"]);
    expect(one.text(saved.file)).toContain("  asked: winch\n");
    const memory = one.open();
    expect(await memory.revise(saved.file, { asked: [] })).toMatchObject({ outcome: "written" });
    memory.close();
    expect(one.text(saved.file)).not.toContain("asked");
  });

  it("pass the gates of every other text", async () => {
    const memory = someone().open();
    const secret = ["ghp", "_", "x7Kd93mQpL2vRt8ZsW4nBy6Ha0Gc5JfE1uTi"].join("");
    const refused = async (asked: readonly string[]): Promise<unknown> => memory.remember({ body: BODY, asked });
    expect(await refused([secret])).toMatchObject({ outcome: "refused", reason: "secret" });
    expect(await refused(["hoi\u200Bst"])).toMatchObject({ outcome: "refused", reason: "hidden-characters" });
    const { ref } = await memory.remember({ body: BODY }).then((kept) => {
      if (kept.outcome !== "created") throw new Error(kept.outcome);
      return kept;
    });
    expect(await memory.revise(ref.file, { asked: [secret] })).toMatchObject({ outcome: "refused", reason: "secret" });
    memory.close();
  });

  it("come back from the file as they were kept, whatever was given, few and short", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 90 }), { maxLength: 40 }), (given) => {
        const asked = askedPhrases(given);
        const draft = { type: "project", name: "n", description: "d", body: "b", asked } as const;
        const file = serialiseDraft(draft, "2026-01-01T00:00:00.000Z", yamlFrontmatter);
        expect(parseNote("n.md", new TextEncoder().encode(file), yamlFrontmatter).asked).toEqual(asked);
        expect(asked.length).toBeLessThanOrEqual(20);
        expect(Math.max(0, ...asked.map((phrase) => phrase.length))).toBeLessThanOrEqual(60);
      }),
    );
  });

  it("are read from a list too, as a person may write it", () => {
    const file = "---\nname: n\ndescription: d\nmetadata:\n  asked:\n    - hoist\n    - winch, gear\n---\nb\n";
    expect(parseNote("n.md", Buffer.from(file), yamlFrontmatter).asked).toEqual(["hoist", "winch", "gear"]);
  });
});
