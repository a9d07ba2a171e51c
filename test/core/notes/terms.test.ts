import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stem, analyse, analyseQuery } from "../../../src/core/notes/terms.ts";

/** Whether the terms of a text have one that the prompt asks for. */
function meets(text: string, prompt: string): boolean {
  const terms = new Set(analyse(text));
  return analyseQuery(prompt).some((term) => terms.has(term));
}

describe("the terms of a text", () => {
  it("are its words in order, in small letters, each with its stem, without stop words", () => {
    expect(analyse("The Deployments are running on Fridays")).toEqual([
      "deployments",
      "deploy",
      "running",
      "run",
      "fridays",
      "friday",
    ]);
  });

  it.each([
    ["resetPassword", ["resetpassword", "reset", "password"]],
    ["snake_case_name", ["snakecasename", "snake", "snak", "case", "name"]],
    ["--no-verify", ["noverify", "verify"]],
    ["HTTPServer", ["httpserver", "http", "server"]],
    ["GitHub", ["github", "git", "hub"]],
    ["src/core/terms.ts", ["src", "core", "termsts", "terms", "term", "ts"]],
    ["v1.20.3", ["1_20_3", "v1", "20"]],
    ["2026-11-21", ["2026_11_21", "2026", "11", "21"]],
    ["the user's", ["user"]],
    ["l'index", ["index"]],
    ["utf8", ["utf8"]],
  ])("of %s have the whole and the parts", (text, terms) => {
    expect(analyse(text)).toEqual(expect.arrayContaining(terms));
  });

  it.each([
    ["no-verify", "noVerify"],
    ["no_verify", "--no-verify"],
    ["GitHub", "github"],
    ["e-mail", "email"],
    ["UTF-8", "utf8"],
    ["re-use", "reuse"],
    ["1.2.3", "v1.2.3"],
    ["caching", "cached"],
    ["policies", "policy"],
    ["migrations", "migrate"],
  ])("of %s and %s meet", (text, prompt) => {
    expect([meets(text, prompt), meets(prompt, text)]).toEqual([true, true]);
  });

  it("do not confuse numbers whose digits only look alike when joined", () => {
    expect(meets("version 1.23", "12.3")).toBe(false);
  });

  it.each([
    ["Chinese, as pairs", "数据库备份", ["数据", "据库", "库备", "备份"]],
    ["a single Han character", "测 a1", ["测", "a1"]],
    ["Latin glued to Han", "使用Docker部署", ["使用", "docker", "部署"]],
    ["Japanese", "データ化", ["デー", "ータ", "タ化"]],
    ["half-width kana", "ｶﾞｽ", ["ガス"]],
    ["Korean", "배포 금지", ["배포", "금지"]],
    ["Thai", "ทดสอบ", ["ทด", "ดส", "สอ", "อบ"]],
    ["Arabic without vowel signs, and without its article", "المَدْرَسَةُ", ["المدرسه", "مدرسه"]],
    ["Arabic with a joined conjunction", "والكتاب", ["والكتاب", "كتاب"]],
    ["Cyrillic", "Ёлка", ["елка"]],
    ["accents", "Jané Größe naïve", ["jane", "grosse", "naive"]],
    ["emoji without selectors and skin tones", "✅️👍🏽", ["u2705", "u1f44d"]],
    ["full-width letters", "ＡＢＣ１", ["abc1"]],
    ["a word with a zero-width space inside", "pass\u200Bword", ["password"]],
    ["Devanagari with its vowel signs", "हिन्दी भाषा", ["हिन्दी", "भाषा"]],
  ])("of %s", (_name, text, terms) => {
    expect(analyse(text)).toEqual(expect.arrayContaining(terms));
  });

  it("of a blob are cut to a length that can still be looked up", () => {
    const blob = "a1".repeat(500);
    expect(analyse(blob)).toEqual([blob.slice(0, 64)]);
    expect(analyseQuery(`${blob} ${blob}`)).toEqual([blob.slice(0, 64)]);
  });

  it("can always be joined by spaces and taken apart again", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" })), (text) => {
        const terms = analyse(text);
        expect(terms.join(" ").split(" ").filter(Boolean)).toEqual(terms);
        for (const term of terms) expect(term).toMatch(/^(?:[a-z0-9_]|[^\p{ASCII}\s])+$/u);
      }),
      { numRuns: 300 },
    );
  });

  it("of a prompt are distinct", () => {
    expect(analyseQuery("cache the cache, caching")).toEqual(["cache", "cach", "caching"]);
  });

  it("are found fast: a thousand notes of a hundred words within a second", () => {
    const text = "the deployment pipeline keeps camelCase names of src/path/file.ts and runs tests often ".repeat(7);
    const started = performance.now();
    for (let note = 0; note < 1000; note++) analyse(`${note} ${text}`);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe("the stem of a word", () => {
  it.each([
    [["deploy", "deploys", "deployed", "deploying", "deployment"], "deploy"],
    [["configure", "configured", "configuring", "configuration"], "configur"],
    [["create", "created", "creation"], "creat"],
    [["stop", "stops", "stopped", "stopping"], "stop"],
    [["query", "queries"], "query"],
    [["class", "classes"], "class"],
  ])("is shared by %j", (words, shared) => {
    expect([...new Set(words.map(stem))]).toEqual([shared]);
  });

  it("leaves short words, and words that only look like an ending, alone", () => {
    const words = ["bus", "this", "ring", "bed", "speed", "string", "status", "ts", "utf8"];
    expect(words.map(stem)).toEqual(words);
  });
});
