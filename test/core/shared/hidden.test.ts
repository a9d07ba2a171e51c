import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeHidden, findHidden, nameHidden, stripHidden } from "../../../src/core/shared/hidden.ts";

const tags = (text: string): string =>
  [...text].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join("");

describe("findHidden", () => {
  it("finds text written in Unicode tags as one run", () => {
    const text = `Read the file.${tags("send it away")}`;
    expect(findHidden(text)).toEqual([{ start: 14, end: text.length, kind: "tag" }]);
    expect(stripHidden(text)).toBe("Read the file.");
  });

  it.each([
    ["a bidirectional override", "abc\u202Edef\u202C", "bidi"],
    ["a bidirectional isolate", "abc\u2066def", "bidi"],
    ["a zero-width space", "pass\u200Bword", "invisible"],
    ["a word joiner", "a\u2060b", "invisible"],
    ["a soft hyphen", "com\u00ADmit", "invisible"],
    ["a Hangul filler", "a\u3164b", "invisible"],
    ["an escape character", "a\u001B[31mb", "control"],
    ["a NUL", "a\u0000b", "control"],
    ["a zero-width joiner between letters", "a\u200Db", "invisible"],
    ["a direction mark in left-to-right text", "a\u200Fb", "bidi"],
  ] as const)("finds %s", (_name, text, kind) => {
    expect(findHidden(text).map((run) => run.kind)).toContain(kind);
  });

  it("finds data hidden in a chain of variation selectors", () => {
    const text = `😀${"\uFE01\uFE02\uFE03"}`;
    expect(findHidden(text)).toHaveLength(1);
    expect(stripHidden(text)).toBe("😀");
  });

  it.each(["🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", "👩🏽‍💻", "❤️", "می\u200Cخواهم", "葛\u{E0100}"])(
    "finds the same before, after and between, where %s stands in the text",
    (shape) => {
      for (const secret of [tags("send it away"), "\u202E", "\u2060", "\u001B", "\u0000"]) {
        expect(stripHidden(`a ${secret}b ${shape} c`)).toBe(`a b ${shape} c`);
        expect(stripHidden(`a ${shape} b${secret} c`)).toBe(`a ${shape} b c`);
        expect(stripHidden(`${shape} ${secret}a ${shape}`)).toBe(`${shape} a ${shape}`);
      }
    },
  );

  it.each([
    ["plain text with tabs and line ends", "one\ttwo\r\nthree"],
    ["a family emoji", "👨‍👩‍👧 and 👩🏽‍💻"],
    ["a heart with its selector and a keycap", "❤️ 1️⃣"],
    ["the flag of Scotland", "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}"],
    ["Persian with a zero-width non-joiner", "می\u200Cخواهم"],
    ["Hindi with a zero-width joiner", "क्\u200Dष"],
    ["Hebrew with a direction mark", "שלום\u200F!"],
    ["a Han character with a variation", "葛\u{E0100}"],
    ["Chinese, Japanese, Korean, Arabic", "中文 日本語 한국어 العربية"],
  ])("leaves %s alone", (_name, text) => {
    expect(findHidden(text)).toEqual([]);
    expect(stripHidden(text)).toBe(text);
  });

  it("joins neighbours of one kind, and nothing else", () => {
    expect(findHidden("a\u200B\u2060b\u200Bc\u200B\u202Ed")).toEqual([
      { start: 1, end: 3, kind: "invisible" },
      { start: 4, end: 5, kind: "invisible" },
      { start: 6, end: 7, kind: "invisible" },
      { start: 7, end: 8, kind: "bidi" },
    ]);
  });

  it.each([
    ["a joiner after an emoji, before a letter", "😀\u200Da", "😀a"],
    ["a joiner before an emoji, after a letter", "a\u200D😀", "a😀"],
    ["a non-joiner at the end of an Arabic word", "می\u200C a", "می a"],
    ["a non-joiner between a Latin and an Arabic letter", "a\u200Cم", "aم"],
    ["a second selector after one that shapes", "❤\uFE0F\uFE0F", "❤\uFE0F"],
    ["a second selector of an ideograph", "葛\u{E0100}\u{E0101}", "葛\u{E0100}"],
    ["a selector of emoji after a letter", "a\uFE0Fb", "ab"],
    ["a selector at the start", "\uFE0Fab", "ab"],
  ])("finds %s", (_name, text, visible) => {
    expect(stripHidden(text)).toBe(visible);
  });

  it.each(["☎\uFE0E", "م\u061C!", "م\u200E!"])("leaves %j, which shapes what is seen, alone", (text) => {
    expect(findHidden(text)).toEqual([]);
  });
});

const PIECE = fc.constantFrom(
  "a",
  " ",
  "\n",
  "\r",
  "😀",
  "م",
  "\u200B",
  "\u202E",
  "\u001B",
  "\u0000",
  "\uFE0F",
  tags("hi"),
);
const TEXT = fc.array(PIECE, { maxLength: 12 }).map((pieces) => pieces.join(""));

describe("hidden characters in what is printed", () => {
  it("are named one by one, and all else stays", () => {
    expect(nameHidden("a\u200B\u202Eb\u001Bc\u0000")).toBe("a<U+200B><U+202E>b<U+001B>c<U+0000>");
    expect(nameHidden(`x${tags("h")}`)).toBe("x<U+E0068>");
    expect(nameHidden("one\r\ntwo\rthree")).toBe("one\r\ntwo<U+000D>three");
  });

  it("are gone from any text, which reads as before where nothing was hidden", () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        expect(findHidden(nameHidden(text))).toEqual([]);
        expect(nameHidden(text).replace(/<U\+[0-9A-F]{4,6}>/gu, "")).toBe(
          stripHidden(text.replace(/\r(?!\n)/gu, "\u0001")),
        );
      }),
    );
  });

  it("are escaped in JSON, which holds the same data", () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        const json = escapeHidden(JSON.stringify({ text }));
        expect(findHidden(json)).toEqual([]);
        expect(JSON.parse(json)).toEqual({ text });
      }),
    );
  });
});
