import { describe, expect, it } from "vitest";
import { displayWidth } from "../../../src/surfaces/cli/io.ts";
import { person } from "../../support/person.ts";

const LONG =
  "The mill grinds rye in the morning and wheat in the afternoon, and the silo beside it is painted green every second spring";

async function withNotes() {
  const one = person();
  for (const [name, text] of [
    ["mill", LONG],
    ["倉庫", `製粉所は朝にライ麦を挽き、午後に小麦を挽きます。 ${LONG.toUpperCase()}`],
  ] as const)
    await one.memdir(["remember", text, "--name", name]);
  return one;
}

const COMMANDS: readonly (readonly string[])[] = [
  ["recall", "when does the mill grind rye?"],
  ["models"],
  ["history"],
  ["context"],
  ["conflicts"],
  ["checkpoint", "list"],
  ["skill"],
  ["status"],
  ["promote", "mill"],
  ["undo"],
  ["remember", "x", "--scope", "agent"],
  ["list", "--scope", "group"],
  ["show", "nothing-of-this-name-which-is-rather-long-so-that-the-message-breaks"],
];

describe("on a terminal of 60 columns", () => {
  it.each(COMMANDS.map((argv) => [argv.join(" "), argv] as const))("no row of %s is wider", async (_, argv) => {
    const { memdir } = await withNotes();
    const { out, err } = await memdir(argv, { terminal: 60 });
    const wide = `${out}${err}`
      .split("\n")
      .filter((row) => displayWidth(row) > 60 && /\s\S+\s/u.test(row.trim().replaceAll(/`[^`]*`/gu, "")));
    expect(wide).toEqual([]);
  });
});

describe("a row that is too wide", () => {
  it("is broken between words only on a terminal, and keeps what stands in backticks together", async () => {
    const { memdir } = person();
    const argv = ["remember", "The mill grinds rye", "--scope", "agent-local"];
    const whole = await memdir(argv);
    const broken = await memdir(argv, { terminal: 40 });
    expect(whole.err.trimEnd()).not.toContain("\n");
    expect(broken.err.replaceAll(/\n\s*/gu, " ").trim()).toBe(whole.err.trim());
    expect(broken.err).toContain("\n  ");
    const { err } = await memdir(["list", "--scope", "group"], { terminal: 40 });
    expect(err).toContain("`memdir group add NAME`");
  });

  it("stays whole in the text of a note and in JSON", async () => {
    const { memdir } = await withNotes();
    expect((await memdir(["show", "mill"], { terminal: 40 })).out).toContain(LONG);
    expect(JSON.parse((await memdir(["list", "--json"], { terminal: 40 })).out).notes).toHaveLength(2);
    expect((await memdir(["recall", "--raw", "when does the mill grind rye?"], { terminal: 40 })).out).toContain(LONG);
  });
});
