import { describe, expect, it } from "vitest";
import { yamlFrontmatter } from "../../../src/adapters/yaml/frontmatter.ts";
import { openGate } from "../../../src/app/transfer/archive-gate.ts";
import { bytes, noteText } from "../../support/store.ts";

const SECRET = "the-secret";
const MARK = "\uFEFF";
const CHECKPOINT = "---\nname: at noon\nsaved: 2026-03-02T09:00:00.000Z\n---\nwords\n";

/** A gate whose scanner knows one secret, and counts how often it looked at a text. */
function opened() {
  const looked: string[] = [];
  const scan = async (text: string) => {
    looked.push(text);
    return text.includes(SECRET) ? [{ rule: "test", start: 0, end: 1, secret: SECRET }] : [];
  };
  return { looked, gate: openGate({ secrets: { scan }, codec: yamlFrontmatter }) };
}

describe("the gate of an archive", () => {
  const note = noteText("n", "About n", "words");

  it.each([
    ["a.md", note, "taken"],
    ["a.md", `${MARK}${note}`, "taken"],
    ["a.md", `${MARK}${MARK}${note}`, "cannot see"],
    ["a.md", `${note}${MARK}`, "cannot see"],
    ["a.md", `${note}${SECRET}`, "a secret"],
    [`${SECRET}.md`, note, "a secret"],
    ["../a.md", note, "leaves"],
    ["a.txt", note, "end in .md"],
  ])("judges name and words of a note: %s %j", async (file, text, why) => {
    const { gate } = opened();
    expect((await gate.refusesNote({ file, bytes: bytes(text) })) ?? "taken").toContain(why);
    expect((await gate.refusesVersion({ file, bytes: bytes(text) })) ?? "taken").toContain(why);
  });

  it("lets MEMORY.md pass as a version alone, and only with words that may pass", async () => {
    const { gate } = opened();
    const page = (text: string) => ({ file: "MEMORY.md", bytes: bytes(text) });
    expect(await gate.refusesNote(page("- a line"))).toBeDefined();
    expect(await gate.refusesVersion(page("- a line"))).toBeUndefined();
    expect(await gate.refusesVersion(page(SECRET))).toContain("a secret");
  });

  it.each([
    ["noon-0123456789.md", CHECKPOINT, "taken"],
    ["noon-0123456789.md", `${CHECKPOINT}${SECRET}`, "a secret"],
    ["noon-0123456789.mdx", CHECKPOINT, "not a checkpoint"],
    ["noon-0123456789.md.md", CHECKPOINT, "not a checkpoint"],
    ["noon-012345678.md", CHECKPOINT, "not a checkpoint"],
    ["noon-0123456789.md", "words alone", "not a checkpoint"],
  ])("takes for a checkpoint what memdir wrote as one: %s %j", async (file, text, why) => {
    const { gate } = opened();
    expect((await gate.refusesCheckpoint({ file, bytes: bytes(text) })) ?? "taken").toContain(why);
  });

  it("looks at a text once, however many versions have it", async () => {
    const { gate, looked } = opened();
    for (let turn = 0; turn < 3; turn++) expect(await gate.refusesText(`x ${SECRET}`)).toContain("a secret");
    expect(looked).toHaveLength(1);
  });
});
