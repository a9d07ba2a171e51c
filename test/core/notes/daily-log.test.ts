import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  dayOf,
  dayOfId,
  entryCalled,
  entryId,
  entryLabel,
  entryText,
  indexedEntry,
  logFile,
  logHeading,
  type NewLogEntry,
  offsetIn,
  parseDailyLog,
  projectOfEntry,
  writeEntry,
} from "../../../src/core/notes/daily-log.ts";
import { isExcluded, LOG_MONTHS } from "../../../src/core/notes/names.ts";

const DAY = "2026-11-22";
const noon = Date.parse("2026-11-22T12:00:00Z");

const lines = fc.array(
  fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 40 }),
    fc.constantFrom(
      "",
      "  ",
      "- 10:00 +01:00 · ~/other",
      "# 2026-11-23",
      "- item",
      "    code",
      "· session x",
      "\t- 09:00",
      "---",
      "> quoted",
    ),
  ),
  { minLength: 1, maxLength: 6 },
);
const text = lines.map((some) => entryText(some.join("\n"))).filter((some) => some !== "");
const field = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });
const project = fc.oneof(
  fc.constant(undefined),
  field.map((name) => `~/${name}`),
  fc.constantFrom("~/Jané Döe/the shop, ours · 100%", "/srv/ends with a space "),
);
const entries = fc.array(
  fc.record({
    time: fc.integer({ min: 0, max: 86_399 }).map((second) => Date.parse(`${DAY}T00:00:00Z`) + second * 1000),
    project,
    session: fc.option(field, { nil: undefined }),
    message: fc.option(field, { nil: undefined }),
    text,
  }),
  { minLength: 1, maxLength: 8 },
);

describe("a day's log", () => {
  it("gives back every entry as it was written, whatever it says", () => {
    fc.assert(
      fc.property(entries, fc.integer({ min: -14 * 60, max: 14 * 60 }), (said, offset) => {
        const written = said.map((one): NewLogEntry => ({
          ...one,
          time: one.time - offset * 60_000,
          offset,
          message: one.session === undefined ? undefined : one.message,
        }));
        expect(new Set(written.map(dayOf))).toEqual(new Set([DAY]));
        const file = logHeading(DAY) + written.map(writeEntry).join("");
        expect(parseDailyLog(DAY, file)).toEqual(
          written.map((one, index) => ({ ...one, day: DAY, number: index + 1, key: expect.any(String) })),
        );
      }),
      { numRuns: 500 },
    );
  });

  it("reads with Windows line ends as it does with others", () => {
    const file =
      logHeading(DAY) +
      writeEntry({ time: noon, offset: 60, project: "~/shop", session: "s1", message: "m7", text: "One.\n\nTwo." });
    expect(parseDailyLog(DAY, file.replaceAll("\n", "\r\n"))).toEqual(parseDailyLog(DAY, file));
  });

  it("is plain Markdown that says when, where and from what", () => {
    expect(
      writeEntry({
        time: noon,
        offset: 60,
        project: "~/code/shop",
        session: "s1",
        message: "m7",
        text: "Replays are kept for 30 days.\r\n\r\nAnn asked.",
      }),
    ).toBe(
      "- 13:00:00 +01:00 · ~/code/shop · session s1, message m7\n  Replays are kept for 30 days.\n\n  Ann asked.\n\n",
    );
  });

  it("takes entries that a person wrote, and leaves alone what is none", () => {
    const file =
      "# Sunday\n\nA fine day.\n\n- 09:05 Bought milk\nand bread.\n\nMore prose.\n\n- eggs\n- 25:00 no such time\n- 10:00:30 +02:00 · ~/shop\n  Deployed.\n";
    expect(parseDailyLog(DAY, file).map(({ number, project: about, text: said }) => ({ number, about, said }))).toEqual(
      [
        { number: 1, about: undefined, said: "Bought milk\nand bread." },
        { number: 2, about: "~/shop", said: "Deployed." },
      ],
    );
  });

  it("belongs to the local day of whoever writes", () => {
    const late = Date.parse("2026-11-22T23:30:00Z");
    expect([
      dayOf({ time: late, offset: offsetIn("Europe/Prague", late) }),
      dayOf({ time: late, offset: offsetIn("America/New_York", late) }),
    ]).toEqual(["2026-11-23", "2026-11-22"]);
    expect([
      offsetIn("Europe/Prague", Date.parse("2026-07-01T12:00:00Z")),
      offsetIn("Asia/Kathmandu", noon + 59_999),
      offsetIn("America/St_Johns", noon),
    ]).toEqual([120, 345, -210]);
  });
});

