import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { whereIs } from "../../support/every-byte.ts";
import { person } from "../../support/person.ts";
import { filesBelow, memoryDirectory } from "../../support/scratch.ts";

const WORDS = "zebrafish in the north tower";

async function withNote() {
  const { root, memdir, json } = person(memoryDirectory());
  await memdir(["remember", "--name", "quagga", `It keeps ${WORDS}`]);
  await memdir(["edit", "quagga", "--body", `It still keeps ${WORDS}`]);
  return { root, memdir, json, holds: () => whereIs("zebrafish", root).length > 0 };
}

describe("memdir forget", () => {
  it("asks first, by the note's file, and a no leaves everything", async () => {
    const { memdir, holds } = await withNote();
    const asked: string[] = [];
    const interrupted: string[] = [];
    const { code, out } = await memdir(["forget", "quagga"], { answer: false, asked, interrupted });
    expect([code, out]).toEqual([0, "nothing forgotten\n"]);
    expect(asked).toEqual([expect.stringMatching(/^Purge \S*project_quagga\S* everywhere, .* cannot be undone\.$/u)]);
    expect(interrupted.at(-1)).toBe("nothing was forgotten");
    expect((await memdir(["show", "quagga"])).out).toContain(WORDS);
    expect(holds()).toBe(true);
    expect((await memdir(["forget", "quagga"], { answer: true })).out).toMatch(
      /^forgotten: receipt [0-9a-f]{8} \(2 versions purged\)\. The agent's own transcripts are not memdir's and stay as they are\.\n$/u,
    );
    expect(holds()).toBe(false);
  });

  it("does nothing without a terminal that could answer, or without a note", async () => {
    const { memdir, holds } = await withNote();
    expect(await memdir(["forget", "quagga"])).toMatchObject({ code: 2, err: expect.stringContaining("--yes") });
    expect(await memdir(["forget"])).toMatchObject({ code: 2, err: expect.stringContaining("needs a note") });
    expect(await memdir(["forget", "nobody", "--yes"])).toMatchObject({ code: 3 });
    expect(holds()).toBe(true);
  });

  it("gives a receipt as JSON, and takes a removed note along", async () => {
    const { memdir, json, holds } = await withNote();
    await memdir(["remove", "quagga"]);
    expect(await json(["forget", "quagga", "--yes"])).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/u),
      time: expect.stringMatching(/Z$/u),
      lineages: [expect.stringMatching(/^[0-9a-f]{24}$/u)],
      purged: { versions: 3, indexLines: 0 },
    });
    expect(holds()).toBe(false);
    expect((await memdir(["forget", "quagga", "--yes"])).code).toBe(3);
  });

  it("is the last change for undo, which names it instead of undoing the change before it", async () => {
    const { memdir, json } = await withNote();
    await memdir(["remember", "--name", "numbat", "It eats termites"]);
    await memdir(["forget", "quagga", "--yes"]);
    expect(await memdir(["undo"])).toMatchObject({
      code: 3,
      err: "memdir: the last change was a forget, which cannot be undone; `memdir undo --steps 1` undoes the change before it\n",
    });
    expect((await json(["list"])).notes).toHaveLength(1);
    expect(await memdir(["undo", "--steps", "1"])).toMatchObject({ code: 0, err: "" });
    expect((await json(["list"])).notes).toEqual([]);
    expect((await memdir(["redo"])).code).toBe(0);
    expect((await json(["list"])).notes).toHaveLength(1);
  });

  it("leaves one line in the history for all that is gone", async () => {
    const { memdir, json } = await withNote();
    await memdir(["remember", "--name", "numbat", "It eats termites"]);
    await memdir(["forget", "quagga", "--yes"]);
    const { out } = await memdir(["history"]);
    expect(out.split("\n").filter((line) => line.includes("forgotten"))).toEqual([
      "2 versions of forgotten notes: nothing is left of them",
    ]);
    expect(out).toContain("numbat");
    expect((await json(["history"])).versions).toHaveLength(3);
  });

  it("names another note that an import made of the same one, and takes it along", async () => {
    const { root, memdir, json, holds } = await withNote();
    await memdir(["export", `${root}/notes.tar.gz`]);
    await memdir(["edit", "quagga", "--body", `It sleeps beside the ${WORDS}`]);
    await memdir(["import", `${root}/notes.tar.gz`, "--yes"]);
    fs.rmSync(`${root}/notes.tar.gz`);
    expect((await json(["list"])).notes).toHaveLength(2);
    const asked: string[] = [];
    const { out } = await memdir(["forget", "project_quagga"], { answer: true, asked });
    expect(asked).toEqual([
      expect.stringMatching(/^Purge \S*project_quagga\S* and \S*project_quagga_2\S* everywhere/u),
    ]);
    expect(out).toMatch(/ With it went \S*project_quagga_2\S*, which was merged with it\.\n$/u);
    expect((await json(["list"])).notes).toEqual([]);
    expect(holds()).toBe(false);
  });

  it("says which log entry still has the words that the note was made from", async () => {
    const { root, memdir, json, holds } = await withNote();
    const logged = /user:\S+/u.exec((await memdir(["log", `Seen: ${WORDS}`])).out)?.[0] ?? "";
    const [file] = [...filesBelow(root).keys()].filter((name) => name.endsWith("project_quagga.md"));
    const text = fs.readFileSync(`${root}/${file}`, "utf8");
    const evidence = `metadata:\n  evidence:\n    session: s1\n    message: "${logged}"\n`;
    fs.writeFileSync(`${root}/${file}`, text.replace("metadata:\n", evidence));
    expect(await json(["forget", "quagga", "--yes"])).toHaveProperty(
      "elsewhere",
      expect.stringContaining(`The log entry ${logged} still has the words`),
    );
    expect(holds()).toBe(true);
  });

  it("names what became one note with it", async () => {
    const { memdir, json } = await withNote();
    await memdir(["mv", "quagga", "user"]);
    await memdir(["remember", "--scope", "project", "--name", "quagga", "--force", `It still keeps ${WORDS}`]);
    const { notes } = await json(["list"]);
    expect(notes.length).toBe(2);
    expect((await memdir(["forget", "user:quagga", "--yes"])).out).not.toContain("With it went");
    expect((await json(["list"])).notes.length).toBe(1);
  });
});
