import fc from "fast-check";
import fs from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { matchingLines } from "../../../src/adapters/files/transcript-lines.ts";
import { memoryDirectory, scratch } from "../../support/scratch.ts";

const CHUNK = 1 << 20;

function fileOf(text: string | Buffer): string {
  const file = `${scratch(memoryDirectory())}/log.jsonl`;
  fs.writeFileSync(file, text);
  return file;
}

/** The lines of a text that hold the needle, one after the other. */
function naive(text: string, needle: string | undefined): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.filter((line) => needle === undefined || line.includes(needle));
}

const plain = (text: string) => ({ text, ignoreCase: false });

describe("the lines in which some bytes stand", () => {
  it("are those that hold them, each once, in order (any small text)", () => {
    const word = fc.constantFrom("ab", "b", "a", "", "aab", "é", " ");
    const text = fc.array(
      fc.array(word, { maxLength: 4 }).map((words) => words.join("")),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(text, fc.boolean(), fc.constantFrom("ab", "b", "é", undefined), (lines, isEnded, needle) => {
        const all = lines.join("\n") + (isEnded ? "\n" : "");
        const file = fileOf(all);
        expect(matchingLines(file, needle === undefined ? undefined : plain(needle))).toEqual(naive(all, needle));
      }),
      { numRuns: 60 },
    );
  });

  it("ignore the case of ASCII letters where they are asked to, and keep the line as it is", () => {
    const file = fileOf("Error: X\nERROR: É\nerr or\nno\n");
    expect(matchingLines(file, { text: "error", ignoreCase: true })).toEqual(["Error: X", "ERROR: É"]);
    expect(matchingLines(file, plain("error"))).toEqual([]);
    expect(matchingLines(file, { text: "error: é", ignoreCase: true })).toEqual([]);
  });

  it("of a range begin at its beginning and end at its end", () => {
    const file = fileOf("one x\ntwo x\nthree x\n");
    expect(matchingLines(file, plain("x"), { from: 6, to: 12 })).toEqual(["two x"]);
    expect(matchingLines(file, plain("x"), { from: 6, to: 10_000 })).toEqual(["two x", "three x"]);
    expect(matchingLines(file, plain("x"), { from: 12, to: 17 })).toEqual([]);
    expect(matchingLines(file, undefined, { from: 0, to: 6 })).toEqual(["one x"]);
    expect(matchingLines(file, undefined, { from: 6, to: 9 })).toEqual(["two"]);
    expect(matchingLines(file, plain("x"), { from: 20, to: 20 })).toEqual([]);
  });

  it("throws what the file system says", () => {
    expect(() => matchingLines(`${scratch()}/none`, undefined)).toThrow(expect.objectContaining({ code: "ENOENT" }));
    expect(matchingLines(fileOf(""), undefined)).toEqual([]);
  });
});

describe("a file larger than what is read at once", () => {
  const NEEDLE = "needle";
  const filler = (length: number): string => `${"x".repeat(length - 1)}\n`;
  let cases: readonly (readonly [string, string])[];
  beforeAll(() => {
    const around = [-7, -6, -5, -3, -1, 0, 1, 6].map((offset): readonly [string, string] => [
      `the word begins ${offset} bytes after the end of a part`,
      `${filler(CHUNK - 100)}${"y".repeat(100 + offset)}${NEEDLE} and more\nlast ${NEEDLE}\n`,
    ]);
    cases = [
      ...around,
      [
        "the line is longer than a part",
        `${filler(10)}${"y".repeat(CHUNK)}${NEEDLE}${"z".repeat(CHUNK + 70_000)}\nlast ${NEEDLE}\n`,
      ],
      ["the line is longer than a part and begins with it", `${NEEDLE}${"z".repeat(2 * CHUNK)}\nno\n${NEEDLE}`],
      ["the line ends where a part ends", `${"y".repeat(CHUNK - 7)}${NEEDLE}\n${NEEDLE} next\n`],
      ["the line ends one byte after a part", `${"y".repeat(CHUNK - 6)}${NEEDLE}\n${NEEDLE} next\n`],
      ["the file ends with a part", `${"y".repeat(CHUNK - 6)}${NEEDLE}`],
      ["many lines have it", `${`a ${NEEDLE} b ${NEEDLE}\nnone\n`.repeat(60_000)}`],
      ["none has it", `${"none\n".repeat(300_000)}`],
    ];
  });

  it("begins a line behind an end of line that is the first byte of a part", () => {
    const text = `${"y".repeat(CHUNK)}\n${"z".repeat(CHUNK - 1)}x\n`;
    const [line, ...more] = matchingLines(fileOf(text), plain("x"));
    expect([line?.length, line?.[0], more]).toEqual([CHUNK, "z", []]);
  });

  it.each([
    ...[-7, -6, -5, -3, -1, 0, 1, 6].map((offset) => `the word begins ${offset} bytes after the end of a part`),
    "the line is longer than a part",
    "the line is longer than a part and begins with it",
    "the line ends where a part ends",
    "the line ends one byte after a part",
    "the file ends with a part",
    "many lines have it",
    "none has it",
  ])("gives every line whole and once: %s", (name) => {
    const text = cases.find(([one]) => one === name)?.[1] ?? "";
    const file = fileOf(text);
    const same = (found: readonly string[], wanted: readonly string[]): void => {
      expect(found.length).toBe(wanted.length);
      expect(found.findIndex((line, at) => line !== wanted[at])).toBe(-1);
    };
    same(matchingLines(file, plain(NEEDLE)), naive(text, NEEDLE));
    same(matchingLines(file, { text: NEEDLE, ignoreCase: true }), naive(text, NEEDLE));
    if (name.startsWith("the ")) same(matchingLines(file, undefined), naive(text, undefined));
  });
});