describe("an entry's name", () => {
  it("is its file, time and words, or the place it once had, and nothing else is taken for one", () => {
    const [entry] = parseDailyLog(DAY, "- 09:39:39 +00:00 · ~/shop\n  Deployed.\n");
    if (entry === undefined) throw new Error("no entry");
    expect(entryId(entry)).toMatch(/^2026\/11\/2026-11-22\.md#093939-[0-9a-f]{8}$/u);
    expect([dayOfId(entryId(entry)), dayOfId(`${logFile(DAY)}#3`)]).toEqual([DAY, DAY]);
    for (const none of [
      "2026/11/2026-12-22.md#3",
      "2026/11/2026-11-22.md",
      "2026/11/2026-11-22.md#0",
      "../2026/11/2026-11-22.md#1",
      "notes.md#1",
    ])
      expect(dayOfId(none)).toBeUndefined();
  });

  it("stays, whatever a person cuts, moves, edits or adds elsewhere in the day", () => {
    fc.assert(
      fc.property(entries, fc.infiniteStream(fc.nat(3)), fc.nat(), (said, fates, seed) => {
        const blocks = said.map((one) => writeEntry({ ...one, offset: 0 }));
        const unlike = blocks.filter((block, at) => blocks.indexOf(block) === at);
        const before = parseDailyLog(DAY, logHeading(DAY) + unlike.join(""));
        const changed = unlike.flatMap((block, at): (readonly [block: string, of: number | undefined])[] => {
          const fate = fates.next().value;
          if (fate === 0) return [];
          if (fate === 1) return [[`- 23:59 edited by hand, the ${at}th\n\n`, undefined]];
          const kept = [block, at] as const;
          return fate === 2 ? [["- 00:01 new by hand\n\n", undefined], kept] : [kept];
        });
        const first = changed.length === 0 ? 0 : seed % changed.length;
        const turned = [...changed.slice(first), ...changed.slice(0, first)];
        const after = parseDailyLog(DAY, logHeading(DAY) + turned.map(([block]) => block).join(""));
        expect(new Set(after.map(entryId)).size).toBe(after.length);
        for (const [place, [, of]] of turned.entries()) {
          const old = of === undefined ? undefined : before[of];
          const id = old === undefined ? undefined : entryId(old);
          expect(id === undefined ? undefined : entryCalled(id, after)?.number).toBe(
            id === undefined ? undefined : place + 1,
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  it("of the counted form leads to what was said at the note's time, else to what stands in that place", () => {
    const all = parseDailyLog(
      DAY,
      "- 09:00:00 +00:00\n  one\n\n- 10:00:00 +00:00\n  two\n\n- 11:00:00 +00:00\n  three\n",
    );
    const [, two, three] = all;
    const id = `${logFile(DAY)}#2`;
    expect(entryCalled(id, all)).toBe(two);
    expect(entryCalled(id, all, three?.time)).toBe(three);
    expect(entryCalled(id, all, noon)).toBe(two);
    expect(entryCalled(`${logFile(DAY)}#9`, all)).toBeUndefined();
  });

  it("is shown with day and time, and the index knows its project", () => {
    const [entry] = parseDailyLog(
      DAY,
      writeEntry({
        time: noon,
        offset: 60,
        project: "~/Jané Döe/shop",
        session: undefined,
        message: undefined,
        text: "Deployed.\nTwice.",
      }),
    );
    if (entry === undefined) throw new Error("no entry");
    const { note } = indexedEntry(entry);
    expect(entryLabel(entry)).toBe("log of 2026-11-22, 13:00");
    expect(note).toMatchObject({
      file: entryId(entry),
      name: "log of 2026-11-22, 13:00",
      description: "Deployed.",
      modified: "2026-11-22T12:00:00.000Z",
    });
    expect([
      projectOfEntry(note),
      projectOfEntry({ writtenType: "log" }),
      projectOfEntry({ writtenType: undefined }),
    ]).toEqual(["~/Jané Döe/shop", undefined, undefined]);
  });
});

describe("a store's directories", () => {
  it("leave the months of a log out where the store has one, and nothing else", () => {
    const user = new Set([LOG_MONTHS]);
    expect(
      ["2026/11", "2026", "2026/13", "team", "x/2026/11"].filter((directory) => isExcluded(user, directory)),
    ).toEqual(["2026/11"]);
    expect(isExcluded(new Set(["team"]), "2026/11")).toBe(false);
  });
});
